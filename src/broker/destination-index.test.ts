import { queryObjects } from 'node:v8'
import fc from 'fast-check'
import t from 'tap'
import { DestinationIndex } from './destination-index.js'
import { Subscription } from './entities.js'
import { parseDestination } from './names.js'

let ordinal = 0

function subscriber(): Subscription {
  const id = `s${++ordinal}`
  const terms = {
    kind: 'subscription' as const,
    destinations: [],
    prefetch: 1,
    selector: undefined,
    timeout: 1,
    owner: undefined,
  }
  return new Subscription(id, ordinal, terms, 0)
}

function matches(index: DestinationIndex, name: string): [Subscription, number][] {
  const found = index.matching(name.split('/'))
  return [...new Set(found)].map((one) => [one, found.filter((other) => other === one).length])
}

t.test('it finds those that cover a queue, the eldest first, with the number of their destinations', (t) => {
  const index = new DestinationIndex()
  const [one, two, three] = [subscriber(), subscriber(), subscriber()]
  index.add(parseDestination('a/>'), three)
  index.add(parseDestination('a/*'), one)
  index.add(parseDestination('a.b'), one)
  index.add(parseDestination('>'), two)
  index.add(parseDestination('a.b'), three)
  t.same(matches(index, 'a/b'), [
    [one, 2],
    [two, 1],
    [three, 2],
  ])
  t.same(matches(index, 'a'), [[two, 1]], 'a last > is one segment at least')
  t.same(matches(index, 'a/b/c'), [
    [two, 1],
    [three, 1],
  ])
  t.end()
})

t.test('what is removed is not found, and what was not there is removed without harm', (t) => {
  const index = new DestinationIndex()
  const [one, two] = [subscriber(), subscriber()]
  index.add(parseDestination('a/b'), one)
  index.add(parseDestination('a/b'), two)
  index.add(parseDestination('a'), one)
  index.remove(parseDestination('a/b'), one)
  index.remove(parseDestination('a/b'), one)
  index.remove(parseDestination('x/y/z'), one)
  t.same(matches(index, 'a/b'), [[two, 1]])
  t.same(matches(index, 'a'), [[one, 1]], 'what is above stays')
  index.remove(parseDestination('a'), one)
  t.same(matches(index, 'a/b'), [[two, 1]], 'what is below stays')
  t.end()
})

t.test('it agrees with a search through all of them', (t) => {
  const text = fc
    .array(fc.constantFrom('a', 'b', '*'), { minLength: 1, maxLength: 3 })
    .chain((segments) => fc.boolean().map((open) => [...segments, ...(open ? ['>'] : [])].join('/')))
  const name = fc.array(fc.constantFrom('a', 'b'), { minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(fc.array(fc.tuple(text, fc.boolean()), { maxLength: 20 }), name, (destinations, segments) => {
      const index = new DestinationIndex()
      const entries = destinations.map(([text, stays]) => ({ text, stays, subscription: subscriber() }))
      for (const { text, subscription } of entries) index.add(parseDestination(text), subscription)
      for (const { text, stays, subscription } of entries) {
        if (!stays) index.remove(parseDestination(text), subscription)
      }
      const expected = entries.filter(({ text, stays }) => {
        const pattern = text.replaceAll('*', '[^/]+').replace('>', '.+')
        return stays && new RegExp(`^${pattern}$`).test(segments.join('/'))
      })
      const found = [...new Set(index.matching(segments))].map(({ id }) => id)
      if (index.count(segments) !== expected.length) throw new Error('count')
      if (found.join() !== expected.map(({ subscription }) => subscription.id).join())
        throw new Error(`${found}`)
    }),
  )
  t.end()
})

t.test('what is removed leaves nothing in memory', (t) => {
  const index = new DestinationIndex()
  const one = subscriber()
  index.add(parseDestination('x'), one)
  const before = queryObjects(Map) as number
  for (let number = 0; number < 5000; number++) {
    const destination = parseDestination(`${number}/a`)
    index.add(destination, one)
    index.remove(destination, one)
  }
  t.ok((queryObjects(Map) as number) - before < 1000)
  t.same(matches(index, 'x'), [[one, 1]])
  t.end()
})
