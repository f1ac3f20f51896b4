import t from 'tap'
import { deliveryOf, hand, kindOf, makeBroker, text } from './harness.test.kit.js'
import { violations } from './invariants.test.kit.js'

function repeat(times: number, act: (index: number) => unknown): void {
  for (let index = 0; index < times; index++) act(index)
}

/** To ask a thousand of these takes longer than a slice; it accepts nothing. */
const DECLINES = `kind = 'x' AND (${Array.from({ length: 100 }, (_, index) => `a <> ${index}`).join(' AND ')})`

t.test('what went with its queue is not taken for acknowledged, as one before it was', (t) => {
  const { broker } = makeBroker()
  broker.createQueue('q')
  const { id } = broker.subscribe({ destinations: ['q'] })
  for (const body of ['1', '2']) broker.send('q', text(body))
  const [one, two] = [deliveryOf(broker, id, '1'), deliveryOf(broker, id, '2')]
  broker.acknowledge(id, one)
  broker.deleteQueue('q')
  t.equal(
    kindOf(() => broker.acknowledge(id, two)),
    'delivery-released',
  )
  t.same(broker.acknowledge(id, one), { repeated: true })
  t.end()
})

t.test('what is released goes on in the order of the queue, not in that of its holder', (t) => {
  const { broker } = makeBroker()
  broker.createQueue('q')
  const first = broker.subscribe({ destinations: ['q'], prefetch: 1 })
  const second = broker.subscribe({ destinations: ['q'], prefetch: 2 })
  for (const body of ['1', '2']) broker.send('q', text(body))
  broker.unsubscribe(first.id)
  t.same(hand(broker, second.id), ['2', '1'])
  const third = broker.subscribe({ destinations: ['q'], prefetch: 1 })
  broker.unsubscribe(second.id)
  t.same(hand(broker, third.id), ['1'])
  t.same(violations(broker), [])
  t.end()
})

t.test('a queue has changed when one of its messages is handed out', (t) => {
  const { broker, clock } = makeBroker()
  const { queue } = broker.createQueue('q')
  broker.send('q', text('m'))
  const { version } = queue
  clock.advance(5)
  broker.subscribe({ destinations: ['q'] })
  t.same([queue.updatedAt, queue.version], [clock.now(), version + 1])
  t.end()
})

t.test('a queue of many consumers lets them go in slices, and hands out nothing more meanwhile', (t) => {
  const { broker, clock } = makeBroker()
  const { queue } = broker.createQueue('q')
  const { id } = broker.subscribe({ destinations: ['q'], prefetch: 1 })
  repeat(4000, () => broker.subscribe({ destinations: ['q'], prefetch: 1 }))
  const message = broker.send('q', text('m'))
  t.same(hand(broker, id), ['m'])
  broker.deleteQueue('q')
  t.ok(queue.subscriptions > 0 && queue.subscriptions < 4001)
  broker.unsubscribe(id)
  t.ok(queue.subscriptions > 0)
  t.equal(message.deliveries, 1, 'what it held goes to nobody')
  for (let round = 0; broker.parts.context.slices.busy && round < 20; round++) clock.advance(1)
  t.equal(queue.subscriptions, 0)
  t.end()
})

t.test('also the last message that a deleted queue had handed out is given back', (t) => {
  const held = (count: number) => {
    const { broker, clock } = makeBroker({ limits: { maxPrefetch: count } })
    broker.createQueue('q')
    const { held } = broker.subscribe({ destinations: ['q'], prefetch: count })
    repeat(count, () => broker.send('q', text('m')))
    broker.deleteQueue('q')
    const left = held.size
    clock.advance(1)
    return { left, after: held.size }
  }
  const many = held(4000)
  t.ok(many.left > 1)
  t.same(held(4000 - many.left + 1), { left: 1, after: 0 })
  t.end()
})

t.test('an offer that stops before a consumer without room comes to those behind it', (t) => {
  const { broker, clock } = makeBroker()
  for (const name of ['q', 'other']) broker.createQueue(name)
  repeat(1000, () => {
    broker.subscribe({ destinations: ['q'], selector: DECLINES })
    broker.subscribe({ destinations: ['q', 'other'], prefetch: 1 })
  })
  repeat(1000, () => broker.send('other', text('m')))
  const { id } = broker.subscribe({ destinations: ['q'] })
  broker.send('q', text('for the last'))
  t.ok(broker.parts.dispatch.isOffering(broker.queue('q')))
  for (let round = 0; broker.parts.context.slices.busy && round < 20; round++) clock.advance(1)
  t.same(hand(broker, id), ['for the last'])
  t.end()
})

t.test('what arrives while another is offered is handed out once', (t) => {
  const { broker, clock } = makeBroker()
  broker.createQueue('q')
  const bodies = Array.from({ length: 20 }, (_, index) => `${index}`)
  const takers = bodies.map(() =>
    broker.subscribe({ destinations: ['q'], selector: "kind = 'm'", prefetch: 1 }),
  )
  repeat(300, () => broker.subscribe({ destinations: ['q'], selector: DECLINES }))
  broker.send('q', text('declined'))
  t.ok(broker.parts.dispatch.isOffering(broker.queue('q')))
  for (const body of bodies) broker.send('q', text(body, { kind: 'm' }))
  t.same(violations(broker), [], 'and what is held is not ready')
  for (let round = 0; broker.parts.context.slices.busy && round < 20; round++) clock.advance(1)
  t.same(
    takers.flatMap(({ id }) => hand(broker, id)),
    bodies,
  )
  t.same(violations(broker), [])
  t.end()
})

t.test('a consumer that waits is handed nothing by a binding that still stands', (t) => {
  const { broker, clock } = makeBroker()
  repeat(8000, (index) => broker.createQueue(`q/${index}`))
  for (const destination of ['>', 'other']) broker.subscribeConsumer('c', destination)
  for (let round = 0; broker.parts.context.slices.busy && round < 20; round++) clock.advance(1)
  broker.unsubscribeConsumer('c', '>')
  let woken = 0
  broker.whenConsumerChanges('c', () => woken++)
  const { queue } = broker.send('q/999', text('not for it'))
  t.equal(queue.subscriptions, 1, 'it stands')
  t.same([woken, queue.held], [0, 0])
  broker.createQueue('other')
  broker.send('other', text('for it'))
  t.equal(woken, 1)
  t.end()
})

t.test('where nobody waits to take what is released, nobody is called', (t) => {
  const { broker } = makeBroker()
  broker.createQueue('q')
  const { id } = broker.subscribe({ destinations: ['q'], prefetch: 1000 })
  repeat(1000, () => broker.send('q', text('m')))
  broker.unsubscribe(id)
  t.equal(broker.parts.context.slices.busy, false)
  t.end()
})
