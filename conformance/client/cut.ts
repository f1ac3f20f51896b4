import { Buffer } from './bytes.js'
import { BROKEN_OFF, LEFT } from './exchange.js'
import type { Outgoing, TracedExchange } from './transport.js'

/**
 * Where a client goes away: after the head of its request, within the body, after the body, or when the answer begins to come. One
 * without a body has announced two bytes then, of which none comes, or one.
 */
export type Cut = 'head' | 'body' | 'sent' | 'answer'

const WORDS: Readonly<Record<Cut, string>> = {
  head: 'the client went away before the body',
  body: BROKEN_OFF,
  sent: LEFT,
  answer: 'the client did not read the answer',
}

/** What is left of a request whose client went away. */
export function cutOff(
  { method, url, headers, body }: Outgoing,
  cut: Cut,
  times: Pick<TracedExchange, 'sentAt' | 'receivedAt'>,
): TracedExchange {
  return {
    ...{ method, url, requestHeaders: headers, requestBody: body, status: 0, headers: {} },
    ...{ body: Buffer.alloc(0), connected: true, error: WORDS[cut], ...times },
  }
}
