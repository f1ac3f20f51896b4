import t from 'tap'
import { ManualClock } from '../clock/manual.js'
import { createBroker } from './broker.js'
import { kindOf as refused } from './harness.test.kit.js'
import { violations } from './invariants.test.kit.js'

function setUp(limits = {}) {
  const clock = new ManualClock()
  const broker = createBroker({ clock, limits })
  broker.createQueue('a')
  const send = () => broker.send('a', { body: new Uint8Array(1), properties: new Map() })
  return { broker, clock, send, a: broker.queue('a') }
}

t.test('to take is to have: a message taken is nowhere, and takes no memory', async (t) => {
  const { broker, send, a } = setUp()
  const empty = broker.memory
  const [first, second] = [send(), send()]
  const { version } = a
  t.equal(broker.peek('a'), first)
  t.equal(broker.take('a'), first)
  t.ok(first.gone)
  t.ok(a.version > version, 'its feed has changed')
  t.equal(
    refused(() => broker.message(first.id)),
    'unknown-message',
  )
  t.equal(broker.take('a'), second)
  t.equal(broker.take('a'), undefined)
  t.equal(broker.peek('a'), undefined)
  t.equal(broker.memory, empty)
  for (const act of [() => broker.take('b'), () => broker.peek('b')]) t.equal(refused(act), 'unknown-queue')
  t.equal(
    refused(() => broker.takeFor('s', 'b')),
    'unknown-queue',
  )
  t.equal(
    refused(() => broker.takeFurtherFor('s', 'b')),
    'unknown-queue',
  )
})

t.test('a session holds what it took until it takes again', async (t) => {
  const { broker, send, a } = setUp()
  const [first, second, third] = [send(), send(), send()]
  t.equal(broker.takeFor('s', 'a')?.message, first)
  t.equal(first.deliveries, 1)
  t.equal(broker.takeFurtherFor('s', 'a')?.message, second, 'beside what it has')
  t.strictSame([a.pending, a.held], [3, 2])
  t.equal(broker.takeFor('s', 'a')?.message, third)
  t.strictSame([a.pending, a.held], [1, 1], 'both are acknowledged')
  t.equal(broker.takeFurtherFor('s', 'a'), undefined)
  t.equal(broker.parts.subscriptions.size, 1, 'it lives while it holds something')
  t.equal(broker.takeFor('s', 'a'), undefined)
  t.equal(broker.parts.subscriptions.size, 0)
  t.strictSame(violations(broker), [])
})

t.test('to take further renews the lease of what is held', async (t) => {
  const { broker, clock, send, a } = setUp()
  send()
  send()
  broker.takeFor('s', 'a')
  clock.advance(29_999)
  broker.takeFurtherFor('s', 'a')
  clock.advance(29_999)
  t.equal(a.held, 2)
  clock.advance(1)
  t.equal(a.held, 0)
})

t.test('the end of a session is not remembered, and pushes out no other', async (t) => {
  const { broker, clock, send } = setUp({ endedLimit: 1 })
  const { id } = broker.subscribe({ destinations: ['b'] })
  broker.unsubscribe(id)
  send()
  broker.takeFor('s', 'a')
  clock.advance(30_000)
  t.equal(broker.takeFor('s', 'a')?.message.deliveries, 2)
  broker.takeFor('s', 'a')
  t.equal(
    refused(() => broker.subscription(id)),
    'subscription-ended',
  )
})

t.test('a session whose queue is deleted holds nothing, and goes on', async (t) => {
  const { broker, send } = setUp()
  send()
  broker.takeFor('s', 'a')
  broker.deleteQueue('a')
  broker.createQueue('a')
  send()
  t.equal(broker.takeFor('s', 'a')?.message.sequence, 1)
  t.equal(broker.takeFor('s', 'a'), undefined)
  t.strictSame(violations(broker), [])
})

t.test('a session that could not be kept takes nothing', async (t) => {
  const { broker, send, a } = setUp({ maxSubscriptions: 0 })
  send()
  t.equal(
    refused(() => broker.takeFor('s', 'a')),
    'too-many-subscriptions',
  )
  t.equal(a.held, 0)
  t.strictSame(violations(broker), [])
})

t.test('what a session takes in another order than it was sent is no harm to those who select', async (t) => {
  const { broker, a } = setUp()
  const { id } = broker.subscribe({ destinations: ['a'], selector: 'n = 2', prefetch: 1 })
  const send = (n: number) =>
    broker.send('a', { body: new Uint8Array(1), properties: new Map([['n', String(n)]]) })
  for (const n of [1, 2, 2, 1]) send(n)
  broker.takeFor('s', 'a')
  broker.takeFurtherFor('s', 'a')
  t.equal(broker.consume(id).deliveries[0]?.message.sequence, 2)
  broker.acknowledge(id, broker.consume(id).deliveries[0]!.id)
  t.strictSame(broker.consume(id).deliveries, [], 'the session has the third')
  t.strictSame([a.pending, a.held], [3, 2])
  t.strictSame(violations(broker), [])
})
