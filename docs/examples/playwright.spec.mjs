// Run with: npx playwright test
import { test as base, expect } from '@playwright/test'
import { startServer } from 'atom-mq'
import { processOrders, sendOrder } from './shop.mjs'

/** Tests that have a broker of their own: `mq`. */
const test = base.extend({
  // biome-ignore lint/correctness/noEmptyPattern: the runner wants to see what a fixture uses
  mq: async ({}, use) => {
    const mq = await startServer({ clock: 'manual', journal: true, queues: ['orders'] })
    await use(mq)
    await mq.stop()
  },
})

test('an order arrives once, although the answer to it was lost', async ({ mq }) => {
  mq.faults.add({ method: 'POST', path: '/addresses/*', fault: 'reset-after-commit', times: 1 })
  await sendOrder(mq.url, 'two teapots')
  expect(mq.state().queues).toMatchObject([{ pending: 1, messages: [{ body: 'two teapots' }] }])
})

test('a processed order is handled once', async ({ mq }) => {
  await mq.send('orders', 'two teapots')
  await processOrders(mq.url, () => {})
  mq.messages.expectHandledOnce({ body: 'two teapots' })
})
