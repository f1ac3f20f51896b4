import t from 'tap'
import { kindOf, makeBroker, text } from './harness.test.kit.js'
import { violations } from './invariants.test.kit.js'
import { DEFAULT_LIMITS } from './limits.js'

function repeat(times: number, act: (index: number) => unknown): void {
  for (let index = 0; index < times; index++) act(index)
}

t.test('a consumer, and a session, holds so many messages at most', (t) => {
  const { broker } = makeBroker({ limits: { maxHeld: 3 } })
  broker.createQueue('q')
  repeat(9, () => broker.send('q', text('m')))
  broker.subscribeConsumer('c', 'q')
  t.same([broker.lock('c', 2).length, broker.lock('c', 2).length, broker.lock('c', 2).length], [2, 1, 0])
  t.same(
    [1, 2, 3, 4].map(() => broker.takeFurtherFor('s', 'q') !== undefined),
    [true, true, true, false],
  )
  t.same(violations(broker), [])
  t.end()
})

t.test('who waits and holds as many as it may is handed the next when it has room', (t) => {
  const { broker } = makeBroker({ limits: { maxHeld: 1, maxHeldInAll: 2 } })
  broker.createQueue('q')
  for (const id of ['c', 'd']) broker.subscribeConsumer(id, 'q')
  broker.send('q', text('1'))
  const [first] = broker.lock('c', 1)
  const { id: lease } = broker.subscribe({ destinations: ['other'], prefetch: 1 })
  const woken: string[] = []
  for (const id of ['c', 'd']) broker.whenConsumerChanges(id, () => void woken.push(id))
  broker.send('q', text('2'))
  t.same(woken, [], 'one holds what it may, and together they do')
  t.equal(broker.queue('q').held, 1)
  broker.acknowledgeConsumer('c', first!.id)
  t.same(woken, ['c'])
  broker.unsubscribe(lease)
  t.same(broker.lock('d', 1), [])
  t.same(violations(broker), [])
  t.end()
})

t.test('all together hold so many messages at most, and the prefetch of a subscription counts whole', (t) => {
  const { broker } = makeBroker({ limits: { maxHeldInAll: 10 } })
  broker.createQueue('q')
  repeat(20, () => broker.send('q', text('m')))
  const { id } = broker.subscribe({ destinations: ['other'], prefetch: 6 })
  const subscribe = () => kindOf(() => broker.subscribe({ destinations: ['other'], prefetch: 5 }))
  t.equal(subscribe(), 'too-many-subscriptions')
  broker.subscribeConsumer('c', 'q')
  const locked = broker.lock('c', 3)
  t.same([locked.length, broker.lock('c', 5).length, broker.lock('c', 5).length], [3, 1, 0])
  t.equal(broker.takeFor('s', 'q'), undefined)
  broker.acknowledgeConsumer('c', locked[0]!.id)
  t.ok(broker.takeFor('s', 'q'))
  t.equal(broker.queue('q').held, 4)
  broker.unsubscribe(id)
  t.equal(subscribe(), 'done')
  broker.deleteQueue('q')
  t.equal(broker.parts.dispatch.placesTaken, 5)
  t.same(violations(broker), [])
  t.end()
})

t.test('wildcards are compared with so many names at most', (t) => {
  const { broker } = makeBroker({ limits: { maxWildcardNames: 21 } })
  repeat(20, (index) => broker.createQueue(`a/${index}/x`))
  t.equal(
    kindOf(() => broker.subscribe({ destinations: ['a/*/y'] })),
    'done',
  )
  t.equal(
    kindOf(() => broker.subscribe({ destinations: ['a/*/y', 'a/*/z'] })),
    'too-many-bindings',
  )
  t.equal(
    kindOf(() => broker.subscribe({ destinations: ['a/1/x', 'b'] })),
    'done',
    'a plain name is compared with none',
  )
  t.same([...broker.parts.subscriptions].length, 2)
  t.same(violations(broker), [])
  t.end()
})

t.test('queues, segments and bindings have limits, and a refused command changes nothing', (t) => {
  const { broker } = makeBroker({
    limits: { maxQueues: 4, maxSegments: 3, maxBindings: 5 },
    autoCreate: true,
  })
  repeat(4, (index) => broker.createQueue(`q/${index}`))
  for (const act of [
    () => broker.createQueue('more'),
    () => broker.send('more', text('m')),
    () => broker.newAddress('more'),
  ]) {
    t.equal(kindOf(act), 'too-many-queues')
  }
  // What has ended leaves no room that there is not.
  repeat(3, () => broker.unsubscribe(broker.subscribe({ destinations: ['q.0'] }).id))
  broker.subscribe({ destinations: ['q.*'] })
  t.equal(
    kindOf(() => broker.subscribe({ destinations: ['q.0', 'q.1'] })),
    'too-many-bindings',
  )
  broker.subscribeConsumer('c', 'q.0')
  t.equal(
    kindOf(() => broker.subscribeConsumer('c', 'q.1')),
    'too-many-bindings',
  )
  broker.deleteQueue('q/3')
  t.equal(
    kindOf(() => broker.createQueue('a/b/c/d')),
    'bad-queue-name',
  )
  t.equal(
    kindOf(() => broker.subscribe({ destinations: ['a/b/c/*'] })),
    'bad-destination',
  )
  t.equal(
    kindOf(() => broker.subscribe({ destinations: ['none/yet'] })),
    'done',
  )
  broker.subscribe({ destinations: ['q.*/x'] })
  t.equal(
    kindOf(() => broker.createQueue('q/3')),
    'done',
  )
  t.equal(
    kindOf(() => broker.deleteQueue('q/3')),
    'done',
  )
  broker.subscribe({ destinations: ['q.0'] })
  t.equal(
    kindOf(() => broker.createQueue('q/3')),
    'too-many-bindings',
  )
  t.same(violations(broker), [])
  t.end()
})

t.test('a limit that is given as undefined is the default', (t) => {
  const limits: object = { maxQueues: undefined, maxHeld: 3 }
  const { broker } = makeBroker({ limits })
  t.same(broker.limits, { ...DEFAULT_LIMITS, maxHeld: 3 })
  t.end()
})
