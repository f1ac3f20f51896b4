// Run with: node --test docs/examples/node-test.mjs
import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { startServer } from 'atom-mq'
import { processOrders, sendOrder } from './shop.mjs'

const mq = await startServer({ clock: 'manual', journal: true })
after(() => mq.stop())
beforeEach(async () => {
  await mq.reset()
  mq.broker.createQueue('orders')
})

test('an order arrives once, although the answer to it was lost', async () => {
  mq.faults.add({ method: 'POST', path: '/addresses/*', fault: 'reset-after-commit', times: 1 })
  await sendOrder(mq.url, 'two teapots')
  const [queue] = mq.state().queues
  assert.deepEqual(
    queue.messages.map(({ body }) => body),
    ['two teapots'],
  )
})

test('an order whose processing fails comes again when the lease is over', async () => {
  await sendOrder(mq.url, 'two teapots')
  await assert.rejects(
    processOrders(mq.url, () => {
      throw new Error('out of teapots')
    }),
  )
  await mq.journal.expectNone({ method: 'DELETE' })
  await mq.clock.advance(30_000)
  const done = []
  await processOrders(mq.url, (order) => done.push(order))
  assert.deepEqual(done, ['two teapots'])
  await mq.journal.waitFor({ method: 'DELETE', path: '/subscriptions/**', status: 200 })
  assert.equal(mq.state().queues[0].pending, 0)
})
