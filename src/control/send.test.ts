import t from 'tap'
import { mock } from './mock.test.helper.js'

t.test('a text, JSON and bytes are sent in one line', async (t) => {
  const { mq } = await mock(t)
  await mq.send('orders/new', 'ä hat', { guid: 'one', properties: { Colour: 'blå' } })
  await mq.send('orders.new', { hats: 2 })
  await mq.send('orders/new', Buffer.from([0, 1, 255]))
  await mq.send('orders/new', '<a/>', { type: 'application/xml' })
  t.match(mq.state().queues[0]?.messages, [
    { body: 'ä hat', contentType: 'text/plain;charset=utf-8', properties: { colour: 'blå' } },
    { body: '{"hats":2}', contentType: 'application/json' },
    { bodyBase64: 'AAH/', contentType: 'application/octet-stream' },
    { body: '<a/>', contentType: 'application/xml' },
  ])
})

t.test('it goes the way of a request: the journal has it, faults fire at it, its guid counts', async (t) => {
  const { mq, ask } = await mock(t)
  t.same(await mq.send('orders/new', 'x', { guid: 'one' }), {
    queue: 'orders/new',
    guid: 'one',
    replayed: false,
  })
  t.match(await mq.send('orders/new', 'y', { guid: 'one' }), { replayed: true })
  t.equal((await ask('POST /queues/orders/new?guid=one', 'z')).headers.get('idempotent-replayed'), 'true')
  t.match(mq.journal.entries()[0], {
    method: 'POST',
    path: '/queues/orders/new',
    query: 'guid=one',
    request: { body: 'x' },
    response: { status: 200 },
  })
  mq.faults.add({ fault: 'reset-after-commit', times: 1 })
  await t.rejects(mq.send('orders/new', 'lost'), {
    message: /^The answer to the send to "orders\/new" was lost/,
  })
  t.match(mq.state().queues, [{ pending: 2 }])
  mq.faults.add({ fault: 'status', code: 503, times: 1 })
  await t.rejects(mq.send('orders/new', 'x'), { message: 'The send was answered with 503.' })
  mq.faults.add({ fault: 'status', code: 503, answer: { body: '{"type": "urn:x"}' }, times: 1 })
  await t.rejects(mq.send('orders/new', 'x'), { message: 'The send was answered with 503.' })
  mq.faults.add({ fault: 'delay', ms: 100, times: 1 })
  const late = mq.send('orders/new', 'late')
  await mq.clock.advance(100)
  t.match(await late, { replayed: false })
})

t.test('a refusal is an error that says why', async (t) => {
  const { mq } = await mock(t, { limits: { maxMemory: 10_000 } })
  await t.rejects(mq.send('nowhere', 'x'), { name: 'Refusal', message: 'There is no queue "nowhere".' })
  await t.rejects(mq.send('a//b', 'x'), { name: 'Refusal', message: /empty segment/ })
  await t.rejects(mq.send('orders/new', 'x'.repeat(10_000)), { name: 'Refusal', message: /memory/ })
  await t.rejects(mq.send('orders/new', 'x', { guid: '' }), { name: 'Refusal', message: /guid/ })
  for (const [queue, body, options, message] of [
    [1, 'x', {}, /^queue must be a text/],
    ['a', () => {}, {}, /^body must be a text, bytes, or what JSON can say/],
    ['a', 'x', { id: 1 }, /^There is no member "id"; what can be given is guid, type, properties/],
    ['a', 'x', { guid: 1 }, /^guid must be a text/],
    ['a', 'x', { properties: { 'a b': 'c' } }, /^properties.a b must be named with/],
    ['a', 'x', { properties: { a: 'c\r\n' } }, /^properties.a must be a text without control/],
    ['a', 'x', { properties: 1 }, /^properties must be an object/],
  ] as const) {
    await t.rejects(mq.send(queue as string, body as string, options as object), { message })
  }
})

t.test('it needs no credentials where clients do', async (t) => {
  const { mq, ask } = await mock(t, { principals: [] })
  t.equal((await ask('POST /queues/orders/new', 'x')).status, 401)
  await mq.send('orders/new', 'x')
  t.match(mq.state().queues, [{ pending: 1 }])
  t.match(mq.journal.entries(), [{}, { principal: 'mq.send' }])
})
