import { type ClauseId, findClause } from '../requirements/index.js'
import type { Told } from './walk.js'

/** What was done and what came of it, a line for each step. */
export function storyOf(told: readonly Told[]): string[] {
  return told.map(({ who, what, came }) => `${who} ${what}${came === '' ? '' : `: ${came}`}.`)
}

/** The clause that the last step of a story breaks, as people cite it. */
export function citation(clause: ClauseId): string {
  const { text, section } = findClause(clause)!
  return `${text} (${clause}, section ${section})`
}
