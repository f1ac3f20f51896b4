import { ACK } from './ack.js'
import { ALTERNATIVES } from './alternatives.js'
import { ATOM } from './atom.js'
import { AUTHENTICATION } from './authentication.js'
import { BATCH } from './batch.js'
import { BROWSE } from './browse.js'
import type { Clause } from './clause.js'
import { CONSUME } from './consume.js'
import { DEDUP } from './dedup.js'
import { ERRORS } from './errors.js'
import { EVENTS } from './events.js'
import { LEASE } from './lease.js'
import { LIMITS } from './limits.js'
import { ONE_AT_A_TIME } from './one-at-a-time.js'
import { PREFETCH } from './prefetch.js'
import { PURPOSE } from './purpose.js'
import { QUEUES } from './queues.js'
import { RESOURCES } from './resources.js'
import { SELECTOR } from './selector.js'
import { SEND } from './send.js'
import { SINGLE_PATH } from './single-path.js'
import { STATES } from './states.js'
import { SUBSCRIBE } from './subscribe.js'
import { VERSIONING } from './versioning.js'

export type { Clause, Feature, Grade, Section, Topic } from './clause.js'
export { FEATURES, REMARK_TOPICS, SECTIONS, TOPICS } from './clause.js'

const CLAUSES = [
  ...PURPOSE,
  ...RESOURCES,
  ...STATES,
  ...QUEUES,
  ...BROWSE,
  ...ATOM,
  ...SEND,
  ...DEDUP,
  ...SUBSCRIBE,
  ...SELECTOR,
  ...CONSUME,
  ...PREFETCH,
  ...ACK,
  ...LEASE,
  ...ALTERNATIVES,
  ...SINGLE_PATH,
  ...ONE_AT_A_TIME,
  ...BATCH,
  ...AUTHENTICATION,
  ...EVENTS,
  ...ERRORS,
  ...LIMITS,
  ...VERSIONING,
] as const

/** The id of a clause of the ledger, so that a check that names one that is not there does not compile. */
export type ClauseId = (typeof CLAUSES)[number]['id']

/** The ledger: every clause of the interface, in the order of the document. */
export const LEDGER: readonly (Clause & { readonly id: ClauseId })[] = CLAUSES

const BY_ID: ReadonlyMap<string, Clause> = new Map(LEDGER.map((clause) => [clause.id, clause]))

/** The clause of this id, or undefined where the ledger has none. */
export function findClause(id: string): Clause | undefined {
  return BY_ID.get(id)
}
