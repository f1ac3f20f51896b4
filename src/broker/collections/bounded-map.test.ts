import fc from 'fast-check'
import t from 'tap'
import { seeded } from '../harness.test.kit.js'
import { Ids } from '../ids.js'
import { BoundedMap } from './bounded-map.js'
import { longestMoved } from './moved.test.kit.js'

const WEIGHTLESS = { of: () => 0, most: 0, changed: () => {} }

t.test('it remembers so many keys, and forgets the oldest first', (t) => {
  const map = new BoundedMap<number>(2, WEIGHTLESS)
  map.set('a', 1)
  map.set('b', 2)
  map.set('c', 3)
  t.same([map.get('a'), map.get('b'), map.get('c')], [undefined, 2, 3])
  t.same([map.has('a'), map.has('b')], [false, true])
  t.equal(map.size, 2)
  t.end()
})

t.test('a key that is set again keeps its age, and has the new value', (t) => {
  const map = new BoundedMap<number>(2, WEIGHTLESS)
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
  const map = new BoundedMap<number>(0, WEIGHTLESS)
  map.set('a', 1)
  t.same([map.size, map.has('a'), map.get('a')], [0, false, undefined])
  t.end()
})

t.test('a value of undefined is remembered too', (t) => {
  const map = new BoundedMap<undefined>(1, WEIGHTLESS)
  map.set('a', undefined)
  t.ok(map.has('a'))
  t.end()
})

t.test('it is a list of the latest keys, whatever is set', (t) => {
  fc.assert(
    fc.property(fc.nat({ max: 5 }), fc.array(fc.nat({ max: 9 }), { maxLength: 60 }), (limit, keys) => {
      const map = new BoundedMap<number>(limit, WEIGHTLESS)
      let model: [string, number][] = []
      keys.map(String).forEach((key, value) => {
        map.set(key, value)
        const known = model.find(([other]) => other === key)
        if (known !== undefined) known[1] = value
        else model.push([key, value])
        model = limit === 0 ? [] : model.slice(-limit)
        for (const key of '0123456789') {
          const entry = model.find(([other]) => other === key)
          if (map.has(key) !== (entry !== undefined) || map.get(key) !== entry?.[1]) throw new Error(`${key}`)
        }
        if (map.size !== model.length) throw new Error('size')
      })
    }),
  )
  t.end()
})

t.test('with a weight it forgets the oldest until the rest is light enough, and says what it weighs', (t) => {
  let weighs = 0
  const changed = (by: number) => {
    weighs += by
  }
  const map = new BoundedMap<true>(3, { of: (key) => key.length, most: 10, changed })
  for (const key of ['aaaa', 'bbbb', 'bbbb']) map.set(key, true)
  t.equal(weighs, 8)
  map.set('ccc', true)
  t.same([weighs, map.size, map.has('aaaa')], [7, 2, false])
  for (const key of ['d', 'e']) map.set(key, true)
  t.same([weighs, map.size, map.has('bbbb')], [5, 3, false], 'the limit of keys holds too')
  map.set('far too heavy', true)
  t.same([weighs, map.size, map.has('far too heavy')], [0, 0, false])
  map.set('f', true)
  t.same([weighs, map.size], [1, 1])
  t.end()
})

t.test('many keys come and go', (t) => {
  const map = new BoundedMap<number>(2000, WEIGHTLESS)
  for (let number = 0; number < 10_000; number++) map.set(`key ${number}`, number)
  t.same([map.size, map.has('key 7999'), map.get('key 8000'), map.get('key 9999')], [2000, false, 8000, 9999])
  t.end()
})

t.test('a key that must be kept stays beside the latest, as long as it must', (t) => {
  const kept = new Set(['a', 'b'])
  let weighs = 0
  const changed = (by: number) => {
    weighs += by
  }
  const map = new BoundedMap<string>(2, { of: () => 1, most: 2, changed }, (value) => kept.has(value))
  const known = () => [...'abcdefg'].filter((key) => map.has(key)).join('')
  for (const key of 'abcde') map.set(key, key)
  t.same([known(), map.size, weighs], ['abde', 4, 4], 'the limit is that of the others')
  kept.delete('b')
  map.set('f', 'f')
  t.same([known(), map.size, weighs], ['aef', 3, 3])
  kept.clear()
  map.set('g', 'g')
  t.same([known(), map.size, weighs], ['fg', 2, 2])
  t.end()
})

t.test('where many must be kept, few are looked at for one that comes', (t) => {
  let looks = 0
  const map = new BoundedMap<number>(10, WEIGHTLESS, () => ++looks > 0)
  for (let key = 0; key < 1000; key++) map.set(`${key}`, key)
  looks = 0
  map.set('one more', 0)
  t.same([map.size, looks], [1001, 3])
  t.end()
})

t.test('just what it may weigh it keeps', (t) => {
  const map = new BoundedMap<true>(9, { of: (key) => key.length, most: 10, changed: () => {} })
  for (const key of ['aaaa', 'bbbbbb']) map.set(key, true)
  t.same([map.size, map.has('aaaa'), map.has('bbbbbb')], [2, true, true])
  map.set('c', true)
  t.same([map.size, map.has('aaaa')], [2, false])
  t.end()
})

t.test('to forget one of many moves few', (t) => {
  const map = new BoundedMap<true>(20_000, WEIGHTLESS)
  const moved = longestMoved(() => {
    for (let number = 0; number < 40_000; number++) map.set(`key ${number}`, true)
  })
  t.ok(moved < 1000, `${moved} are moved at once`)
  t.end()
})

t.test('many keys are spread evenly over the maps in it, so that none of them is big', (t) => {
  const ids = new Ids(seeded(1))
  for (const nameOf of [() => ids.key(), () => ids.uuid()]) {
    const sizes = new Map<object, number>()
    const { set } = Map.prototype
    const bounded = new BoundedMap<number>(50_000, WEIGHTLESS)
    const keys = Array.from({ length: 32_000 }, nameOf)
    Map.prototype.set = function (key, value) {
      Reflect.apply(set, this, [key, value])
      Reflect.apply(set, sizes, [this, this.size])
      return this
    }
    keys.forEach((key, value) => {
      bounded.set(key, value)
    })
    Map.prototype.set = set
    const biggest = Math.max(...sizes.values())
    t.ok(biggest < 1500, `${biggest} of 32,000 stand in one`)
  }
  t.end()
})
