import t from 'tap'
import { createHandler } from '../handler.js'
import { startServer } from '../server.js'
import { mock } from './mock.test.helper.js'

t.test('what is left to say against a test is one story', async (t) => {
  const { mq, ask, subscribe } = await mock(t)
  mq.verify()
  const lost = { fault: 'reset-after-commit', method: 'POST' } as const
  mq.faults.add({ ...lost, path: '/queue/**' })
  mq.faults.add({ ...lost, nth: 4 })
  mq.faults.add({ ...lost, probability: 0 })
  await ask('POST /queues/orders/new?guid=order-1', 'a hat')
  await ask('POST /queues/order?guid=order-2', 'a hat')
  const subscription = await subscribe('orders/new')
  mq.faults.add({ ...lost, path: '/subscriptions' })
  const story = [
    '6 things are not as they should be:',
    '- The fault f1, reset-after-commit at POST /queue/**, never fired: no request was like it. Nearest is ' +
      '#2 POST /queues/order?guid=order-2 404 (There is no queue "order"): path is /queues/order, not /queue/**.',
    '- The fault f2, reset-after-commit at POST /**, never fired, although it is for 3 requests that came.',
    '- The fault f4, reset-after-commit at POST /subscriptions, never fired: no request was like it. Nearest is ' +
      '#3 POST /subscriptions 201, which came before.',
    '- #2 POST /queues/order?guid=order-2 404 (There is no queue "order"): nobody expected that it would be refused.',
    '- order-1 was sent to orders/new at 0 s, was handed to A at 0 s, is still held.',
  ]
  const counts = { faultsThatNeverFired: 3, refusedRequests: 1, messagesLeft: 1 }
  t.throws(() => mq.verify({ client: true }), {
    ...{
      name: 'AssertionError',
      expected: { faultsThatNeverFired: 0 },
      actual: { ...counts, clientViolations: 1 },
    },
    message: new RegExp(
      `^${story.join('\n').replaceAll(/[()*.?[\]]/g, '\\$&')}\n- delete-subscription: .* \\(#3\\)$`,
    ),
  })
  t.throws(() => mq.verify({ faults: false, refused: false, messages: false }), {
    message: /^One thing is not as it should be:\n- delete-subscription: [^\n]*$/,
    actual: { clientViolations: 1 },
  })
  await ask(`DELETE ${subscription}`)
  const expected = { refused: [{ status: 404, path: '/queues/order' }], messages: false }
  const answer = await ask('POST /_control/verify', { ...expected, faults: false })
  t.match(answer, { status: 200, json: {} })
  t.match(await ask('POST /_control/verify', expected), {
    status: 409,
    json: { type: 'urn:atom-mq:problem:unverified', actual: { faultsThatNeverFired: 3 } },
  })
  t.match(await ask('POST /_control/verify'), { status: 409, json: { actual: { refusedRequests: 1 } } })
  mq.faults.clear()
  await mq.journal.waitFor({ status: 404 })
  t.throws(
    () => mq.verify(),
    { code: 'ERR_ASSERTION', actual: { messagesLeft: 1 } },
    'who waits for it expects it',
  )
  t.throws(() => mq.verify({ refused: [{ status: 1 }] }), {
    kind: 'malformed-request',
    message: /refused\[0\]\.status/,
  })
  t.throws(() => mq.verify({ refused: Array(21).fill({ status: 404 }) }), {
    kind: 'malformed-request',
    message: 'refused must be a list of at most 20 patterns.',
  })
})

t.test('what was a fault, what came too late, and what a test itself sends is not told', async (t) => {
  const { mq, ask, subscribe, feed } = await mock(t)
  mq.faults.add({ fault: 'status', code: 503, times: 1 })
  await ask('GET /queues')
  const subscription = await subscribe('orders/new')
  await mq.send('orders/new', 'a hat')
  const [message] = await feed(subscription)
  await mq.send('orders', 'a hat').catch(() => {})
  await ask(`DELETE ${message}`)
  await ask(`DELETE ${subscription}`)
  t.equal((await ask(`GET ${subscription}`)).status, 410)
  mq.verify({ client: false })
})

t.test('of many findings of a kind five are told', async (t) => {
  const { mq } = await mock(t)
  for (let sent = 0; sent < 7; sent++) await mq.send('orders/new', 'a hat', { guid: `order-${sent}` })
  t.throws(() => mq.verify(), {
    message: /^7 things .*\n(- order-\d [^\n]*\n){5}- … and 2 more like these\.$/,
  })
})

t.test('a strict server verifies at each reset and at its end', async (t) => {
  const mq = await startServer({ strict: { client: false }, queues: ['orders'] })
  await mq.reset({ seed: true })
  await mq.send('orders', 'a hat')
  const reset = mq.reset({ seed: true })
  t.equal(mq.state().queues[0]?.pending, 0, 'it is reset all the same')
  await t.rejects(reset, {
    name: /Problem|Assertion/,
    kind: 'unverified',
    message: /- Message 1 of orders was sent/,
  })
  await mq.send('orders', 'a cap')
  await t.rejects(mq.stop(), { name: /Problem|Assertion/, kind: 'unverified' })
  await t.rejects(fetch(mq.url), 'it has stopped all the same')
  const over = await startServer({ strict: true, queues: ['orders'] })
  await over.stop()
  await over.stop()
})

t.test('a handler can be strict too', async (t) => {
  const handler = createHandler({ strict: true, queues: ['orders'] })
  await handler.send('orders', 'a hat')
  t.throws(() => handler.close(), { name: /Problem|Assertion/, kind: 'unverified' })
  t.equal((await handler.fetch(new Request('http://localhost/queues'))).status, 503)
  t.throws(() => createHandler({ strict: { messages: 1 } as never }), {
    message: 'strict.messages must be true or false.',
  })
  t.throws(() => createHandler({ strict: false }).verify(), {
    name: /Problem|Assertion/,
    kind: 'missing-exchange',
  })
})
