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

t.test('a subscription is what it was asked to be, and what the limits say where it was not', (t) => {
  const { broker, clock } = makeBroker()
  const subscription = broker.subscribe({ destinations: ['a.b', 'c/*'], selector: 'x = 1', owner: 'me' })
  t.match(subscription.id, /^[0-9a-f]{32}$/)
  t.same(subscription.destinations, ['a.b', 'c/*'])
  t.same([subscription.prefetch, subscription.timeout], [10, 30_000])
  t.same([subscription.selector, subscription.owner], ['x = 1', 'me'])
  t.same([subscription.createdAt, subscription.updatedAt], [clock.now(), clock.now()])
  t.equal(subscription.leaseEndsAt, clock.now() + 30_000)
  t.equal(broker.subscription(subscription.id), subscription)
  const other = broker.subscribe({ destinations: ['a'], prefetch: 1000, timeout: 3_600_000, selector: ' ' })
  t.same([other.prefetch, other.timeout], [1000, 3_600_000])
  t.same([other.selector, other.owner], [undefined, undefined], 'a blank selector is none')
  t.end()
})

t.test('one destination spelled in two ways is one', (t) => {
  const { broker } = makeBroker()
  const subscription = broker.subscribe({ destinations: ['a.b', 'a/b', 'a.b'] })
  t.equal(subscription.destinations.length, 1)
  t.end()
})

t.test('what is out of range, or cannot be read, is refused and makes no subscription', (t) => {
  const { broker } = makeBroker({
    limits: { maxDestinations: 2, maxPrefetch: 5, minTimeout: 50, maxTimeout: 60 },
  })
  broker.createQueue('a')
  broker.send('a', text('m'))
  const before = snapshot(broker)
  const ok = { destinations: ['a'], prefetch: 5, timeout: 60 }
  for (const [change, kind] of [
    [{ destinations: [] }, 'bad-parameter'],
    [{ destinations: ['a', 'b', 'c'] }, 'bad-parameter'],
    [{ destinations: ['a', '>.b'] }, 'bad-destination'],
    [{ destinations: [''] }, 'bad-destination'],
    [{ prefetch: 0 }, 'bad-parameter'],
    [{ prefetch: 6 }, 'bad-parameter'],
    [{ prefetch: 1.5 }, 'bad-parameter'],
    [{ prefetch: Number.NaN }, 'bad-parameter'],
    [{ timeout: 49 }, 'bad-parameter'],
    [{ timeout: 60.1 }, 'bad-parameter'],
    [{ timeout: Number.NaN }, 'bad-parameter'],
    [{ selector: 'a = ' }, 'bad-selector'],
  ] as const) {
    t.equal(
      kindOf(() => broker.subscribe({ ...ok, ...change })),
      kind,
      JSON.stringify(change),
    )
  }
  t.same(snapshot(broker), before)
  t.same(refusalOf(() => broker.subscribe({ ...ok, prefetch: 6 }))?.facts, {
    ...{ parameter: 'prefetch', least: 1, most: 5 },
  })
  t.same(refusalOf(() => broker.subscribe({ ...ok, timeout: 1 }))?.facts, {
    ...{ parameter: 'timeout', least: 0.05, most: 0.06 },
  })
  t.end()
})

t.test('so many subscriptions may live at once', (t) => {
  const { broker, clock } = makeBroker({ limits: { maxSubscriptions: 2 } })
  const request = { destinations: ['a'], timeout: 100 }
  const { id } = broker.subscribe(request)
  broker.subscribe(request)
  t.equal(
    kindOf(() => broker.subscribe(request)),
    'too-many-subscriptions',
  )
  broker.unsubscribe(id)
  broker.subscribe(request)
  t.equal(
    kindOf(() => broker.subscribe(request)),
    'too-many-subscriptions',
  )
  clock.advance(100)
  t.equal(
    kindOf(() => broker.subscribe(request)),
    'done',
    'those whose lease is over make room',
  )
  t.end()
})

t.test('it is handed what waits already, oldest first, as far as its prefetch goes', (t) => {
  const { broker } = makeBroker()
  broker.createQueue('a')
  for (const body of ['1', '2', '3']) broker.send('a', text(body))
  const { id, version } = broker.subscribe({ destinations: ['a'], prefetch: 2 })
  t.same(hand(broker, id), ['1', '2'])
  t.equal(version, 2)
  t.end()
})

t.test('a name without a queue waits for it, and a wildcard for all that come', (t) => {
  const { broker } = makeBroker()
  const plain = broker.subscribe({ destinations: ['a.b'] }).id
  const wild = broker.subscribe({ destinations: ['c.>'] }).id
  for (const name of ['a/b', 'c', 'c/d', 'c/e/f']) {
    broker.createQueue(name)
    broker.send(name, text(name))
  }
  t.same(hand(broker, plain), ['a/b'])
  t.same(hand(broker, wild), ['c/d', 'c/e/f'])
  broker.deleteQueue('a/b')
  broker.createQueue('a/b')
  broker.send('a/b', text('again'))
  t.same(hand(broker, plain), ['again'], 'and for a queue that comes back')
  t.same(violations(broker), [])
  t.end()
})

t.test('a queue that several destinations match counts once', (t) => {
  const { broker } = makeBroker()
  broker.createQueue('a/b')
  broker.send('a/b', text('before'))
  const { id } = broker.subscribe({ destinations: ['a/b', 'a/*', '>', '*/c'] })
  broker.send('a/b', text('after'))
  t.same(hand(broker, id), ['before', 'after'])
  t.equal(broker.queue('a/b').subscriptions, 1)
  t.same(
    [...broker.queue('a/b').bindings].map(({ destinations }) => destinations),
    [3],
  )
  broker.createQueue('x/c')
  t.same(
    [...broker.queue('x/c').bindings].map(({ destinations }) => destinations),
    [2],
  )
  t.end()
})

t.test('a subscription that is deleted is gone, and its messages return to their old places', (t) => {
  const { broker } = makeBroker()
  broker.createQueue('a')
  const { id } = broker.subscribe({ destinations: ['a'], prefetch: 3 })
  for (const body of ['1', '2', '3', '4']) broker.send('a', text(body))
  broker.acknowledge(id, deliveryOf(broker, id, '2'))
  t.same(hand(broker, id), ['1', '3', '4'])
  const late = deliveryOf(broker, id, '1')
  broker.send('a', text('5'))
  broker.unsubscribe(id)
  t.same(pending(broker, 'a'), ['1', '3', '4', '5'])
  const next = broker.subscribe({ destinations: ['a'] }).id
  t.same(hand(broker, next), ['1', '3', '4', '5'])
  const before = snapshot(broker)
  for (const use of [
    () => broker.unsubscribe(id),
    () => broker.consume(id),
    () => broker.subscription(id),
    () => broker.acknowledge(id, late),
    () => broker.acknowledgeAll(id, [late]),
    () => broker.delivery(id, late),
    () => broker.whenSubscriptionChanges(id, () => {}),
  ]) {
    t.match(refusalOf(use), { kind: 'subscription-ended', message: /deleted/ })
  }
  t.equal(
    kindOf(() => broker.consume('0'.repeat(32))),
    'unknown-subscription',
  )
  t.same(snapshot(broker), before)
  t.end()
})

t.test('what was deleted does not run out as well', (t) => {
  const { broker, clock } = makeBroker()
  const { id } = broker.subscribe({ destinations: ['a'], timeout: 100 })
  broker.unsubscribe(id)
  clock.advance(100)
  t.match(
    refusalOf(() => broker.consume(id)),
    { kind: 'subscription-ended', message: /deleted/ },
  )
  t.end()
})

t.test('the memory of ended subscriptions is bounded; what is forgotten is unknown', (t) => {
  const { broker } = makeBroker({ limits: { endedLimit: 2 } })
  const ids = [1, 2, 3].map(() => broker.subscribe({ destinations: ['a'] }).id)
  for (const id of ids) broker.unsubscribe(id)
  t.same(
    ids.map((id) => kindOf(() => broker.consume(id))),
    ['unknown-subscription', 'subscription-ended', 'subscription-ended'],
  )
  t.end()
})
