import t from 'tap'
import type { BrokerEvent } from './events.js'
import { makeBroker, text } from './harness.test.kit.js'

const told = (events: readonly BrokerEvent[]) => events.map(({ kind }) => kind)

t.test(
  'a command is told when it is over and the broker whole, before it returns and anybody is woken',
  (t) => {
    const { broker } = makeBroker()
    broker.createQueue('q')
    const { id } = broker.subscribe({ destinations: ['q'] })
    const order: string[] = []
    broker.whenSubscriptionChanges(id, () => order.push('woken'))
    broker.on(({ kind }) => order.push(`${kind}, ${broker.subscription(id).held.size} held`))
    broker.send('q', text('m'))
    t.same(order, ['sent, 1 held', 'delivered, 1 held', 'woken'])
    t.end()
  },
)

t.test(
  'everybody who listens is told the same in the same order, a command of a listener behind its reason',
  (t) => {
    const { broker } = makeBroker()
    const events: BrokerEvent[][] = [[], []]
    const stops = events.map((own) => broker.on((event) => own.push(event)))
    broker.on(({ kind }) => {
      if (kind === 'queue-created' && broker.queue('q').pending === 0) broker.send('q', text('m'))
    })
    broker.createQueue('q')
    t.same(told(events[0]!), ['queue-created', 'sent'])
    t.same(events[0], events[1])
    stops[0]?.()
    stops[0]?.()
    broker.take('q')
    t.equal(events[0]?.length, 2, 'who no longer listens is told nothing')
    t.same(told(events[1]!), ['queue-created', 'sent', 'taken'])
    t.end()
  },
)

t.test('a lease that is found to be over is told of, though the command is refused', (t) => {
  const { broker, clock } = makeBroker()
  const { id } = broker.subscribe({ destinations: ['q'], timeout: 1000 })
  const lease = broker.subscription(id)
  lease.cancelTimer()
  const events: BrokerEvent[] = []
  broker.on((event) => events.push(event))
  clock.advance(1000)
  t.throws(() => broker.subscription(id))
  t.match(events, [{ kind: 'lease-ended', reason: 'expired', lease, time: clock.now() }])
  t.end()
})

t.test('a refused command tells nothing', (t) => {
  const { broker } = makeBroker()
  const events: BrokerEvent[] = []
  broker.on((event) => events.push(event))
  t.throws(() => broker.send('none', text('m')))
  t.throws(() => broker.whenQueueChanges('none', () => {}))
  t.same(events, [])
  t.end()
})

t.test('why a message was released', (t) => {
  const { broker, clock } = makeBroker({ autoCreate: true })
  const reasons: string[] = []
  broker.on((event) => event.kind === 'released' && reasons.push(event.reason))
  const hold = () => broker.subscribe({ destinations: ['q'], prefetch: 1 }).id
  broker.send('q', text('m'))
  broker.unsubscribe(hold())
  hold()
  clock.advance(30_000)
  broker.subscribeConsumer('c', 'q')
  broker.next('c')
  broker.unsubscribeConsumer('c', 'q')
  hold()
  broker.deleteQueue('q')
  t.same(reasons, ['lease-deleted', 'lease-expired', 'unsubscribed', 'queue-deleted'])
  t.end()
})

t.test('a listener that throws keeps nothing from others for good', (t) => {
  const { broker } = makeBroker()
  const heard: string[] = []
  let bad = true
  broker.on(() => {
    if (bad) throw new Error('bad')
  })
  broker.on(({ kind }) => heard.push(kind))
  t.throws(() => broker.createQueue('q'), /bad/)
  bad = false
  broker.send('q', text('m'))
  t.same(heard, ['sent'])
  t.end()
})
