import t from 'tap'
import { fill } from './fill.js'

t.test('each item is told the room that the least of the others leaves', async (t) => {
  const rooms: number[] = []
  const write = (item: string, room: number) => {
    rooms.push(room)
    return item
  }
  t.same(fill(['é', 'bbb', 'c'], 100, write, 10), ['é', 'bbb', 'c'])
  t.same(rooms, [100 - 30, 98 - 20, 95 - 10])
})

t.test('one item is written however long it is, and no other that does not fit', async (t) => {
  const same = (item: string) => item
  t.same(fill(['aaaa', 'b'], 3, same), ['aaaa'])
  t.same(fill(['aa', 'b', 'c'], 3, same), ['aa', 'b'])
  t.same(fill([], 3, same), [])
})
