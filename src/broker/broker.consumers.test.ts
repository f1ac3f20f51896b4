import t from 'tap'
import type { Delivery } from './entities.js'
import { bodyOf, hand, kindOf, makeBroker, pending, refusalOf, snapshot, text } from './harness.test.kit.js'
import { violations } from './invariants.test.kit.js'

/** A queue with four messages, and a consumer of it. */
function setUp(limits = {}) {
  const made = makeBroker({ limits })
  made.broker.createQueue('q')
  for (const body of ['1', '2', '3', '4']) made.broker.send('q', text(body))
  made.broker.subscribeConsumer('c', 'q', { timeout: 100 })
  return made
}

function bodies(deliveries: readonly Delivery[]): string[] {
  return deliveries.map(({ message }) => bodyOf(message))
}

t.test('a consumer is handed a message when it asks, and the same until it acknowledges', (t) => {
  const { broker } = setUp()
  t.equal(broker.consumer('c').held.size, 0, 'nothing by itself')
  const delivery = broker.next('c') as Delivery
  t.same(bodies([delivery]), ['1'])
  t.equal(broker.next('c'), delivery)
  t.equal(broker.consumerDelivery('c', delivery.id), delivery)
  t.same(broker.acknowledgeConsumer('c', delivery.id), { repeated: false })
  t.same(broker.acknowledgeConsumer('c', delivery.id), { repeated: true })
  t.same(pending(broker, 'q'), ['2', '3', '4'])
  t.equal(broker.consumer('c').held.size, 0, 'room is no request')
  t.same(violations(broker), [])
  t.end()
})

t.test('a batch has further messages each time, up to so many', (t) => {
  const { broker } = setUp({ maxBatch: 3 })
  t.same(bodies(broker.lock('c', 1)), ['1'])
  const second = broker.lock('c', 2)
  t.same(bodies(second), ['2', '3'])
  t.equal(
    kindOf(() => broker.lock('c', 0)),
    'bad-parameter',
  )
  t.equal(
    kindOf(() => broker.lock('c', 4)),
    'bad-parameter',
  )
  const before = snapshot(broker)
  t.same(refusalOf(() => broker.lock('c', 1, ['x', ...second.map(({ id }) => id)]))?.facts, {
    messages: ['x'],
  })
  t.same(snapshot(broker), before, 'all are acknowledged, or none and nothing is locked')
  const ids = second.map(({ id }) => id)
  t.same(bodies(broker.lock('c', 3, ids)), ['4'])
  t.same(bodies(broker.lock('c', 3, ids)), [], 'a repeat acknowledges nothing twice')
  t.same(pending(broker, 'q'), ['1', '4'])
  t.same(violations(broker), [])
  t.end()
})

t.test('to subscribe again changes nothing but the lease; each destination counts once', (t) => {
  const { broker, clock } = setUp({ maxDestinations: 2 })
  clock.advance(50)
  broker.subscribeConsumer('c', 'q')
  t.same(broker.consumer('c').destinations, ['q'])
  t.equal(broker.consumer('c').leaseEndsAt, clock.now() + 100)
  broker.subscribeConsumer('c', '*', { timeout: 200 })
  t.equal(broker.consumer('c').leaseEndsAt, clock.now() + 200)
  t.equal(
    kindOf(() => broker.subscribeConsumer('c', 'r')),
    'bad-parameter',
  )
  t.equal(
    kindOf(() => broker.subscribeConsumer('c', 'q.>.r')),
    'bad-destination',
  )
  t.equal(
    kindOf(() => broker.subscribeConsumer('c', 'q', { timeout: 1 })),
    'bad-parameter',
  )
  t.equal(broker.queue('q').subscriptions, 1)
  t.same(violations(broker), [])
  t.end()
})

t.test('to unsubscribe gives back what no other destination covers', (t) => {
  const { broker } = setUp()
  broker.createQueue('r')
  broker.send('r', text('r1'))
  broker.subscribeConsumer('c', '*')
  t.same(bodies(broker.lock('c', 5)).sort(), ['1', '2', '3', '4', 'r1'])
  broker.unsubscribeConsumer('c', 'nowhere')
  broker.unsubscribeConsumer('c', 'q')
  t.equal(broker.consumer('c').held.size, 5, 'the wildcard still covers it')
  broker.subscribeConsumer('c', 'r')
  broker.unsubscribeConsumer('c', '*')
  t.same(bodies([...broker.consumer('c').held.values()]), ['r1'])
  const other = broker.subscribe({ destinations: ['q'] })
  t.same(bodies([...other.held.values()]), ['1', '2', '3', '4'])
  broker.unsubscribeConsumer('c', 'r')
  t.same(broker.consumer('c').destinations, [], 'it lives on without any')
  t.same(violations(broker), [])
  t.end()
})

t.test('a consumer is a lease: its requests renew it, and its end gives everything back', (t) => {
  const { broker, clock } = setUp()
  const { id } = broker.next('c') as Delivery
  for (const use of [
    () => broker.next('c'),
    () => broker.lock('c', 1),
    () => broker.consumerDelivery('c', id),
    () => broker.acknowledgeConsumer('c', id),
    () => broker.unsubscribeConsumer('c', 'x'),
  ]) {
    clock.advance(99)
    use()
  }
  clock.advance(99)
  broker.consumer('c')
  clock.advance(1)
  const before = snapshot(broker)
  for (const use of [
    () => broker.consumer('c'),
    () => broker.next('c'),
    () => broker.lock('c', 1),
    () => broker.consumerDelivery('c', id),
    () => broker.acknowledgeConsumer('c', id),
    () => broker.unsubscribeConsumer('c', 'q'),
    () => broker.whenConsumerChanges('c', () => {}),
  ]) {
    t.equal(kindOf(use), 'consumer-ended')
  }
  t.equal(
    kindOf(() => broker.next('nobody')),
    'unknown-consumer',
  )
  t.same(snapshot(broker), before)
  broker.subscribeConsumer('c', 'q')
  t.same(bodies(broker.lock('c', 9)), ['2', '3', '4'], 'it begins anew')
  t.equal(broker.consumer('c').timeout, 30_000)
  t.end()
})

t.test('a lease that is made shorter ends sooner', (t) => {
  const { broker, clock } = setUp()
  broker.subscribeConsumer('c', 'q', { timeout: 60 })
  clock.advance(60)
  t.equal([...broker.parts.subscriptions].length, 0, 'by its own timer')
  t.end()
})

t.test('a consumer id has 1 to 255 characters and no slash, and is no way up', (t) => {
  const { broker } = makeBroker()
  for (const id of ['', '.', '..', 'a/b', 'x'.repeat(256)]) {
    t.equal(
      kindOf(() => broker.subscribeConsumer(id, 'q')),
      'bad-consumer-id',
      id,
    )
  }
  for (const id of ['a', '...', 'a:b', 'x'.repeat(255), '__proto__']) {
    t.equal(
      kindOf(() => broker.subscribeConsumer(id, 'q')),
      'done',
      id,
    )
  }
  t.end()
})

t.test('consumers, sessions and subscriptions do not meet under one name', (t) => {
  const { broker } = setUp()
  broker.takeFor('s', 'q')
  for (const id of ['consumer:c', 'session:s']) {
    t.equal(
      kindOf(() => broker.consume(id)),
      'unknown-subscription',
    )
    t.equal(
      kindOf(() => broker.unsubscribe(id)),
      'unknown-subscription',
    )
    t.equal(
      kindOf(() => broker.next(id)),
      'unknown-consumer',
    )
  }
  t.equal(
    kindOf(() => broker.next('s')),
    'unknown-consumer',
  )
  t.end()
})

t.test('who waits for a consumer has the next message bound to it, just one', (t) => {
  const { broker } = makeBroker()
  broker.createQueue('q')
  broker.subscribeConsumer('c', 'q')
  let woken = 0
  const wake = () => void woken++
  broker.whenConsumerChanges('c', wake)
  broker.whenConsumerChanges('c', wake)
  for (const body of ['1', '2']) broker.send('q', text(body))
  t.equal(woken, 2)
  t.same(bodies([...broker.consumer('c').held.values()]), ['1'])
  t.same(bodies(broker.lock('c', 2)), ['1', '2'], 'what came while it waited it was not told of yet')
  t.same(violations(broker), [])
  t.end()
})

t.test('a wait that is over takes nothing with it', (t) => {
  const { broker } = makeBroker()
  broker.createQueue('q')
  broker.subscribeConsumer('c', 'q')
  const cancels = [1, 2].map(() => broker.whenConsumerChanges('c', () => t.fail('woken')))
  cancels[0]?.()
  t.same(violations(broker), [], 'somebody still waits')
  cancels[1]?.()
  cancels[1]?.()
  broker.send('q', text('m'))
  t.equal(broker.consumer('c').held.size, 0)
  t.same(violations(broker), [])
  t.end()
})

t.test('a message that was there before the wait is bound to it at once', (t) => {
  const { broker } = setUp()
  let woken = 0
  broker.whenConsumerChanges('c', () => void woken++)
  t.equal(woken, 1)
  t.same(bodies([broker.next('c') as Delivery]), ['1'])
  broker.whenConsumerChanges('c', () => void woken++)
  broker.close()
  t.same([woken, broker.closed], [2, true])
  t.end()
})

t.test('to take a message takes it out for good', (t) => {
  const { broker } = setUp()
  t.equal(bodyOf(broker.peek('q') as never), '1')
  t.equal(bodyOf(broker.take('q') as never), '1')
  broker.next('c')
  t.equal(bodyOf(broker.take('q') as never), '3', 'what is held is not taken')
  broker.take('q')
  t.same([broker.peek('q'), broker.take('q')], [undefined, undefined])
  t.equal(
    kindOf(() => broker.take('nowhere')),
    'unknown-queue',
  )
  t.equal(
    kindOf(() => broker.peek('nowhere')),
    'unknown-queue',
  )
  t.same(pending(broker, 'q'), ['2'])
  t.same(violations(broker), [])
  t.end()
})

t.test('a session acknowledges by asking again, and loses its hold when it falls silent', (t) => {
  const { broker, clock } = setUp({ defaultTimeout: 100 })
  broker.createQueue('r')
  broker.send('r', text('r1'))
  const take = (session: string, name: string) => {
    const delivery = broker.takeFor(session, name)
    return delivery === undefined ? undefined : bodyOf(delivery.message)
  }
  t.equal(take('s', 'q'), '1')
  t.equal(take('s', 'r'), 'r1', 'from whatever queue')
  t.same(pending(broker, 'q'), ['2', '3', '4'])
  const before = snapshot(broker)
  t.equal(
    kindOf(() => broker.takeFor('s', 'nowhere')),
    'unknown-queue',
  )
  t.same(snapshot(broker), before, 'a refused request acknowledges nothing')
  t.equal(take('s', 'r'), undefined)
  t.same(pending(broker, 'r'), [])
  t.equal(broker.parts.subscriptions.size, 1, 'a session with an empty hand is none')
  t.equal(take('s', 'q'), '2')
  t.equal(take('another', 'q'), '3')
  t.equal(bodyOf((broker.takeFurtherFor('s', 'q') as Delivery).message), '4', 'acknowledges nothing')
  t.equal(broker.takeFurtherFor('s', 'q'), undefined)
  clock.advance(100)
  t.equal(take('new', 'q'), '2', 'back in its place')
  t.equal(take('s', 'q'), '3', 'and not acknowledged by a late request')
  t.same(pending(broker, 'q'), ['2', '3', '4'])
  t.same(violations(broker), [])
  t.end()
})

t.test('each message that a session takes renews its lease', (t) => {
  const { broker, clock } = setUp({ defaultTimeout: 100 })
  broker.takeFor('s', 'q')
  clock.advance(60)
  broker.takeFurtherFor('s', 'q')
  clock.advance(60)
  t.same(bodies([...(broker.parts.subscriptions.find('s', 'session')?.held.values() ?? [])]), ['1', '2'])
  t.end()
})

t.test('leases of two kinds may have the same id, and nothing to do with each other', (t) => {
  const { broker } = makeBroker()
  broker.createQueue('q')
  for (const body of ['1', '2', '3']) broker.send('q', text(body))
  broker.subscribeConsumer('s', 'q')
  const first = broker.next('s')!
  const second = broker.takeFor('s', 'q')!
  t.same(
    [first, second].map(({ message }) => bodyOf(message)),
    ['1', '2'],
  )
  t.equal(
    kindOf(() => broker.acknowledgeConsumer('s', second.id)),
    'unknown-message',
  )
  t.equal(
    kindOf(() => broker.subscription('s')),
    'unknown-subscription',
  )
  broker.parts.subscriptions.end(broker.consumer('s'), 'expired')
  t.equal(broker.queue('q').held, 1, 'the session has its message still')
  broker.takeFor('s', 'q')
  t.equal(
    kindOf(() => broker.consumer('s')),
    'consumer-ended',
  )
  t.equal(
    kindOf(() => broker.subscription('s')),
    'unknown-subscription',
  )
  t.same(violations(broker), [])
  t.end()
})

t.test('a queue that is made later is for the oldest first, whenever each began to cover it', (t) => {
  const { broker } = makeBroker()
  broker.subscribeConsumer('c', 'other')
  const { id } = broker.subscribe({ destinations: ['q'] })
  broker.subscribeConsumer('c', 'q')
  broker.whenConsumerChanges('c', () => {})
  broker.createQueue('q')
  for (const body of ['1', '2']) broker.send('q', text(body))
  t.same(hand(broker, id), ['2'], 'the first went to the consumer, which is older')
  t.end()
})
