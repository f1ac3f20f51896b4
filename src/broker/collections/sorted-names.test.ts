import fc from 'fast-check'
import t from 'tap'
import { seeded } from '../harness.test.kit.js'
import { SortedNames } from './sorted-names.js'

t.test('names come in the order of their code units, behind any name, there or not', (t) => {
  const names = new SortedNames()
  t.same([...names.after('')], [])
  for (const name of ['b', 'é', 'B', 'a', '😀', '\uffff', 'ab']) names.add(name)
  t.same([...names.after('')], ['B', 'a', 'ab', 'b', 'é', '😀', '\uffff'])
  t.same([...names.after('a')], ['ab', 'b', 'é', '😀', '\uffff'])
  t.same([...names.after('aa')], ['ab', 'b', 'é', '😀', '\uffff'])
  t.same([...names.after('\uffff')], [])
  t.end()
})

t.test('many names that come and go in any order are the sorted set of them', (t) => {
  fc.assert(
    fc.property(fc.nat(), fc.integer({ min: 1, max: 1500 }), fc.nat(), (seed, size, asked) => {
      const bytes = new Uint8Array(3000)
      seeded(seed)(bytes)
      const names = new SortedNames()
      const model = new Set<string>()
      for (let step = 0; step < bytes.length; step += 2) {
        const name = `n${(((bytes[step] as number) << 8) | (bytes[step + 1] as number)) % size}`
        if (model.delete(name)) names.delete(name)
        else {
          names.add(name)
          model.add(name)
        }
      }
      const sorted = [...model].sort()
      if ([...names.after('')].join() !== sorted.join()) throw new Error('all')
      const after = `n${asked % size}`
      if ([...names.after(after)].join() !== sorted.filter((name) => name > after).join())
        throw new Error(after)
      for (const name of model) names.delete(name)
      if ([...names.after('')].length > 0) throw new Error('none')
    }),
    { numRuns: 50 },
  )
  t.end()
})

t.test('chunks are split as names come, whatever their order', (t) => {
  for (const nameOf of [(n: number) => n, (n: number) => 5000 - n, (n: number) => (n * 7919) % 5000]) {
    const names = new SortedNames()
    const all = Array.from({ length: 5000 }, (_, n) => String(nameOf(n)).padStart(4, '0'))
    for (const name of all) names.add(name)
    t.strictSame([...names.after('')], all.toSorted())
  }
  t.end()
})
