import t from 'tap'
import { envelopedTexts, formsOf } from './forms.js'
import { FreshMessages } from './fresh-messages.js'
import { parseProfile } from './parse-profile.js'

const TOKEN = 'kit-0123456789-1'
const base64 = (text: string) => Buffer.from(text).toString('base64')

const ENVELOPES: readonly string[] = [
  'a & b',
  JSON.stringify({ at: 1, message: { text: 'a & b' } }),
  '<m kind="x"><body>a &amp; b</body></m>',
  '<m text="a &amp; b"/>',
  `<m><body>${base64('a & b')}</body></m>`,
  base64(JSON.stringify(['a & b'])),
  '<p>A message:<br><pre>a &amp; b</pre>',
  JSON.stringify({ html: 'a &amp; b' }),
]

t.test('a text is found in envelopes of several forms', (t) => {
  for (const each of ENVELOPES)
    t.ok(
      [...formsOf(Buffer.from(each))].some((form) => form.includes('a & b')),
      each,
    )
  t.strictSame([...formsOf(Buffer.alloc(0))].map(String), [''])
  t.strictSame(envelopedTexts(Buffer.from('"a"')), [])
  t.strictSame(envelopedTexts(Buffer.from('{"a":"b"}')), ['b'])
  t.end()
})

t.test('a message is known within an envelope only where all of it is there', (t) => {
  const messages = new FreshMessages(parseProfile({ message: { arrives: 'contains' } }))
  const { text, body } = messages.make(TOKEN, 'a long text before ')
  const knowing = messages.knowing(new Set())
  t.equal(messages.textOf(Buffer.from(JSON.stringify({ text }))), text)
  t.ok(knowing.isMessage(Buffer.from(`<m><b>${base64(text)}</b></m>`), false))
  t.notOk(knowing.isMessage(Buffer.from(`<m><b>${text}</b></m>`), true), 'a page may show it')
  t.ok(knowing.isMessage(body, true))
  t.equal(messages.textOf(Buffer.from(`{"text":"${TOKEN}"}`)), `{"text":"${TOKEN}"}`, 'a part of it')
  t.ok(knowing.isAbout(Buffer.from(TOKEN)))
  const other = Buffer.from(`<html>${TOKEN}</html>`)
  messages.post(other)
  t.ok(messages.is(other, { body: other, text: String(other), address: undefined }))
  const same = new FreshMessages(parseProfile({}))
  const sent = same.make(TOKEN, '')
  t.notOk(same.knowing(new Set()).isMessage(Buffer.from(`{"text":"${sent.text}"}`), false))
  t.end()
})
