import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import t from 'tap'
import { bytesOfContent, type Content, StoredContent } from './content.js'
import { text } from './harness.test.kit.js'
import { parseDestination } from './names.js'
import { bytesOfDestination, bytesOfQueue, OVERHEAD, ownText } from './storing.js'

/** A message of these bytes and nothing else. */
function bare(...body: readonly number[]): Content {
  return { body: Uint8Array.from(body), properties: new Map() }
}

function long(length: number): Content {
  return { body: new Uint8Array(length).map((_, at) => at % 256), properties: new Map() }
}

t.test('what things take is the sum of their texts, their bodies and what is beside them', (t) => {
  t.equal(bytesOfQueue(['a', 'bc']), OVERHEAD.queue + 2 * 25 + 2 * 26)
  t.equal(
    bytesOfDestination(parseDestination('a.bc')),
    OVERHEAD.destination + 2 * OVERHEAD.segment + 3 * (24 + 4),
  )
  t.equal(bytesOfContent(bare()), OVERHEAD.message)
  t.equal(bytesOfContent(long(256)), OVERHEAD.message + 256)
  t.equal(bytesOfContent(long(257)), OVERHEAD.message + 257 + OVERHEAD.buffer, 'it has a buffer of its own')
  t.equal(
    bytesOfContent(text('m', { a: 'b', cd: 'ж' })),
    OVERHEAD.message + 1 + (24 + 10) + 5 * OVERHEAD.property + 25 + 25 + 26 + 26,
  )
  t.end()
})

t.test('a body is stored as it was sent, however long, and shares nothing with what was sent', (t) => {
  for (const length of [0, 1, 255, 256, 257, 1000, 1_000_000]) {
    const sent = long(length)
    const expected = Buffer.from(sent.body)
    const stored = new StoredContent(sent)
    sent.body.fill(1)
    t.ok(expected.equals(stored.body), `${length} bytes`)
  }
  t.end()
})

t.test('only a small body that is plain ASCII is told as text', (t) => {
  const ascii = (content: Content) => new StoredContent(content).ascii
  t.equal(ascii(text('')), '')
  t.equal(ascii(text('a\tb\r\n ~')), 'a\tb\r\n ~')
  t.equal(ascii(text('a'.repeat(256))), 'a'.repeat(256))
  for (const other of [text('a'.repeat(257)), text('é'), bare(0), bare(0x7f), bare(0x80), bare(0xff)]) {
    t.equal(ascii(other), undefined)
  }
  t.end()
})

t.test('messages without properties share that they have none', (t) => {
  const [one, other] = [new StoredContent(bare()), new StoredContent(text('m'))]
  t.equal(one.properties, other.properties)
  t.equal(one.properties.size, 0)
  t.end()
})

t.test('a text of its own is the same text, and keeps no longer one that it was a part of', (t) => {
  for (const same of ['', 'a', 'ab', 'abc', '😀', 'é'.repeat(100)]) t.equal(ownText(same), same)
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const used = () => {
    collect()
    return process.memoryUsage().heapUsed
  }
  const before = used()
  const kept = Array.from({ length: 50 }, (_, n) =>
    ownText(Buffer.alloc(1_000_000, `${n} and so on, `).toString('latin1').slice(500, 600)),
  )
  const grown = used() - before
  t.ok(grown < 10_000_000, `${kept.length} of 100 characters take ${grown} bytes`)
  t.end()
})
