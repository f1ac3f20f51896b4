import type { Report, Status } from './result.js'

/** What reports say about ids; results hold the ids only. */
export interface Descriptions {
  /** The sentence of a check, or undefined for an id that the kit does not know. */
  title(checkId: string): string | undefined
  /** The obligation of a clause. */
  clause(clauseId: string): string | undefined
  /** The address of a clause in the specification, where reports are to link there. */
  page?(clauseId: string): string | undefined
  /** Where a scenario runs in a page, where reports are to link there. */
  playground?(scenario: string): string | undefined
  /** The command that carries out a scenario again; undefined where the target is not known. */
  again?(scenario: string): string
  /** Is told of a part of a report that could not be made, by the kit's own fault. */
  fault?(part: string, error: unknown): void
}

/**
 * What is known beside a report of how its run was made; all of it may be unknown.
 *
 * @example
 * ```ts
 * nextSteps(report, { profileFile: 'profile.json' } satisfies RunContext)
 * ```
 */
export interface RunContext {
  /** How many checks the kit has: a run of fewer has left some out. */
  readonly allChecks?: number
  /** The profile's file, as commands name it. */
  readonly profileFile?: string
  /** Whether reports were written to files as well. */
  readonly writesFiles?: boolean
}

/** What a run came to, as one sentence. */
export function verdictSentence(report: Report): string {
  const { verdict, planned, executed, counts, results, notJudged } = report
  if (notJudged !== undefined) return `incomplete: ${notJudged}`
  if (planned === 0) return 'incomplete: no check was chosen.'
  const known = results.filter((result) => result.known !== undefined)
  const count = (status: Status) => counts[status] - known.filter((result) => result.status === status).length
  const unanswered = (['blocked', 'inconclusive', 'error'] as const)
    .filter((status) => count(status) > 0)
    .map((status) => `${count(status)} ${status}`)
  if (verdict === 'conformant') {
    // Of what does not count: else it would be incomplete.
    const open = unanswered.length === 0 ? '' : `; not answered, and not counted: ${unanswered.join(', ')}`
    const but =
      known.length === 0
        ? ''
        : ` but for ${known.length} known ${known.length === 1 ? 'failure' : 'failures'}`
    return `conformant${but}: ${counts.pass} of ${planned} checks passed, and none that counts failed${open}.`
  }
  if (verdict === 'non-conformant') {
    const beside = known.length > 0 ? `, beside ${known.length} known` : ''
    return `non-conformant: ${count('fail')} of ${planned} checks failed${beside}.`
  }
  const open = [...unanswered, ...(executed < planned ? [`${planned - executed} never began`] : [])]
  const failed = known.length > 0 ? 'nothing failed that is not known' : 'nothing failed'
  return `incomplete: ${failed}, but ${open.length > 0 ? open.join(', ') : 'no check passed'}.`
}
