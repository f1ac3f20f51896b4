import t from 'tap'
import { text } from '../../broker/harness.test.kit.js'
import { mock } from '../mock.test.helper.js'
import { normalise } from '../normalise.js'
import { type ServerState, toldState } from './state.js'

t.test('the state shows who holds what, from code and over HTTP alike', async (t) => {
  const { mq, ask, subscribe, feed } = await mock(t)
  const subscription = await subscribe('orders.>', {
    prefetch: '1',
    selector: "colour = 'red'",
    timeout: '20',
  })
  await ask('POST /queues/orders/new?guid=1', 'hello', {
    'Content-Type': 'text/plain',
    'Property-Colour': 'red',
  })
  await ask('POST /queues/orders/new?guid=2', 'held back', { 'Property-Colour': 'red' })
  await ask('POST /queues/orders/new')
  await feed(subscription)
  const clock = { now: '<time>', time: '<time>', manual: true }
  const [lease, held] = ['<id-1>', '<id-2>']
  t.same(normalise(mq.state()), {
    clock,
    queues: [
      {
        id: '<uuid-1>',
        name: 'orders/new',
        createdAt: '<time>',
        pending: 2,
        held: 1,
        subscriptions: 1,
        waiting: 0,
        messages: [
          {
            id: '<uuid-2>',
            sequence: 1,
            publishedAt: '<time>',
            deliveries: 1,
            holder: lease,
            contentType: 'text/plain',
            properties: { colour: 'red' },
            body: 'hello',
            bytes: 5,
          },
          {
            id: '<uuid-3>',
            sequence: 2,
            publishedAt: '<time>',
            deliveries: 0,
            holder: null,
            contentType: 'text/plain;charset=UTF-8',
            properties: { colour: 'red' },
            body: 'held back',
            bytes: 9,
          },
        ],
      },
    ],
    subscriptions: [
      {
        id: lease,
        name: 'A',
        kind: 'subscription',
        destinations: ['orders.>'],
        selector: "colour = 'red'",
        prefetch: 1,
        timeout: 20_000,
        createdAt: '<time>',
        leaseEndsAt: '<time>',
        owner: null,
        waiting: 0,
        held: 1,
        holds: [
          { id: held, message: '<uuid-2>', queue: 'orders/new', deliveredAt: '<time>', duplicate: false },
        ],
      },
    ],
    consumers: [],
    sessions: [],
    addresses: { open: 1 },
    guids: { remembered: 2 },
    memory: { used: mq.broker.memory, limit: 268_435_456 },
  })
  t.same((await ask('GET /_control/state')).json, mq.state())
})

t.test('consumers and sessions of the other mappings are shown under their names', async (t) => {
  const { mq, ask } = await mock(t)
  await ask('POST /subscribe/c1/orders/new')
  for (const guid of ['1', '2']) await ask(`POST /queues/orders/new?guid=${guid}`, 'x')
  await ask('POST /nextMessageForMe/c1')
  await ask('GET /queue/orders/new?jsessionId=s1')
  const { subscriptions, consumers, sessions, queues } = mq.state()
  t.same(subscriptions, [])
  t.match(consumers, [{ id: 'consumer:c1', prefetch: 0, holds: [{ queue: 'orders/new' }] }])
  t.match(sessions, [{ id: 'session:[null,"s1"]', holds: [{ queue: 'orders/new' }] }])
  t.same(
    queues[0]?.messages.map(({ holder }) => holder),
    ['consumer:c1', 'session:[null,"s1"]'],
  )
})

t.test('looking changes nothing: no lease is renewed, nothing handed out, no time passes', async (t) => {
  const { mq, ask, subscribe } = await mock(t)
  await subscribe('orders.new')
  await ask('POST /queues/orders/new?guid=1', 'x')
  await mq.clock.advance(29_999)
  const before = JSON.stringify(mq.state())
  for (let count = 0; count < 3; count++) await ask('GET /_control/state')
  t.equal(JSON.stringify(mq.state()), before)
  await mq.clock.advance(1)
  t.same(mq.state().subscriptions, [])
})

t.test('a long queue is shown in part, and says how long it is', async (t) => {
  const { mq, ask } = await mock(t)
  for (let guid = 0; guid < 5; guid++) await ask(`POST /queues/orders/new?guid=${guid}`, 'x'.repeat(5000))
  const [queue] = mq.state({ messages: 2 }).queues
  t.equal(queue?.messages.length, 2)
  t.equal(queue?.pending, 5)
  t.match(queue?.messages[0], { body: 'x'.repeat(4096), bytes: 5000 })
  t.match((await ask('GET /_control/state?messages=0')).json, { queues: [{ messages: [], pending: 5 }] })
  t.equal((await ask('GET /_control/state?messages=x')).status, 400)
  await ask('POST /queues', 'z', { 'Content-Type': 'text/plain' })
  await ask('POST /queues/z?guid=z', 'tea')
  const numbers = ({ queues }: ServerState) =>
    queues.map(({ messages, pending }) => [messages.length, pending])
  t.same(numbers(mq.state({ queue: 'z' })), [
    [0, 5],
    [1, 1],
  ])
  t.same(numbers((await ask('GET /_control/state?messages=2&queue=orders%2Fnew')).json as ServerState), [
    [2, 5],
    [0, 1],
  ])
  t.same(numbers(mq.state({ queue: 'unknown' })), [
    [0, 5],
    [0, 1],
  ])
})

t.test('what is no number of messages is refused', async (t) => {
  const { mq, ask } = await mock(t)
  for (const messages of [-1, 0.5, Number.NaN, '1', null]) {
    t.throws(() => mq.state({ messages } as never), { message: /^messages must be a whole number/ })
  }
  t.throws(() => mq.state({ most: 1 } as never), {
    message: /^There is no member "most"; what can be given is messages/,
  })
  t.equal((await ask('GET /_control/state?messages=-1')).status, 400)
})

t.test('the state in parts: some queues, some messages of one of them', async (t) => {
  const queues = ['a', 'a-b', 'a/b', 'ab', 'b', 'c']
  const { mq, ask } = await mock(t, { queues })
  for (let n = 1; n <= 5; n++) await mq.send('b', `${n}`)
  const names = async (query: string) => {
    const { json } = await ask(`GET /_control/state?${query}`)
    return (json as ServerState).queues.map(
      ({ name, messages }) => `${[name, ...messages.map(({ body }) => body)]}`,
    )
  }
  const all = mq.state().queues.map(({ name }) => name)
  t.same([...all].sort(), queues)
  const paged: string[] = []
  for (let last: string | undefined; ; last = paged.at(-1)) {
    const next = mq.state({ queues: 2, ...(last !== undefined && { afterQueue: last }) }).queues
    if (next.length === 0) break
    paged.push(...next.map(({ name }) => name))
  }
  t.same(paged, all, 'page by page they are all there, once')
  t.same(await names('queue=b&messages=2&queues=1&afterQueue=ab'), ['b,1,2'])
  t.same(await names('queue=b&messages=2&after=2&queues=1&afterQueue=ab'), ['b,3,4'])
  t.same(await names('queue=b&messages=2&after=4&queues=1&afterQueue=ab'), ['b,5'])
})

t.test('very many messages make a state that can still be sent', async (t) => {
  const { mq, ask } = await mock(t, { queues: ['a'] })
  const body = Buffer.alloc(4096, 'x')
  for (let n = 0; n < 10_000; n++) mq.broker.send('a', { body, properties: new Map() })
  const { json } = await ask('GET /_control/state?messages=1000000')
  const [queue] = (json as ServerState).queues
  const bytes = JSON.stringify(queue?.messages).length
  t.equal(queue?.pending, 10_000)
  t.ok(bytes > 8 * 1024 * 1024 && bytes < 8 * 1024 * 1024 + 10_000, `8 MiB of messages: ${bytes}`)
  t.equal(mq.state({ messages: 1_000_000 }).queues[0]?.messages.length, queue?.messages.length)
})

t.test('a long state tells each queue and message as it is when its turn comes', async (t) => {
  const { mq } = await mock(t, { queues: ['a', 'b', 'c'] })
  for (let n = 0; n < 4; n++) for (const name of ['a', 'c']) mq.broker.send(name, text(`${n}`))
  const { queues } = toldState(mq.broker, mq.clock.state(), { messages: 10 })
  const seen: string[] = []
  for (const { name, messages } of queues) {
    seen.push(name)
    for (const { sequence } of messages) {
      seen.push(`${sequence}`)
      if (name === 'a' && sequence === 1) {
        mq.broker.take('a')
        mq.broker.take('a')
        mq.broker.deleteQueue('b')
      }
      if (name === 'c' && sequence === 3) mq.broker.deleteQueue('c')
    }
  }
  t.strictSame(seen, ['a', '1', '3', '4', 'c', '1', '2', '3'])
})

t.test(
  'very many leases make a state that is still put together at once; their list has all of them',
  async (t) => {
    const { mq, ask } = await mock(t, { queues: ['a'] })
    for (let n = 0; n < 5100; n++) mq.broker.subscribe({ destinations: ['a'], prefetch: 3 })
    for (let n = 0; n < 15_300; n++) mq.broker.send('a', { body: Buffer.from('m'), properties: new Map() })
    const { subscriptions } = (await ask('GET /_control/state')).json as ServerState
    t.same(
      [subscriptions.length, subscriptions.reduce((sum, { holds }) => sum + holds.length, 0)],
      [5000, 10_000],
    )
    const { json } = await ask('GET /_control/subscriptions')
    t.equal((json as ServerState).subscriptions.length, 5100)
  },
)
