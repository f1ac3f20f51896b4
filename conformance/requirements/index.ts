import { ACK } from './ack.js'
import { ACK_IN_POST } from './ack-in-post.js'
import { AUTH } from './auth.js'
import { BATCH } from './batch.js'
import { BROWSE } from './browse.js'
import { type Clause, SECTIONS } from './clause.js'
import { CONSUME } from './consume.js'
import { DEDUP } from './dedup.js'
import { HTTP } from './http.js'
import { LEASE } from './lease.js'
import { ONE_AT_A_TIME } from './one-at-a-time.js'
import { PREFETCH } from './prefetch.js'
import { QUEUES } from './queues.js'
import { REMARKS } from './remarks.js'
import { SEND } from './send.js'
import { SINGLE_PATH } from './single-path.js'
import { SUBSCRIBE } from './subscribe.js'

export type { Clause, Feature, Grade, Section, Topic } from './clause.js'
export { FEATURES, REMARK_TOPICS, SECTIONS, TOPICS } from './clause.js'

const CLAUSES = [
  ...QUEUES,
  ...BROWSE,
  ...SEND,
  ...DEDUP,
  ...SUBSCRIBE,
  ...CONSUME,
  ...PREFETCH,
  ...ACK,
  ...LEASE,
  ...AUTH,
  ...SINGLE_PATH,
  ...ONE_AT_A_TIME,
  ...BATCH,
  ...ACK_IN_POST,
  ...HTTP,
  ...REMARKS,
]

/** The id of a clause of the ledger, so that a check that names one that is not there does not compile. */
export type ClauseId = (typeof CLAUSES)[number]['id']

/**
 * The ledger: every clause of the interface, section by section of the document, and in a section topic by topic.
 *
 * @example
 * ```ts
 * ledger.filter(({ grade }) => grade === 'stated').length > 100    // true
 * ```
 */
export const LEDGER: readonly (Clause & { readonly id: ClauseId })[] = SECTIONS.flatMap((section) =>
  CLAUSES.filter((clause) => clause.section === section),
)

const BY_ID: ReadonlyMap<string, Clause> = new Map(LEDGER.map((clause) => [clause.id, clause]))

/**
 * The clause of this id, or undefined where the ledger has none.
 *
 * @example
 * ```ts
 * findClause('send.step-2.status')?.grade    // 'stated'
 * ```
 */
export function findClause(id: string): Clause | undefined {
  return BY_ID.get(id)
}
