import { createHash, randomBytes } from 'node:crypto'
import t from 'tap'
import {
  fromBase64,
  fromLatin1,
  plainToBase64,
  plainUtf8Length,
  toBase64,
  toLatin1,
  utf8Length,
} from './bytes.js'
import { plainNextTurn } from './next-turn.js'
import { plainSha256, sha256 } from './sha256.js'

const LENGTHS = [0, 1, 2, 3, 55, 56, 63, 64, 65, 119, 120, 1000, 8191, 8192, 8193, 100_000]

t.test('what browsers have gives what Node gives', (t) => {
  for (const length of LENGTHS) {
    const bytes = randomBytes(length)
    t.same(Buffer.from(plainSha256(bytes)), createHash('sha256').update(bytes).digest(), `${length} bytes`)
    t.equal(plainToBase64(bytes), bytes.toString('base64'))
    t.equal(toBase64(bytes.subarray(1)), bytes.subarray(1).toString('base64'))
    t.equal(Buffer.compare(fromBase64(bytes.toString('base64')), bytes), 0)
    t.equal(toLatin1(bytes), bytes.toString('latin1'))
    t.equal(Buffer.compare(fromLatin1(bytes.toString('latin1')), bytes), 0)
  }
  for (const text of ['', 'a hat', 'a h\u00e4t', '\u{1f3a9}', '\ud800']) {
    t.equal(plainUtf8Length(text), Buffer.byteLength(text))
    t.equal(utf8Length(text), Buffer.byteLength(text))
  }
  const [text, rest] = ['a h\u00e4t', new Uint8Array([0, 255])]
  const whole = createHash('sha256').update(text).update(rest).digest()
  t.same(Buffer.from(plainSha256(text, rest)), whole, 'texts and bytes, one behind the other')
  t.same(Buffer.from(sha256(text, rest)), whole)
  t.end()
})

t.test('the next turn comes after this one, and its tasks in their order', async (t) => {
  const seen: string[] = []
  await new Promise<void>((resolve) => {
    plainNextTurn(() => seen.push('first'))
    plainNextTurn(() => seen.push('second'))
    plainNextTurn(resolve)
    seen.push('now')
  })
  t.same(seen, ['now', 'first', 'second'])
})
