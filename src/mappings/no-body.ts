import type { Request } from '../http/exchange.js'
import { Problem } from '../http/problems.js'

/**
 * Refuses a body where none is meant (`chosen`): a message, or a list of acknowledgements, must not vanish silently.
 *
 * @throws Problem `unexpected-body`
 */
// clause: one-at-a-time.no-body
export function refuseBody({ body }: Request): void {
  if (body.length > 0) {
    throw new Problem('unexpected-body', 'This request takes no body; leave it out, or send it elsewhere.')
  }
}
