import type { Exchange } from '../client/exchange.js'
import { quote } from '../trial/labels.js'

/** What the body of an answer begins with, as a note tells it. */
export function quotedBody({ body }: Exchange): string {
  return quote(body.subarray(0, 120).toString())
}
