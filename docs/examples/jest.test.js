// Run with: npx jest
const { startServer } = require('atom-mq')

let mq
beforeAll(async () => {
  mq = await startServer({ clock: 'manual', strict: { messages: false }, queues: ['orders'] })
})
// What the application did wrong fails its test here, with the story, whatever else has failed.
afterEach(() => mq.reset({ seed: true }))
afterAll(() => mq.stop())

/** The application: it sends an order once, whatever gets lost on the way. */
async function sendOrder(url, guid, order) {
  const send = () => fetch(`${url}/queues/orders?guid=${guid}`, { method: 'POST', body: order })
  await send().catch(send)
}

test('an order arrives once, although the answer to it was lost', async () => {
  mq.faults.add({ method: 'POST', fault: 'reset-after-commit', times: 1 })
  await sendOrder(mq.url, 'order-1', 'two teapots')
  mq.messages.expect({ guid: 'order-1' }, 1)
})
