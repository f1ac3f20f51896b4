import t from 'tap'
import type { Sent } from '../trial/trial.js'
import { answerOf, readingTrial } from '../trial/trial.test.helper.js'
import { messagesIn } from './message-in.js'

const sent = (text: string): Sent => ({ body: Buffer.from(text), text, address: undefined })
const FIRST = sent('kit-ab-1')
const TENTH = sent('kit-ab-10')
const base64 = (text: string) => Buffer.from(text).toString('base64')
const entry = (inside: string) =>
  `<entry xmlns="http://www.w3.org/2005/Atom"><id>urn:x:1</id><title>t</title>${inside}</entry>`

t.test('a message is found in whatever form it comes', async (t) => {
  const forms: Record<string, ReturnType<typeof answerOf>> = {
    raw: answerOf('kit-ab-1', { 'content-type': 'text/plain' }),
    'raw, with more around it': answerOf('--x\r\nContent-Type: text/plain\r\n\r\nkit-ab-1\r\n--x--'),
    'base64 alone': answerOf(base64('kit-ab-1')),
    JSON: answerOf('{"message":{"body":"kit-ab-1"}}'),
    'JSON with Base64': answerOf(JSON.stringify({ messages: [{ content: base64('kit-ab-1') }] })),
    'an entry with text': answerOf(entry('<content>kit-ab-1</content>')),
    'an entry with Base64': answerOf(entry(`<content type="image/png">${base64('kit-ab-1')}</content>`)),
    'a feed': answerOf(
      `<feed xmlns="http://www.w3.org/2005/Atom">${entry('<content>kit-ab-1</content>')}</feed>`,
    ),
    'XML of its own': answerOf(`<m><body encoding="base64">${base64('kit-ab-1')}</body></m>`),
  }
  for (const [what, answer] of Object.entries(forms)) {
    t.strictSame(await messagesIn(readingTrial(), answer, [FIRST, TENTH]), [FIRST], what)
  }
})

t.test('an entry may link to the message', async (t) => {
  const linked = answerOf(
    entry('<content type="text/plain" src="/body"/>'),
    {},
    { url: 'http://target.test/x' },
  )
  const pages = { 'http://target.test/body': answerOf('kit-ab-1') }
  t.strictSame(await messagesIn(readingTrial(pages), linked, [FIRST]), [FIRST])
  const older = {
    ...linked,
    body: Buffer.from(linked.body.toString().replace('www.w3.org/2005/Atom', 'purl.org/atom/ns#')),
  }
  t.strictSame(await messagesIn(readingTrial(pages), older, [FIRST]), [FIRST], 'also in an older Atom')
  t.strictSame(await messagesIn(readingTrial(), linked, [FIRST]), [], 'a link that leads nowhere holds none')
})

t.test('a message is not found where another is, in a refusal, or in nothing', async (t) => {
  const none = {
    'another message': answerOf('kit-ab-10'),
    'another message in Base64': answerOf(base64('kit-ab-10')),
    'a refusal that quotes it': answerOf('kit-ab-1', {}, { status: 404 }),
    'no content': answerOf('', {}, { status: 204 }),
    'an empty feed': answerOf('<feed xmlns="http://www.w3.org/2005/Atom"/>'),
    'XML that is none': answerOf('<feed'),
    'JSON that is none': answerOf('{"kit-ab-1'.slice(0, 5)),
  }
  for (const [what, answer] of Object.entries(none)) {
    t.strictSame(await messagesIn(readingTrial(), answer, [FIRST]), [], what)
  }
})
