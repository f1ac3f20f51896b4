import t from 'tap'
import { bodyOf, hand, isCollected, kindOf, makeBroker, pending, snapshot, text } from './harness.test.kit.js'
import { violations } from './invariants.test.kit.js'

t.test('creating a queue again changes nothing, in whatever spelling', (t) => {
  const { broker, clock } = makeBroker()
  const { queue, created } = broker.createQueue('uk.products')
  t.equal(created, true)
  t.equal(queue.name, 'uk/products')
  broker.send('uk/products', text('m'))
  clock.advance(5)
  const before = snapshot(broker)
  t.same(broker.createQueue('uk/products'), { queue, created: false })
  t.same(snapshot(broker), before)
  t.end()
})

t.test('queues whose names differ in case are two', (t) => {
  const { broker } = makeBroker()
  broker.createQueue('a')
  t.equal(
    kindOf(() => broker.queue('A')),
    'unknown-queue',
  )
  t.end()
})

t.test('a queue that is deleted is gone with its messages, and a second delete finds none', (t) => {
  const { broker } = makeBroker()
  broker.createQueue('a')
  const { id } = broker.send('a', text('m'))
  broker.deleteQueue('a')
  t.equal(broker.memory, 0)
  for (const use of [
    () => broker.deleteQueue('a'),
    () => broker.browse('a', { limit: 1 }),
    () => broker.queue('a'),
    () => broker.send('a', text('m')),
    () => broker.newAddress('a'),
    () => broker.sendOnce('a', 'guid', text('m')),
    () => broker.whenQueueChanges('a', () => {}),
  ]) {
    t.equal(kindOf(use), 'unknown-queue')
  }
  t.equal(
    kindOf(() => broker.message(id)),
    'unknown-message',
  )
  t.same(violations(broker), [])
  t.end()
})

t.test('a mere category is no queue', (t) => {
  const { broker } = makeBroker()
  broker.createQueue('a/b')
  t.equal(
    kindOf(() => broker.deleteQueue('a')),
    'unknown-queue',
  )
  t.equal(
    kindOf(() => broker.browse('a', { limit: 1 })),
    'unknown-queue',
  )
  t.equal(broker.listQueues('a', { limit: 9 }).items.length, 1)
  t.equal(
    kindOf(() => broker.listQueues('a/b', { limit: 9 })),
    'unknown-path',
  )
  t.equal(
    kindOf(() => broker.listQueues('a//b', { limit: 9 })),
    'bad-queue-name',
  )
  t.end()
})

t.test('a queue made anew under an old name is another queue', (t) => {
  const { broker } = makeBroker()
  const first = broker.createQueue('a').queue
  const old = broker.send('a', text('old'))
  broker.deleteQueue('a')
  const { queue, created } = broker.createQueue('a')
  t.equal(created, true)
  t.not(queue.id, first.id)
  t.same(pending(broker, 'a'), [])
  t.equal(first.deleted, true)
  t.equal(queue.deleted, false)
  const young = broker.send('a', text('young'))
  t.not(young.id, old.id, 'no message has the id of another, although both are the first of a queue')
  t.equal(broker.message(young.id), young)
  t.equal(
    kindOf(() => broker.message(old.id)),
    'unknown-message',
  )
  t.end()
})

t.test('a deleted queue leaves every feed, and others move up into the room', (t) => {
  const { broker } = makeBroker()
  for (const name of ['a', 'b']) broker.createQueue(name)
  const { id } = broker.subscribe({ destinations: ['a', 'b'], prefetch: 2 })
  broker.send('a', text('a1'))
  broker.send('a', text('a2'))
  broker.send('b', text('b1'))
  t.same(hand(broker, id), ['a1', 'a2'])
  const [first] = broker.consume(id).deliveries
  broker.deleteQueue('a')
  t.same(hand(broker, id), ['b1'])
  t.equal(
    kindOf(() => broker.acknowledge(id, first?.id as string)),
    'delivery-released',
  )
  t.equal(
    kindOf(() => broker.delivery(id, first?.id as string)),
    'delivery-released',
  )
  t.same(violations(broker), [])
  t.end()
})

t.test('a deleted queue keeps no message in memory, even while an address of it is open', async (t) => {
  const { broker } = makeBroker()
  broker.createQueue('a')
  const { id } = broker.subscribe({ destinations: ['a'], prefetch: 1 })
  const address = broker.newAddress('a')
  const send = () => new WeakRef(broker.send('a', text('m')))
  const [held, ready] = [send(), send()]
  broker.deleteQueue('a')
  t.ok(await isCollected(held))
  t.ok(await isCollected(ready))
  t.equal(
    kindOf(() => broker.post(address, text('m'))),
    'queue-deleted',
  )
  t.same(hand(broker, id), [])
})

t.test('a deleted queue is not kept in memory, whatever covered it and stands beside it', async (t) => {
  const { broker } = makeBroker()
  broker.createQueue('a/one')
  broker.subscribe({ destinations: ['>'] })
  const make = () => new WeakRef(broker.createQueue('a/two').queue)
  const queue = make()
  broker.deleteQueue('a/two')
  t.ok(await isCollected(queue))
  t.same(violations(broker), [])
})

t.test(
  'an acknowledged message is not kept in memory while its queue and its consumer live on',
  async (t) => {
    const { broker } = makeBroker()
    broker.createQueue('a')
    const { id } = broker.subscribe({ destinations: ['a'] })
    const settle = () => {
      const ref = new WeakRef(broker.send('a', text('m')))
      for (const delivery of broker.consume(id).deliveries) broker.acknowledge(id, delivery.id)
      return ref
    }
    t.ok(await isCollected(settle()))
  },
)

t.test('browsing shows what is pending, held or not, and changes nothing', (t) => {
  const { broker } = makeBroker()
  broker.createQueue('a')
  broker.subscribe({ destinations: ['a'], prefetch: 1 })
  for (const body of ['1', '2', '3']) broker.send('a', text(body))
  const before = snapshot(broker)
  t.same(pending(broker, 'a'), ['1', '2', '3'])
  t.same(snapshot(broker), before)
  const queue = broker.queue('a')
  t.same([queue.pending, queue.held, queue.subscriptions], [3, 1, 1])
  t.end()
})

t.test('a queue is paged by a cursor; the last page has none, also when it is full', (t) => {
  const { broker } = makeBroker()
  broker.createQueue('a')
  for (const body of ['1', '2', '3', '4']) broker.send('a', text(body))
  const first = broker.browse('a', { limit: 2 })
  t.same(first.items.map(bodyOf), ['1', '2'])
  const second = broker.browse('a', { cursor: first.next, limit: 2 })
  t.same(second.items.map(bodyOf), ['3', '4'])
  t.equal(second.next, undefined)
  t.equal(second.queue, broker.queue('a'))
  t.same(broker.browse('a', { cursor: '999', limit: 2 }).items, [])
  t.end()
})

t.test('a cursor that was not issued, and a page without items, are refused', (t) => {
  const { broker } = makeBroker()
  broker.createQueue('a')
  broker.send('a', text('m'))
  for (const cursor of ['', 'x', '-1', '1.5', '1e3', ' 1', '1\n', '1'.repeat(16)]) {
    t.equal(
      kindOf(() => broker.browse('a', { cursor, limit: 1 })),
      'bad-cursor',
      JSON.stringify(cursor),
    )
  }
  for (const limit of [0, -1, 0.5, Number.NaN]) {
    t.equal(
      kindOf(() => broker.browse('a', { limit })),
      'bad-parameter',
    )
    t.equal(
      kindOf(() => broker.listQueues('', { limit })),
      'bad-parameter',
    )
  }
  t.end()
})

t.test('a page tells when what it shows last changed', (t) => {
  const { broker, clock } = makeBroker()
  const start = clock.now()
  const { queue } = broker.createQueue('a')
  const changed = () => broker.browse('a', { limit: 9 }).updatedAt - start
  t.equal(changed(), 0)
  const versions = [queue.version]
  const step = (act: () => unknown) => {
    clock.advance(10)
    act()
    versions.push(queue.version)
    return changed()
  }
  t.equal(
    step(() => broker.send('a', text('m'))),
    10,
  )
  const { id } = broker.subscribe({ destinations: ['a'] })
  t.equal(changed(), 10, 'a delivery is a change: it is counted in the feed')
  t.equal(
    step(() => broker.unsubscribe(id)),
    20,
    'and so is the way back',
  )
  t.equal(
    step(() => broker.createQueue('b')),
    20,
    'what happens elsewhere is none',
  )
  t.equal(versions.at(-1), versions.at(-2))
  t.end()
})

t.test('a message is found by its id, and by nothing that looks like it', (t) => {
  const { broker } = makeBroker()
  broker.createQueue('a')
  const message = broker.send('a', text('m'))
  t.match(message.id, /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-000000000001$/)
  t.equal(broker.message(message.id), message)
  const { id } = message
  for (const other of [
    id.toUpperCase(),
    `${id.slice(0, -1)}0`,
    `${id.slice(0, -1)}2`,
    `${id}0`,
    `${id}z`,
    id.slice(0, -1),
    id.slice(0, 24),
    `${id.slice(0, 24)}zzzzzzzzzzzz`,
    `${id.slice(0, 24)}00000000001z`,
    `0${id.slice(1)}`,
    '',
  ]) {
    if (other !== id)
      t.equal(
        kindOf(() => broker.message(other)),
        'unknown-message',
        other,
      )
  }
  t.end()
})

t.test('each of many messages is found by its id, as long as it is pending', (t) => {
  const { broker } = makeBroker()
  broker.createQueue('q')
  const messages = Array.from({ length: 300 }, (_, n) => broker.send('q', text(String(n))))
  for (const message of messages) t.equal(broker.message(message.id), message)
  const id = messages[26]?.id as string
  for (const other of [
    `${id}0`,
    id.slice(0, -1),
    id.toUpperCase(),
    `${id.slice(0, 24)}x`,
    `1${id.slice(1)}`,
  ]) {
    t.equal(
      kindOf(() => broker.message(other)),
      'unknown-message',
    )
  }
  t.end()
})

t.test('a queue that is there takes messages when no other may come', (t) => {
  const { broker } = makeBroker({ autoCreate: true, limits: { maxQueues: 1 } })
  broker.send('q', text('1'))
  broker.send('q', text('2'))
  broker.sendOnce('q', 'guid', text('3'))
  broker.post(broker.newAddress('q'), text('4'))
  t.same(pending(broker, 'q'), ['1', '2', '3', '4'])
  for (const send of [
    () => broker.send('r', text('m')),
    () => broker.sendOnce('r', 'other', text('m')),
    () => broker.newAddress('r'),
  ]) {
    t.equal(kindOf(send), 'too-many-queues')
  }
  t.end()
})

t.test('what is held of a queue is gone with it, for every kind of consumer', (t) => {
  const { broker, clock } = makeBroker()
  const empty = broker.memory
  broker.createQueue('q')
  broker.createQueue('other')
  const { id } = broker.subscribe({ destinations: ['q', 'other'], prefetch: 60 })
  for (let sent = 0; sent < 70; sent++) broker.send('q', text('m'))
  const first = broker.consume(id).deliveries[0]!.id
  broker.subscribeConsumer('c', 'q')
  for (let locks = 0; locks < 9; locks++) broker.lock('c', 1)
  broker.whenConsumerChanges('c', () => {})
  t.equal(broker.consumer('c').unreported.size, 1, 'it was not told of this one')
  const last = broker.consume(id).deliveries.at(-1)!.id
  broker.deleteQueue('q')
  t.same(broker.consume(id).deliveries, [])
  t.same([broker.next('c'), broker.lock('c', 5).length], [undefined, 0])
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
  t.same(hand(broker, id), ['served on'])
  t.same(violations(broker), [])
  broker.unsubscribe(id)
  broker.deleteQueue('other')
  clock.advance(3_600_000)
  t.equal(broker.memory, empty + broker.parts.memory.remembered)
  t.end()
})
