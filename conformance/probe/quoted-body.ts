import type { Exchange } from '../client/exchange.js'
import { wordsOf } from '../trial/answers.js'
import { quote } from '../trial/labels.js'

/** What the body of an answer begins with, as a note tells it. */
export function quotedBody(answer: Exchange): string {
  return quote(wordsOf(answer))
}
