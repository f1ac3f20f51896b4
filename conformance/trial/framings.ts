import { succeeded } from './answers.js'
import { expectSuccess } from './expectations.js'
import { expectPending } from './pending.js'
import { continuedRequest, rawHead, rawRequest, speaksHttp11 } from './raw-request.js'
import type { MakeRepeatable, Repeatable } from './repeats.js'
import type { QueueHandle, Trial } from './trial.js'

/** Where a message is posted to. */
type AddressOf = (queue: QueueHandle, sending: Repeatable) => string

/** Judges that a message whose request comes in three chunks, with a trailer, is stored whole, where such a request is taken. */
export async function judgeChunked(trial: Trial, make: MakeRepeatable, addressOf: AddressOf): Promise<void> {
  const queue = await trial.createQueue()
  if (!(await speaksHttp11(queue.uri, trial.profile.headers)))
    return trial.observed('The target speaks HTTP/1.0, which knows no chunks.')
  const sending = await make(trial, queue, { around: 'in chunks ' })
  const url = addressOf(queue, sending)
  const { body } = sending.message
  const { headers, message } = trial.profile
  const requestHeaders = { ...headers, ...message.headers, 'Transfer-Encoding': 'chunked', Trailer: 'X-Kit' }
  const third = Math.ceil(body.length / 3)
  const chunks = [0, 1, 2].map((part) => body.subarray(part * third, (part + 1) * third))
  const written = chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk.toString('latin1')}\r\n`)
  const head = rawHead('POST', url, requestHeaders)
  const bytes = Buffer.from(`${head}\r\n${written.join('')}0\r\nX-Kit: 1\r\n\r\n`, 'latin1')
  const request = { method: 'POST', url, requestHeaders, requestBody: body }
  const status = await trial.target.remember(request, async () => ({
    status: await rawRequest(url, bytes),
    error: undefined,
  }))
  if (!succeeded({ status })) return trial.observed(`A request in chunks is answered with ${status}.`)
  await expectPending(trial, queue, [sending.message], 'A message that came in chunks is whole.')
}

/**
 * Judges that a message whose client asks whether to go on before it sends the body (`Expect: 100-continue`) is stored whole. A
 * server may refuse that, and is then sent the message without asking; otherwise that is a repeat, which makes no second one.
 */
export async function judgeContinued(
  trial: Trial,
  make: MakeRepeatable,
  addressOf: AddressOf,
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
  trial.choose('expect-100-continue', succeeded({ status }) ? 'accepted' : String(status))
  await expectSuccess(trial, '200 for the message, sent again without asking', sending.post)
  await expectPending(trial, queue, [sending.message], 'the message whole and once')
}
