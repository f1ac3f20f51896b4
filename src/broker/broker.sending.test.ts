import t from 'tap'
import { bytesOfContent } from './content.js'
import { hand, kindOf, makeBroker, pending, refusalOf, snapshot, text } from './harness.test.kit.js'
import { violations } from './invariants.test.kit.js'
import { DEFAULT_LIMITS } from './limits.js'
import { bytesOfQueue, bytesOfText, OVERHEAD } from './storing.js'

t.test('a send in two steps makes a message in the second, and just one', (t) => {
  const { broker, clock } = makeBroker()
  broker.createQueue('a')
  const address = broker.newAddress('a')
  t.same(pending(broker, 'a'), [], 'an address is no message')
  t.same(broker.post(address, text('m')), { replayed: false })
  const before = snapshot(broker)
  t.same(broker.post(address, text('m')), { replayed: true })
  t.same(broker.post(address, text('another')), { replayed: true }, 'whatever is posted')
  t.same(snapshot(broker), before)
  clock.advance(10_000_000)
  t.same(broker.post(address, text('m')), { replayed: true }, 'however late')
  t.same(pending(broker, 'a'), ['m'])
  t.end()
})

t.test('messages stand in the order of their posts, not of their addresses', (t) => {
  const { broker } = makeBroker()
  broker.createQueue('a')
  const [first, second] = [broker.newAddress('a'), broker.newAddress('a')]
  broker.post(second, text('2'))
  broker.post(first, text('1'))
  t.same(pending(broker, 'a'), ['2', '1'])
  t.end()
})

t.test('a repeat makes no duplicate after its message was acknowledged, or is gone with its queue', (t) => {
  const { broker } = makeBroker()
  broker.createQueue('a')
  const { id } = broker.subscribe({ destinations: ['a'] })
  const address = broker.newAddress('a')
  broker.post(address, text('m'))
  broker.sendOnce('a', 'guid', text('g'))
  broker.acknowledgeAll(
    id,
    broker.consume(id).deliveries.map(({ id }) => id),
  )
  t.same(broker.post(address, text('m')), { replayed: true })
  t.same(broker.sendOnce('a', 'guid', text('g')), { replayed: true })
  broker.deleteQueue('a')
  t.same(broker.post(address, text('m')), { replayed: true })
  t.same(broker.sendOnce('a', 'guid', text('g')), { replayed: true })
  broker.createQueue('a')
  t.same(broker.post(address, text('m')), { replayed: true })
  t.same(broker.sendOnce('a', 'guid', text('g')), { replayed: true })
  t.same(pending(broker, 'a'), [])
  t.end()
})

t.test('an unused address ends with its time or its queue, and not by a queue of the same name', (t) => {
  const { broker, clock } = makeBroker({ limits: { addressTimeout: 100 } })
  broker.createQueue('a')
  const address = broker.newAddress('a')
  broker.deleteQueue('a')
  t.equal(
    kindOf(() => broker.post(address, text('m'))),
    'queue-deleted',
  )
  broker.createQueue('a')
  t.equal(
    kindOf(() => broker.post(address, text('m'))),
    'queue-deleted',
  )
  const second = broker.newAddress('a')
  clock.advance(100)
  t.equal(
    kindOf(() => broker.post(second, text('m'))),
    'address-expired',
  )
  broker.newAddress('a')
  t.equal(
    kindOf(() => broker.post(second, text('m'))),
    'address-expired',
  )
  t.equal(
    kindOf(() => broker.post('0'.repeat(32), text('m'))),
    'unknown-address',
  )
  t.same(pending(broker, 'a'), [])
  t.end()
})

t.test('a guid seen before is ignored on whatever queue, there or not; case matters', (t) => {
  const { broker } = makeBroker()
  for (const name of ['a', 'b']) broker.createQueue(name)
  t.same(broker.sendOnce('a', 'guid', text('1')), { replayed: false })
  t.same(broker.sendOnce('a', 'guid', text('2')), { replayed: true })
  t.same(broker.sendOnce('b', 'guid', text('3')), { replayed: true })
  t.same(broker.sendOnce('nowhere', 'guid', text('3')), { replayed: true })
  t.same(broker.sendOnce('a', 'GUID', text('4')), { replayed: false })
  t.same(pending(broker, 'a'), ['1', '4'])
  t.same(pending(broker, 'b'), [])
  t.equal(
    kindOf(() => broker.sendOnce('a//b', 'guid', text('5'))),
    'bad-queue-name',
  )
  t.equal(
    kindOf(() => broker.sendOnce('a', '', text('5'))),
    'bad-guid',
  )
  t.end()
})

t.test('the memory of guids is bounded, the oldest forgotten first', (t) => {
  const { broker } = makeBroker({ limits: { dedupLimit: 2 } })
  broker.createQueue('a')
  for (const guid of ['1', '2', '3']) {
    broker.sendOnce('a', guid, text(guid))
    broker.take('a')
  }
  t.same(broker.sendOnce('a', '2', text('2 again')), { replayed: true })
  t.same(broker.sendOnce('a', '1', text('1 again')), { replayed: false })
  t.same(pending(broker, 'a'), ['1 again'])
  t.end()
})

t.test('a refused send uses up neither its guid nor its address', (t) => {
  const { broker } = makeBroker({ limits: { maxMemory: 10_000 } })
  t.equal(
    kindOf(() => broker.sendOnce('a', 'guid', text('m'))),
    'unknown-queue',
  )
  broker.createQueue('a')
  const address = broker.newAddress('a')
  const before = snapshot(broker)
  const big = text('x'.repeat(10_000))
  for (const send of [
    () => broker.sendOnce('a', 'guid', big),
    () => broker.post(address, big),
    () => broker.send('a', big),
  ]) {
    const refusal = refusalOf(send)
    t.equal(refusal?.kind, 'out-of-memory')
    t.same(refusal?.facts, { limit: 10_000 })
  }
  t.same(snapshot(broker), before)
  t.same(broker.post(address, text('m')), { replayed: false })
  t.same(broker.sendOnce('a', 'guid', text('m')), { replayed: false })
  t.end()
})

t.test('memory is counted for all that is kept, and given back', (t) => {
  const { broker, clock } = makeBroker({ limits: { maxMemory: 20_000 } })
  const used = () => broker.memory
  const costs = (act: () => void) => {
    const before = used()
    act()
    return used() - before
  }
  t.equal(
    costs(() => broker.createQueue('a')),
    bytesOfQueue(['a']) + OVERHEAD.category,
  )
  const content = {
    body: new Uint8Array(1000),
    contentType: '22',
    contentEncoding: '333',
    contentLanguage: '4444',
    properties: new Map([['55555', '666666']]),
  }
  const empty = { body: new Uint8Array(), properties: new Map<string, string>() }
  const before = used()
  t.equal(
    costs(() => broker.send('a', empty)),
    OVERHEAD.message,
    'an empty message is not free',
  )
  t.equal(
    costs(() => broker.send('a', content)),
    bytesOfContent(content),
  )
  t.equal(
    bytesOfContent(content),
    OVERHEAD.message + 1000 + OVERHEAD.buffer + 4 * OVERHEAD.property + 5 * 24 + 2 + 3 + 4 + 5 + 6,
  )
  t.same(['', 'é', '\u0100\u0100'].map(bytesOfText), [0, 25, 28])
  const [one, other] = ['one', 'another'].map((owner) => {
    const { id } = broker.subscribe({ destinations: ['b'], owner })
    return -costs(() => broker.unsubscribe(id))
  }) as [number, number]
  t.equal(other - one, bytesOfText('another') - bytesOfText('one'))
  const { id } = broker.subscribe({ destinations: ['a'] })
  t.ok(
    costs(() => broker.acknowledgeAll(id, [...broker.subscription(id).held.keys()])) <
      -bytesOfContent(content),
  )
  broker.unsubscribe(id)
  broker.newAddress('a')
  t.equal(used(), before + OVERHEAD.address + broker.parts.memory.remembered)
  clock.advance(DEFAULT_LIMITS.addressTimeout)
  broker.newAddress('a')
  t.equal(broker.parts.deduplication.openAddresses, 1)
  const rest = 20_000 - used() - OVERHEAD.message - OVERHEAD.buffer
  broker.send('a', { ...empty, body: new Uint8Array(rest) })
  t.equal(used(), 20_000, 'just what fits')
  for (const act of [
    () => broker.send('a', empty),
    () => broker.createQueue('b'),
    () => broker.newAddress('a'),
    () => broker.subscribe({ destinations: ['a'] }),
    () => broker.subscribeConsumer('c', 'a'),
  ]) {
    t.match(refusalOf(act), { kind: 'out-of-memory', facts: { limit: 20_000 } })
  }
  broker.take('a')
  t.equal(
    kindOf(() => broker.send('a', empty)),
    'done',
  )
  broker.deleteQueue('a')
  t.equal(used(), OVERHEAD.address + broker.parts.memory.remembered)
  t.same(violations(broker), [])
  t.end()
})

t.test('there must be room for a queue and the categories above it', (t) => {
  const needed = bytesOfQueue(['a', 'b']) + 2 * OVERHEAD.category
  for (const [maxMemory, outcome] of [
    [needed - 1, 'out-of-memory'],
    [needed, 'done'],
  ] as const) {
    const { broker } = makeBroker({ limits: { maxMemory } })
    t.equal(
      kindOf(() => broker.createQueue('a/b')),
      outcome,
    )
  }
  t.end()
})

t.test('what is only remembered takes its share of the memory, and the oldest is forgotten first', (t) => {
  const { broker } = makeBroker({ limits: { maxMemory: 20_000 } })
  broker.createQueue('a')
  for (let number = 0; number < 200; number++) {
    broker.sendOnce('a', `guid ${number}`, text('m'))
    broker.take('a')
  }
  t.equal(broker.sendOnce('a', 'guid 199', text('m')).replayed, true)
  t.equal(broker.sendOnce('a', 'guid 0', text('m')).replayed, false)
  t.end()
})

t.test('each memory has a share of its own', (t) => {
  type Made = ReturnType<typeof makeBroker>
  const shares: readonly [part: number, remember: (made: Made, number: number) => void][] = [
    [1 / 4, ({ broker }, number) => broker.sendOnce('a', `guid ${number}`, text('m'))],
    [1 / 8, ({ broker }) => broker.post(broker.newAddress('a'), text('m'))],
    [
      1 / 16,
      ({ broker }) => {
        broker.send('a', text('m'))
        broker.takeFor('session', 'a')
      },
    ],
    [
      1 / 32,
      ({ broker, clock }) => {
        broker.newAddress('a')
        clock.advance(DEFAULT_LIMITS.addressTimeout)
      },
    ],
    [1 / 32, ({ broker }) => broker.unsubscribe(broker.subscribe({ destinations: ['b'] }).id)],
  ]
  for (const [part, remember] of shares) {
    const made = makeBroker({ limits: { maxMemory: 640_000 } })
    const { broker } = made
    broker.createQueue('a')
    // Each takes more than 90 bytes.
    for (let number = 0; number * 90 < part * 640_000; number++) {
      remember(made, number)
      broker.take('a')
    }
    const { remembered } = broker.parts.memory
    t.ok(remembered <= part * 640_000 && remembered > part * 640_000 - 200, `${remembered} of ${part}`)
  }
  t.end()
})

t.test('so many addresses may be open', (t) => {
  const { broker, clock } = makeBroker({ limits: { maxAddresses: 1, addressTimeout: 100 } })
  broker.createQueue('a')
  broker.newAddress('a')
  t.equal(
    kindOf(() => broker.newAddress('a')),
    'too-many-addresses',
  )
  clock.advance(100)
  t.equal(
    kindOf(() => broker.newAddress('a')),
    'done',
  )
  t.end()
})

t.test('with autoCreate each way of sending makes the queue, and subscribers have the message', (t) => {
  const { broker } = makeBroker({ autoCreate: true })
  const { id } = broker.subscribe({ destinations: ['>'] })
  broker.send('a/b', text('1'))
  broker.sendOnce('c', 'guid', text('2'))
  const address = broker.newAddress('d.e')
  t.same(pending(broker, 'd/e'), [])
  broker.post(address, text('3'))
  t.same(hand(broker, id), ['1', '2', '3'])
  t.same(broker.sendOnce('never/made', 'guid', text('again')), { replayed: true })
  t.equal(
    kindOf(() => broker.queue('never/made')),
    'unknown-queue',
    'a repeat makes no queue',
  )
  t.equal(
    kindOf(() => broker.browse('x', { limit: 1 })),
    'unknown-queue',
    'looking makes no queue',
  )
  t.same(violations(broker), [])
  t.end()
})

t.test('with autoCreate a refused send makes no queue and does not use up its guid', (t) => {
  const limits = { maxMemory: 10_000, maxAddresses: 1, maxSegments: 2 }
  const { broker } = makeBroker({ autoCreate: true, limits })
  broker.newAddress('there')
  const before = snapshot(broker)
  const big = text('x'.repeat(10_000))
  t.equal(
    kindOf(() => broker.send('a', big)),
    'out-of-memory',
  )
  t.equal(
    kindOf(() => broker.sendOnce('a', 'guid', big)),
    'out-of-memory',
  )
  t.equal(
    kindOf(() => broker.sendOnce('a', '', big)),
    'bad-guid',
  )
  t.equal(
    kindOf(() => broker.newAddress('a')),
    'too-many-addresses',
  )
  t.equal(
    kindOf(() => broker.newAddress('a..b')),
    'bad-queue-name',
  )
  t.equal(
    kindOf(() => broker.sendOnce('a.b.c', 'guid', text('m'))),
    'bad-queue-name',
  )
  t.same(snapshot(broker), before)
  t.equal(
    kindOf(() => broker.queue('a')),
    'unknown-queue',
  )
  t.same(broker.sendOnce('a.b', 'guid', text('m')), { replayed: false }, 'it may have so many segments')
  t.end()
})

t.test('without autoCreate a send to an unknown queue is refused before anything else is looked at', (t) => {
  const { broker } = makeBroker({ limits: { maxMemory: 1, maxAddresses: 0 } })
  for (const send of [
    () => broker.send('a', text('m')),
    () => broker.sendOnce('a', 'guid', text('m')),
    () => broker.newAddress('a'),
  ]) {
    t.match(refusalOf(send), { kind: 'unknown-queue', message: 'There is no queue "a".' })
  }
  t.end()
})
