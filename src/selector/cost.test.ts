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

t.test('asking takes about what it is said to take, whatever the selector', (t) => {
  const text = 'x'.repeat(2000)
  for (const selector of [
    "a = 'y'",
    Array.from({ length: 400 }, (_, index) => `a = '${index}'`).join(' OR '),
    Array.from({ length: 400 }, (_, index) => `a > ${index}`).join(' OR '),
    `a LIKE '${'%_'.repeat(1500)}y'`,
    Array.from({ length: 100 }, () => "a LIKE '%y%y%y'").join(' OR '),
  ]) {
    const { matches, cost, costOfCharacter } = parseSelector(selector)
    let read = 0
    const lookup = () => {
      read += text.length
      return text
    }
    for (let warm = 0; warm < 20; warm++) matches(lookup)
    const times = 20
    read = 0
    const before = process.cpuUsage()
    for (let time = 0; time < times; time++) matches(lookup)
    const { user, system } = process.cpuUsage(before)
    const said = times * cost + read * costOfCharacter
    // Five times as much on a machine as slow as that is still no pause that anybody notices.
    t.ok(user + system < 5 * said + 5000, `${selector.slice(0, 30)}: ${user + system} µs, said ${said}`)
  }
  t.end()
})
