import fc from 'fast-check'
import t from 'tap'
import { longestMoved } from './moved.test.kit.js'
import { SortedList } from './sorted-list.js'

interface Numbered {
  readonly sequence: number
}

const numbered = () => new SortedList(({ sequence }: Numbered) => sequence)
const numbers = (items: Iterable<Numbered>) => [...items].map(({ sequence }) => sequence)

t.test('whatever joins and leaves, the row is as a sorted array would be', (t) => {
  const step = fc.record({
    add: fc.boolean(),
    sequence: fc.nat(700),
    times: fc.integer({ min: 1, max: 200 }),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const list = numbered()
      const there = new Map<number, Numbered>()
      for (const { add, sequence: from, times } of steps) {
        for (let sequence = from; sequence < from + times; sequence++) {
          const known = there.get(sequence)
          if (add && known === undefined) {
            const item = { sequence }
            list.add(item)
            there.set(sequence, item)
          }
          if (!add && known !== undefined) {
            if (!list.delete(known) || list.delete(known)) return false
            there.delete(sequence)
          }
        }
        const expected = [...there.keys()].sort((a, b) => a - b)
        const rest = expected.filter((sequence) => sequence >= from)
        if (list.size !== expected.length || numbers(list).join() !== expected.join()) return false
        if (list.first?.sequence !== expected[0] || list.at(from)?.sequence !== rest[0]) return false
        if (numbers(list.from(from)).join() !== rest.join()) return false
      }
      return true
    }),
    { numRuns: 300 },
  )
  t.end()
})

t.test('what is not there is not taken out, and nothing is left of a row that is cleared', (t) => {
  const list = numbered()
  t.equal(list.delete({ sequence: 1 }), false)
  list.add({ sequence: 1 })
  t.equal(list.delete({ sequence: 1 }), false, 'another of the same number')
  list.clear()
  t.same([list.size, list.first, list.at(0), numbers(list)], [0, undefined, undefined, []])
  t.end()
})

t.test('no operation on a long row takes long, whichever leave it', (t) => {
  for (const order of ['first', 'last', 'all but each hundredth'] as const) {
    const list = numbered()
    const items = Array.from({ length: 200_000 }, (_, sequence) => ({ sequence }))
    for (const item of items) list.add(item)
    const leaving = order === 'last' ? items.toReversed() : items
    // Of a processor: another program may have the machine meanwhile.
    const before = process.cpuUsage()
    for (const item of leaving)
      if (order !== 'all but each hundredth' || item.sequence % 100) list.delete(item)
    const took = process.cpuUsage(before).user / 1000
    t.ok(took < 2000, `${order}: 200,000 took ${took} ms`)
    t.equal(list.size, order === 'all but each hundredth' ? 2000 : 0)
  }
  t.end()
})

t.test('no operation moves many, whatever order they join in', (t) => {
  for (const numberOf of [(n: number) => -n, (n: number) => (n * 7919) % 20_000]) {
    const list = numbered()
    const moved = longestMoved(() => {
      for (let n = 0; n < 20_000; n++) list.add({ sequence: numberOf(n) })
    })
    t.ok(moved < 1000, `${moved} are moved at once`)
  }
  t.end()
})

t.test('few that stay behind do not stand in many parts', (t) => {
  for (const which of [(n: number) => n, (n: number) => 49_999 - n, (n: number) => (n * 7919) % 50_000]) {
    const list = numbered()
    const items = Array.from({ length: 50_000 }, (_, sequence) => ({ sequence }))
    for (const item of items) list.add(item)
    for (let n = 0; n < items.length; n++) {
      const item = items[which(n)] as Numbered
      if (item.sequence % 100) list.delete(item)
    }
    const left = [...list]
    t.equal(left.length, 500)
    const parts = longestMoved(() => {
      for (const item of left) list.delete(item)
    })
    t.ok(parts < 280, `they stand in ${parts}`)
  }
  t.end()
})

t.test(
  'texts stand in the order of their code units, and are found from any of them on, there or not',
  (t) => {
    const texts = new SortedList((text: string) => text)
    t.same([...texts.from('')], [])
    for (const text of ['b', 'é', 'B', 'a', '😀', '\uffff', 'ab']) texts.add(text)
    t.same([...texts], ['B', 'a', 'ab', 'b', 'é', '😀', '\uffff'])
    t.same([...texts.from('a')], ['a', 'ab', 'b', 'é', '😀', '\uffff'])
    t.same([...texts.from('aa')], ['ab', 'b', 'é', '😀', '\uffff'])
    t.same([...texts.from('😀\0')], ['\uffff'])
    t.equal(texts.delete('x'), false)
    t.end()
  },
)
