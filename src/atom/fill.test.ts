import t from 'tap'
import { joined, textOf } from '../platform/bytes.js'
import { type Filled, fill } from './fill.js'

const written = ({ parts, count }: Filled) => [textOf(joined(parts)), count]

t.test('each item is told the room that the least of the others leaves', async (t) => {
  const rooms: number[] = []
  const write = (item: string, room: number) => {
    rooms.push(room)
    return item
  }
  t.same(written(fill(['é', 'bbb', 'c'], 100, write, 10)), ['ébbbc', 3])
  t.same(rooms, [100 - 30, 98 - 20, 95 - 10])
})

t.test('one item is written however long it is, and no other that does not fit', async (t) => {
  const same = (item: string) => item
  t.same(written(fill(['aaaa', 'b'], 3, same)), ['aaaa', 1])
  t.same(written(fill(['aa', 'b', 'c'], 3, same)), ['aab', 2])
  t.same(written(fill([], 3, same)), ['', 0])
})

t.test('of a long page most is bytes', async (t) => {
  const items = Array.from({ length: 100 }, (_, n) => `${n}é`.padEnd(2000, 'é'))
  const page = fill(items, 1_000_000, (item) => item)
  t.same(written(page), [items.join(''), 100])
  const texts = page.parts.filter((part) => typeof part === 'string')
  t.ok(joined(texts).length < 64 * 1024)
  t.equal(typeof joined([]), 'string')
})
