import t from 'tap'
import { deliveryOf, hand, kindOf, makeBroker, text } from './harness.test.kit.js'

function setUp() {
  const { broker, clock } = makeBroker()
  broker.createQueue('q')
  const { id } = broker.subscribe({ destinations: ['q'], prefetch: 1, timeout: 100 })
  const called: string[] = []
  return {
    ...{ broker, clock, id, called },
    onSubscription: (name = 'subscription') =>
      broker.whenSubscriptionChanges(id, () => void called.push(name)),
    onQueue: (name = 'queue') => broker.whenQueueChanges('q', () => void called.push(name)),
    onReady: (name = 'ready') => broker.whenMessageReady('q', () => void called.push(name)),
  }
}

t.test('who waits for a message is woken by it once, and only when the broker is whole again', (t) => {
  const { broker, id, called, onQueue } = setUp()
  broker.whenSubscriptionChanges(id, () => void called.push(...hand(broker, id)))
  onQueue()
  broker.send('q', text('1'))
  t.same(called, ['1', 'queue'])
  broker.send('q', text('2'))
  broker.acknowledge(id, deliveryOf(broker, id, '1'))
  t.same(called, ['1', 'queue'])
  t.end()
})

t.test('each way for a message to come wakes', (t) => {
  const { broker, id, called, onSubscription, onQueue } = setUp()
  const wakes = (act: () => unknown, ...expected: string[]) => {
    const cancels = [onSubscription(), onQueue()]
    act()
    t.same(called.splice(0), expected, `${act}`)
    for (const cancel of cancels) cancel()
  }
  const address = broker.newAddress('q')
  wakes(() => broker.post(address, text('1')), 'subscription', 'queue')
  wakes(() => broker.post(address, text('1')))
  wakes(() => broker.sendOnce('q', 'guid', text('2')), 'queue')
  wakes(() => broker.sendOnce('q', 'guid', text('2')))
  wakes(() => broker.consume(id))
  wakes(() => broker.browse('q', { limit: 1 }))
  wakes(() => broker.createQueue('another'))
  wakes(() => broker.createQueue('q'))
  wakes(() => broker.newAddress('q'))
  wakes(() => broker.acknowledge(id, deliveryOf(broker, id, '1')), 'subscription')
  wakes(() => broker.acknowledgeAll(id, [deliveryOf(broker, id, '2')]))
  wakes(() => kindOf(() => broker.send('nowhere', text('m'))))
  wakes(() => broker.send('q', text('3')), 'subscription', 'queue')
  t.end()
})

t.test('a message that returns wakes who waits at the queue, and whom it goes to', (t) => {
  const { broker, clock, id, called } = setUp()
  broker.send('q', text('m'))
  const other = broker.subscribe({ destinations: ['q'] }).id
  broker.whenQueueChanges('q', () => void called.push('queue'))
  broker.whenSubscriptionChanges(other, () => void called.push('other'))
  broker.whenSubscriptionChanges(id, () => void called.push('ended'))
  clock.advance(100)
  t.same(called.sort(), ['ended', 'other', 'queue'])
  t.end()
})

t.test('a subscription that is deleted wakes who waits for it', (t) => {
  const { broker, id, called, onSubscription } = setUp()
  onSubscription()
  broker.unsubscribe(id)
  t.same(called, ['subscription'])
  t.end()
})

t.test('a queue that is deleted wakes who waits at it, and at a subscription that covered it', (t) => {
  const { broker, called, onQueue } = setUp()
  broker.createQueue('p')
  const { id } = broker.subscribe({ destinations: ['q', 'p'], prefetch: 1 })
  broker.send('q', text('1'))
  broker.send('q', text('2'))
  broker.send('p', text('3'))
  t.same(hand(broker, id), ['2'])
  onQueue()
  broker.whenSubscriptionChanges(id, () => void called.push('moved up'))
  broker.deleteQueue('q')
  t.same(called.sort(), ['moved up', 'queue'])
  t.same(hand(broker, id), ['3'])
  broker.whenSubscriptionChanges(id, () => void called.push('in vain'))
  broker.createQueue('r')
  broker.deleteQueue('r')
  t.equal(called.length, 2, 'a queue that it does not cover is none of its business')
  const { lostQueues } = broker.subscription(id)
  broker.acknowledge(id, [...broker.subscription(id).held.keys()][0] as string)
  broker.deleteQueue('p')
  t.equal(called.at(-1), 'in vain', 'there is nothing to wait for any more')
  t.equal(broker.subscription(id).lostQueues, lostQueues + 1)
  t.end()
})

t.test('who has cancelled is not woken, not even when it was to be woken next', (t) => {
  const { broker, called, onSubscription } = setUp()
  const cancel = onSubscription('cancelled before')
  cancel()
  cancel()
  let cancelNext = () => {}
  broker.whenQueueChanges('q', () => {
    called.push('first')
    cancelNext()
  })
  cancelNext = broker.whenQueueChanges('q', () => void called.push('cancelled by the first'))
  broker.send('q', text('m'))
  t.same(called, ['first'])
  cancelNext()
  t.end()
})

t.test('one function may wait twice, and is cancelled once at a time', (t) => {
  const { broker } = setUp()
  let called = 0
  const wake = () => void called++
  const cancel = broker.whenQueueChanges('q', wake)
  broker.whenQueueChanges('q', wake)
  cancel()
  broker.send('q', text('m'))
  t.equal(called, 1)
  broker.whenQueueChanges('q', wake)
  broker.whenQueueChanges('q', wake)
  broker.send('q', text('m'))
  t.equal(called, 3)
  t.end()
})

t.test('who is woken may give the next commands, and wait again', (t) => {
  const { broker, id } = setUp()
  const got: string[] = []
  const next = () => {
    for (const { id: delivery } of broker.consume(id).deliveries) {
      got.push(...hand(broker, id))
      broker.acknowledge(id, delivery)
    }
    if (got.length < 3) broker.whenSubscriptionChanges(id, next)
    if (got.length === 1) broker.send('q', text('sent by the one who was woken'))
  }
  broker.whenSubscriptionChanges(id, next)
  broker.whenSubscriptionChanges(id, () => void got.push('the other one'))
  broker.send('q', text('1'))
  t.same(got, ['1', 'sent by the one who was woken', 'the other one'])
  broker.send('q', text('2'))
  t.same(got.slice(3), ['2'])
  t.end()
})

t.test('nobody waits for what is not there', (t) => {
  const { broker } = setUp()
  t.equal(
    kindOf(() => broker.whenQueueChanges('nowhere', () => {})),
    'unknown-queue',
  )
  t.equal(
    kindOf(() => broker.whenQueueChanges('', () => {})),
    'bad-queue-name',
  )
  t.equal(
    kindOf(() => broker.whenSubscriptionChanges('x', () => {})),
    'unknown-subscription',
  )
  t.end()
})

t.test('reset and close wake everybody', (t) => {
  for (const end of ['reset', 'close'] as const) {
    const { broker, called, onSubscription, onQueue, onReady } = setUp()
    onSubscription()
    onQueue()
    onReady()
    broker[end]()
    t.same(called, ['subscription', 'queue', 'ready'], end)
    broker[end]()
    t.equal(called.length, 3)
  }
  t.end()
})

t.test('one request that waits on the single path is woken for each message, in turn', (t) => {
  const { broker } = makeBroker()
  broker.createQueue('q')
  const woken: string[] = []
  for (const name of ['a', 'b', 'c', 'd']) broker.whenMessageReady('q', () => woken.push(name))
  broker.send('q', text('1'))
  t.same(woken, ['a'])
  const { id } = broker.subscribe({ destinations: ['q'] })
  broker.send('q', text('2'))
  t.same(woken, ['a'], 'what is handed out is not ready')
  broker.unsubscribe(id)
  t.same(woken, ['a', 'b', 'c'], 'what is released is')
  broker.unsubscribe(broker.subscribe({ destinations: ['q'] }).id)
  t.same(woken, ['a', 'b', 'c', 'd'], 'also for who is the last')
  broker.whenMessageReady('q', () => woken.push('e'))
  broker.deleteQueue('q')
  t.equal(woken.at(-1), 'e')
  t.end()
})

t.test('many who wait on the single path are called alone as far as their answers take little time', (t) => {
  const { broker } = makeBroker({ limits: { defaultPrefetch: 150 } })
  broker.createQueue('q')
  for (let sent = 0; sent < 150; sent++) broker.send('q', text('m'))
  const { id } = broker.subscribe({ destinations: ['q'] })
  const called = { alone: 0, together: 0 }
  for (let waits = 0; waits < 160; waits++)
    broker.whenMessageReady('q', (alone) => called[alone ? 'alone' : 'together']++)
  broker.unsubscribe(id)
  t.same(called, { alone: 100, together: 50 })
  broker.send('q', text('m'))
  t.same(called, { alone: 101, together: 50 }, 'each command begins anew')
  t.end()
})
