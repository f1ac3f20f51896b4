// Run with: npx vitest run docs/examples/vitest.test.ts
import { startServer } from 'atom-mq'
import { expect, test } from 'vitest'
import { processOrders, sendOrder } from './shop.mjs'

test('an order arrives once, although the answer to it was lost', async () => {
  await using mq = await startServer({ clock: 'manual', queues: ['orders'] })
  mq.faults.add({ method: 'POST', path: '/addresses/*', fault: 'reset-after-commit', times: 1 })
  await sendOrder(mq.url, 'two teapots')
  expect(mq.state().queues).toMatchObject([{ pending: 1, messages: [{ body: 'two teapots' }] }])
})

test('a processed order is acknowledged', async () => {
  await using mq = await startServer({ clock: 'manual', journal: true, queues: ['orders'] })
  await sendOrder(mq.url, 'two teapots')
  const done: string[] = []
  await processOrders(mq.url, (order: string) => done.push(order))
  expect(done).toEqual(['two teapots'])
  await mq.journal.waitFor({ method: 'DELETE', path: '/subscriptions/**', status: 200 })
  expect(mq.state().queues[0]?.pending).toBe(0)
})
