import t from 'tap'
import { deliveryOf, hand, kindOf, makeBroker, text } from './harness.test.kit.js'
import { violations } from './invariants.test.kit.js'

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
