import { answered } from '../client/answered.js'
import { type Exchange, succeeded } from '../client/exchange.js'
import { messagesIn } from '../client/message-in.js'
import type { Sent, Trial } from './trial.js'

export { invented, type Unauthorized, unauthorized } from '../client/unauthorized.js'

/** Judges that an answer to somebody without permission shows nothing of a message that is not theirs. */
export async function expectNotShown(
  trial: Trial,
  answer: Exchange,
  sent: Sent,
  name: string,
): Promise<void> {
  const shown = answer.body.includes(sent.body) || (await messagesIn(trial, answer, [sent])).length > 0
  trial.expect(!shown, `nothing of the owner's message for ${name}`, `${answered(answer)}, with the message`)
}

/** Whether an answer without a body tells of the one that it would have; a bare success says no more than any other. */
export function tellsOfFeed(answer: Exchange): boolean {
  const { etag, 'last-modified': modified, 'content-length': length } = answer.headers
  return succeeded(answer) && (etag !== undefined || modified !== undefined || Number(length ?? 0) > 0)
}
