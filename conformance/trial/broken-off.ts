import { BROKEN_OFF } from '../client/exchange.js'
import { expectSuccess } from './expectations.js'
import { expectPending } from './pending.js'
import { brokenOff, rawHead, speaksHttp11 } from './raw-request.js'
import type { MakeRepeatable } from './repeats.js'
import type { QueueHandle, Sent, Trial } from './trial.js'

/** How the length of a body is told: before it comes, or chunk by chunk. */
type Framing = 'length' | 'chunks'

/**
 * Judges that a sending whose connection ends within its body, by either framing that the target takes, stores nothing,
 * and that sending the message whole afterwards makes it.
 *
 * @param addressOf where a message is posted to
 */
export async function judgeBrokenOff(
  trial: Trial,
  make: MakeRepeatable,
  addressOf: (queue: QueueHandle, sending: Awaited<ReturnType<MakeRepeatable>>) => string,
): Promise<void> {
  const queue = await trial.createQueue()
  const takesChunks = await speaksHttp11(queue.uri, trial.profile.headers)
  const framings: readonly Framing[] = takesChunks ? ['length', 'chunks'] : ['length']
  const messages = await Promise.all(
    framings.map(async (framing) => {
      const sending = await make(trial, queue, { around: 'the whole of a message ' })
      const uri = addressOf(queue, sending)
      const { bytes, ...request } = beginningOf(trial, uri, sending.message, framing)
      await trial.target.remember(request, async () => {
        await brokenOff(uri, bytes)
        return { status: 0, error: BROKEN_OFF }
      })
      await expectSuccess(trial, '200 for the whole message after a sending that broke off', sending.post)
      return sending.message
    }),
  )
  await expectPending(
    trial,
    queue,
    messages,
    'each message whole and once, and nothing of the sendings that broke off',
  )
}

/** A request up to the middle of its body, and its bytes. */
function beginningOf(trial: Trial, url: string, { body }: Sent, framing: Framing) {
  const { headers, message } = trial.profile
  const half = body.subarray(0, Math.floor(body.length / 2))
  const framed: Record<string, string> =
    framing === 'length' ? { 'Content-Length': String(body.length) } : { 'Transfer-Encoding': 'chunked' }
  const requestHeaders = { ...headers, ...message.headers, ...framed }
  const head = Buffer.from(`${rawHead('POST', url, requestHeaders)}\r\n`)
  const sent =
    framing === 'length'
      ? [head, half]
      : [head, Buffer.from(`${half.length.toString(16)}\r\n`), half, Buffer.from('\r\n')]
  return { method: 'POST', url, requestHeaders, requestBody: half, bytes: Buffer.concat(sent) }
}
