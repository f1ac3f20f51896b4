import fc from 'fast-check'
import t from 'tap'
import { ManualClock } from '../clock/manual.js'
import { type Broker, createBroker } from './broker.js'
import { violations } from './invariants.js'
import type { Content } from './message.js'

const content: Content = { body: new Uint8Array([1]), properties: new Map() }
const brokerWith = (...queues: string[]) => {
  const broker = createBroker({ clock: new ManualClock() })
  for (const queue of queues) broker.createQueue(queue)
  return broker
}
const held = (broker: Broker, id: string) => broker.consume(id).deliveries

t.test('the next message is handed to two consumers, just once', async (t) => {
  const broker = brokerWith('a')
  const one = broker.subscribe({ destinations: ['a'] })
  const two = broker.subscribe({ destinations: ['a'] })
  broker.parts.dispatch.duplicateNext = true
  const message = broker.send('a', content)
  t.equal(broker.parts.dispatch.duplicateNext, false)
  t.same(violations(broker), [])
  const [first, second] = [held(broker, one.id), held(broker, two.id)]
  t.equal(first[0]?.message, message)
  t.equal(second[0]?.message, message)
  t.same([first[0]?.duplicate, second[0]?.duplicate], [false, true])
  t.equal(message.deliveries, 2)
  broker.send('a', content)
  t.equal(held(broker, one.id).length + held(broker, two.id).length, 3, 'the next one after that is not')
})

t.test('both can acknowledge it, in either order, and it is gone once', async (t) => {
  for (const order of [
    [0, 1],
    [1, 0],
  ] as const) {
    const broker = brokerWith('a')
    const hands = [broker.subscribe({ destinations: ['a'] }), broker.subscribe({ destinations: ['a'] })]
    broker.parts.dispatch.duplicateNext = true
    broker.send('a', content)
    for (const index of order) {
      const { id } = hands[index]!
      const [delivery] = held(broker, id)
      t.same(broker.acknowledge(id, delivery!.id), { repeated: false })
      t.same(broker.acknowledge(id, delivery!.id), { repeated: true })
      t.same(violations(broker), [])
    }
    t.equal(broker.queue('a').pending, 0)
    t.equal(broker.memory, 0)
  }
})

t.test('a lost second hand is nothing to the message; a lost first one returns it', async (t) => {
  const broker = brokerWith('a')
  const one = broker.subscribe({ destinations: ['a'] })
  const two = broker.subscribe({ destinations: ['a'] })
  broker.parts.dispatch.duplicateNext = true
  const message = broker.send('a', content)
  const [duplicate] = held(broker, two.id)
  broker.unsubscribe(two.id)
  t.equal(message.holder?.subscription, one)
  t.throws(() => broker.acknowledge(two.id, duplicate!.id), { name: 'Refusal' })
  broker.unsubscribe(one.id)
  t.equal(broker.queue('a').ready.size, 1)
  t.same(violations(broker), [])
})

t.test('it leaves both hands with its queue', async (t) => {
  const broker = brokerWith('a', 'b')
  const one = broker.subscribe({ destinations: ['>'] })
  const two = broker.subscribe({ destinations: ['>'], prefetch: 1 })
  broker.parts.dispatch.duplicateNext = true
  broker.send('a', content)
  broker.parts.dispatch.duplicateNext = true
  broker.send('b', content)
  t.equal(held(broker, two.id).length, 1)
  broker.unsubscribe(one.id)
  broker.deleteQueue('a')
  t.same(violations(broker), [])
  t.same(
    held(broker, two.id).map(({ message }) => message.queue.name),
    ['b'],
    'and makes room for what waits',
  )
})

t.test('there must be a second one, who accepts it and has room', async (t) => {
  const broker = brokerWith('a', 'b')
  broker.subscribe({ destinations: ['a'], prefetch: 5 })
  const { dispatch } = broker.parts
  dispatch.duplicateNext = true
  broker.send('a', content)
  t.equal(dispatch.duplicateNext, true, 'nobody else is there')
  broker.subscribe({ destinations: ['b'] })
  broker.subscribe({ destinations: ['a'], selector: "colour = 'red'" })
  const full = broker.subscribe({ destinations: ['a'], prefetch: 1 })
  dispatch.duplicateNext = false
  broker.send('a', content)
  broker.send('a', content)
  t.equal(full.held.size, 1)
  dispatch.duplicateNext = true
  broker.send('a', content)
  t.equal(dispatch.duplicateNext, true, 'one covers something else, one selects, one is full')
  broker.send('a', { ...content, properties: new Map([['colour', 'red']]) })
  t.equal(dispatch.duplicateNext, false)
  t.same(violations(broker), [])
})

t.test('a consumer that waits can be the second hand', async (t) => {
  const broker = brokerWith('a')
  broker.subscribe({ destinations: ['a'] })
  broker.subscribeConsumer('c', 'a')
  let woken = 0
  broker.whenConsumerChanges('c', () => woken++)
  broker.parts.dispatch.duplicateNext = true
  broker.send('a', content)
  t.equal(woken, 1)
  t.ok(broker.next('c'))
  t.same(violations(broker), [])
})

t.test('whatever else happens, the broker stays whole', async (t) => {
  const step = fc.constantFrom(
    'send',
    'send',
    'twice',
    'twice',
    'subscribe',
    'end',
    'acknowledge',
    'delete',
    'time',
  )
  fc.assert(
    fc.property(fc.array(fc.tuple(step, fc.nat(5)), { maxLength: 60 }), (steps) => {
      const clock = new ManualClock()
      const broker = createBroker({ clock, autoCreate: true })
      for (const [what, number] of steps) {
        const queue = `q/${number % 3}`
        const all = [...broker.parts.subscriptions]
        const chosen = all[number % Math.max(1, all.length)]
        if (what === 'twice') broker.parts.dispatch.duplicateNext = true
        if (what === 'send' || what === 'twice') broker.send(queue, content)
        if (what === 'subscribe') broker.subscribe({ destinations: ['q/*'], prefetch: 1 + number })
        if (what === 'time') clock.advance(number * 5000)
        if (what === 'delete' && broker.parts.queues.find(['q', String(number % 3)]))
          broker.deleteQueue(queue)
        if (what === 'end' && chosen) broker.unsubscribe(chosen.id)
        if (what === 'acknowledge' && chosen)
          broker.acknowledgeAll(chosen.id, [...chosen.held.keys()].slice(0, 2))
        const found = violations(broker)
        if (found.length > 0) throw new Error(`after ${what}: ${found.join('; ')}`)
      }
      for (const { id } of [...broker.parts.subscriptions]) broker.unsubscribe(id)
      for (const queue of [...broker.parts.queues.queues()]) broker.deleteQueue(queue.name)
      return broker.memory === 0
    }),
    { numRuns: 300 },
  )
  t.pass()
})
