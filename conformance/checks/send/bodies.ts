import { answered } from '../../client/answered.js'
import { refused, succeeded } from '../../client/exchange.js'
import { statusOf } from '../../trial/answers.js'
import { expectArrived } from '../../trial/arrival.js'
import type { CheckRecord } from '../../trial/check.js'
import { expectDone, expectSuccess } from '../../trial/expectations.js'
import { judgeChunked } from '../../trial/framings.js'
import { expectAsSent, expectOneEntry } from '../../trial/pending.js'
import { inTwoSteps } from '../../trial/repeats.js'
import { addressOf, changingBytes } from '../../trial/sending.js'
import type { Sent, Trial } from '../../trial/trial.js'
import { found, unlessNotApplicable } from '../../trial/waiting.js'
import { isTwoStepBroken, otherWaysToSend } from '../../trial/ways-round.js'

interface Body {
  readonly id: string
  readonly title?: string
  /** What is sent, in the words of the stimulus. */
  readonly what: string
  readonly clause: string
  readonly type?: string
  /** A body of this kind, made unique by the token where it can be. */
  make(token: string): Buffer
  /** Another form in which it may come. */
  orAs?(body: Buffer): Buffer
  /** The document leaves open whether such a body is taken: then a refusal is only recorded. */
  readonly mayBeRefused?: true
}

const TEXT = 'text/plain; charset=utf-8'
const text = (content: string) => Buffer.from(content, 'utf8')

/** Bytes: more than fit where a length is bounded by 1 MiB. */
const ABOVE_MEBIBYTE = 1_048_576 + 4096

const BODIES: readonly Body[] = [
  {
    id: 'text',
    what: 'a line of plain text',
    clause: 'send.body.text',
    make: (token) => text(`Hello, ${token}: 1 + 1 = 2; 100 %!`),
  },
  {
    id: 'crlf',
    title: 'Carriage returns in a text reach its consumer as they were sent.',
    what: 'a text with CRLF, CR alone and LF alone',
    clause: 'send.body.crlf',
    make: (token) => text(`${token}\r\nsecond\rthird\nfourth\r\n`),
  },
  {
    id: 'whitespace',
    title: 'Space at the beginning, inside and at the end of a text reaches its consumer as it was sent.',
    what: 'a text with spaces, tabs and line feeds around it and in it',
    clause: 'send.body.whitespace',
    make: (token) => text(`\n\n \t ${token}  two  spaces\t\ttabs\n\n\n`),
  },
  {
    id: 'space-only',
    title: 'A text of nothing but space reaches its consumer as it was sent.',
    what: 'three spaces and a line feed',
    clause: 'send.body.whitespace',
    make: () => text('   \n'),
    mayBeRefused: true,
  },
  {
    id: 'unicode',
    what: 'a text with accents in both normal forms, other scripts, astral characters and a byte order mark inside',
    clause: 'send.body.unicode',
    make: (token) =>
      text(`é e\u0301 ß Ω ж 漢字 עברית \u{1F98A}\u{1D11E} \u0085\u2028\u2029\u00a0\u200b\ufeff ${token}`),
  },
  {
    id: 'control',
    title: 'A text with characters that XML does not allow reaches its consumer as it was sent.',
    what: 'a text with control characters, and with code points that are no characters',
    clause: 'send.body.text',
    make: (token) => text(`${token} \u0001\b\v\u001b[1m\u007f \ufffe\uffff`),
    mayBeRefused: true,
  },
  {
    id: 'number',
    title: 'A text that is a number reaches its consumer as it was sent.',
    what: 'a number with zeros before and after it',
    clause: 'send.body.text',
    make: () => text('007.10'),
    mayBeRefused: true,
  },
  {
    id: 'null',
    title: 'A text that is a word of a programming language reaches its consumer as it was sent.',
    what: 'the word null',
    clause: 'send.body.text',
    make: () => text('null'),
    mayBeRefused: true,
  },
  {
    id: 'html',
    title: 'A page of HTML reaches its consumer as it was sent.',
    what: 'a page with a script and a comment, as text/html',
    clause: 'send.body.markup',
    type: 'text/html; charset=utf-8',
    make: (token) =>
      text(`<!DOCTYPE html>\n<p>${token}<br>&eacute;<script>if (1 < 2) run()</script><!-- c -->`),
    mayBeRefused: true,
  },
  {
    id: 'multipart',
    title: 'A body of several parts reaches its consumer byte for byte.',
    what: 'a form of two parts, as multipart/form-data',
    clause: 'send.body.form',
    type: 'multipart/form-data; boundary=part',
    make: (token) => {
      const part = (name: string, value: string) =>
        `--part\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
      return text(`${part('body', token)}${part('guid', 'g')}--part--\r\n`)
    },
    mayBeRefused: true,
  },
  {
    id: 'markup',
    what: 'a text that looks like XML, with entities and a CDATA section',
    clause: 'send.body.markup',
    make: (token) =>
      text(`<?xml version="1.0"?>\n<a b='c' d="${token}">&amp; &lt;<![CDATA[ ]]>]]&gt; & < ></a>`),
  },
  {
    id: 'encoded-look',
    title: 'A text that looks encoded reaches its consumer as it was sent.',
    what: 'a text that is Base64 by its looks',
    clause: 'send.body.text',
    make: (token) => text(Buffer.from(`${token} %41+%20&#65;\\u0041`).toString('base64')),
  },
  {
    id: 'escapes',
    title: 'Escapes of other languages in a text reach its consumer as they were sent.',
    what: 'a text with percent-escapes, plus signs, backslashes, doubled quotation marks and character references',
    clause: 'send.body.text',
    make: (token) => text(`${token} %41%20a+b=c&d=%zz \\n\\u0041 \\\\ '' "" \\' &#65;&nbsp; \${x} {{y}}`),
  },
  {
    id: 'dots',
    title: 'Lines that begin with dots, as some protocols end a text, reach its consumer as they were sent.',
    what: 'a text with lines of one dot, two dots and "From "',
    clause: 'send.body.text',
    make: (token) => text(`${token}\r\n.\r\n..\r\n..a\r\nFrom b\r\n.`),
  },
  {
    id: 'form',
    what: 'form data, as application/x-www-form-urlencoded',
    clause: 'send.body.form',
    type: 'application/x-www-form-urlencoded',
    make: (token) => text(`guid=${token}&a=b+c&a=%41%2B&=&d`),
    mayBeRefused: true,
  },
  {
    id: 'json',
    title: 'A JSON document reaches its consumer byte for byte.',
    what: 'a JSON document with odd spacing, repeated members and a large number',
    clause: 'send.body.binary',
    type: 'application/json',
    make: (token) => text(`{ "a":1.0,  "a":12345678901234567890,"b":"\\u00e9 ${token}"}\r\n`),
    mayBeRefused: true,
  },
  {
    id: 'binary',
    title: 'A body of any bytes reaches its consumer byte for byte.',
    what: 'a byte order mark and each of the 256 bytes, forwards and backwards, as application/octet-stream',
    clause: 'send.body.binary',
    type: 'application/octet-stream',
    make: (token) => {
      const all = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))
      return Buffer.concat([text('\ufeff'), all, text(token), Buffer.from(all).reverse()])
    },
    mayBeRefused: true,
  },
  {
    id: 'nul',
    title: 'NUL bytes at the beginning, inside and at the end of a body reach its consumer.',
    what: 'a body with NUL bytes, as application/octet-stream',
    clause: 'send.body.binary',
    type: 'application/octet-stream',
    make: (token) => text(`\0${token}\0\0a\0`),
    mayBeRefused: true,
  },
  {
    id: 'not-utf-8',
    title: 'Text in another charset reaches its consumer as it was sent, or the same in UTF-8.',
    what: 'a text in ISO-8859-1',
    clause: 'send.body.binary',
    type: 'text/plain; charset=iso-8859-1',
    make: (token) => Buffer.from(`${token} caf\u00e9 \u00fcber \u00ff`, 'latin1'),
    // Inline in a feed a text is characters, and these are the same.
    orAs: (body) => text(body.toString('latin1')),
    mayBeRefused: true,
  },
  {
    id: 'large',
    title: 'A message of 100 KiB reaches its consumer whole.',
    what: 'a text of 100 KiB',
    clause: 'send.body.large',
    make: (token) => text(`${token} `.repeat(1 + 102_400 / token.length).slice(0, 102_400)),
    mayBeRefused: true,
  },
  {
    id: 'large-binary',
    title: 'A message of 100 KiB of any bytes reaches its consumer whole.',
    what: '100 KiB of changing bytes, as application/octet-stream',
    clause: 'send.body.large',
    type: 'application/octet-stream',
    make: (token) => {
      const bytes = changingBytes(102_400)
      bytes.write(token)
      return bytes
    },
    mayBeRefused: true,
  },
  {
    id: 'mebibyte',
    what: 'a text of 1 MiB',
    clause: 'send.body.mebibyte',
    make: (token) => text(`${token} `.repeat(1 + 1_048_576 / token.length).slice(0, 1_048_576)),
    mayBeRefused: true,
  },
  {
    id: 'above-mebibyte',
    title: 'A message of somewhat more than 1 MiB reaches its consumer whole where the server accepts it.',
    what: 'a text of 1 MiB and 4 KiB',
    clause: 'send.body.mebibyte',
    make: (token) => text(`${token} `.repeat(1 + ABOVE_MEBIBYTE / token.length).slice(0, ABOVE_MEBIBYTE)),
    mayBeRefused: true,
  },
  {
    id: 'empty',
    title: 'A message with an empty body is a message.',
    what: 'a message without a byte in it',
    clause: 'send.body.empty',
    make: () => Buffer.alloc(0),
    mayBeRefused: true,
  },
]

/** Sends a body and expects a consumer to be given one message, of exactly these bytes. */
function bodyCheck({ id, title, what, clause, type = TEXT, make, orAs, mayBeRefused }: Body): CheckRecord {
  return {
    id: `send.body-${id}`,
    ...(title && { title }),
    stimulus: `Sends ${what}, and compares what a consumer is given byte for byte.`,
    clauses: [clause],
    needs: ['send.post', 'send.address-makes-no-message', 'consume.delivers'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const body = make(trial.freshMessage().text)
      const [otherwise] = isTwoStepBroken(trial) ? otherWaysToSend(trial, queue) : []
      const address = otherwise ? '' : await trial.newAddress(queue)
      const headers = { 'Content-Type': type }
      const post = () => otherwise?.(body, headers) ?? trial.post(address, body, headers)
      const exchange = await post()
      if (mayBeRefused && refused(exchange)) {
        // Where a plain message is not taken either, the refusal says nothing about this body.
        const plain = trial.freshMessage().body
        const answer = otherwise
          ? await otherwise(plain)
          : await trial.post(await trial.newAddress(queue), plain)
        trial.precondition(succeeded(answer), 'send.post', answered(answer))
        trial.choose(`body-${id}`, statusOf(exchange))
        return trial.observed(`Such a body is not taken: ${answered(exchange)}`)
      }
      if (mayBeRefused) trial.choose(`body-${id}`, 'accepted')
      if (!succeeded(exchange)) await expectSuccess(trial, '200 for the message', post)
      const consumer = await trial.subscribe(queue)
      // The queue is the trial's own, and this its only message: whatever comes stands for it.
      const given = await trial.eventually(async () => found(await consumer.read()))
      // Where consumers are not given what there is, the queue's own feed shows it.
      const entries = given ?? (trial.isBroken('consume.delivers') ? (await trial.browse(queue)).entries : [])
      trial.expect(entries.length === 1, 'one message with a consumer', `${entries.length}`)
      const got = await expectDone(trial, 'a body that can be read', () => entries[0]!.body())
      await consumer.endIfActive()
      expectArrived(trial, 'the body byte for byte', { sent: body, got, type, otherwise: orAs?.(body) })
    },
  }
}

/** Lengths at which a buffer is full, and others beside them. */
const LENGTHS = [255, 256, 1024, 4095, 4096, 8192, 16_384, 65_535, 65_536, 70_000, 80_000]

/** No part of it is there twice. */
const COUNTING = Array.from({ length: 20_000 }, (_, number) => number).join(' ')

/** A message of so many bytes, made as the profile says; undefined where its template alone has more. */
function messageOfLength(trial: Trial, length: number): Buffer | undefined {
  const { body: least } = trial.freshMessage()
  for (let room = length - least.length; room >= 0; ) {
    const { body } = trial.freshMessage(COUNTING.slice(0, room))
    if (body.length === length) return body
    // What counts in a message may be a digit longer the next time.
    room -= body.length - length
  }
  return undefined
}

/** Sends a message of each length, and expects a consumer to be given each as long as it was. */
async function judgeLengths(trial: Trial): Promise<void> {
  const queue = await trial.createQueue()
  const sent: Sent[] = []
  for (const length of LENGTHS) {
    const body = messageOfLength(trial, length)
    const message = body && (await unlessNotApplicable(() => trial.send(queue, body)))
    if (message) sent.push(message)
  }
  await expectAsSent(trial, queue, sent, 'a message of each length byte for byte in the queue')
}

/** A client that is told at last that its message is taken sends it no more. */
async function judgeRefusedForItsLength(trial: Trial): Promise<void> {
  const queue = await trial.createQueue()
  const address = await trial.newAddress(queue)
  const { body } = trial.freshMessage('x'.repeat(ABOVE_MEBIBYTE))
  const { headers } = trial.profile.message
  const post = () => trial.target.request('POST', address, { body, headers })
  const first = await post()
  if (!refused(first)) return trial.observed(`Such a message is not refused: ${answered(first)}`)
  const again = await post()
  trial.choose('repeat-of-a-message-refused-for-its-length', statusOf(again))
  if (succeeded(again))
    return expectOneEntry(
      trial,
      queue,
      'the message in the queue once its repeat was answered with 200',
      '200',
    )
  const shorter = await trial.post(address, trial.freshMessage().body)
  if (succeeded(shorter))
    await expectOneEntry(trial, queue, 'the shorter message in the queue that was answered with 200', '200')
}

/** That bodies arrive as they were sent, one check for each way in which a server may spoil one. */
export const SEND_BODIES: readonly CheckRecord[] = [
  ...BODIES.map(bodyCheck),
  {
    id: 'send.body-lengths',
    title: 'A message reaches its queue whole, however long it is.',
    stimulus: `Sends messages of ${LENGTHS.join(', ')} bytes, and compares what is in the queue.`,
    clauses: ['send.body.text'],
    needs: ['send.body-text', 'browse.queue'],
    run: judgeLengths,
  },
  {
    id: 'send.body-refused-for-its-length',
    title:
      'A message that was refused for its length is in its queue where its repeat, or a shorter one, is answered with 200.',
    stimulus:
      'Posts a text of 1 MiB and 4 KiB to an address; where that is refused, posts it there again, and then a short one, and counts what is in the queue.',
    clauses: ['send.step-2.one-message'],
    needs: ['send.post', 'browse.queue'],
    run: judgeRefusedForItsLength,
  },
  {
    id: 'send.body-chunked',
    stimulus: 'Posts a message in three chunks with a trailer, twice, and compares what is in the queue.',
    clauses: ['send.body.chunked'],
    needs: ['send.post', 'browse.queue'],
    run: (trial: Trial) => judgeChunked(trial, inTwoSteps, (_, { message }) => addressOf(message)),
  },
]
