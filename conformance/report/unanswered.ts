import { wordsOf } from '../client/answered.js'
import type { Exchange } from '../client/exchange.js'
import type { Unanswered } from '../client/unanswered.js'
import type { Redactor } from './redactor.js'

/** How many of some requests had a 5xx or no answer, and the first of each kind. */
export function unansweredOf(
  { count, first }: Pick<Unanswered, 'count' | 'first'>,
  requests: number,
  redactor: Redactor,
): string {
  const each = first.map((exchange) => unansweredAs(exchange, redactor)).join('; ')
  return `${count} of ${requests} requests were answered with a 5xx or not at all; the first of each kind: ${each}`
}

/** A request without an answer that is any use, and what came in its place. */
export function unansweredAs({ method, url, ...answer }: Exchange, redactor: Redactor): string {
  const asked = `${method} ${redactor.text(url)}`
  if (answer.status === 0) return `${asked} gave ${redactor.text(answer.error ?? 'no answer')}`
  const words = wordsOf({ method, url, ...answer, body: redactor.bytes(answer.body) })
  return `${asked} gave ${answer.status}${words === '' ? '' : `: ${JSON.stringify(words)}`}`
}
