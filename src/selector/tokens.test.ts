import t from 'tap'
import { isIdentifierPart, isIdentifierStart, quote, readToken } from './tokens.js'

/** The first and the last of each run of characters, as Java's Character has them. */
const STARTS = ['a', 'z', 'A', 'Z', '_', '$', '¢', '€', 'ª', 'é', 'Ⅷ', '猫', '‿', '𝒳']
const ONLY_PARTS = ['0', '9', '٣', '\u0301', '\u0903', '\u00ad', '\u200d', '\ufeff']
const IGNORABLE = ['\x00', '\x08', '\x0e', '\x1b', '\x7f', '\x80', '\x9f']
const NEITHER = ['@', '[', '`', '{', '/', ':', '-', '.', '~', '\t', '\n', '\x0b', '\r', '\x1c', '\x1f', ' ']
const NEITHER_BEYOND_ASCII = ['\xa0', '²', '½', '×', '\u2028', '😀', '\ud800', '\uffff']

t.test('identifiers are made of what Java makes them of', async (t) => {
  for (const [characters, start, part] of [
    [STARTS, true, true],
    [[...ONLY_PARTS, ...IGNORABLE], false, true],
    [[...NEITHER, ...NEITHER_BEYOND_ASCII], false, false],
  ] as const) {
    for (const character of characters) {
      const code = character.codePointAt(0)!
      const name = `U+${code.toString(16)}`
      t.equal(isIdentifierStart(code), start, `${name} begins an identifier: ${start}`)
      t.equal(isIdentifierPart(code), part, `${name} continues an identifier: ${part}`)
    }
  }
})

t.test('a token tells where it begins and ends, whitespace apart', async (t) => {
  const text = " \t𝒳1 <>'it''s'0x1F-Not\f"
  const tokens = []
  let index = 0
  do {
    const token = readToken(text, index)
    tokens.push(token)
    index = token.end
  } while (tokens.at(-1)!.kind !== 'end')
  t.same(tokens, [
    { kind: 'identifier', text: '𝒳1', column: 3, end: 5 },
    { kind: 'symbol', text: '<>', column: 7, end: 8 },
    { kind: 'string', text: "it's", column: 9, end: 15 },
    { kind: 'number', text: '0x1F', column: 16, end: 19 },
    { kind: 'symbol', text: '-', column: 20, end: 20 },
    { kind: 'keyword', text: 'NOT', column: 21, end: 23 },
    { kind: 'end', text: '', column: 25, end: 24 },
  ])
})

t.test('characters beyond the first 65,536 are one step each', async (t) => {
  for (const character of ['𝒳', '\u{10000}']) {
    t.match(readToken(`${character}=1`, 0), { kind: 'identifier', text: character, end: 2 })
    t.match(readToken(`1${character}=1`, 0), { kind: 'number', text: `1${character}`, end: 3 })
  }
})

t.test('a part of a selector is quoted whole up to forty characters', async (t) => {
  t.equal(quote('a'.repeat(40)), `"${'a'.repeat(40)}"`)
  t.equal(quote('a'.repeat(41)), `"${'a'.repeat(40)}…"`)
  t.equal(quote('\u0000"'), '"\\u0000\\""')
})
