import t from 'tap'
import type { Clock } from '../clock/clock.js'
import { ManualClock } from '../clock/manual.js'
import { createBroker } from './broker.js'
import {
  deliveryOf,
  hand,
  kindOf,
  makeBroker,
  refusalOf,
  seeded,
  snapshot,
  text,
} from './harness.test.kit.js'
import { violations } from './invariants.test.kit.js'

t.test('a lease ends when its time is over, and its messages go to others', (t) => {
  const { broker, clock } = makeBroker()
  broker.createQueue('q')
  const { id } = broker.subscribe({ destinations: ['q'], timeout: 100 })
  broker.send('q', text('m'))
  const other = broker.subscribe({ destinations: ['q'], timeout: 1000 }).id
  clock.advance(99)
  t.same([hand(broker, id), hand(broker, other)], [['m'], []])
  clock.advance(1)
  t.same(hand(broker, other), ['m'])
  t.match(
    refusalOf(() => broker.consume(id)),
    { kind: 'subscription-ended', message: /ran out/ },
  )
  t.equal(
    kindOf(() => broker.unsubscribe(id)),
    'subscription-ended',
  )
  t.equal(broker.queue('q').subscriptions, 1)
  t.same(violations(broker), [])
  t.end()
})

t.test('each request of the consumer renews the lease; looking on and being refused do not', (t) => {
  const { broker, clock } = makeBroker()
  broker.createQueue('q')
  const subscription = broker.subscribe({ destinations: ['q'], timeout: 100 })
  const { id } = subscription
  for (const body of ['1', '2', '3']) broker.send('q', text(body))
  const [one, two] = [deliveryOf(broker, id, '1'), deliveryOf(broker, id, '2')]
  const renews = (act: () => unknown) => {
    clock.advance(10)
    kindOf(act)
    return subscription.leaseEndsAt === clock.now() + 100
  }
  t.equal(
    renews(() => broker.consume(id)),
    true,
  )
  t.equal(
    renews(() => broker.acknowledge(id, one)),
    true,
  )
  t.equal(
    renews(() => broker.acknowledge(id, one)),
    true,
    'a repeat shows that it is there, too',
  )
  t.equal(
    renews(() => broker.acknowledgeAll(id, [two])),
    true,
  )
  t.equal(
    renews(() => broker.subscription(id)),
    false,
  )
  t.equal(
    renews(() => broker.delivery(id, deliveryOf(broker, id, '3'))),
    false,
  )
  t.equal(
    renews(() => broker.whenSubscriptionChanges(id, () => {})),
    false,
  )
  t.equal(
    renews(() => broker.acknowledge(id, 'x')),
    false,
  )
  t.equal(
    renews(() => broker.acknowledgeAll(id, ['x'])),
    false,
  )
  t.equal(
    renews(() => broker.send('q', text('4'))),
    false,
    'nor does what comes to it',
  )
  t.end()
})

t.test('a lease that is renewed in time lives on, and ends its timeout after the last renewal', (t) => {
  const { broker, clock } = makeBroker()
  const { id } = broker.subscribe({ destinations: ['q'], timeout: 100 })
  for (let count = 0; count < 5; count++) {
    clock.advance(99)
    broker.consume(id)
  }
  clock.advance(99)
  t.equal(broker.subscription(id).id, id)
  clock.advance(1)
  t.equal(
    kindOf(() => broker.subscription(id)),
    'subscription-ended',
  )
  t.end()
})

t.test('a renewal sets no timer: the one that runs finds out, and is set for the rest', (t) => {
  const clock = new ManualClock()
  let set = 0
  const counting: Clock = {
    now: () => clock.now(),
    at: (due, task) => {
      set++
      return clock.at(due, task)
    },
  }
  const broker = createBroker({ clock: counting, random: seeded(1) })
  const { id } = broker.subscribe({ destinations: ['q'], timeout: 100 })
  for (let count = 0; count < 90; count++) {
    clock.advance(1)
    broker.consume(id)
  }
  t.equal(set, 1)
  clock.advance(10)
  t.equal(set, 2)
  clock.advance(89)
  t.equal(broker.subscription(id).id, id)
  clock.advance(1)
  t.equal(
    kindOf(() => broker.subscription(id)),
    'subscription-ended',
  )
  t.equal(set, 2)
  t.end()
})

/** A clock that goes on by itself, as a busy machine's does, and runs its timers when it is told to. */
function lateClock() {
  const clock = new ManualClock()
  const late: (() => void)[] = []
  return {
    now: () => clock.now(),
    at: (due: number, task: () => void) => clock.at(due, () => void late.push(task)),
    pass(milliseconds: number) {
      clock.advance(milliseconds)
    },
    runLate() {
      for (const task of late.splice(0)) task()
    },
  }
}

t.test('a lease is over when its time is, although its timer has not run yet', (t) => {
  for (const use of [
    'consume',
    'unsubscribe',
    'subscription',
    'acknowledge',
    'whenSubscriptionChanges',
  ] as const) {
    const clock = lateClock()
    const broker = createBroker({ clock, random: seeded(1) })
    broker.createQueue('q')
    const { id } = broker.subscribe({ destinations: ['q'], timeout: 100 })
    const other = broker.subscribe({ destinations: ['q'], timeout: 1000 }).id
    broker.send('q', text('m'))
    const delivery = deliveryOf(broker, id, 'm')
    let woken = 0
    broker.whenSubscriptionChanges(id, () => void woken++)
    broker.whenSubscriptionChanges(other, () => void woken++)
    clock.pass(100)
    t.equal(
      kindOf(() => broker[use](id, delivery as never)),
      'subscription-ended',
      use,
    )
    t.same(hand(broker, other), ['m'], 'its messages went on at once')
    t.equal(woken, 2, 'and who waits was told')
    const before = snapshot(broker)
    clock.runLate()
    t.same(snapshot(broker), before, 'the timer finds nothing left to do')
    t.same(violations(broker), [])
  }
  t.end()
})

t.test('leases that end together pass their messages on to those that live', (t) => {
  const { broker, clock } = makeBroker()
  broker.createQueue('q')
  const ids = [1, 2, 3].map(() => broker.subscribe({ destinations: ['q'], prefetch: 1, timeout: 100 }).id)
  for (const body of ['1', '2', '3', '4']) broker.send('q', text(body))
  const last = broker.subscribe({ destinations: ['q'], timeout: 1000 }).id
  clock.advance(100)
  for (const id of ids)
    t.equal(
      kindOf(() => broker.consume(id)),
      'subscription-ended',
    )
  t.same(hand(broker, last).sort(), ['1', '2', '3', '4'])
  t.same(violations(broker), [])
  t.end()
})

t.test('a lease may last a part of a millisecond more, and time is whole all the same', (t) => {
  const { broker, clock } = makeBroker()
  broker.createQueue('q')
  const { id } = broker.subscribe({ destinations: ['q'], timeout: 50.5 })
  const message = broker.send('q', text('m'))
  clock.advance(50)
  t.equal(
    kindOf(() => broker.subscription(id)),
    'done',
  )
  clock.advance(1)
  t.equal(
    kindOf(() => broker.subscription(id)),
    'subscription-ended',
  )
  t.equal(message.updatedAt, clock.now())
  t.end()
})

t.test('leases that end at one time hand nothing to each other', (t) => {
  const { broker, clock } = makeBroker()
  broker.createQueue('q')
  for (let made = 0; made < 3; made++) broker.subscribe({ destinations: ['q'], timeout: 1000, prefetch: 1 })
  const { id } = broker.subscribe({ destinations: ['q'], timeout: 1000 })
  const messages = ['1', '2', '3'].map((body) => broker.send('q', text(body)))
  clock.advance(1000)
  t.same(
    messages.map(({ deliveries }) => deliveries),
    [1, 1, 1],
  )
  t.equal(
    kindOf(() => broker.consume(id)),
    'subscription-ended',
  )
  t.same(violations(broker), [])
  t.end()
})

t.test('a lease whose time is over is handed nothing, though its end has not come yet', (t) => {
  const { broker, clock } = makeBroker()
  broker.createQueue('q')
  const holders: unknown[] = []
  // It was set first, so it runs before the lease ends.
  clock.at(clock.now() + 1000, () => {
    holders.push(broker.send('q', text('1')).holder?.subscription, over.ended)
    holders.push(broker.send('q', text('2')).holder?.subscription)
  })
  const over = broker.subscribe({ destinations: ['q'], timeout: 1000 })
  const later = broker.subscribe({ destinations: ['q'], timeout: 2000, prefetch: 1 })
  clock.advance(1000)
  t.same(holders, [later, false, undefined])
  t.same(violations(broker), [])
  t.end()
})

t.test('whoever looks, or only waits, renews no lease and changes nothing', (t) => {
  const { broker, clock } = makeBroker()
  broker.createQueue('q')
  for (const body of ['1', '2']) broker.send('q', text(body))
  const subscription = broker.subscribe({ destinations: ['q'], prefetch: 1 })
  broker.subscribeConsumer('c', 'q')
  const [mine] = subscription.deliveries
  const its = broker.next('c')!
  const state = () =>
    [subscription, broker.consumer('c')].map((lease) => [lease.leaseEndsAt, lease.version, lease.held.size])
  const before = [...state(), broker.queue('q').version]
  clock.advance(1000)
  for (const look of [
    () => broker.listQueues('', { limit: 9 }),
    () => broker.browse('q', { limit: 9 }),
    () => broker.peek('q'),
    () => broker.message(mine!.message.id),
    () => broker.subscription(subscription.id),
    () => broker.delivery(subscription.id, mine!.id),
    () => broker.consumerDelivery('c', its.id, { looks: true }),
    () => broker.ownerOf('consumer', 'c'),
    () => broker.whenSubscriptionChanges(subscription.id, () => {})(),
    () => broker.whenConsumerChanges('c', () => {})(),
    () => broker.whenQueueChanges('q', () => {})(),
    () => broker.whenMessageReady('q', () => {})(),
  ]) {
    look()
    t.strictSame([...state(), broker.queue('q').version], before, `${look}`)
  }
  t.end()
})
