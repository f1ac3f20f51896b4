import fc from 'fast-check'
import t from 'tap'
import { readPattern } from './like.js'
import { compilePattern } from './wildcards.js'

const like = (text: string, pattern: string) => compilePattern(readPattern(pattern, undefined)!)(text)

/** LIKE by its definition, cell by cell: slow and plain. */
function slowLike(text: string, pattern: string): boolean {
  const characters = [...text]
  let row = [true, ...characters.map(() => false)]
  for (const element of pattern) {
    const next = [element === '%' && row[0]!]
    for (const [i, character] of characters.entries()) {
      if (element === '%') next.push(next[i]! || row[i + 1]!)
      else next.push(row[i]! && (element === '_' || element === character))
    }
    row = next
  }
  return row.at(-1)!
}

t.test('LIKE is what its definition says, for patterns of one word of states and of many', async () => {
  const character = fc.constantFrom('a', 'b', '🐈')
  const element = fc.oneof({ weight: 4, arbitrary: character }, fc.constantFrom('%', '_'))
  for (const maxLength of [8, 120]) {
    const texts = fc.array(character, { maxLength, size: 'max' })
    const patterns = fc.array(element, { maxLength, size: 'max' })
    fc.assert(
      fc.property(texts, patterns, (text, pattern) => {
        return like(text.join(''), pattern.join('')) === slowLike(text.join(''), pattern.join(''))
      }),
      { numRuns: 1000 },
    )
  }
})

t.test('a text is like a pattern that is made of it', async () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 100, size: 'max' })
  fc.assert(
    fc.property(text, fc.infiniteStream(fc.nat(5)), (characters, choices) => {
      const pattern = characters.map((character) => {
        const choice = choices.next().value
        return choice === 0 ? '%' : choice === 1 ? '_' : choice === 2 ? `%${character}` : character
      })
      return like(characters.join(''), pattern.join(''))
    }),
  )
})

t.test('no pattern takes long, whatever it repeats', async (t) => {
  // A backtracking matcher would not come to an end here.
  const text = 'a'.repeat(20_000)
  t.notOk(like(text, `${'%a'.repeat(200)}%b`))
  t.notOk(like(text, `${'%a_'.repeat(200)}b`))
  t.notOk(like(text, `%${'a'.repeat(1000)}_b`))
  t.ok(like(text, `${'%'.repeat(10_000)}a`))
  t.ok(like(text, '_'.repeat(20_000)))
  t.notOk(like(text, '_'.repeat(20_001)))
})

t.test('one compiled pattern judges text after text', async (t) => {
  t.same([like('\u{10000}', '_'), like('\uffffa', '__')], [true, true], 'by code points')
  const test = compilePattern(readPattern('a%z', undefined)!)
  t.same(
    ['az', 'a', 'z', 'abcz', '', 'za', 'az'].map((text) => test(text)),
    [true, false, false, true, false, false, true],
  )
  // Of more than one word of states, so that a text leaves some behind that the next must not find.
  const long = compilePattern(readPattern(`${'a'.repeat(40)}%z`, undefined)!)
  t.same(
    [`${'a'.repeat(40)}y`, 'z', `${'a'.repeat(40)}z`].map((text) => long(text)),
    [false, false, true],
  )
})

t.test('an escape character stands before a wildcard or itself', async (t) => {
  t.same(
    readPattern('!%!_!!', '!'),
    ['%', '_', '!'].map((character) => character.codePointAt(0)),
  )
  t.equal(readPattern('a!b', '!'), undefined)
  t.equal(readPattern('a!', '!'), undefined)
  t.same(readPattern('a!', undefined), [97, 33])
})
