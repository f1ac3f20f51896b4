import t from 'tap'
import { mock } from '../mock.test.helper.js'

t.test('leases end when the clock is told to go on, and their messages go to others', async (t) => {
  const { mq, ask, subscribe, feed } = await mock(t)
  const one = await subscribe('orders.new', { timeout: '30' })
  await ask('POST /queues/orders/new?guid=1', 'x')
  const two = await subscribe('orders.new', { timeout: '60' })
  t.equal((await feed(one)).length, 1)
  const before = (await ask('GET /_control/clock')).json as { now: number }
  const answer = await ask('POST /_control/clock', { advance: 30_000 })
  t.same(answer.json, {
    now: before.now + 30_000,
    time: new Date(before.now + 30_000).toISOString(),
    manual: true,
  })
  t.equal((await ask(`GET ${one}`)).status, 410)
  t.equal((await feed(two)).length, 1)
  t.match(mq.state().queues, [{ messages: [{ deliveries: 2 }] }])
})

t.test('who waited is answered at the time it became due, not at the end of the whole advance', async (t) => {
  const { mq, ask, subscribe, parked } = await mock(t)
  await subscribe('orders.new', { timeout: '10' })
  await ask('POST /queues/orders/new?guid=1', 'x')
  const two = await subscribe('orders.new', { timeout: '15' })
  const waiting = ask(`GET ${two}`, undefined, { Prefer: 'wait=20' })
  await parked(1)
  // At 10 s the message comes to the second one, whose lease would end at 15 s, and is renewed by its answer.
  await ask('POST /_control/clock', { advance: 24_000 })
  const { status, text } = await waiting
  t.equal(status, 200)
  t.match(text, /<entry>/)
  t.match(mq.state().subscriptions, [{ holds: [{}] }])
  await mq.clock.advance(1000)
  t.same(mq.state().subscriptions, [], 'ten and fifteen')
})

t.test('advance answers after the answers of those who waited', async (t) => {
  const { mq, ask, subscribe, parked } = await mock(t)
  const subscription = await subscribe('orders.new')
  const order: string[] = []
  const waiting = ask(`GET ${subscription}`, undefined, { Prefer: 'wait=5' }).then(() =>
    order.push('waiting'),
  )
  await parked(1)
  await mq.clock.advance(5000)
  t.match(mq.journal.entries().at(-1), { method: 'GET', duration: 5000, response: { status: 200 } })
  await waiting
})

t.test('what is no advance is refused, and real time does not take orders', async (t) => {
  const { ask } = await mock(t)
  for (const body of [
    {},
    { advance: -1 },
    { advance: '1' },
    { advance: 1, by: 2 },
    [],
    'x',
    '{"advance": 1',
  ]) {
    const { status, text } = await ask('POST /_control/clock', body)
    t.equal(status, 400, JSON.stringify(body))
    t.match(text, /malformed-request/)
  }
  t.match((await ask('POST /_control/clock', '{\n"advance": x}')).text, /line 2, column 12/)
  const real = await mock(t, { clock: 'system' })
  const { status, text } = await real.ask('POST /_control/clock', { advance: 1 })
  t.equal(status, 409)
  t.match(text, /start it with clock/)
  await t.rejects(real.mq.clock.advance(1), { message: /runs on real time/ })
  t.match((await real.ask('GET /_control/clock')).json, { manual: false })
})

t.test('a body may begin with a mark of its encoding, and must be UTF-8', async (t) => {
  const { mq } = await mock(t)
  const advance = (body: string | Buffer) =>
    fetch(`${mq.url}/_control/clock`, { method: 'POST', body: body as string })
  t.equal((await advance('\ufeff{"advance": 5}')).status, 200)
  const refused = await advance(Buffer.from('{"\xff": 1}', 'latin1'))
  t.equal(refused.status, 400)
  t.match(await refused.json(), { detail: 'The body is not UTF-8.' })
})
