import t from 'tap'
import { parseSelector } from './selector.js'

t.test('a selector costs by its parts, and by its patterns for each character', (t) => {
  const few = parseSelector("a = 1 AND NOT (b BETWEEN 2 AND 3 + -c) AND d IN ('x')")
  t.equal(Math.round(few.cost / parseSelector('a').cost), 13)
  t.equal(Math.round(parseSelector('a = b * 2 * c').cost / parseSelector('a').cost), 6)
  t.match(parseSelector('a'), { cost: 0.2, costOfCharacter: 0.001 }, 'in microseconds')
  const many = parseSelector(Array.from({ length: 100 }, () => 'a = 1').join(' OR '))
  t.ok(many.cost > 10 * few.cost)
  t.equal(many.costOfCharacter, few.costOfCharacter)
  const pattern = (length: number) => parseSelector(`a LIKE '${'%_'.repeat(length)}'`)
  t.equal(pattern(5).cost, pattern(500).cost)
  t.ok(pattern(500).costOfCharacter > 10 * pattern(5).costOfCharacter)
  // One word of 32 states for each character, of which the first is before the pattern.
  const words = (characters: number) =>
    parseSelector(`a LIKE '${'_'.repeat(characters)}'`).costOfCharacter - 0.001
  t.same(
    [1, 31, 32, 63, 64].map((length) => Math.round(words(length) / 0.006)),
    [1, 1, 2, 2, 3],
  )
  t.end()
})
