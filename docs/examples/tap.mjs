// Run with: npx tap docs/examples/tap.mjs
import { startServer } from 'atom-mq'
import t from 'tap'
import { processOrders, sendOrder } from './shop.mjs'

/** A broker for one test, which goes with it. */
async function broker(t) {
  const mq = await startServer({ clock: 'manual', journal: true, queues: ['orders'] })
  t.teardown(() => mq.stop())
  return mq
}

t.test('an order arrives once, although the answer to it was lost', async (t) => {
  const mq = await broker(t)
  mq.faults.add({ method: 'POST', path: '/addresses/*', fault: 'reset-after-commit', times: 1 })
  await sendOrder(mq.url, 'two teapots')
  t.match(mq.state().queues, [{ pending: 1, messages: [{ body: 'two teapots' }] }])
})

t.test('a processed order is acknowledged', async (t) => {
  const mq = await broker(t)
  await sendOrder(mq.url, 'two teapots')
  const done = []
  await processOrders(mq.url, (order) => done.push(order))
  t.same(done, ['two teapots'])
  await mq.journal.waitFor({ method: 'DELETE', path: '/subscriptions/**', status: 200 })
  t.match(mq.state().queues, [{ pending: 0 }])
})
