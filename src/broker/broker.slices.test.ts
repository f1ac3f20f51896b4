import t from 'tap'
import { bodyOf, hand, kindOf, makeBroker, pending, text } from './harness.test.kit.js'
import { violations } from './invariants.test.kit.js'

function repeat(times: number, act: (index: number) => unknown): void {
  for (let index = 0; index < times; index++) act(index)
}

const LONG = `kind = 'wanted' AND (${Array.from({ length: 200 }, (_, index) => `a <> ${index + 100_000}`).join(' AND ')})`

t.test('a selector that has much to look through goes on in slices, and misses nothing', (t) => {
  const { broker, clock } = makeBroker()
  broker.createQueue('q')
  repeat(3000, (index) => broker.send('q', text(`${index}`, { a: `${index}`, kind: 'other' })))
  broker.send('q', text('wanted', { a: '1', kind: 'wanted' }))
  const terms = {
    destinations: ['q'],
    selector: LONG.replace("kind = 'wanted' AND", "kind = 'wanted' OR NOT"),
  }
  const { id } = broker.subscribe(terms)
  t.same(hand(broker, id), [], 'not yet')
  broker.send('q', text('later', { a: '1', kind: 'wanted' }))
  t.same(violations(broker), [])
  clock.advance(1)
  t.same(hand(broker, id), ['wanted', 'later'])
  t.same(violations(broker), [])
  broker.unsubscribe(id)
  t.same(violations(broker), [])
  const next = broker.subscribe(terms).id
  clock.advance(1)
  t.same(hand(broker, next), ['wanted', 'later'], 'and again')
  t.end()
})

t.test('a send that many selectors decline finds the one that takes it', (t) => {
  const { broker, clock } = makeBroker()
  broker.createQueue('q')
  const decline = LONG.replace('AND (', 'OR NOT (')
  repeat(300, () => broker.subscribe({ destinations: ['q'], selector: decline }))
  const { id } = broker.subscribe({ destinations: ['q'], prefetch: 2 })
  broker.send('q', text('m', { a: '1', kind: 'other' }))
  clock.advance(1)
  t.same(hand(broker, id), ['m'])
  t.same(violations(broker), [])
  broker.send('q', text('n', { a: '1', kind: 'other' }))
  clock.advance(1)
  t.same(hand(broker, id), ['m', 'n'], 'and again')
  broker.unsubscribe(id)
  clock.advance(1)
  t.same(pending(broker, 'q'), ['m', 'n'])
  t.equal(bodyOf(broker.take('q')!), 'm')
  t.same(violations(broker), [])
  t.end()
})

t.test('a wildcard over many queues is bound in slices, as if at once', (t) => {
  const { broker, clock } = makeBroker()
  repeat(8000, (index) => broker.createQueue(`q/${index}`))
  broker.send('q/7999', text('there'))
  const one = broker.subscribe({ destinations: ['q.*', '>'] })
  t.ok(one.bindings.size < 8000)
  broker.createQueue('q/new')
  broker.deleteQueue('q/7000')
  broker.subscribeConsumer('c', '>')
  broker.unsubscribeConsumer('c', '>')
  const ended = broker.subscribe({ destinations: ['>'] })
  broker.unsubscribe(ended.id)
  clock.advance(1)
  t.same([one.bindings.size, broker.consumer('c').bindings.size, ended.bindings.size], [8000, 0, 0])
  t.same(hand(broker, one.id), ['there'])
  t.equal(broker.parts.context.slices.busy, false)
  t.same(violations(broker), [])
  t.end()
})

t.test('a few queues are bound, and let go, at once', (t) => {
  const { broker } = makeBroker()
  repeat(9, (index) => broker.createQueue(`q/${index}`))
  broker.subscribeConsumer('c', '>')
  t.same([broker.consumer('c').bindings.size, broker.parts.context.slices.busy], [9, false])
  broker.unsubscribeConsumer('c', '>')
  t.same([broker.consumer('c').bindings.size, broker.parts.context.slices.busy], [0, false])
  t.end()
})

t.test('a queue of which much is held is gone at once, and given back in slices', (t) => {
  const { broker, clock } = makeBroker({ limits: { maxPrefetch: 10_000 } })
  const empty = broker.memory
  broker.createQueue('q')
  broker.createQueue('other')
  const { id } = broker.subscribe({ destinations: ['q', 'other'], prefetch: 6000 })
  repeat(7000, () => broker.send('q', text('m')))
  const first = broker.consume(id).deliveries[0]!.id
  broker.subscribeConsumer('c', 'q')
  repeat(10, () => broker.lock('c', 1))
  broker.whenConsumerChanges('c', () => {})
  t.equal(broker.consumer('c').unreported.size, 1, 'it was not told of this one')
  broker.deleteQueue('q')
  t.ok(broker.parts.context.slices.busy)
  t.same(broker.consume(id).deliveries, [])
  t.same([broker.next('c'), broker.lock('c', 5).length], [undefined, 0])
  const last = [...broker.subscription(id).held.keys()].at(-1)!
  for (const delivery of [first, last])
    t.equal(
      kindOf(() => broker.acknowledge(id, delivery)),
      'delivery-released',
    )
  t.equal(
    kindOf(() => broker.acknowledgeAll(id, [last])),
    'message-not-held',
  )
  broker.send('other', text('served on'))
  clock.advance(10)
  t.same(hand(broker, id), ['served on'])
  t.equal(broker.parts.context.slices.busy, false)
  t.same(violations(broker), [])
  broker.unsubscribe(id)
  broker.deleteQueue('other')
  clock.advance(3_600_000)
  t.equal(broker.memory, empty + broker.parts.memory.remembered)
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

t.test('many who wait on the single path are woken in slices, each for a message', (t) => {
  const { broker, clock } = makeBroker({ limits: { defaultPrefetch: 80 } })
  broker.createQueue('q')
  repeat(80, () => broker.send('q', text('m')))
  const { id } = broker.subscribe({ destinations: ['q'] })
  let woken = 0
  repeat(100, () => broker.whenMessageReady('q', () => woken++))
  broker.unsubscribe(id)
  t.ok(woken > 0 && woken < 80)
  clock.advance(1)
  t.equal(woken, 80)
  t.end()
})

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
