import fc from 'fast-check'
import t from 'tap'
import { type Broker, createBroker } from '../../broker/broker.js'
import type { Content } from '../../broker/content.js'
import { violations } from '../../broker/invariants.test.kit.js'
import { ManualClock } from '../../clock/manual.js'
import { deliveringTwice, isDuplicate } from './duplicate-delivery.js'

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
  const { result: message, happened } = deliveringTwice(broker, () => broker.send('a', content))
  t.equal(happened, true)
  t.same(violations(broker, isDuplicate), [])
  const [first, second] = [held(broker, one.id), held(broker, two.id)]
  t.equal(first[0]?.message, message)
  t.equal(second[0]?.message.id, message.id)
  t.same([...first, ...second].map(isDuplicate), [false, true])
  t.equal(message.deliveries, 2)
  t.equal(second[0]?.message.deliveries, 2)
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
    deliveringTwice(broker, () => broker.send('a', content))
    for (const index of order) {
      const { id } = hands[index]!
      const [delivery] = held(broker, id)
      t.same(broker.acknowledge(id, delivery!.id), { repeated: false })
      t.same(broker.acknowledge(id, delivery!.id), { repeated: true })
      t.same(violations(broker, isDuplicate), [])
    }
    t.equal(broker.queue('a').pending, 0)
    for (const { id } of hands) broker.unsubscribe(id)
    broker.deleteQueue('a')
    t.equal(broker.memory, broker.parts.memory.remembered)
  }
})

t.test('a lost second hand is nothing to the message; a lost first one returns it', async (t) => {
  const broker = brokerWith('a')
  const one = broker.subscribe({ destinations: ['a'] })
  const two = broker.subscribe({ destinations: ['a'] })
  const { result: message } = deliveringTwice(broker, () => broker.send('a', content))
  const [duplicate] = held(broker, two.id)
  broker.unsubscribe(two.id)
  t.equal(message.holder?.subscription, one)
  t.throws(() => broker.acknowledge(two.id, duplicate!.id), { name: 'Refusal' })
  broker.unsubscribe(one.id)
  t.equal(broker.queue('a').ready.size, 1)
  t.same(violations(broker, isDuplicate), [])
})

t.test('it leaves both hands with its queue', async (t) => {
  const broker = brokerWith('a', 'b')
  const one = broker.subscribe({ destinations: ['>'] })
  const two = broker.subscribe({ destinations: ['>'], prefetch: 1 })
  deliveringTwice(broker, () => broker.send('a', content))
  deliveringTwice(broker, () => broker.send('b', content))
  t.equal(held(broker, two.id).length, 1)
  broker.unsubscribe(one.id)
  broker.deleteQueue('a')
  t.same(violations(broker, isDuplicate), [])
  t.same(
    held(broker, two.id).map(({ message }) => message.queue.name),
    ['b'],
    'and makes room for what waits',
  )
})

t.test('there must be a second one, who accepts it and has room', async (t) => {
  const broker = brokerWith('a', 'b')
  broker.subscribe({ destinations: ['a'], prefetch: 5 })
  const twice = (sent = content) => deliveringTwice(broker, () => broker.send('a', sent)).happened
  t.equal(twice(), false, 'nobody else is there')
  broker.subscribe({ destinations: ['b'] })
  broker.subscribe({ destinations: ['a'], selector: "colour = 'red'" })
  const full = broker.subscribe({ destinations: ['a'], prefetch: 1 })
  broker.send('a', content)
  broker.send('a', content)
  t.equal(full.held.size, 1)
  t.equal(twice(), false, 'one covers something else, one selects, one is full')
  t.equal(twice({ ...content, properties: new Map([['colour', 'red']]) }), true)
  t.same(violations(broker, isDuplicate), [])
})

t.test('only what is handed out meanwhile is meant, whatever becomes of it', async (t) => {
  const broker = brokerWith('a')
  const ids = [1, 2].map(() => broker.subscribe({ destinations: ['a'] }).id)
  t.throws(() =>
    deliveringTwice(broker, () => {
      throw new Error('failed')
    }),
  )
  broker.send('a', content)
  t.equal(ids.flatMap((id) => held(broker, id)).length, 1)
})

t.test('a consumer that waits can be the second hand', async (t) => {
  const broker = brokerWith('a')
  broker.subscribe({ destinations: ['a'] })
  broker.subscribeConsumer('c', 'a')
  let woken = 0
  broker.whenConsumerChanges('c', () => woken++)
  deliveringTwice(broker, () => broker.send('a', content))
  t.equal(woken, 1)
  t.ok(broker.next('c'))
  t.same(violations(broker, isDuplicate), [])
})

t.test('of messages that are gone so many copies wait as have room', async (t) => {
  const broker = createBroker({ limits: { maxMemory: 100_000 } })
  t.teardown(() => broker.close())
  const large = { body: new Uint8Array(4000), properties: new Map() }
  const take = (queue: string) => {
    broker.createQueue(queue)
    broker.send(queue, large)
    return deliveringTwice(broker, () => broker.take(queue)).happened
  }
  t.same(['a', 'b', 'c', 'd'].map(take), [true, true, false, false])
  t.ok(broker.take('a'), 'the second hand')
  t.same(['e', 'f'].map(take), [true, false])
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
        if (what === 'send') broker.send(queue, content)
        if (what === 'twice') deliveringTwice(broker, () => broker.send(queue, content))
        if (what === 'subscribe') broker.subscribe({ destinations: ['q/*'], prefetch: 1 + number })
        if (what === 'time') clock.advance(number * 5000)
        if (what === 'delete' && broker.parts.queues.find(['q', String(number % 3)]))
          broker.deleteQueue(queue)
        if (what === 'end' && chosen) broker.unsubscribe(chosen.id)
        if (what === 'acknowledge' && chosen)
          broker.acknowledgeAll(chosen.id, [...chosen.held.keys()].slice(0, 2))
        const found = violations(broker, isDuplicate)
        if (found.length > 0) throw new Error(`after ${what}: ${found.join('; ')}`)
      }
      for (const { id } of [...broker.parts.subscriptions]) broker.unsubscribe(id)
      for (const queue of [...broker.parts.queues]) broker.deleteQueue(queue.name)
      return broker.memory === broker.parts.memory.remembered
    }),
    { numRuns: 300 },
  )
  t.pass()
})

t.test('who looks at what would be taken sees the copy that comes first', async (t) => {
  const broker = brokerWith('a')
  const first = broker.send('a', content)
  broker.send('a', content)
  deliveringTwice(broker, () => broker.take('a'))
  const seen = broker.peek('a')
  t.equal(seen?.id, first.id)
  t.equal(broker.take('a'), seen)
  t.not(broker.peek('a')?.id, first.id)
})
