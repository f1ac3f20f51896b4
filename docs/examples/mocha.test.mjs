// Run with: npx mocha mocha.test.mjs
import { startServer } from 'atom-mq'
import { processOrders, sendOrder } from './shop.mjs'

describe('orders', () => {
  let mq
  before(async () => {
    mq = await startServer({ clock: 'manual', journal: true, queues: ['orders'] })
  })
  afterEach(() => mq.reset({ seed: true }))
  after(() => mq.stop())

  it('arrive once, although the answer to one was lost', async () => {
    mq.faults.add({ method: 'POST', path: '/addresses/*', fault: 'reset-after-commit', times: 1 })
    await sendOrder(mq.url, 'two teapots')
    mq.messages.expect({ body: 'two teapots' }, 1)
    mq.verify({ messages: false })
  })

  it('are handled once', async () => {
    await mq.send('orders', 'two teapots')
    await processOrders(mq.url, () => {})
    mq.messages.expectHandledOnce({ body: 'two teapots' })
    mq.verify()
  })
})
