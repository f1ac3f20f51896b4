import t from 'tap'
import type { Exchange } from '../client/exchange.js'
import { shownDefinitions } from './shown-definitions.js'

const bodies = (text: string) =>
  shownDefinitions([{ body: Buffer.from(text) } as Exchange]).map(({ body }) => body)

t.test('an example in a refusal is a definition with the name in it', async (t) => {
  t.strictSame(bodies('Expected <queue><name>...</name></queue>'), ['<queue><name>{name}</name></queue>'])
  t.strictSame(bodies('write &lt;queue&gt;orders&lt;/queue&gt;, please'), ['<queue>{name}</queue>'])
  t.strictSame(bodies('a queue is defined as {"queue":{"name":"..."}}'), ['{"queue":{"name":"{name}"}}'])
  t.strictSame(bodies('{"detail":"send {\\"q\\":\\"x\\"}"}'), ['{"q":"{name}"}'])
})

t.test('a refusal without an example has none', async (t) => {
  for (const text of ['', 'No.', '{"title":"No."', 'a {b} c', '<html>']) t.strictSame(bodies(text), [], text)
})

t.test('of a refusal of any length only the beginning is looked through', async (t) => {
  const started = performance.now()
  for (const text of [`{"${'}'.repeat(300_000)}`, '{"'.repeat(300_000), `{${'{"a":'.repeat(100_000)}`])
    t.strictSame(bodies(text), [])
  t.ok(performance.now() - started < 3000)
})
