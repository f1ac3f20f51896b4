import fc from 'fast-check'
import t from 'tap'
import type { Queue } from './entities.js'
import { makeQueue, refusalOf } from './harness.test.kit.js'
import { MemoryBudget } from './memory-budget.js'
import { coversName, parseCategory, parseDestination, parseQueueName } from './names.js'
import { QueueTree } from './queue-tree.js'

const memory = () => new MemoryBudget(1e9)
let made = 0

function plant(tree: QueueTree, name: string, now = 0): Queue {
  const queue = makeQueue(name, `${made++}`.padStart(36, '0'), now)
  tree.insert(queue, now)
  return queue
}

function listing(tree: QueueTree, category: string, cursor?: string, limit = 100): string[] {
  const { items, next } = tree.list(parseCategory(category), { cursor, limit })
  return [
    ...items.map(({ kind, name }) => `${kind} ${name}`),
    ...(next === undefined ? [] : [`next ${next}`]),
  ]
}

t.test('a listing has the immediate children by name: queues, categories, or both', (t) => {
  const tree = new QueueTree(memory(), 0)
  for (const name of ['b/x/y', 'c', 'a/z', 'a', 'b.q']) plant(tree, name)
  t.equal(tree.size, 5)
  t.same(listing(tree, ''), ['queue a', 'category a', 'category b', 'queue c'])
  t.same(listing(tree, 'b'), ['queue b/q', 'category b/x'])
  t.same(listing(tree, 'b.x'), ['queue b/x/y'])
  t.end()
})

t.test('a category is there as long as there is a queue below it; the root is there always', (t) => {
  const tree = new QueueTree(memory(), 0)
  t.same(listing(tree, ''), [])
  const deep = plant(tree, 'a/b/c')
  const near = plant(tree, 'a')
  t.equal(tree.find(['a', 'b']), undefined, 'a mere category is no queue')
  tree.remove(deep, 0)
  t.same(listing(tree, ''), ['queue a'])
  for (const gone of ['a', 'a/b', 'x']) {
    t.equal(refusalOf(() => tree.list(parseQueueName(gone), { limit: 10 }))?.kind, 'unknown-path', gone)
  }
  t.equal(tree.find(['a']), near)
  tree.remove(near, 0)
  t.same([tree.size, listing(tree, '')], [0, []])
  t.end()
})

t.test('removing a queue leaves what is below it and beside it', (t) => {
  const tree = new QueueTree(memory(), 0)
  const top = plant(tree, 'a')
  plant(tree, 'a/b')
  plant(tree, 'c')
  tree.remove(top, 0)
  t.same(listing(tree, ''), ['category a', 'queue c'])
  t.same(listing(tree, 'a'), ['queue a/b'])
  t.end()
})

t.test('a queue that is not the one of its name any more takes nobody with it', (t) => {
  const tree = new QueueTree(memory(), 0)
  const old = plant(tree, 'a')
  tree.remove(old, 0)
  const young = plant(tree, 'a')
  tree.remove(old, 0)
  t.equal(tree.find(['a']), young)
  t.equal(tree.size, 1)
  t.end()
})

t.test('pages follow each other by a cursor, also between the two entries of one name', (t) => {
  const tree = new QueueTree(memory(), 0)
  for (const name of ['a', 'a/x', 'b', 'c/x']) plant(tree, name)
  t.same(listing(tree, '', undefined, 1), ['queue a', 'next qa'])
  t.same(listing(tree, '', 'qa', 1), ['category a', 'next ca'])
  t.same(listing(tree, '', 'ca', 2), ['queue b', 'category c'], 'a last page that is full has no next')
  t.same(listing(tree, '', 'cc', 2), [])
  t.end()
})

t.test('a cursor leads on from a name that is gone', (t) => {
  const tree = new QueueTree(memory(), 0)
  for (const name of ['a', 'c']) plant(tree, name)
  t.same(listing(tree, '', 'qb'), ['queue c'])
  t.end()
})

t.test('what was not issued as a cursor is refused', (t) => {
  const tree = new QueueTree(memory(), 0)
  plant(tree, 'a')
  for (const cursor of ['', 'q', 'c', 'xa', '1']) {
    t.equal(refusalOf(() => tree.list([], { cursor, limit: 10 }))?.kind, 'bad-cursor', JSON.stringify(cursor))
  }
  t.end()
})

t.test('a listing tells when a queue last came or went below', (t) => {
  const tree = new QueueTree(memory(), 5)
  t.equal(tree.list([], { limit: 1 }).updatedAt, 5)
  plant(tree, 'a/b/c', 10)
  const other = plant(tree, 'a/d', 20)
  t.equal(tree.list(['a', 'b'], { limit: 9 }).updatedAt, 10)
  t.equal(tree.list(['a'], { limit: 9 }).updatedAt, 20)
  tree.remove(other, 30)
  t.equal(tree.list(['a'], { limit: 9 }).updatedAt, 30)
  t.equal(tree.list([], { limit: 1 }).updatedAt, 30)
  t.match(tree.list([], { limit: 9 }).items, [{ kind: 'category', name: 'a', updatedAt: 30 }])
  t.end()
})

t.test('a wildcard covers just what it says', (t) => {
  const tree = new QueueTree(memory(), 0)
  for (const name of ['a', 'a/b', 'a/b/c', 'b', 'b/b']) plant(tree, name)
  const covered = (text: string) => [...tree.matching(parseDestination(text))].map(({ name }) => name)
  t.same(covered('a'), ['a'])
  t.same(covered('x'), [])
  t.same(covered('a/x'), [])
  t.same(covered('*'), ['a', 'b'])
  t.same(covered('>'), ['a', 'a/b', 'a/b/c', 'b', 'b/b'])
  t.same(covered('a/>'), ['a/b', 'a/b/c'], 'a last > is one segment at least')
  t.same(covered('*/b'), ['a/b', 'b/b'])
  t.same(covered('*.*.>'), ['a/b/c'])
  t.same(covered('a/*/*/*'), [])
  t.same(
    [...tree.queues()].map(({ name }) => name),
    covered('>'),
  )
  t.end()
})

t.test('a walk may stop at any name, and goes on behind it; the count is that of what it meets', (t) => {
  const name = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 4 })
  const destination = fc
    .array(fc.constantFrom('a', 'b', '*', '>'), { minLength: 1, maxLength: 4 })
    .map((segments) => segments.filter((segment, at) => segment !== '>' || at === segments.length - 1))
    .filter(({ length }) => length > 0)
  fc.assert(
    fc.property(
      fc.uniqueArray(name, { selector: (one) => one.join('/') }),
      destination,
      (names, segments) => {
        const tree = new QueueTree(memory(), 0)
        const queues = names.map((one) => plant(tree, one.join('/')))
        tree.remove(plant(tree, 'a/b/gone/c'), 0)
        const wanted = parseDestination(segments.join('/'))
        const expected = queues.filter((queue) => coversName(wanted, queue.segments)).map(({ name }) => name)
        const found = tree.matching(wanted).map(({ name }) => name)
        t.strictSame([...found].sort(), expected.sort())
        const looks = { left: found.length - 1 }
        if (segments.includes('*'))
          t.ok(tree.matching(wanted, looks).length < found.length || found.length === 0)
      },
    ),
    { examples: [[[['a', 'b']], ['*', 'b']]] },
  )
  t.end()
})

t.test('only names that a wildcard could stand for are looked at, and no more of them than may be', (t) => {
  const tree = new QueueTree(memory(), 0)
  for (const name of ['a/x', 'b/x', 'c/x', 'd/y', 'a', 'b', 'c']) plant(tree, name)
  const looksOf = (text: string) => {
    const looks = { left: 100 }
    tree.matching(parseDestination(text), looks)
    return 100 - looks.left
  }
  t.same(['a', 'a/x', 'a/*', '*', '*/x', '>'].map(looksOf), [0, 0, 1, 4, 4, 8])
  const within = (left: number) => {
    const looks = { left }
    return { found: tree.matching(parseDestination('*/x'), looks).length, enough: looks.left >= 0 }
  }
  t.same(
    [within(4), within(3)],
    [
      { found: 3, enough: true },
      { found: 3, enough: false },
    ],
  )
  t.end()
})
