import t from 'tap'
import { parseSelector } from './selector.js'

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
