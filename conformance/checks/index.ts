import { findClause } from '../requirements/index.js'
import type { Check, CheckRecord } from '../trial/check.js'
import { ACK } from './ack/acknowledging.js'
import { ACK_ROWS } from './ack/rows.js'
import { ACK_IN_POST_CHOICES } from './ack-in-post/choices.js'
import { ACK_IN_POST_ROWS } from './ack-in-post/rows.js'
import { AUTH_CHOICES } from './auth/choices.js'
import { AUTH } from './auth/limits.js'
import { AUTH_ROWS } from './auth/rows.js'
import { BATCH_CHOICES } from './batch/choices.js'
import { BATCH_ROWS } from './batch/rows.js'
import { BROWSE_CHOICES } from './browse/choices.js'
import { BROWSE_ENTRIES } from './browse/entries.js'
import { BROWSE_FEEDS } from './browse/feeds.js'
import { BROWSE_LISTINGS } from './browse/listings.js'
import { BROWSE_PAGES } from './browse/pages.js'
import { BROWSE_ROWS } from './browse/rows.js'
import { BROWSE_VALIDATORS } from './browse/validators.js'
import { CONSUME } from './consume/consuming.js'
import { CONSUME_ENTRY } from './consume/entry.js'
import { CONSUME_ROWS } from './consume/rows.js'
import { CONSUME_WAIT } from './consume/waiting.js'
import { DEDUP } from './dedup/guids.js'
import { DEDUP_ROWS } from './dedup/rows.js'
import { HTTP_MALFORMED } from './http/malformed.js'
import { HTTP_REFUSALS } from './http/refusals.js'
import { HTTP_ROWS } from './http/rows.js'
import { HTTP_SERVICE } from './http/service.js'
import { LEASE_ENDINGS } from './lease/endings.js'
import { LEASE_ROWS } from './lease/rows.js'
import { ONE_AT_A_TIME } from './one-at-a-time/next-message.js'
import { ONE_AT_A_TIME_ROWS } from './one-at-a-time/rows.js'
import { PREFETCH_ROWS } from './prefetch/rows.js'
import { QUEUES } from './queues/creation.js'
import { QUEUE_ROWS } from './queues/rows.js'
import { checksOf } from './row-check.js'
import { SEND_BODY_ROWS } from './send/body-rows.js'
import { SEND_ROWS } from './send/rows.js'
import { SEND } from './send/two-step.js'
import { SINGLE_PATH_CHOICES } from './single-path/choices.js'
import { SINGLE_PATH_ROWS } from './single-path/rows.js'
import { SUBSCRIBE_DESTINATIONS } from './subscribe/destinations.js'
import { SUBSCRIBE_FORMS } from './subscribe/forms.js'
import { SUBSCRIBE_ROWS } from './subscribe/rows.js'
import { SELECTOR_LANGUAGE } from './subscribe/selector-language.js'
import { SUBSCRIBE_WILDCARDS } from './subscribe/wildcards.js'

const RECORDS: readonly CheckRecord[] = [
  ...QUEUE_ROWS,
  ...QUEUES,
  ...BROWSE_ROWS,
  ...BROWSE_LISTINGS,
  ...BROWSE_FEEDS,
  ...BROWSE_ENTRIES,
  ...BROWSE_PAGES,
  ...BROWSE_VALIDATORS,
  ...BROWSE_CHOICES,
  ...SEND_ROWS,
  ...SEND,
  ...SEND_BODY_ROWS,
  ...DEDUP_ROWS,
  ...DEDUP,
  ...SUBSCRIBE_ROWS,
  ...SUBSCRIBE_FORMS,
  ...SUBSCRIBE_DESTINATIONS,
  ...SUBSCRIBE_WILDCARDS,
  ...SELECTOR_LANGUAGE,
  ...CONSUME_ROWS,
  ...CONSUME,
  ...CONSUME_ENTRY,
  ...CONSUME_WAIT,
  ...PREFETCH_ROWS,
  ...ACK_ROWS,
  ...ACK,
  ...LEASE_ROWS,
  ...LEASE_ENDINGS,
  ...AUTH_ROWS,
  ...AUTH,
  ...AUTH_CHOICES,
  ...SINGLE_PATH_ROWS,
  ...SINGLE_PATH_CHOICES,
  ...ONE_AT_A_TIME_ROWS,
  ...ONE_AT_A_TIME,
  ...BATCH_ROWS,
  ...BATCH_CHOICES,
  ...ACK_IN_POST_ROWS,
  ...ACK_IN_POST_CHOICES,
  ...HTTP_ROWS,
  ...HTTP_REFUSALS,
  ...HTTP_SERVICE,
  ...HTTP_MALFORMED,
]

/**
 * Every check, topic by topic.
 *
 * @example
 * ```ts
 * checks.find(({ id }) => id === 'send.post')?.grade    // 'stated'
 * ```
 */
export const checks: readonly Check[] = RECORDS.map(completed)

/**
 * The checks of a text of rows, as {@link parseRows} reads it.
 *
 * @throws {Mistake} with the line and column of the text
 */
export function checksIn(text: string): Check[] {
  return checksOf(text).map(completed)
}

/** A check with what its first clause says of it. */
function completed(record: CheckRecord): Check {
  const clause = findClause(record.clauses[0]!)
  if (clause === undefined)
    throw new Error(`${record.id} proves ${record.clauses[0]}, which the ledger does not have`)
  const { text: title, grade, feature } = clause
  return { title, grade, ...(feature === undefined ? {} : { feature }), ...record }
}
