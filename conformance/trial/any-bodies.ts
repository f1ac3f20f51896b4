import { answered } from '../client/answered.js'
import { Buffer } from '../client/bytes.js'
import { type Exchange, refused } from '../client/exchange.js'
import { givesExactly, messagesIn } from '../client/message-in.js'
import { untilTaken } from '../client/tolerances/until-answered.js'
import { statusOf } from './answers.js'
import { quote } from './labels.js'
import type { QueueHandle, Sent, Trial } from './trial.js'
import { unlessNotApplicable } from './waiting.js'

/** What a message must bring through unchanged where the target accepts it. */
const BODIES: Readonly<Record<string, (unique: string) => Buffer>> = {
  'text with markup': (unique) => Buffer.from(`<b>R&D</b> "it's" ]]> ${unique}`),
  'text beyond ASCII': (unique) => Buffer.from(`é漢🦊 ${unique}`),
  'text with line ends and space around': (unique) => Buffer.from(`  a\r\nb\n${unique}\n `),
  'text of 66 kB': (unique) => Buffer.from(`${unique} ${'message '.repeat(8250)}`),
  'bytes that are no text': (unique) => Buffer.concat([Buffer.from([0, 1, 0xff, 0xfe]), Buffer.from(unique)]),
}

const TEXT = 'text/plain; charset=utf-8'

/** How an envelope holds what is no text, or nothing, is the target's own affair. */
function isEnveloped({ profile }: Trial): boolean {
  return profile.message.arrives === 'contains'
}

/** A way for one message: into a queue, and out of it. */
export interface Passage {
  /** Sends it, whatever comes. */
  send(body: Buffer, headers: Record<string, string>): Promise<Exchange>
  /** Sends a message of the usual kind. Blocks the check where it is not taken. */
  sendPlain(): Promise<unknown>
  /** Asks for it once. */
  take(): Promise<Exchange | undefined>
}

/** How messages come into a queue by two steps: the one of any body at a new address, repeated as the document has it. */
export async function byTwoSteps(
  trial: Trial,
  queue: QueueHandle,
): Promise<Pick<Passage, 'send' | 'sendPlain'>> {
  const address = await trial.newAddress(queue)
  return {
    send: (body, headers) => untilTaken(trial, () => trial.post(address, body, headers)),
    sendPlain: () => trial.send(queue),
  }
}

/**
 * Judges that a message without a byte, where it is taken, comes by a mapping as any other.
 *
 * @param mapping its name in the report's choices
 * @param passage takes only what is told to be a message
 */
export async function judgeNoByte(
  trial: Trial,
  mapping: string,
  { send, take }: Pick<Passage, 'send' | 'take'>,
): Promise<void> {
  const answer = await unlessNotApplicable(() => send(Buffer.alloc(0), { 'Content-Type': TEXT }))
  if (answer === undefined) return
  trial.choose(`${mapping}-no-byte`, statusOf(answer))
  if (refused(answer)) return
  const came = await trial.eventually(take)
  trial.expect(came !== undefined, 'the message without a byte', 'it did not come')
  const exact = isEnveloped(trial) || (await givesExactly(trial, came, Buffer.alloc(0)))
  trial.expect(exact, 'a message without a byte', () => `${answered(came)}: ${quote(came.body.toString())}`)
}

/**
 * Judges that messages with markup, other alphabets, line ends, of 66 kB, and bytes that are no text come by a mapping as they were sent.
 *
 * @param mapping its name in the report's choices
 * @param open makes the way for each
 */
export async function judgeAnyBodies(
  trial: Trial,
  mapping: string,
  open: () => Promise<Passage>,
): Promise<void> {
  await Promise.all(
    Object.entries(BODIES).map(async ([what, make]) => {
      const passage = await open()
      const mark: Sent = trial.freshMessage()
      const body = make(mark.text)
      const type = what.startsWith('bytes') ? 'application/octet-stream' : TEXT
      const answer = await unlessNotApplicable(() => passage.send(body, { 'Content-Type': type }))
      if (answer === undefined) return
      // Where a plain message is not taken either, the refusal says nothing about this body.
      if (refused(answer)) await passage.sendPlain()
      trial.choose(`${mapping}-${what.replaceAll(' ', '-')}`, statusOf(answer))
      if (refused(answer)) return
      // Of a text that holds another, an answer may be known to hold either.
      const sent: Sent = { body, text: body.toString(), address: undefined }
      const came = await trial.eventually(async () => {
        const given = await passage.take()
        return given && (await messagesIn(trial, given, [mark, sent])).length > 0 ? given : undefined
      })
      trial.expect(came !== undefined, `the message, which is ${what}`, 'it did not come')
      // Of these forms the kit knows no way back to the bytes.
      if (/^(?:text\/html|multipart\/)/i.test(came.headers['content-type'] ?? '')) return
      const exact = await givesExactly(trial, came, body)
      if (!exact && type !== TEXT && isEnveloped(trial)) return
      const seen = () => `${answered(came)}: ${quote(came.body.toString())}`
      trial.expect(exact, `${what} as it was sent: ${quote(body.toString())}`, seen)
    }),
  )
}
