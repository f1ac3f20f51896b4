// Run with: NODE_OPTIONS=--experimental-vm-modules npx jest
// and, in the configuration of Jest: { "testMatch": ["**/*.test.mjs"], "transform": {} }
import { startServer } from 'atom-mq'
import { processOrders, sendOrder } from './shop.mjs'

let mq
beforeAll(async () => {
  mq = await startServer({ clock: 'manual', journal: true, queues: ['orders'] })
})
beforeEach(() => mq.reset({ seed: true }))
afterAll(() => mq.stop())

test('an order arrives once, although the answer to it was lost', async () => {
  mq.faults.add({ method: 'POST', path: '/addresses/*', fault: 'reset-after-commit', times: 1 })
  await sendOrder(mq.url, 'two teapots')
  expect(mq.state().queues).toMatchObject([{ pending: 1, messages: [{ body: 'two teapots' }] }])
})

test('a processed order is handled once', async () => {
  await mq.send('orders', 'two teapots')
  const done = []
  await processOrders(mq.url, (order) => done.push(order))
  expect(done).toEqual(['two teapots'])
  mq.messages.expectHandledOnce({ body: 'two teapots' })
})
