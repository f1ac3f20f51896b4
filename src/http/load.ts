import type { EdgeLimits } from './limits.js'
import { Problem } from './problems.js'

/** The refusal of a request whose connection has too many others before it. */
export function tooManyPipelined({ maxPipelined }: Readonly<EdgeLimits>): Problem {
  return new Problem(
    'too-many-requests',
    `${maxPipelined} requests of this connection wait for their answers; read those first.`,
    { limit: maxPipelined },
  )
}

/** The refusal of a request where too many wait already, whoever made them. */
export function tooManyRequests({ maxRequests }: Readonly<EdgeLimits>): Problem {
  return new Problem(
    'too-many-requests',
    `${maxRequests} requests wait for their answers; come again when some have theirs.`,
    { limit: maxRequests },
    { 'Retry-After': '1' },
  )
}

/** The refusal of a body for which there is no room beside those of others. */
export function overloaded({ maxInFlight }: Readonly<EdgeLimits>): Problem {
  return new Problem(
    'overloaded',
    `Requests on their way, or that wait, may take ${maxInFlight} bytes together, and there is no room for this one; send it again later.`,
    { limit: maxInFlight },
    { 'Retry-After': '1' },
  )
}
