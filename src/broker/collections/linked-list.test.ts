import fc from 'fast-check'
import t from 'tap'
import { LinkedList, type Place } from './linked-list.js'

/** The values read backwards, by the links that a reader forwards never uses. */
function backwards<T>(list: LinkedList<T>): T[] {
  const values: T[] = []
  for (let place = list.last; place !== undefined; place = place.previous) values.push(place.value)
  return values
}

t.test('values are appended, put behind a place or at the front, removed and moved to the end', (t) => {
  const list = new LinkedList<string>()
  const b = list.append('b')
  const d = list.append('d')
  const a = list.insertAfter(undefined, 'a')
  const c = list.insertAfter(b, 'c')
  t.same([...list], ['a', 'b', 'c', 'd'])
  list.moveToEnd(a)
  list.moveToEnd(a)
  t.same([...list], ['b', 'c', 'd', 'a'])
  list.remove(c)
  list.remove(a)
  t.same([...list], ['b', 'd'])
  t.equal(list.last, d)
  t.equal(list.size, 2)
  list.clear()
  t.same([list.size, list.first, list.last, [...list]], [0, undefined, undefined, []])
  t.end()
})

t.test('the place handed out last may be removed while iterating', (t) => {
  const list = new LinkedList<number>()
  const places = [1, 2, 3].map((value) => list.append(value))
  const seen: number[] = []
  for (const value of list) {
    seen.push(value)
    list.remove(places[value - 1] as Place<number>)
  }
  t.same(seen, [1, 2, 3])
  t.equal(list.size, 0)
  t.end()
})

t.test('whatever is done to it, it is the list that an array would be, in both directions', (t) => {
  const step = fc.record({
    do: fc.constantFrom('append' as const, 'insert' as const, 'remove' as const, 'move' as const),
    where: fc.nat(),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const list = new LinkedList<number>()
      let model: Place<number>[] = []
      steps.forEach(({ do: what, where }, value) => {
        const place = model[where % Math.max(1, model.length)]
        if (what === 'append') model.push(list.append(value))
        else if (what === 'insert') {
          const added = list.insertAfter(place, value)
          model.splice(place === undefined ? 0 : model.indexOf(place) + 1, 0, added)
        } else if (place !== undefined) {
          model = model.filter((other) => other !== place)
          if (what === 'remove') list.remove(place)
          else {
            list.moveToEnd(place)
            model.push(place)
          }
        }
        const values = model.map(({ value }) => value)
        if ([...list].join() !== values.join()) throw new Error('forwards')
        if (backwards(list).join() !== values.reverse().join()) throw new Error('backwards')
        if (list.size !== model.length) throw new Error('size')
      })
    }),
  )
  t.end()
})
