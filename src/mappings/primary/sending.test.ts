import t from 'tap'
import { spoken } from '../speak.test.helper.js'

t.test('step 1 issues an address and makes no message; step 2 makes it, once', async (t) => {
  const mq = await spoken(t, { queues: ['uk/tea'] })
  const issued = await mq.speak('POST', '/queues/uk.tea')
  t.equal(issued.status, 201)
  t.equal(issued.text, '')
  t.match(issued.location, /^\/addresses\/[0-9a-f]{32}$/)
  t.equal(mq.broker.queue('uk/tea').pending, 0)
  const posted = await mq.speak('POST', issued.location, { body: 'two pounds' })
  t.equal(posted.status, 200)
  t.notOk(posted.headers.has('idempotent-replayed'))
  for (const body of ['two pounds', 'something else', '']) {
    const repeated = await mq.speak('POST', issued.location, { body })
    t.equal(repeated.status, 200)
    t.equal(repeated.headers.get('idempotent-replayed'), 'true')
  }
  t.equal((await mq.speak('GET', '/queue/uk/tea')).text, 'two pounds')
  t.equal((await mq.speak('POST', issued.location, { body: 'x' })).status, 200, 'also when it is consumed')
  await mq.speak('DELETE', '/queues/uk/tea')
  t.equal((await mq.speak('POST', issued.location, { body: 'x' })).status, 200, 'and its queue deleted')
})

t.test('posts to one address at the same time make one message', async (t) => {
  const mq = await spoken(t, { queues: ['a'] })
  const { location } = await mq.speak('POST', '/queues/a')
  const posts = await Promise.all(Array.from({ length: 8 }, () => mq.speak('POST', location, { body: 'x' })))
  t.ok(posts.every(({ status }) => status === 200))
  t.equal(posts.filter(({ headers }) => headers.get('idempotent-replayed') === null).length, 1)
  t.equal(mq.broker.queue('a').pending, 1)
})

t.test('a step 1 that carries a body is refused, and says how to send', async (t) => {
  const mq = await spoken(t, { queues: ['a'] })
  for (const body of ['the message', 'm']) {
    const refused = await mq.speak('POST', '/queues/a', { body })
    t.strictSame([refused.status, refused.problem], [400, 'unexpected-body'])
    t.match(refused.text, 'guid')
  }
  t.equal(mq.broker.queue('a').pending, 0)
  t.equal(mq.broker.parts.deduplication.openAddresses, 0)
})

t.test('an address that was never issued, not used in time, or outlived its queue', async (t) => {
  const mq = await spoken(t, { queues: ['a', 'b'] })
  const post = async (location: string) => {
    const { status, problem } = await mq.speak('POST', location, { body: 'x' })
    return [status, problem]
  }
  t.strictSame(await post('/addresses/0123'), [404, 'unknown-address'])
  const orphan = (await mq.speak('POST', '/queues/b')).location
  await mq.speak('DELETE', '/queues/b')
  await mq.speak('POST', '/queues', { headers: { Slug: 'b' } })
  t.strictSame(await post(orphan), [410, 'queue-deleted'])
  const unused = (await mq.speak('POST', '/queues/a')).location
  mq.clock.advance(3_599_999)
  t.strictSame(await post((await mq.speak('POST', '/queues/a')).location), [200, ''])
  mq.clock.advance(1)
  t.strictSame(await post(unused), [410, 'address-expired'])
  t.equal((await mq.speak('GET', orphan)).headers.get('allow'), 'POST, OPTIONS')
})

t.test('a queue that is not there takes no message, unless it is to be made', async (t) => {
  const mq = await spoken(t)
  for (const path of ['/queues/a', '/queues/a?guid=g']) {
    const refused = await mq.speak('POST', path)
    t.strictSame([refused.status, refused.problem], [404, 'unknown-queue'])
  }
  t.equal((await mq.speak('POST', '/queues/a*')).problem, 'bad-queue-name')
  const making = await spoken(t, { autoCreate: true })
  t.equal((await making.speak('POST', '/queues/a')).status, 201)
  t.equal((await making.speak('POST', '/queues/b?guid=g', { body: 'x' })).status, 200)
  t.equal(making.broker.parts.queues.size, 2)
})

t.test('a guid that was seen is ignored, on every queue and for good', async (t) => {
  const mq = await spoken(t, { queues: ['a', 'b'] })
  const send = (queue: string, guid: string, body = 'x') =>
    mq.speak('POST', `/queues/${queue}?guid=${guid}`, { body })
  const first = await send('a', 'g%20%C3%BC')
  t.equal(first.status, 200)
  t.notOk(first.headers.has('idempotent-replayed'))
  for (const queue of ['a', 'b']) {
    const repeated = await send(queue, 'g+%c3%bc', 'other')
    t.equal(repeated.status, 200)
    t.equal(repeated.headers.get('idempotent-replayed'), 'true')
  }
  t.equal((await send('a', 'G%20%C3%BC')).headers.get('idempotent-replayed'), null, 'case matters')
  t.strictSame([mq.broker.queue('a').pending, mq.broker.queue('b').pending], [2, 0])
  await mq.speak('DELETE', '/queues/a')
  await mq.speak('POST', '/queues', { headers: { Slug: 'a' } })
  t.equal((await send('a', 'g%20%C3%BC')).headers.get('idempotent-replayed'), 'true')
  t.equal(mq.broker.queue('a').pending, 0)
})

t.test('what is no guid is refused, and a refused send does not use its guid up', async (t) => {
  const mq = await spoken(t, { queues: ['a'] })
  const send = (query: string, queue = 'a') => mq.speak('POST', `/queues/${queue}?${query}`, { body: 'x' })
  for (const query of ['guid', 'guid=', `guid=${'x'.repeat(256)}`, 'guid=a&guid=a', 'guid=%ff']) {
    t.equal((await send(query)).status, 400, query)
  }
  t.equal((await send('guid=g', 'nowhere')).status, 404)
  t.equal(mq.broker.parts.deduplication.rememberedGuids, 0)
  t.equal((await send('guid=g')).headers.get('idempotent-replayed'), null)
  t.equal((await send(`guid=${'x'.repeat(255)}`)).status, 200)
  t.equal(mq.broker.queue('a').pending, 2)
})

t.test('a message that fits no more is refused, and can be sent again when it does', async (t) => {
  const mq = await spoken(t, { queues: ['a'], limits: { maxMemory: 10_800, maxAddresses: 1 } })
  const { location } = await mq.speak('POST', '/queues/a')
  const many = await mq.speak('POST', '/queues/a')
  t.strictSame([many.status, many.problem], [429, 'too-many-addresses'])
  await mq.speak('POST', '/queue/a', { body: 'x'.repeat(7000) })
  for (const path of [location, '/queues/a?guid=g', '/queue/a']) {
    const refused = await mq.speak('POST', path, { body: 'x'.repeat(3000) })
    t.strictSame([refused.status, refused.problem], [507, 'out-of-memory'], path)
  }
  await mq.speak('GET', '/queue/a')
  const posted = await mq.speak('POST', location, { body: 'x' })
  t.strictSame([posted.status, posted.headers.get('idempotent-replayed')], [200, null])
  t.equal((await mq.speak('POST', '/queues/a?guid=g')).headers.get('idempotent-replayed'), null)
})
