import t from 'tap'
import { parseSelector } from './selector.js'

t.test('a selector costs by its parts, and by its patterns for each character', (t) => {
  const few = parseSelector("a = 1 AND NOT (b BETWEEN 2 AND 3 + -c) AND d IN ('x')")
  t.equal(Math.round(few.cost / parseSelector('a').cost), 13)
  const many = parseSelector(Array.from({ length: 100 }, () => 'a = 1').join(' OR '))
  t.ok(many.cost > 10 * few.cost)
  t.equal(many.costOfCharacter, few.costOfCharacter)
  const pattern = (length: number) => parseSelector(`a LIKE '${'%_'.repeat(length)}'`)
  t.equal(pattern(5).cost, pattern(500).cost)
  t.ok(pattern(500).costOfCharacter > 10 * pattern(5).costOfCharacter)
  t.end()
})
