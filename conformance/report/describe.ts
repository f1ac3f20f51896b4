import type { Report } from '../run/result.js'

/** What reports say about ids; results hold the ids only. */
export interface Descriptions {
  /** The sentence of a check, or undefined for an id that the kit does not know. */
  title(checkId: string): string | undefined
  /** The obligation of a clause. */
  clause(clauseId: string): string | undefined
}

/** What a run came to, as one sentence. */
export function verdictSentence({ verdict, planned, executed, counts }: Report): string {
  if (planned === 0) return 'incomplete: no check was chosen.'
  if (verdict === 'conformant')
    return `conformant: ${counts.pass} of ${planned} checks passed, and none that counts failed.`
  if (verdict === 'non-conformant') return `non-conformant: ${counts.fail} of ${planned} checks failed.`
  const open = [
    ...(['blocked', 'inconclusive', 'error'] as const)
      .filter((status) => counts[status] > 0)
      .map((status) => `${counts[status]} ${status}`),
    ...(executed < planned ? [`${planned - executed} never began`] : []),
  ]
  return `incomplete: nothing failed, but ${open.length > 0 ? open.join(', ') : 'no check passed'}.`
}
