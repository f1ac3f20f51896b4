import t from 'tap'
import { mock } from '../mock.test.helper.js'
import { nameOfLease } from './lease-name.js'

t.test('leases that end together hand nothing to each other', async (t) => {
  const { mq, subscribe } = await mock(t)
  for (let made = 0; made < 3; made++) await subscribe('orders.new', { prefetch: '2' })
  for (const guid of ['1', '2', '3']) await mq.send('orders/new', 'x', { guid })
  t.equal(mq.endLease({ queue: 'orders.new' }).length, 3)
  t.same(
    mq.messages({ queue: 'orders/new' }).map(({ deliveries }) => deliveries.length),
    [1, 1, 1],
  )
})

t.test('one lease ends, and what it held comes to another; no time passes', async (t) => {
  const { mq, ask, subscribe, feed } = await mock(t)
  const first = await subscribe('orders/new')
  await mq.send('orders/new', 'x', { guid: 'x' })
  const second = await subscribe('orders/new')
  t.same([(await feed(first)).length, (await feed(second)).length], [1, 0])
  const [state] = mq.subscriptions()
  t.same(mq.endLease(state?.id ?? ''), [state])
  t.equal((await ask(`GET ${first}`)).status, 410)
  t.equal((await feed(second)).length, 1)
  t.equal(mq.clock.now(), Date.UTC(2000))
  t.same(
    mq.subscriptions().map(({ name }) => name),
    ['B'],
  )
})

t.test('whoever waits for a lease that ends, or for what it held, is answered', async (t) => {
  const { mq, ask, subscribe, parked } = await mock(t)
  const first = await subscribe('orders/new', { prefetch: '1' })
  await mq.send('orders/new', 'x')
  const second = await subscribe('orders/new')
  const waiting = [first, second].map((path) => ask(`GET ${path}`, undefined, { Prefer: 'wait=20' }))
  await parked(1)
  mq.endLease('A')
  const [one, two] = await Promise.all(waiting)
  t.match(two?.text, /<entry>/)
  t.ok(one)
})

t.test('leases are chosen by id, by name, by what they cover, or by a question; of all kinds', async (t) => {
  const { mq, ask, subscribe } = await mock(t, { queues: ['a', 'b'] })
  for (const body of ['1', '2', '3']) await mq.send('a', body)
  await subscribe('a', { prefetch: '1' })
  await subscribe('>', { prefetch: '1' })
  await ask('POST /subscribe/me/b')
  await ask('GET /queue/a?jsessionId=x')
  t.same(
    mq.subscriptions().map(({ name, kind }) => `${kind} ${name}`),
    ['subscription A', 'subscription B', 'consumer me', 'session D'],
  )
  t.same((await ask('GET /_control/subscriptions')).json, { subscriptions: mq.subscriptions() })
  t.match(await ask('POST /_control/subscriptions/me/end'), {
    status: 200,
    json: { ended: [{ name: 'me' }] },
  })
  t.match(await ask('POST /_control/subscriptions/end', { queue: 'b' }), {
    status: 200,
    json: { ended: [{ name: 'B' }] },
  })
  t.match(
    mq.endLease(({ kind }) => kind === 'session'),
    [{ name: 'D' }],
  )
  const path = `/_control/subscriptions/${encodeURIComponent(mq.subscriptions()[0]?.id ?? '')}/end`
  t.equal((await ask(`POST ${path}`)).status, 200)
  t.same(mq.subscriptions(), [])
})

t.test('ending nothing is a mistake', async (t) => {
  const { mq, ask } = await mock(t)
  t.throws(() => mq.endLease('A'), { name: 'Problem', message: 'There is no lease "A".' })
  t.throws(() => mq.endLease({ queue: 'a' }), { message: 'There is no lease that covers "a".' })
  t.throws(() => mq.endLease(() => true), { message: 'There is no lease of which that is so.' })
  t.throws(() => mq.endLease({ name: 'A' } as never), { message: /^There is no member "name"/ })
  t.equal((await ask('POST /_control/subscriptions/A/end')).status, 404)
  t.equal((await ask('POST /_control/subscriptions/end', {})).status, 400)
})

t.test('names go on from Z to AA', async (t) => {
  t.same(
    [1, 26, 27, 52, 53, 702, 703].map((ordinal) => nameOfLease({ id: 'x', kind: 'session', ordinal })),
    ['A', 'Z', 'AA', 'AZ', 'BA', 'ZZ', 'AAA'],
  )
})
