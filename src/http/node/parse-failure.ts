import { headerTooLarge, targetTooLong } from '../head.js'
import type { EdgeLimits } from '../limits.js'
import { Problem } from '../problems.js'
import type { HeadRoom } from './head-room.js'

/** What node:http tells of a stream that it cannot read. */
export interface ClientError extends Error {
  readonly code?: string
  /** The bytes among which the parser stopped. */
  readonly rawPacket?: Buffer
  /** How many of these bytes it understood. */
  readonly bytesParsed?: number
}

/** What a stream that the parser gave up on is as a refusal. */
// clause: http.malformed http.limit.headers
export function parseFailure(
  error: ClientError,
  room: HeadRoom,
  limits: Pick<EdgeLimits, 'maxTarget'>,
): Problem {
  const { rawPacket, bytesParsed = 0 } = error
  const packet = rawPacket?.toString('latin1') ?? ''
  switch (error.code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Problem(
        'request-timeout',
        'The request did not arrive whole in time; send it again, faster.',
      )
    case 'HPE_HEADER_OVERFLOW':
      if (/^[A-Z]+ [^\n]*$/.test(packet.slice(0, room.bytes))) return targetTooLong(limits)
      return headerTooLarge(room.bytes, room.fields)
    case 'HPE_INVALID_METHOD':
      // A method of RFC 9110 syntax that the parser does not know is well-formed all the same.
      if (
        /^[\w!#$%&'*+.^`|~-]+ \S+ HTTP\/1\.[01]\r?\n/.test(
          packet.slice(packet.lastIndexOf('\n', bytesParsed) + 1),
        )
      ) {
        return new Problem(
          'not-implemented',
          'This server does not know the method; OPTIONS * lists those it knows.',
        )
      }
  }
  return new Problem('malformed-request', 'The request is not HTTP/1.1; nothing after the fault was read.')
}
