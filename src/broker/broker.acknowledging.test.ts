import t from 'tap'
import {
  deliveryOf,
  hand,
  kindOf,
  makeBroker,
  pending,
  refusalOf,
  snapshot,
  text,
} from './harness.test.kit.js'
import { violations } from './invariants.test.kit.js'

/** A queue with messages, and a subscription that holds the first two. */
function setUp(limits = {}) {
  const { broker, clock } = makeBroker({ limits })
  broker.createQueue('q')
  for (const body of ['1', '2', '3']) broker.send('q', text(body))
  const { id } = broker.subscribe({ destinations: ['q'], prefetch: 2, timeout: 100 })
  return { broker, clock, id, one: deliveryOf(broker, id, '1'), two: deliveryOf(broker, id, '2') }
}

t.test('an acknowledged message is gone, and the next comes', (t) => {
  const { broker, id, one } = setUp()
  const message = broker.delivery(id, one).message
  t.same(broker.acknowledge(id, one), { repeated: false })
  t.same(pending(broker, 'q'), ['2', '3'])
  t.same(hand(broker, id), ['2', '3'])
  t.equal(
    kindOf(() => broker.message(message.id)),
    'unknown-message',
  )
  t.match(
    refusalOf(() => broker.delivery(id, one)),
    {
      kind: 'delivery-released',
      message: 'The message was acknowledged.',
    },
  )
  t.same(violations(broker), [])
  t.end()
})

t.test('a repeat succeeds and changes nothing but the lease', (t) => {
  const { broker, clock, id, one } = setUp()
  broker.acknowledge(id, one)
  clock.advance(60)
  t.same(broker.acknowledge(id, one), { repeated: true })
  t.same(
    [pending(broker, 'q'), hand(broker, id)],
    [
      ['2', '3'],
      ['2', '3'],
    ],
  )
  t.equal(broker.subscription(id).leaseEndsAt, clock.now() + 100)
  broker.deleteQueue('q')
  t.same(broker.acknowledge(id, one), { repeated: true }, 'also when the queue is gone')
  t.end()
})

t.test('a repeat is known while it is remembered', (t) => {
  const { broker, id, one, two } = setUp({ settledLimit: 1 })
  broker.acknowledge(id, one)
  broker.acknowledge(id, two)
  t.same(broker.acknowledge(id, two), { repeated: true })
  t.equal(
    kindOf(() => broker.acknowledge(id, one)),
    'unknown-message',
  )
  t.end()
})

t.test('after the lease nothing is acknowledged, whoever has the message now', (t) => {
  const { broker, clock, id, one, two } = setUp()
  broker.acknowledge(id, one)
  clock.advance(100)
  const next = broker.subscribe({ destinations: ['q'] }).id
  const before = snapshot(broker)
  t.equal(
    kindOf(() => broker.acknowledge(id, two)),
    'subscription-ended',
  )
  t.equal(
    kindOf(() => broker.acknowledge(id, one)),
    'subscription-ended',
    'not even again',
  )
  t.equal(
    kindOf(() => broker.acknowledge(next, two)),
    'unknown-message',
    'nor by the old address elsewhere',
  )
  t.same(snapshot(broker), before)
  t.same(broker.acknowledge(next, deliveryOf(broker, next, '2')), { repeated: false })
  t.end()
})

t.test("another's delivery is unknown, held, acknowledged or released; so is what was never issued", (t) => {
  const { broker, id, one, two } = setUp()
  const other = broker.subscribe({ destinations: ['q'] }).id
  const refused = (delivery: string) => {
    const before = snapshot(broker)
    for (const use of [() => broker.acknowledge(other, delivery), () => broker.delivery(other, delivery)]) {
      t.equal(kindOf(use), 'unknown-message')
    }
    t.same(refusalOf(() => broker.acknowledgeAll(other, [delivery]))?.facts, { messages: [delivery] })
    t.same(snapshot(broker), before)
  }
  refused(one)
  broker.acknowledge(id, one)
  refused(one)
  broker.unsubscribe(id)
  refused(two)
  refused('0'.repeat(32))
  refused('')
  t.end()
})

t.test('a message released with its queue is not acknowledged', (t) => {
  const { broker, id, one, two } = setUp()
  broker.deleteQueue('q')
  const before = snapshot(broker)
  t.equal(
    kindOf(() => broker.acknowledge(id, one)),
    'delivery-released',
  )
  t.same(refusalOf(() => broker.acknowledgeAll(id, [one, two]))?.facts, { messages: [one, two] })
  t.same(snapshot(broker), before)
  t.end()
})

t.test('several are acknowledged at once, repeats and doubles among them', (t) => {
  const { broker, clock, id, one, two } = setUp()
  broker.acknowledge(id, one)
  clock.advance(60)
  broker.acknowledgeAll(id, [two, one, two])
  t.same([pending(broker, 'q'), hand(broker, id)], [['3'], ['3']])
  t.equal(broker.subscription(id).leaseEndsAt, clock.now() + 100)
  broker.acknowledgeAll(id, [one, two])
  broker.acknowledgeAll(id, [])
  t.same(pending(broker, 'q'), ['3'])
  t.same(violations(broker), [])
  t.end()
})

t.test('several are acknowledged all or none', (t) => {
  const { broker, clock, id, one, two } = setUp()
  clock.advance(60)
  const before = snapshot(broker)
  const refusal = refusalOf(() => broker.acknowledgeAll(id, [one, 'x', two, 'y', 'x']))
  t.equal(refusal?.kind, 'message-not-held')
  t.same(refusal?.facts, { messages: ['x', 'y'] })
  t.same(snapshot(broker), before, 'the lease is not renewed either')
  t.end()
})

t.test('the room of several is filled in one go, in the order of the queue', (t) => {
  const { broker, id, one, two } = setUp()
  broker.send('q', text('4'))
  broker.acknowledgeAll(id, [two, one])
  t.same(hand(broker, id), ['3', '4'])
  t.end()
})

t.test('what is acknowledged by one is not missed by others', (t) => {
  const { broker, id, one } = setUp()
  const waiting = broker.subscribe({ destinations: ['q'], prefetch: 1 }).id
  t.same(hand(broker, waiting), ['3'])
  broker.send('q', text('4'))
  broker.acknowledge(id, one)
  t.same([hand(broker, id), hand(broker, waiting)], [['2', '4'], ['3']])
  t.same(violations(broker), [])
  t.end()
})
