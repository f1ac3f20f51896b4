import fc from 'fast-check'
import t from 'tap'
import { seeded } from '../harness.test.kit.js'
import { longestMoved } from './moved.test.kit.js'
import { type Named, SortedNames } from './sorted-names.js'

const after = (names: SortedNames<Named>, name: string) =>
  [...names.after(name)].map(({ segment }) => segment)

t.test('names come in the order of their code units, behind any name, there or not', (t) => {
  const names = new SortedNames<Named>()
  t.same([...after(names, '')], [])
  for (const name of ['b', 'é', 'B', 'a', '😀', '\uffff', 'ab']) names.add({ segment: name })
  t.same([...after(names, '')], ['B', 'a', 'ab', 'b', 'é', '😀', '\uffff'])
  t.same([...after(names, 'a')], ['ab', 'b', 'é', '😀', '\uffff'])
  t.same([...after(names, 'aa')], ['ab', 'b', 'é', '😀', '\uffff'])
  t.same([...after(names, '\uffff')], [])
  t.end()
})

t.test('many names that come and go in any order are the sorted set of them', (t) => {
  fc.assert(
    fc.property(fc.nat(), fc.integer({ min: 1, max: 1500 }), fc.nat(), (seed, size, asked) => {
      const bytes = new Uint8Array(3000)
      seeded(seed)(bytes)
      const names = new SortedNames<Named>()
      const model = new Set<string>()
      for (let step = 0; step < bytes.length; step += 2) {
        const name = `n${(((bytes[step] as number) << 8) | (bytes[step + 1] as number)) % size}`
        if (model.delete(name)) names.delete(name)
        else {
          names.add({ segment: name })
          model.add(name)
        }
      }
      const sorted = [...model].sort()
      if ([...after(names, '')].join() !== sorted.join()) throw new Error('all')
      const asking = `n${asked % size}`
      if ([...after(names, asking)].join() !== sorted.filter((name) => name > asking).join())
        throw new Error(asking)
      for (const name of model) names.delete(name)
      if ([...after(names, '')].length > 0) throw new Error('none')
    }),
    { numRuns: 50 },
  )
  t.end()
})

t.test('chunks are split as names come, whatever their order', (t) => {
  for (const nameOf of [(n: number) => n, (n: number) => 5000 - n, (n: number) => (n * 7919) % 5000]) {
    const names = new SortedNames<Named>()
    const all = Array.from({ length: 5000 }, (_, n) => String(nameOf(n)).padStart(4, '0'))
    for (const name of all) names.add({ segment: name })
    t.strictSame([...after(names, '')], all.toSorted())
  }
  t.end()
})

t.test('no name that comes or goes moves many', (t) => {
  for (const nameOf of [(n: number) => -n, (n: number) => (n * 7919) % 20_000]) {
    const names = new SortedNames<Named>()
    const all = Array.from({ length: 20_000 }, (_, n) => String(nameOf(n) + 50_000))
    const moved = longestMoved(() => {
      for (const name of all) names.add({ segment: name })
      for (const name of all) names.delete(name)
    })
    t.ok(moved < 1000, `${moved} are moved at once`)
  }
  t.end()
})
