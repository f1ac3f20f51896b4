import fc from 'fast-check'
import t from 'tap'
import { printable, printableDeep, printableJson, printableLine } from './printable.js'

/** What a terminal obeys, and what turns a line around or hides in it. */
const RAW =
  /(?![\t\n])\p{Cc}|[\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2064\u2066-\u2069\ufeff]|\p{Cs}/u
const hostile = fc.string({
  unit: fc.constantFrom('\x1b[2J', '\x9b31m', '\u202e', '\x7f', '\r', '\n', 'a', '"', '\ud800'),
})

t.test('nothing that a terminal obeys is left, and all of it is told', async (t) => {
  fc.assert(
    fc.property(fc.oneof(hostile, fc.string({ unit: 'binary' })), (text) => {
      t.notMatch(printable(text), RAW)
      t.notMatch(printableLine(text), /[\t\n]/)
      const json = printableJson({ text })
      t.notMatch(json, RAW)
      t.strictSame(JSON.parse(json), JSON.parse(JSON.stringify({ text })), 'and JSON stays what it was')
    }),
    { numRuns: 300 },
  )
  t.equal(printable('a\x1b[31m\tb\n\u202ec'), 'a⟨U+001B⟩[31m\tb\n⟨U+202E⟩c')
  t.equal(printableLine('a\nb'), 'a⟨U+000A⟩b')
  t.equal(printable('naïve 日本 🙂 \u200d'), 'naïve 日本 🙂 \u200d', 'what people read stays')
  t.equal(printableJson('\u{e0001}\x9b'), '"\\udb40\\udc01\\u009b"')
})

t.test('all texts of a value, and the names of its fields', async (t) => {
  t.strictSame(printableDeep({ '\x1b': ['\n', 1, null, { data: '\n', other: true }] }, new Set(['data'])), {
    '⟨U+001B⟩': ['⟨U+000A⟩', 1, null, { data: '\n', other: true }],
  })
})
