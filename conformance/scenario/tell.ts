import { findClause } from '../requirements/index.js'
import type { Outcome } from './carry-out.js'
import { printStep } from './print.js'
import type { Told } from './walk.js'

/** What was done and what came of it, a line for each step. */
export function linesOf(told: readonly Told[]): string[] {
  return told.map(({ step, came }) => `${printStep(step)}${came === '' ? '' : `: ${came}`}`)
}

/** The clause that an answer breaks, as people cite it. */
export function citation(clause: string): string {
  const { text, section } = findClause(clause)!
  return `${text} (${clause}, section ${section})`
}

/** An outcome as it is read, in lines: each step with its answer and who holds what then, what was broken, and the verdict. */
export function outcomeLines(outcome: Outcome): string[] {
  const { told, broken, variation } = outcome
  const lines = variation === '' ? [] : [`Of the scenarios that this one stands for: ${variation}.`, '']
  for (const [at, each] of told.entries()) {
    const [line] = linesOf([each])
    lines.push(`${String(at + 1).padStart(4)}. ${line}`)
    const stands = each.stands()
    if (stands.length > 0) lines.push(`      ${stands.join('; ')}`)
    for (const { clause, expected, seen } of broken.filter(({ step }) => step === at))
      lines.push(`      expected: ${expected}`, `      seen: ${seen}`, `      breaks: ${citation(clause)}`)
  }
  return [...lines, ...(told.length > 0 ? [''] : []), ...outcomeWords(outcome)]
}

/** The verdict alone. */
export function outcomeWords({ verdict, why, broken }: Outcome): string[] {
  const all = broken.map(({ clause, step }) => `step ${step + 1} breaks ${clause}`).join(', ')
  switch (verdict) {
    case 'conformant':
    case 'broken':
      return [broken.length > 0 ? `Non-conformant: ${all}.` : 'Conformant.']
    case 'blocked':
      return [`Non-conformant: ${all}, before the clauses at stake could be judged.`]
    case 'inconclusive':
      return [...(broken.length > 0 ? [`Non-conformant: ${all}.`] : []), `Incomplete: ${why}.`]
    case 'not-applicable':
      return [`Incomplete: ${why}.`]
  }
}
