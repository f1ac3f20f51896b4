import { expectSuccess } from './expectations.js'
import { expectPending } from './pending.js'
import { continuedRequest, rawHead } from './raw-request.js'
import type { MakeRepeatable } from './repeats.js'
import type { QueueHandle, Trial } from './trial.js'

/**
 * Judges that a message whose client asks whether to go on before it sends the body (`Expect: 100-continue`) is stored whole. A
 * server may refuse that, and is then sent the message without asking; otherwise that is a repeat, which makes no second one.
 *
 * @param addressOf where a message is posted to
 */
export async function judgeContinued(
  trial: Trial,
  make: MakeRepeatable,
  addressOf: (queue: QueueHandle, sending: Awaited<ReturnType<MakeRepeatable>>) => string,
): Promise<void> {
  const queue = await trial.createQueue()
  const sending = await make(trial, queue, { around: 'after a word to go on ' })
  const url = addressOf(queue, sending)
  const { body } = sending.message
  const { headers, message } = trial.profile
  const asked = { 'Content-Length': String(body.length), Expect: '100-continue' }
  const requestHeaders = { ...headers, ...message.headers, ...asked }
  const request = { method: 'POST', url, requestHeaders, requestBody: body }
  const status = await trial.target.remember(request, async () => ({
    status: await continuedRequest(url, rawHead('POST', url, requestHeaders), body),
    error: undefined,
  }))
  trial.choose('expect-100-continue', String(status))
  await expectSuccess(trial, '200 for the message, sent again without asking', sending.post)
  await expectPending(trial, queue, [sending.message], 'the message whole and once')
}
