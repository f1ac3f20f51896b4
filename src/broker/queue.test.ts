import fc from 'fast-check'
import t from 'tap'
import { type Message, Queue } from './entities.js'
import { isCollected, makeQueue, text } from './harness.test.kit.js'
import { MemoryBudget } from './memory-budget.js'

t.test('messages are read in order, from any sequence on, without those that are gone', (t) => {
  const queue = makeQueue()
  const messages = Array.from({ length: 6 }, () => queue.join(text('m'), 0))
  queue.drop(messages[2] as Message, 0)
  queue.drop(messages[0] as Message, 0)
  const from = (sequence: number) => [...queue.order.from(sequence)].map(({ sequence }) => sequence)
  t.same(from(0), [2, 4, 5, 6])
  t.same(from(3), [4, 5, 6])
  t.same(from(6), [6])
  t.same(from(7), [])
  t.equal(queue.order.size, 4)
  queue.makeReady(messages[1] as Message)
  queue.clear()
  t.same([queue.order.size, from(0)], [0, []])
  t.equal(queue.join(text('m'), 0).sequence, 7, 'a number is not given twice')
  t.same(from(0), [7])
  t.end()
})

t.test('a message that is gone is not kept in memory, wherever it stood', async (t) => {
  const queue = makeQueue()
  const fill = () => Array.from({ length: 10 }, () => queue.join(text('m'), 0))
  const drop = (messages: Message[], ...indexes: number[]) =>
    indexes.map((index) => {
      queue.drop(messages[index] as Message, 0)
      return new WeakRef(messages[index] as Message)
    })
  for (const gone of drop(fill(), 0, 1, 5, 9)) t.ok(await isCollected(gone))
  t.equal(queue.order.size, 6)
})

t.test('a released message returns to its old place, whatever became of its neighbours', (t) => {
  const step = fc.record({ do: fc.constantFrom('join', 'ready', 'unready', 'drop'), which: fc.nat() })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300, size: 'max' }), (steps) => {
      const queue = makeQueue()
      let model: Message[] = []
      for (const { do: what, which } of steps) {
        const message = model[which % Math.max(1, model.length)]
        if (what === 'join' || message === undefined) {
          model.push(queue.join(text('m'), 0))
          continue
        }
        if (what === 'drop') {
          queue.drop(message, 0)
          model = model.filter((other) => other !== message)
        } else if (what === 'ready' && !message.ready) queue.makeReady(message)
        else if (what === 'unready') queue.unready(message)
      }
      const ready = model.filter((message) => message.ready)
      const same = (a: readonly unknown[], b: readonly unknown[]) =>
        a.length === b.length && a.every((item, index) => item === b[index])
      if (!same([...queue.order.from(0)], model)) throw new Error('order')
      if (!same([...queue.ready], ready)) throw new Error('ready')
      if (queue.pending !== model.length || queue.held !== model.length - ready.length)
        throw new Error('counts')
    }),
    { numRuns: 300 },
  )
  t.end()
})

t.test('what its messages take is given back once, however often it is cleared', (t) => {
  const memory = new MemoryBudget(1e9)
  const queue = new Queue('00000000-0000-4000-8000-000000000000', ['q'], memory, 0)
  for (let round = 0; round < 2; round++) {
    const messages = Array.from({ length: 3 }, () => queue.join(text('m'), 0))
    t.equal(memory.used, 3 * (messages[0] as Message).bytes)
    queue.clear()
    t.equal(memory.used, 0)
  }
  queue.clear()
  t.equal(memory.used, 0)
  t.end()
})

t.test('a message that is taken out says that it is gone', (t) => {
  const queue = makeQueue()
  const [first, second] = [queue.join(text('1'), 0), queue.join(text('2'), 0)]
  queue.drop(first, 0)
  t.same([first.gone, second.gone], [true, false])
  queue.reference.queue = undefined
  t.equal(second.gone, true)
  t.end()
})
