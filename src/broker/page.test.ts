import t from 'tap'
import { refusalOf } from './harness.test.kit.js'
import { firstPage } from './page.js'

t.test('a page has one item at least, and says so', (t) => {
  for (const limit of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
    t.match(
      refusalOf(() => firstPage(['a'], limit, 0, String)),
      { kind: 'bad-parameter', message: /^limit takes 1 to /, facts: { parameter: 'limit', least: 1 } },
      String(limit),
    )
  }
  t.same(firstPage(['a', 'b'], 1, 5, String), { items: ['a'], next: 'a', updatedAt: 5 })
  t.end()
})
