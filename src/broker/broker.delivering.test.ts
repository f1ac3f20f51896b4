import t from 'tap'
import { bodyOf, deliveryOf, hand, makeBroker, pending, text } from './harness.test.kit.js'
import { violations } from './invariants.test.kit.js'

/** Sends texts to a queue, each with its first letter as the property `kind`. */
function sendAll(broker: ReturnType<typeof makeBroker>['broker'], name: string, ...bodies: string[]): void {
  for (const body of bodies) broker.send(name, text(body, { kind: body.charAt(0) }))
}

t.test('messages go to the subscriptions in turn', (t) => {
  const { broker } = makeBroker()
  broker.createQueue('q')
  const ids = [1, 2, 3].map(() => broker.subscribe({ destinations: ['q'] }).id)
  sendAll(broker, 'q', '1', '2', '3', '4', '5')
  t.same(
    ids.map((id) => hand(broker, id)),
    [['1', '4'], ['2', '5'], ['3']],
  )
  t.end()
})

t.test('who has no room is passed over, and is in turn again when there is room', (t) => {
  const { broker } = makeBroker()
  broker.createQueue('q')
  const small = broker.subscribe({ destinations: ['q'], prefetch: 1 }).id
  const large = broker.subscribe({ destinations: ['q'] }).id
  sendAll(broker, 'q', '1', '2', '3')
  t.same([hand(broker, small), hand(broker, large)], [['1'], ['2', '3']])
  broker.acknowledge(small, deliveryOf(broker, small, '1'))
  t.same(hand(broker, small), [], 'nothing waits')
  sendAll(broker, 'q', '4', '5')
  t.same([hand(broker, small), hand(broker, large)], [['5'], ['2', '3', '4']])
  t.same(violations(broker), [])
  t.end()
})

t.test('who has room again gets the oldest that waits', (t) => {
  const { broker } = makeBroker()
  broker.createQueue('q')
  const { id } = broker.subscribe({ destinations: ['q'], prefetch: 2 })
  sendAll(broker, 'q', '1', '2', '3', '4')
  broker.acknowledge(id, deliveryOf(broker, id, '2'))
  t.same(hand(broker, id), ['1', '3'])
  t.end()
})

t.test('prefetch counts over all queues, which give in turn', (t) => {
  const { broker } = makeBroker()
  for (const name of ['a', 'b', 'c']) broker.createQueue(name)
  sendAll(broker, 'a', 'a1', 'a2', 'a3')
  sendAll(broker, 'b', 'b1', 'b2', 'b3')
  sendAll(broker, 'c', 'c1')
  const { id } = broker.subscribe({ destinations: ['a', 'b', 'c'], prefetch: 5 })
  t.same(hand(broker, id), ['a1', 'b1', 'c1', 'a2', 'b2'])
  broker.acknowledge(id, deliveryOf(broker, id, 'c1'))
  t.same(hand(broker, id), ['a1', 'b1', 'a2', 'b2', 'a3'])
  broker.acknowledge(id, deliveryOf(broker, id, 'a1'))
  t.same(hand(broker, id).at(-1), 'b3')
  t.same(violations(broker), [])
  t.end()
})

t.test('a message goes to no one whose selector does not pick it', (t) => {
  const { broker } = makeBroker()
  broker.createQueue('q')
  const x = broker.subscribe({ destinations: ['q'], selector: "kind = 'x'" }).id
  const y = broker.subscribe({ destinations: ['q'], selector: "kind = 'y'" }).id
  sendAll(broker, 'q', 'y1', 'x1', 'z1', 'x2')
  t.same([hand(broker, x), hand(broker, y)], [['x1', 'x2'], ['y1']])
  t.same(pending(broker, 'q'), ['y1', 'x1', 'z1', 'x2'])
  const rest = broker.subscribe({ destinations: ['q'] }).id
  t.same(hand(broker, rest), ['z1'])
  t.end()
})

t.test('a selector knows the queue, the media type, the deliveries and the properties, in any case', (t) => {
  const { broker } = makeBroker()
  for (const name of ['q', 'p/q']) broker.createQueue(name)
  const holds = (selector: string) => {
    const { id } = broker.subscribe({ destinations: ['>'], selector })
    const bodies = hand(broker, id)
    broker.unsubscribe(id)
    return bodies
  }
  broker.send('q', text('1', { size: '7' }))
  broker.send('p/q', { body: new Uint8Array([50]), properties: new Map([['queue', 'mine']]) })
  t.same(holds("Queue = 'p/q'"), ['2'], 'a property of this name does not hide it')
  t.same(holds("CONTENT_TYPE LIKE 'text/%'"), ['1'])
  t.same(holds('content_type IS NULL'), ['2'])
  t.same(holds('Size > 6'), ['1'])
  t.same(holds('deliveries > 2 AND size > 0'), ['1'], 'this is its third')
  t.same(holds('deliveries < 3 AND size > 0'), [])
  t.end()
})

t.test('the backlog of a selective consumer goes on where it was, and back where something returned', (t) => {
  const { broker } = makeBroker()
  broker.createQueue('q')
  const other = broker.subscribe({ destinations: ['q'], prefetch: 1, selector: "kind = 'x'" }).id
  sendAll(broker, 'q', 'x1', 'y1', 'z1', 'x2', 'y2', 'x3')
  const { id } = broker.subscribe({ destinations: ['q'], prefetch: 1, selector: "kind IN ('x', 'z')" })
  const acknowledge = () => broker.acknowledge(id, [...broker.subscription(id).held.keys()][0] as string)
  t.same([hand(broker, other), hand(broker, id)], [['x1'], ['z1']])
  acknowledge()
  t.same(hand(broker, id), ['x2'])
  broker.unsubscribe(other)
  acknowledge()
  t.same(hand(broker, id), ['x1'], 'what returned stands before what waited')
  acknowledge()
  t.same(hand(broker, id), ['x3'])
  acknowledge()
  t.same(hand(broker, id), [])
  sendAll(broker, 'q', 'x4')
  t.same(hand(broker, id), ['x4'])
  t.same(violations(broker), [])
  t.end()
})

t.test('a selective consumer is asked about a message once, however often it has room again', (t) => {
  const { broker } = makeBroker()
  broker.createQueue('q')
  for (let count = 0; count < 500; count++) sendAll(broker, 'q', 'other')
  sendAll(broker, 'q', 'x', 'x', 'x', 'x')
  const subscription = broker.subscribe({ destinations: ['q'], prefetch: 1, selector: "kind = 'x'" })
  const { selector } = subscription.terms
  let asked = 0
  Object.assign(subscription.terms, {
    selector: { ...selector, matches: (lookup: never) => ++asked > 0 && selector?.matches(lookup) },
  })
  while (subscription.held.size > 0) {
    broker.acknowledge(subscription.id, [...subscription.held.keys()][0] as string)
  }
  t.equal(asked, 3, 'about the three that were not yet handed out')
  t.end()
})

t.test('a selector on deliveries takes what others gave back', (t) => {
  const { broker, clock } = makeBroker()
  broker.createQueue('q')
  const retries = broker.subscribe({ destinations: ['q'], selector: 'deliveries > 1', prefetch: 1 }).id
  const first = broker.subscribe({ destinations: ['q'], selector: 'deliveries = 1', timeout: 100 }).id
  sendAll(broker, 'q', '1', '2', '3')
  t.same([hand(broker, retries), hand(broker, first)], [[], ['1', '2', '3']])
  clock.advance(100)
  t.same(hand(broker, retries), ['1'])
  broker.acknowledge(retries, deliveryOf(broker, retries, '1'))
  t.same(hand(broker, retries), ['2'], 'also what returned while it was full')
  const again = broker.subscribe({ destinations: ['q'], selector: 'deliveries = 1' }).id
  t.same(hand(broker, again), [], 'nobody has 3 for the first time')
  t.same(violations(broker), [])
  t.end()
})

t.test('messages given back go to others in turn, oldest first, behind what those hold', (t) => {
  const { broker } = makeBroker()
  broker.createQueue('q')
  const gone = broker.subscribe({ destinations: ['q'], prefetch: 3 }).id
  sendAll(broker, 'q', '1', '2', '3')
  const one = broker.subscribe({ destinations: ['q'], prefetch: 2 }).id
  const two = broker.subscribe({ destinations: ['q'], prefetch: 2 }).id
  sendAll(broker, 'q', '4', '5')
  t.same([hand(broker, one), hand(broker, two)], [['4'], ['5']])
  broker.unsubscribe(gone)
  t.same(
    [hand(broker, one), hand(broker, two)],
    [
      ['4', '1'],
      ['5', '2'],
    ],
  )
  broker.acknowledge(two, deliveryOf(broker, two, '5'))
  t.same(hand(broker, two), ['2', '3'])
  t.same(violations(broker), [])
  t.end()
})

t.test('each delivery is counted, and has an id of its own', (t) => {
  const { broker, clock } = makeBroker()
  broker.createQueue('q')
  const message = broker.send('q', text('m'))
  t.equal(message.deliveries, 0)
  const ids = new Set<string>()
  for (let turn = 1; turn <= 3; turn++) {
    clock.advance(10)
    const { id } = broker.subscribe({ destinations: ['q'] })
    const [delivery] = broker.consume(id).deliveries
    t.equal(message.deliveries, turn)
    t.equal(delivery?.message, message)
    t.equal(delivery?.deliveredAt, clock.now())
    t.equal(message.updatedAt, clock.now())
    t.equal(broker.delivery(id, delivery?.id as string), delivery)
    ids.add(delivery?.id as string)
    clock.advance(10)
    broker.unsubscribe(id)
    t.equal(message.updatedAt, clock.now(), 'to be given back is a change')
    t.equal(message.holder, undefined)
  }
  t.equal(ids.size, 3)
  t.equal(message.publishedAt, clock.now() - 60)
  t.end()
})

t.test('a message holds its place through many redeliveries, while others come and go', (t) => {
  const { broker } = makeBroker()
  broker.createQueue('q')
  sendAll(broker, 'q', '1', '2', '3', '4', '5')
  for (let turn = 0; turn < 5; turn++) {
    const { id } = broker.subscribe({ destinations: ['q'], prefetch: 5 })
    t.same(
      broker.consume(id).deliveries.map(({ message }) => bodyOf(message)),
      ['1', '2', '3', '4', '5'],
    )
    broker.unsubscribe(id)
  }
  t.end()
})
