// Run with: node --test docs/examples/five-bugs.test.mjs
import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { startServer } from 'atom-mq'

const { OrdersClient } = await import(process.env.CLIENT ?? './orders-client.mjs')
const mq = await startServer({ clock: 'manual', journal: true, queues: ['orders'] })
const client = new OrdersClient(mq.url)
after(() => mq.stop())
beforeEach(() => mq.reset({ seed: true }))

test('a send whose connection breaks is repeated', async () => {
  mq.faults.add({ method: 'POST', fault: 'reset-before', times: 1 })
  await client.send('tea')
  mq.messages.expect({ body: 'tea' }, 1)
})

test('a send whose answer is lost makes one message', async () => {
  mq.faults.add({ method: 'POST', fault: 'reset-after-commit', times: 1 })
  await client.send('tea')
  mq.messages.expect({ body: 'tea' }, 1)
})

test('an order is acknowledged when the work is done, and not before', async () => {
  await mq.send('orders', 'tea')
  const work = client.work(() => Promise.reject(new Error('out of tea')))
  await assert.rejects(work, /out of tea/)
  mq.messages.expectNone({ acknowledged: true })
})

test('no subscription is left behind', async () => {
  await client.work(() => {})
  assert.deepEqual(mq.subscriptions(), [])
})

test('what was lost with its lease is not acknowledged', async () => {
  await mq.send('orders', 'tea')
  await client.work(() => mq.clock.advance(30_000))
  await mq.journal.expectNone({ path: '/subscriptions/*/messages/*', status: 410, method: 'DELETE' })
})
