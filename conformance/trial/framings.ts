import { answered } from '../client/answered.js'
import { BROKEN_OFF, LEFT, type RawRequest, succeeded } from '../client/exchange.js'
import { untilAnswered } from '../client/tolerances/until-answered.js'
import { expectAsSent } from './pending.js'
import {
  brokenOff,
  leftAfter,
  needSocket,
  type RawAnswer,
  rawHead,
  rawRequest,
  speaksHttp11,
  untilGone,
} from './raw-request.js'
import { expectTaken, type MakeRepeatable } from './repeats.js'
import type { QueueHandle, Sent, Trial } from './trial.js'

// Messages whose body does not come in one piece with their head.

/** How the length of a body is told: before it comes, or chunk by chunk. */
type Framing = 'length' | 'chunks'

/** Sends a request, and goes away. */
type Leave = (at: string, bytes: Buffer) => Promise<true | undefined>

/** What a message begins with whose request comes in chunks, the header fields of that, and its end. */
interface Chunked {
  readonly what: string
  readonly text: string
  readonly fields: Record<string, string>
  readonly trailer: string
}

const PLAIN: Chunked = { what: 'in chunks', text: 'in chunks ', fields: {}, trailer: '' }
/** So that each chunk is more than is commonly read, or kept, at once. */
const LONG: Chunked = { ...PLAIN, what: 'in long chunks', text: 'in long chunks '.repeat(14_000) }
const TRAILED: Chunked = {
  what: 'in chunks with a trailer',
  text: 'in chunks with a trailer ',
  fields: { Trailer: 'X-Kit' },
  trailer: 'X-Kit: 1\r\n',
}

/**
 * Judges that a message whose request comes in three chunks is stored whole, where such a request is taken; and then a long one, and
 * one that has a trailer behind them.
 */
export async function judgeChunked(trial: Trial, make: MakeRepeatable): Promise<void> {
  if (!(await takesChunks(trial, await trial.createQueue())))
    return trial.observed('The target speaks HTTP/1.0, which knows no chunks.')
  const status = await judgeInChunks(trial, make, PLAIN)
  if (!succeeded({ status })) {
    await needOneInOnePiece(trial, await trial.createQueue(), make)
    return trial.observed(`A request in chunks is answered with ${status}.`)
  }
  await judgeInChunks(trial, make, LONG)
  trial.choose('chunks-with-a-trailer', String(await judgeInChunks(trial, make, TRAILED)))
}

/** @returns with what status it was answered first; what is refused is not judged */
async function judgeInChunks(
  trial: Trial,
  make: MakeRepeatable,
  { what, text, fields, trailer }: Chunked,
): Promise<number> {
  const queue = await trial.createQueue()
  const sending = await make(trial, queue, text)
  const { body } = sending.message
  const framed = { 'Transfer-Encoding': 'chunked', ...fields }
  const request = rawPost(trial, sending.address, body, framed)
  const third = Math.ceil(body.length / 3)
  const chunks = [0, 1, 2].map((part) => chunkOf(body.subarray(part * third, (part + 1) * third)))
  const rest = [...chunks, Buffer.from(`0\r\n${trailer}\r\n`)]
  const post = () =>
    statusOf(trial, request, (at, within) => rawRequest(at, bytesOf(trial, request, at, rest), within))
  const status = await post()
  if (!succeeded({ status })) return status
  await post()
  await expectAsSent(trial, queue, [sending.message], `a message that came ${what}, twice, whole and once`)
  return status
}

/** Blocks where a message is not taken in one piece either: then another framing's refusal says nothing about that. */
async function needOneInOnePiece(trial: Trial, queue: QueueHandle, make: MakeRepeatable): Promise<void> {
  const plain = await make(trial, queue)
  const whole = await plain.post()
  trial.precondition(succeeded(whole), plain.check, answered(whole))
}

/**
 * Judges that a message whose client asks whether to go on before it sends the body (`Expect: 100-continue`) is stored whole. A
 * server may refuse that, and is then sent the message without asking; otherwise that is a repeat, which makes no second one.
 */
export async function judgeContinued(trial: Trial, make: MakeRepeatable): Promise<void> {
  const queue = await trial.createQueue()
  const sending = await make(trial, queue, 'after a word to go on ')
  const url = sending.address
  const { body } = sending.message
  const asked = { 'Content-Length': String(body.length), Expect: '100-continue' }
  const request = rawPost(trial, url, body, asked)
  const status = await statusOf(trial, request, (at, within) =>
    rawRequest(at, behind(headOf(trial, request, at)), within, { later: body }),
  )
  trial.choose('expect-100-continue', succeeded({ status }) ? 'accepted' : String(status))
  const expected = '200 for the message, sent again without asking'
  await expectTaken(trial, expected, sending, () => make(trial, queue))
  await expectAsSent(trial, queue, [sending.message], 'the message whole and once')
}

/** A way to write a request for a message, and whether every server takes it. */
interface Manner {
  readonly what: string
  readonly isOwed: boolean
  readonly send: (at: string, head: string, body: Buffer, within: number) => Promise<RawAnswer | undefined>
}

/** Milliseconds between two pieces of a request: so late is the second that a server has read the first. */
const BETWEEN = 150

const inTwoHalves: Manner['send'] = (at, head, body, within) => {
  const half = Math.floor(body.length / 2)
  const rest = { later: body.subarray(half), wait: BETWEEN }
  return rawRequest(at, behind(head, body.subarray(0, half)), within, rest)
}

/** In one piece, with its head written otherwise. */
const withHead =
  (written: (head: string) => string): Manner['send'] =>
  (at, head, body, within) =>
    rawRequest(at, behind(written(head), body), within)

/** The names of fields in another case are the same (RFC 9110 section 5.1). */
const namesIn = (change: 'toLowerCase' | 'toUpperCase') => (head: string) =>
  head.replace(/^[\w-]+(?=:)/gm, (name) => name[change]())

const inHttp10 = (head: string) => head.replace(' HTTP/1.1\r\n', ' HTTP/1.0\r\n')
const withoutType = (head: string) => head.replace(/^content-type:.*\r\n/gim, '')

const MANNERS: readonly Manner[] = [
  { what: 'in two halves', isOwed: true, send: inTwoHalves },
  {
    what: 'with names of header fields in lower case',
    isOwed: true,
    send: withHead(namesIn('toLowerCase')),
  },
  { what: 'with names of header fields in capitals', isOwed: true, send: withHead(namesIn('toUpperCase')) },
  { what: 'over HTTP/1.0', isOwed: false, send: withHead(inHttp10) },
  { what: 'without a Content-Type', isOwed: false, send: withHead(withoutType) },
]

/** Judges that messages whose requests are written as few clients write them are stored whole, where these are taken. */
export async function judgeManners(trial: Trial, make: MakeRepeatable): Promise<void> {
  const queue = await trial.createQueue()
  const taken: Sent[] = []
  for (const { what, isOwed, send } of MANNERS) {
    const sending = await make(trial, queue, `${what} `)
    const { body } = sending.message
    const request = rawPost(trial, sending.address, body, { 'Content-Length': String(body.length) })
    const status = await statusOf(trial, request, (at, within) =>
      send(at, headOf(trial, request, at), body, within),
    )
    if (succeeded({ status })) taken.push(sending.message)
    else if (isOwed) {
      await needOneInOnePiece(trial, queue, make)
      trial.expect(false, `200 for a message that comes ${what}`, String(status || 'no answer'))
    } else trial.choose('refused-requests', `${what}: ${status}`)
  }
  await expectAsSent(trial, queue, taken, 'each message whole and once, however its request is written')
}

/**
 * Judges that a sending whose connection ends within its body, by either framing that the target takes, stores nothing,
 * and that sending the message whole afterwards makes it.
 */
export async function judgeBrokenOff(trial: Trial, make: MakeRepeatable): Promise<void> {
  const queue = await trial.createQueue()
  const framings: readonly Framing[] = (await takesChunks(trial, queue)) ? ['length', 'chunks'] : ['length']
  const messages = await Promise.all(
    framings.map(async (framing) => {
      const sending = await make(trial, queue, 'the whole of a message ')
      const uri = sending.address
      const { request, sent } = beginningOf(trial, uri, sending.message.body, framing)
      await trial.target.remember(request, async () => {
        await speak(trial, uri, (at) => brokenOff(at, bytesOf(trial, request, at, [sent])))
        return { status: 0, error: BROKEN_OFF }
      })
      const expected = '200 for the whole message after a sending that broke off'
      await expectTaken(trial, expected, sending, () => make(trial, queue))
      return sending.message
    }),
  )
  await expectAsSent(
    trial,
    queue,
    messages,
    'each message whole and once, and nothing of the sendings that broke off',
  )
}

/** After what part of the time of an answer the client goes away: a server may mark, store and look for its client at any time. */
const PARTS = [0, 0, 0.25, 0.5, 1]

/**
 * Judges that a sending whose client goes away after the whole body and before the answer, and that is repeated until it
 * is answered, is one message. Once the client only says that it sends no more, and so learns when the server is done.
 */
export async function judgeUnanswered(trial: Trial, make: MakeRepeatable): Promise<void> {
  const queue = await trial.createQueue()
  const leaving: readonly Leave[] = PARTS.map(
    (part) => (at, bytes) => leftAfter(at, bytes, part * trial.timing.latency),
  )
  const messages = await Promise.all(
    [brokenOff, ...leaving].map(async (leave) => {
      const sending = await make(trial, queue)
      const { body } = sending.message
      const length = { 'Content-Length': String(body.length) }
      const request = rawPost(trial, sending.address, body, length)
      await trial.target.remember(request, async () => {
        await speak(trial, request.url, (at) => leave(at, bytesOf(trial, request, at, [body])))
        return { status: 0, error: LEFT }
      })
      await untilGone(trial)
      const expected = '200 for a message, sent again since the answer was lost'
      await expectTaken(trial, expected, sending, () => make(trial, queue))
      return sending.message
    }),
  )
  await expectAsSent(
    trial,
    queue,
    messages,
    'each message once, whose client went away before the answer and sent it again',
  )
}

/** A request up to the middle of its body, and what is sent of that. */
function beginningOf(trial: Trial, url: string, body: Buffer, framing: Framing) {
  const half = body.subarray(0, Math.floor(body.length / 2))
  const framed: Record<string, string> =
    framing === 'length' ? { 'Content-Length': String(body.length) } : { 'Transfer-Encoding': 'chunked' }
  return { request: rawPost(trial, url, half, framed), sent: framing === 'length' ? half : chunkOf(half) }
}

/** A message's POST with further fields, as a report tells it. */
function rawPost(
  { profile: { headers, message } }: Trial,
  url: string,
  requestBody: Buffer,
  fields: Record<string, string>,
): RawRequest {
  return { method: 'POST', url, requestHeaders: { ...headers, ...message.headers, ...fields }, requestBody }
}

/** @param at where its address is reached */
function headOf({ target }: Trial, { method, requestHeaders }: RawRequest, at: string): string {
  return rawHead(method, at, target.headersFor(at, requestHeaders))
}

function bytesOf(trial: Trial, request: RawRequest, at: string, parts: readonly Buffer[]): Buffer {
  return behind(headOf(trial, request, at), ...parts)
}

/** The bytes of a request: its head, and behind it what is sent of its body. */
function behind(head: string, ...parts: readonly Buffer[]): Buffer {
  return Buffer.concat([Buffer.from(`${head}\r\n`), ...parts])
}

function takesChunks(trial: Trial, { uri }: QueueHandle): Promise<boolean> {
  return speak(trial, uri, (at, within) =>
    speaksHttp11(at, trial.target.headersFor(at, trial.profile.headers), within),
  )
}

/** The status that answers a request over a connection of its own, which is sent again where it is refused for now. */
function statusOf(
  trial: Trial,
  request: RawRequest,
  ask: (at: string, within: number) => Promise<RawAnswer | undefined>,
): Promise<number> {
  const once = () => trial.target.remember(request, () => speak(trial, request.url, ask))
  return untilAnswered(trial, once, (status) => status === 429 || status === 503)
}

/** Speaks over a connection of its own. Inconclusive where nobody takes it: then nothing was sent that could be judged. */
async function speak<T>(
  trial: Trial,
  uri: string,
  ask: (at: string, within: number) => Promise<T | undefined>,
): Promise<T> {
  needSocket(trial)
  const said = await trial.target.directly(uri, ask)
  if (said === undefined) trial.inconclusive(`${new URL(uri).origin} takes no connection`)
  return said
}

function chunkOf(bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])
}
