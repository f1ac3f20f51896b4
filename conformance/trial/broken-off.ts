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
      const sending = await make(trial, queue)
      const uri = addressOf(queue, sending)
      await brokenOff(uri, beginningOf(trial, uri, sending.message, framing))
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

/** A request up to the middle of its body. */
function beginningOf(trial: Trial, uri: string, { body }: Sent, framing: Framing): Buffer {
  const { headers, message } = trial.profile
  const half = body.subarray(0, Math.floor(body.length / 2))
  const fields = { ...headers, ...message.headers }
  if (framing === 'length') {
    const head = rawHead('POST', uri, { ...fields, 'Content-Length': String(body.length) })
    return Buffer.concat([Buffer.from(`${head}\r\n`), half])
  }
  const head = rawHead('POST', uri, { ...fields, 'Transfer-Encoding': 'chunked' })
  return Buffer.concat([Buffer.from(`${head}\r\n${half.length.toString(16)}\r\n`), half, Buffer.from('\r\n')])
}
