import t from 'tap'
import { mock, turn } from './mock.test.helper.js'

t.test('a server is idle when nothing is pending or held, and nobody is being answered', async (t) => {
  const { mq, ask, subscribe, feed } = await mock(t)
  await mq.idle({ timeout: 0 })
  await mq.send('orders/new', 'a hat', { guid: 'order-1' })
  await t.rejects(mq.idle({ timeout: 0 }), {
    ...{ code: 'ERR_ASSERTION', expected: { pending: 0, underWay: 0 }, actual: { pending: 1, underWay: 0 } },
    message:
      'After 0 ms one message is pending, and 0 requests are under way. order-1 was sent to orders/new at 0 s, nobody took it.',
  })
  const subscription = await subscribe('orders/new')
  const [message] = await feed(subscription)
  let idle = false
  const waiting = mq.idle().then(() => {
    idle = true
  })
  for (let turns = 0; turns < 5; turns++) await turn()
  t.notOk(idle, 'what is held is left to do')
  await ask(`DELETE ${message}`)
  await waiting
})

t.test('a request that is held back is under way, and one that waits for a message is not', async (t) => {
  const { mq, ask, subscribe, feed, parked } = await mock(t)
  const [subscription] = [await subscribe('orders/new')]
  const poll = feed(subscription as string, 20)
  const browse = ask('GET /queues/orders/new', undefined, { Prefer: 'wait=20' })
  await parked(2)
  await mq.idle({ timeout: 0 })
  mq.faults.add({ fault: 'delay', ms: 1000, method: 'DELETE' })
  const deleting = ask(`DELETE ${subscription}`)
  while (mq.faults.list()[0]?.fired === 0) await turn()
  await t.rejects(mq.idle({ timeout: 0 }), {
    message: /^After 0 ms 0 messages are pending, and one request is under way\.$/,
  })
  const idle = mq.idle()
  await mq.clock.advance(20_000)
  await Promise.all([idle, deleting, poll, browse])
})

t.test('idleness over HTTP, and its ends', async (t) => {
  const { mq, ask } = await mock(t)
  t.match(await ask('POST /_control/idle'), { status: 200, json: {} })
  await mq.send('orders/new', 'a hat')
  for (let sent = 0; sent < 6; sent++) await mq.send('orders/new', 'a cap')
  t.match(await ask('POST /_control/idle', { timeout: 0 }), {
    status: 409,
    json: { detail: /And 2 more\.$/ },
  })
  t.match(await ask('POST /_control/idle', { timeout: -1 }), { status: 400 })
  const reset = t.rejects(mq.idle(), { name: /Problem|Assertion/, kind: 'reset-meanwhile' })
  await mq.reset()
  await reset
  await mq.idle({ timeout: 0 })
  await mq.send('orders/old', 'a hat').catch(() => {})
  mq.broker.createQueue('orders')
  await mq.send('orders', 'a hat')
  const closing = t.rejects(mq.idle(), { name: /Problem|Assertion/, kind: 'shutting-down' })
  await mq.stop()
  await closing
})

t.test('a doubled delivery that is held is left to do', async (t) => {
  const { mq, ask, subscribe, feed } = await mock(t)
  const [one, other] = [await subscribe('orders/new'), await subscribe('orders/new')]
  mq.faults.add({ fault: 'duplicate-delivery', times: 1 })
  await mq.send('orders/new', 'a hat')
  const [first] = await feed(one as string)
  const [second] = await feed(other as string)
  await ask(`DELETE ${first}`)
  await t.rejects(mq.idle({ timeout: 0 }), { name: 'AssertionError', actual: { pending: 1 } })
  await ask(`DELETE ${second}`)
  await mq.idle({ timeout: 0 })
})

t.test('where nothing is recorded there is no idleness to know', async (t) => {
  const { mq } = await mock(t, { control: false })
  await t.rejects(mq.idle(), { name: /Problem|Assertion/, kind: 'missing-exchange' })
})
