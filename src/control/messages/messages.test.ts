import t from 'tap'
import { createBroker } from '../../broker/broker.js'
import { text } from '../../broker/harness.test.kit.js'
import { EventBus } from '../event-bus.js'
import { Journal } from '../journal/journal.js'
import { mock } from '../mock.test.helper.js'
import { normalise } from '../normalise.js'
import { MessageLog } from './message-log.js'
import type { MessagePattern } from './message-pattern.js'

// Waits do not keep a process alive by themselves.
const alive = setInterval(() => {}, 60_000)
t.teardown(() => clearInterval(alive))

t.test('the life of a message is told, also when it is gone, from code and over HTTP alike', async (t) => {
  const { mq, ask, subscribe, feed } = await mock(t)
  await mq.clock.advance(1000)
  await mq.send('orders/new', 'two teapots', { guid: 'order-1', properties: { Colour: 'blue' } })
  const [a] = [await subscribe('orders/new'), await subscribe('orders/new')]
  await mq.clock.advance(2000)
  mq.endLease('A')
  await mq.clock.advance(500)
  const b = mq.subscriptions()[0]
  const [message] = await feed(`/subscriptions/${b?.id}`)
  await ask(`DELETE ${message}`)
  t.match(a, /^\/subscriptions\//)
  t.same(normalise(mq.messages()), [
    {
      id: '<uuid-1>',
      queue: 'orders/new',
      sequence: 1,
      guid: 'order-1',
      sentAt: '<time>',
      contentType: 'text/plain;charset=utf-8',
      properties: { colour: 'blue' },
      delivered: 2,
      deliveries: [
        { id: '<id-1>', to: '<id-2>', name: 'A', at: '<time>', endedAt: '<time>', how: 'lease-expired' },
        { id: '<id-3>', to: '<id-4>', name: 'B', at: '<time>', endedAt: '<time>', how: 'acknowledged' },
      ],
      acknowledgedAt: '<time>',
      status: 'acknowledged',
      body: 'two teapots',
      bytes: 11,
    },
  ])
  const [{ sentAt, acknowledgedAt, deliveries } = {} as never] = mq.messages()
  t.same(
    [sentAt, deliveries[0]?.at, deliveries[0]?.endedAt, acknowledgedAt].map(
      (at) => Number(at) - Date.UTC(2000),
    ),
    [1000, 1000, 3000, 3500],
  )
  t.same((await ask('GET /_control/messages')).json, { messages: mq.messages() })
  await mq.reset()
  t.same(mq.messages(), [])
})

t.test('how each delivery ended, and each message', async (t) => {
  const { mq, ask, subscribe } = await mock(t, { queues: ['a', 'b', 'c', 'd', 'e'] })
  for (const queue of ['a', 'b', 'c', 'd', 'e']) await mq.send(queue, queue)
  const subscription = await subscribe('a')
  await subscribe('b', { timeout: '1' })
  await subscribe('c')
  await ask('POST /subscribe/me/d')
  await ask('POST /nextMessageForMe/me')
  await ask('POST /unsubscribe/me/d')
  await ask('GET /queue/e')
  await ask(`DELETE ${subscription}`)
  await mq.clock.advance(1000)
  await ask('DELETE /queues/c')
  t.same(
    mq
      .messages()
      .map(({ queue, status, deliveries }) => [
        queue,
        status,
        ...deliveries.map(({ name, how }) => `${name} ${how}`),
      ]),
    [
      ['a', 'ready', 'A lease-deleted'],
      ['b', 'ready', 'B lease-expired'],
      ['c', 'lost', 'C queue-deleted'],
      ['d', 'ready', 'me unsubscribed'],
      ['e', 'taken'],
    ],
  )
  const stories = (queue: string) => {
    try {
      mq.messages.expect({ queue, delivered: 9 })
      return ''
    } catch (error) {
      return (error as Error).message.split(' are. ')[1]
    }
  }
  t.same(['a', 'b', 'c', 'd', 'e'].map(stories), [
    'Message 1 of a was sent to a at 0 s, was handed to A at 0 s, A was deleted at 0 s, nobody took it since.',
    "Message 1 of b was sent to b at 0 s, was handed to B at 0 s, B's lease ended at 1 s, nobody took it since.",
    'Message 1 of c was sent to c at 0 s, was handed to C at 0 s, its queue was deleted at 1 s.',
    'Message 1 of d was sent to d at 0 s, was handed to me at 0 s, me no longer covered its queue at 0 s, nobody took it since.',
    'Message 1 of e was sent to e at 0 s, was taken without a lease at 0 s.',
  ])
})

t.test('very many messages, and what became of them, are told while they are sent', async (t) => {
  const { mq, ask } = await mock(t)
  for (let n = 0; n < 300; n++) mq.broker.send('orders/new', text(`${n}`, { long: '"'.repeat(1000) }))
  const { messages, stories } = (await ask('GET /_control/messages?queue=orders/new&stories=1'))
    .json as Record<'messages' | 'stories', unknown[]>
  t.strictSame(messages, JSON.parse(JSON.stringify(mq.messages())))
  t.strictSame(
    [stories.length, stories[299]],
    [300, stories[0]?.toString().replace('Message 1 ', 'Message 300 ')],
  )
  t.match(stories[0], /^Message 1 of orders\/new/)
})

t.test('waiting for a message: for what is there, for what comes, in vain', async (t) => {
  const { mq, ask, subscribe, feed } = await mock(t)
  await mq.send('orders/new', 'x', { guid: 'order-1' })
  t.match(await mq.messages.waitFor({ guid: 'order-1' }), { status: 'ready' })
  const subscription = await subscribe('orders/new')
  const acknowledged = mq.messages.waitFor({ queue: 'orders.new', acknowledged: true })
  const both = ask('POST /_control/messages/wait', { pattern: { queue: 'orders/*' }, count: 2 })
  const [message] = await feed(subscription)
  await ask(`DELETE ${message}`)
  t.match(await acknowledged, { guid: 'order-1', deliveries: [{ name: 'A', how: 'acknowledged' }] })
  await mq.send('orders/new', 'y')
  t.match((await both).json, { body: 'y' })
  await mq.clock.advance(30_000)
  await t.rejects(mq.messages.waitFor({ body: 'y', acknowledged: true }, { timeout: 1 }), {
    code: 'ERR_ASSERTION',
    expected: { matching: 1, body: 'y', acknowledged: true },
    actual: { matching: 0, body: 'y', acknowledged: false },
    message:
      'Message, body y, acknowledged: one was to come within 1 ms. Message 2 of orders/new was sent to orders/new at 0 s, was handed to A at 0 s, ' +
      "A's lease ended at 30 s, nobody took it since.",
  })
  await t.rejects(mq.messages.waitFor({ queue: 'other' }, { timeout: 0, count: 2 }), {
    message:
      /^Message of other: at least 2 was to come within 0 ms\. No message like it was sent\. Nearest is one whose queue is orders\/new, not other: Message 2 of orders\/new was sent/,
  })
  const refused = await ask('POST /_control/messages/wait', { pattern: { guid: 'z' }, timeout: 1 })
  t.match(refused, { status: 404, json: { type: 'urn:atom-mq:problem:missing-message' } })
  const fallen = t.rejects(mq.messages.waitFor({ guid: 'z' }), {
    name: 'Problem',
    message: /^The server was reset/,
  })
  await mq.reset()
  await fallen
  await t.rejects(mq.messages.waitFor({}, { timeout: 0 }), { message: /No message was sent at all\.$/ })
  const waiting = t.rejects(mq.messages.waitFor({ guid: 'z' }), {
    name: 'Problem',
    message: /^The server is shutting down/,
  })
  await mq.stop()
  await waiting
  await t.rejects(mq.messages.waitFor({ guid: 'z' }), {
    name: 'Problem',
    message: /^The server is shutting down/,
  })
})

t.test('who waits is told of all that one command has changed, however much that is', async (t) => {
  const { mq, ask } = await mock(t, { queues: ['many'] })
  for (let n = 0; n < 3000; n++) mq.broker.send('many', { body: Buffer.of(), properties: new Map() })
  // Each takes a while to look.
  const slow = { queue: `${'*a'.repeat(120)}*`, body: 'x'.repeat(100) }
  const others = Array.from({ length: 50 }, () => mq.messages.waitFor(slow, { timeout: 60_000 }))
  const refused = Promise.allSettled(others)
  const all = mq.messages.waitFor({ acknowledged: true }, { count: 2997, timeout: 60_000 })
  await ask('POST /subscribe/c/many')
  // Each second request locks one more, which is not acknowledged.
  for (let n = 0; n < 3; n++) {
    const { text } = await ask('POST /lockNextMessage/c?max=1000')
    await ask('POST /lockNextMessage/c?max=1', text, { 'Content-Type': 'text/uri-list' })
  }
  t.match(await all, { status: 'acknowledged' })
  await t.rejects(mq.messages.waitFor({}, { count: 10_001 }), { message: /^count must be a whole number/ })
  await mq.stop()
  await refused
})

t.test('a client that goes away while it waits leaves nothing behind', async (t) => {
  const { mq } = await mock(t)
  const going = new AbortController()
  const body = JSON.stringify({ pattern: { guid: 'z' } })
  const asked = fetch(`${mq.url}/_control/messages/wait`, { method: 'POST', body, signal: going.signal })
  setTimeout(() => going.abort(), 50)
  await t.rejects(asked)
  await mq.send('orders/new', 'x', { guid: 'z' })
})

t.test('what is expected of messages', async (t) => {
  const { mq, ask, subscribe, feed } = await mock(t)
  const subscription = await subscribe('orders/new', { prefetch: '1' })
  for (const guid of ['1', '2']) await mq.send('orders/new', guid, { guid })
  const [message] = await feed(subscription)
  await ask(`DELETE ${message}`)
  t.same(mq.messages.expect({ guid: '1' }, 1), mq.messages({ guid: '1' }))
  t.equal(mq.messages.expect({}, 2).length, 2)
  mq.messages.expectNone({ guid: '3' })
  t.match(mq.messages.expectHandledOnce({ guid: '1' }), [{ guid: '1' }])
  t.throws(() => mq.messages.expectNone({ guid: '1' }), {
    ...{ name: 'AssertionError', expected: { matching: 0 }, actual: { matching: 1 } },
    message:
      /just 0 were to be there, and one is\. 1 was sent to orders\/new at 0 s, was handed to A at 0 s, A acknowledged it at 0 s\.$/,
  })
  t.throws(() => mq.messages.expectHandledOnce({}), {
    ...{ expected: { 2: 'handed out once, acknowledged' }, actual: { 2: 'handed out once, held' } },
    message:
      'Each message was to be handled exactly once. 2 was sent to orders/new at 0 s, was handed to A at 0 s, is still held.',
  })
  t.match(await ask('POST /_control/messages/expect', { pattern: { guid: '1' }, count: 1 }), {
    status: 200,
    json: { messages: [{ guid: '1' }] },
  })
  t.match(await ask('POST /_control/messages/expect', { pattern: { guid: '3' } }), { status: 409 })
  t.match(await ask('POST /_control/messages/expect-handled-once', { pattern: { guid: '1' } }), {
    status: 200,
  })
  t.match(await ask('POST /_control/messages/expect-handled-once', {}), {
    status: 409,
    json: { messages: [{ guid: '2' }] },
  })
})

t.test('a pattern can ask for everything that is known of a message', async (t) => {
  const { mq, ask, subscribe } = await mock(t, { queues: ['a', 'b/c'] })
  await mq.send('a', 'tea', { guid: 'one', type: 'text/plain', properties: { 'Ship-To': 'ü' } })
  await mq.send('b.c', { item: 'pot' }, { guid: 'two' })
  await subscribe('a')
  const [one] = mq.messages()
  const cases: [pattern: MessagePattern, found: string[]][] = [
    [{}, ['one', 'two']],
    [{ queue: 'b/*' }, ['two']],
    [{ queue: 'B/C' }, []],
    [{ queue: 'a', sequence: 1 }, ['one']],
    [{ guid: /^o/ }, ['one']],
    [{ id: one?.id }, ['one']],
    [{ body: '"item"' }, ['two']],
    [{ contentType: 'text/plain' }, ['one']],
    [{ properties: { 'ship-to': 'ü' } }, ['one']],
    [{ properties: { ship_to: 'u' } }, []],
    [{ acknowledged: false }, ['one', 'two']],
    [{ status: 'held' }, ['one']],
    [{ delivered: 1 }, ['one']],
    [{ to: 'A' }, ['one']],
    [{ to: one?.deliveries[0]?.to }, ['one']],
    [{ to: 'B' }, []],
  ]
  t.same(
    cases.filter(([pattern, found]) => `${mq.messages(pattern).map(({ guid }) => guid)}` !== `${found}`),
    [],
  )
  for (const [query, found] of [
    ['queue=b/*', 1],
    ['properties.ship-to=%C3%BC&acknowledged=false', 1],
    ['delivered=1', 1],
    ['status=lost', 0],
  ] as const) {
    const { json } = await ask(`GET /_control/messages?${query}`)
    t.equal((json as { messages: unknown[] }).messages.length, found, query)
  }
  for (const [pattern, message] of [
    [{ name: 'x' }, /^There is no member "name"; what can be given is queue, sequence/],
    [{ status: 'here' }, /^status must be one of ready, held/],
    [{ acknowledged: 'yes' }, /^acknowledged must be true or false/],
    [{ properties: 1 }, /^properties must be an object/],
    [{ delivered: -1 }, /^delivered must be a whole number/],
  ] as const) {
    t.throws(() => mq.messages(pattern as never), { message })
  }
  t.equal((await ask('GET /_control/messages?acknowledged=maybe')).status, 400)
  t.throws(
    () =>
      mq.messages.expect({
        ...cases[8]?.[0],
        ...cases[10]?.[0],
        id: 'x',
        contentType: 'y',
        status: 'held',
        delivered: 1,
        to: 'A',
        guid: /z/i,
      }),
    {
      message:
        /^Message, guid \/z\/i, id x, type y, ship_to = ü, not acknowledged, held, handed out once, handed to A: /,
    },
  )
})

t.test('where nothing is recorded, that is said', async (t) => {
  const { mq } = await mock(t, { journal: false })
  await mq.send('orders/new', 'x')
  for (const ask of [() => mq.messages(), () => mq.messages.expect({})]) {
    t.throws(ask, { message: /^This server keeps no journal/ })
  }
  await t.rejects(mq.messages.waitFor({}), { message: /keeps no journal/ })
  t.match(mq.toSeed(), { messages: [{ body: 'x' }] })
})

t.test('the last 10,000 messages are remembered, and the first 100 deliveries of each', async (t) => {
  const { mq, subscribe } = await mock(t)
  for (let n = 0; n < 10_010; n++) mq.broker.send('orders/new', { body: Buffer.of(), properties: new Map() })
  t.equal(mq.messages().length, 10_000)
  t.equal(mq.messages()[0]?.sequence, 11)
  mq.broker.deleteQueue('orders/new')
  mq.broker.createQueue('a')
  await mq.send('a', 'x', { guid: 'x' })
  for (let n = 0; n < 105; n++) {
    await subscribe('a')
    mq.endLease({ queue: 'a' })
  }
  const [record] = mq.messages({ guid: 'x' })
  t.same([record?.delivered, record?.deliveries.length], [105, 100])
  t.throws(() => mq.messages.expectHandledOnce({ guid: 'x' }), {
    message: /was handed out 5 times more, nobody took it since/,
  })
})

t.test('of messages that take much fewer are remembered, the last ones', (t) => {
  const broker = createBroker()
  t.teardown(() => broker.close())
  broker.createQueue('q')
  const log = new MessageLog(broker.clock, new Journal(true, new EventBus()), () => undefined)
  broker.on(log.see)
  const small = new MessageLog(broker.clock, new Journal(true, new EventBus()), () => undefined, 2 ** 20)
  broker.on(small.see)
  const properties = new Map([['a', 'v'.repeat(8000)]])
  const content = { body: new Uint8Array(10), contentType: undefined, properties }
  for (let index = 0; index < 2000; index++) broker.send('q', content)
  const sequences = log.list().map(({ sequence }) => sequence)
  t.equal(sequences.at(-1), 2000)
  t.ok(sequences.length > 800 && sequences.length < 1000, `${sequences.length}`)
  const few = small.list().length
  t.ok(few > 40 && few < 100, `${few}`)
  broker.createQueue('p')
  broker.send('p', content)
  broker.take('p')
  t.equal(log.list().at(-1)?.status, 'taken')
  t.end()
})

t.test('what fails names what is nearest, what was refused, and why nobody takes a message', async (t) => {
  const { mq, ask, subscribe } = await mock(t)
  await ask('POST /queues/order?guid=order-1', 'a hat')
  const expected = () => mq.messages.expect({ queue: 'orders/new', guid: 'order-1' })
  t.throws(expected, {
    message:
      'Message of orders/new, guid order-1: one was to be there, and 0 are. No message was sent at all. What was refused: ' +
      '#1 POST /queues/order?guid=order-1 404 (There is no queue "order").',
  })
  await mq.send('orders/new', 'a cap', { guid: 'order-2', properties: { colour: 'blue' } })
  t.throws(expected, {
    expected: { matching: 1, queue: 'orders/new', guid: 'order-1' },
    actual: { matching: 0, queue: 'orders/new', guid: 'order-2' },
    message:
      /Nearest is one whose guid is order-2, not order-1: order-2 was sent to orders\/new at 0 s, nobody took it\. What/,
  })
  t.throws(() => mq.messages.expect({ body: 'a hat' }), { message: /whose body is a cap, not a hat/ })
  await subscribe('orders/new', { selector: "colour = 'red'" })
  const handled = () => mq.messages.expect({ guid: 'order-2', acknowledged: true })
  t.throws(handled, { message: /nobody took it: A's selector colour = 'red' does not pick it\./ })
  await mq.send('orders/new', 'a scarf', { properties: { colour: 'red' } })
  await subscribe('orders/new', { prefetch: '1' })
  await mq.send('orders/new', 'a glove', { guid: 'order-4' })
  await ask('POST /subscribe/me/orders/new')
  t.throws(() => mq.messages.expect({ guid: 'order-4', acknowledged: true }), {
    message:
      /nobody took it: A's selector .* does not pick it, B holds 1 already, as many as it may, me has not asked for it\./,
  })
})
