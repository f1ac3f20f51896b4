import type { EdgeLimits } from '../limits.js'

/** The part of `maxInFlight` that heads may have which are on their way. */
const PART = 4
/** What any connection's head may have: more bytes than a browser sends. */
const LEAST = 1024
const LEAST_FIELDS = 32
/** More than the most properties of a message, and all that may stand beside them. */
const MOST_FIELDS = 128
/** Bytes of a head for one of its fields. */
const BYTES_OF_FIELD = 32

/** How large the head of one request may be. */
export interface HeadRoom {
  /** Of all of it. */
  readonly bytes: number
  readonly fields: number
}

/**
 * What the heads of a connection may have that is opened now. `node:http` keeps what has come of a head, each field as two texts of
 * its own, and tells nobody before the head is there: who never ends it must not take much, nor thousands of them together.
 *
 * @param open how many connections are open, with this one
 */
// clause: http.limit.headers
export function headRoom(
  open: number,
  { maxHeader, maxInFlight }: Pick<EdgeLimits, 'maxHeader' | 'maxInFlight'>,
): HeadRoom {
  const share = Math.floor(maxInFlight / PART / open)
  const bytes = Math.min(maxHeader, Math.max(LEAST, share))
  const fields = Math.min(MOST_FIELDS, Math.max(LEAST_FIELDS, Math.floor(bytes / BYTES_OF_FIELD)))
  return { bytes, fields }
}
