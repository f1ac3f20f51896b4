import fc from 'fast-check'
import t from 'tap'
import { BoundedMap } from './bounded-map.js'

t.test('it remembers so many keys, and forgets the oldest first', (t) => {
  const map = new BoundedMap<string, number>(2)
  map.set('a', 1)
  map.set('b', 2)
  map.set('c', 3)
  t.same([map.get('a'), map.get('b'), map.get('c')], [undefined, 2, 3])
  t.same([map.has('a'), map.has('b')], [false, true])
  t.equal(map.size, 2)
  t.end()
})

t.test('a key that is set again keeps its age, and has the new value', (t) => {
  const map = new BoundedMap<string, number>(2)
  map.set('a', 1)
  map.set('b', 2)
  map.set('a', 10)
  t.equal(map.get('a'), 10)
  map.set('c', 3)
  t.notOk(map.has('a'), 'it is forgotten as the oldest')
  t.ok(map.has('b'))
  t.end()
})

t.test('a limit of 0 remembers nothing', (t) => {
  const map = new BoundedMap<string, number>(0)
  map.set('a', 1)
  t.same([map.size, map.has('a'), map.get('a')], [0, false, undefined])
  t.end()
})

t.test('a value of undefined is remembered too', (t) => {
  const map = new BoundedMap<string, undefined>(1)
  map.set('a', undefined)
  t.ok(map.has('a'))
  t.end()
})

t.test('it is a list of the latest keys, whatever is set', (t) => {
  fc.assert(
    fc.property(fc.nat({ max: 5 }), fc.array(fc.nat({ max: 9 }), { maxLength: 60 }), (limit, keys) => {
      const map = new BoundedMap<number, number>(limit)
      let model: [number, number][] = []
      keys.forEach((key, value) => {
        map.set(key, value)
        const known = model.find(([other]) => other === key)
        if (known !== undefined) known[1] = value
        else model.push([key, value])
        model = limit === 0 ? [] : model.slice(-limit)
        for (let key = 0; key <= 9; key++) {
          const entry = model.find(([other]) => other === key)
          if (map.has(key) !== (entry !== undefined) || map.get(key) !== entry?.[1]) throw new Error(`${key}`)
        }
        if (map.size !== model.length) throw new Error('size')
      })
    }),
  )
  t.end()
})
