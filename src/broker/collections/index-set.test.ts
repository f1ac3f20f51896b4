import fc from 'fast-check'
import t from 'tap'
import { IndexSet } from './index-set.js'

t.test('an empty set has no neighbours', (t) => {
  const set = new IndexSet()
  t.same(
    [set.before(0), set.before(5), set.before(1e6), set.from(0), set.from(1e6)],
    Array(5).fill(undefined),
  )
  set.delete(5)
  set.delete(5000)
  set.add(40_000)
  set.clear()
  t.same([set.before(1e6), set.from(0)], [undefined, undefined])
  t.end()
})

t.test('numbers at the edges of words are found', (t) => {
  const set = new IndexSet()
  for (const index of [0, 31, 32, 1023, 1024, 32_767, 32_768]) {
    set.add(index)
    t.same([set.from(index), set.before(index + 1)], [index, index], `${index}`)
  }
  t.equal(set.from(33), 1023)
  t.equal(set.before(1023), 32)
  t.equal(set.before(0), undefined)
  t.equal(set.from(32_769), undefined)
  t.end()
})

t.test('it agrees with a search', (t) => {
  const index = fc.oneof(fc.nat({ max: 70 }), fc.nat({ max: 2000 }), fc.nat({ max: 70_000 }))
  const step = fc.record({ add: fc.boolean(), index, asked: index })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 100, size: 'max' }), (steps) => {
      const set = new IndexSet()
      const model = new Set<number>()
      for (const { add, index, asked } of steps) {
        if (add) {
          set.add(index)
          model.add(index)
        } else {
          const there = [...model]
          const gone = there[index % Math.max(1, there.length)] ?? index
          set.delete(gone)
          model.delete(gone)
        }
        const sorted = [...model].sort((a, b) => a - b)
        if (set.before(asked) !== sorted.findLast((other) => other < asked))
          throw new Error(`before ${asked}`)
        if (set.from(asked) !== sorted.find((other) => other >= asked)) throw new Error(`from ${asked}`)
      }
    }),
    { numRuns: 300 },
  )
  t.end()
})
