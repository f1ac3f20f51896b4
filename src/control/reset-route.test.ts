import t from 'tap'
import { mock } from './mock.test.helper.js'
import { normalise } from './normalise.js'

t.test('nothing is left, whatever was there before', async (t) => {
  const { mq, ask, subscribe, feed } = await mock(t)
  const empty = await mock(t, { queues: [] })
  for (const reset of ['code', 'HTTP']) {
    await mq.clock.advance(500)
    mq.broker.createQueue('orders/new')
    const subscription = await subscribe('>')
    await ask('POST /subscribe/c1/orders/new')
    await ask('POST /queues/orders/new?guid=seen', 'x')
    const { headers } = await ask('POST /queues/orders/new')
    const address = headers.get('location') as string
    const [message] = await feed(subscription)
    mq.faults.add({ fault: 'status', code: 500, path: '/queues/orders/new', times: 1 })
    if (reset === 'code') await mq.reset()
    else t.match((await ask('POST /_control/reset')).json, { manual: true })
    t.same(normalise(mq.state()), normalise(empty.mq.state()))
    t.same(mq.state(), empty.mq.state(), 'the clock stands at its start')
    t.same(mq.faults.list(), [])
    t.same(mq.journal.entries(), [])
    for (const line of [
      `GET ${subscription}`,
      `POST ${address}`,
      `DELETE ${message}`,
      'GET /queues/orders/new',
    ]) {
      t.equal((await ask(line)).status, 404, line)
    }
    mq.broker.createQueue('orders/new')
    const again = await ask('POST /queues/orders/new?guid=seen', 'x')
    t.equal(again.headers.get('idempotent-replayed'), null, 'the guid is forgotten')
    t.equal(mq.journal.entries()[0]?.number, 1)
  }
})

t.test('who waits is woken and answered', async (t) => {
  const { mq, ask, subscribe, parked } = await mock(t)
  const subscription = await subscribe('orders.new')
  await ask('POST /subscribe/c1/orders/new')
  const waits = [
    ask(`GET ${subscription}`, undefined, { Prefer: 'wait=20' }),
    ask('GET /queues/orders/new', undefined, { Prefer: 'wait=20' }),
    ask('POST /nextMessageForMe/c1', undefined, { Prefer: 'wait=20' }),
  ]
  await parked(3)
  const waiting = mq.journal.waitFor({ path: '/never' }, { timeout: 60_000 })
  const refused = t.rejects(waiting, { message: /was reset while this waited/ })
  await mq.reset()
  for (const { status } of await Promise.all(waits)) t.equal(status, 404)
  await refused
  t.same(mq.state().clock.now, Date.UTC(2000, 0, 1))
})

t.test('the server goes on as new', async (t) => {
  const { mq, ask, subscribe, feed } = await mock(t)
  await subscribe('orders.new')
  await mq.reset()
  await mq.clock.advance(60_000)
  mq.broker.createQueue('orders/new')
  const subscription = await subscribe('orders.new')
  await ask('POST /queues/orders/new?guid=1', 'x')
  t.equal((await feed(subscription)).length, 1)
  await mq.clock.advance(30_000)
  t.equal((await ask(`GET ${subscription}`)).status, 410)
})
