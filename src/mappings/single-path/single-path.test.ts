import t from 'tap'
import { type Answer, type Spoken, spoken } from '../speak.test.helper.js'

async function withMessages(mq: Spoken, queue: string, ...texts: string[]) {
  for (const text of texts) await mq.speak('POST', `/queue/${queue}`, { body: text })
}

const noStore = (answer: Answer) => answer.headers.get('cache-control') === 'no-store'

t.test('a POST sends, and a repeat is another message', async (t) => {
  const mq = await spoken(t, { queues: ['uk/products'] })
  for (let n = 0; n < 2; n++) {
    const sent = await mq.speak('POST', '/queue/uk.products', { body: 'tea' })
    t.equal(sent.status, 200)
    t.equal(sent.text, '')
  }
  t.equal(mq.broker.queue('uk/products').pending, 2)
  const unknown = await mq.speak('POST', '/queue/nowhere', { body: 'tea' })
  t.equal(unknown.status, 404)
  t.equal(unknown.problem, 'unknown-queue')
  t.equal((await mq.speak('POST', '/queue/a*', { body: 'tea' })).problem, 'bad-queue-name')
  t.equal((await mq.speak('POST', '/queue/', { body: 'tea' })).problem, 'bad-queue-name')
  t.equal((await mq.speak('POST', '/queue/%ff', { body: 'tea' })).problem, 'bad-percent-encoding')
})

t.test('with autoCreate a POST makes its queue, and a GET does not', async (t) => {
  const mq = await spoken(t, { autoCreate: true })
  t.equal((await mq.speak('GET', '/queue/a')).status, 404)
  t.equal((await mq.speak('POST', '/queue/a', { body: 'x' })).status, 200)
  t.equal((await mq.speak('GET', '/queue/a')).text, 'x')
})

t.test('a GET gives another message each time, with its fields, and takes it for good', async (t) => {
  const mq = await spoken(t, { queues: ['a'] })
  const empty = mq.broker.memory
  await mq.speak('POST', '/queue/a', {
    body: 'tee',
    headers: { 'Content-Type': 'text/plain', 'Content-Language': 'de', 'Property-Color': 'green' },
  })
  await withMessages(mq, 'a', '2')
  const first = await mq.speak('GET', '/queue/a', { headers: { 'If-None-Match': '*' } })
  t.equal(first.status, 200)
  t.equal(first.text, 'tee')
  t.equal(first.headers.get('content-type'), 'text/plain')
  t.equal(first.headers.get('content-language'), 'de')
  t.equal(first.headers.get('property-color'), 'green')
  t.notOk(first.headers.has('etag'))
  t.ok(noStore(first))
  t.equal((await mq.speak('GET', '/queue/a')).text, '2')
  const none = await mq.speak('GET', '/queue/a')
  t.equal(none.status, 204)
  t.ok(noStore(none))
  t.equal(mq.broker.queue('a').pending, 0)
  t.equal(mq.broker.memory, empty, 'what is taken takes no memory')
  mq.clock.advance(3_600_000)
  t.equal((await mq.speak('GET', '/queue/a')).status, 204)
  const unknown = await mq.speak('GET', '/queue/nowhere')
  t.equal(unknown.problem, 'unknown-queue')
  t.ok(noStore(unknown))
})

t.test('GETs at the same time share no message', async (t) => {
  const mq = await spoken(t, { queues: ['a'] })
  const texts = Array.from({ length: 20 }, (_, n) => String(n))
  await withMessages(mq, 'a', ...texts)
  const got = await Promise.all(texts.map(() => mq.speak('GET', '/queue/a')))
  t.strictSame(got.map(({ text }) => text).toSorted(), texts.toSorted())
})

t.test('what a subscription holds is not taken', async (t) => {
  const mq = await spoken(t, { queues: ['a'] })
  const { id } = mq.broker.subscribe({ destinations: ['a'], prefetch: 1 })
  await withMessages(mq, 'a', 'held', 'free')
  t.equal((await mq.speak('GET', '/queue/a')).text, 'free')
  t.equal((await mq.speak('GET', '/queue/a')).status, 204)
  mq.broker.unsubscribe(id)
  t.equal((await mq.speak('GET', '/queue/a')).text, 'held')
})

t.test('a HEAD shows what would come, and takes nothing', async (t) => {
  const mq = await spoken(t, { queues: ['a'] })
  t.equal((await mq.speak('HEAD', '/queue/a')).status, 204)
  await withMessages(mq, 'a', 'first', 'second')
  for (const path of ['/queue/a', '/queue/a?jsessionId=s']) {
    const head = await mq.speak('HEAD', path)
    t.equal(head.status, 200)
    t.equal(head.headers.get('content-length'), '5')
    t.equal(head.bytes.length, 0)
    t.ok(noStore(head))
  }
  t.equal(mq.broker.queue('a').held, 0)
  t.equal((await mq.speak('GET', '/queue/a?jsessionId=s')).text, 'first')
  t.equal((await mq.speak('HEAD', '/queue/a?jsessionId=s')).headers.get('content-length'), '6')
  t.equal(mq.broker.queue('a').held, 1, 'nor does it acknowledge')
  t.equal((await mq.speak('HEAD', '/queue/nowhere')).status, 404)
  const options = await mq.speak('OPTIONS', '/queue/a')
  t.equal(options.headers.get('allow'), 'GET, HEAD, POST, OPTIONS')
  t.equal((await mq.speak('DELETE', '/queue/a')).status, 405)
})

t.test("a session's GET acknowledges what it was handed before, from whatever queue", async (t) => {
  const mq = await spoken(t, { queues: ['a', 'b'] })
  await withMessages(mq, 'a', 'a1', 'a2')
  await withMessages(mq, 'b', 'b1')
  const { a, b } = { a: mq.broker.queue('a'), b: mq.broker.queue('b') }
  t.equal((await mq.speak('GET', '/queue/a?jsessionId=s')).text, 'a1')
  t.strictSame([a.pending, a.held], [2, 1])
  t.equal((await mq.speak('GET', '/queue/nowhere?jsessionId=s')).status, 404)
  t.strictSame([a.pending, a.held], [2, 1], 'a refused GET acknowledges nothing')
  t.equal((await mq.speak('GET', '/queue/b?JSESSIONID=s')).text, 'b1', 'in whatever case')
  t.strictSame([a.pending, a.held, b.held], [1, 0, 1])
  t.equal((await mq.speak('GET', '/queue/a?jsessionId=other')).text, 'a2')
  t.strictSame([b.pending, b.held], [1, 1], "another session's GET acknowledges nothing of this one")
  const none = await mq.speak('GET', '/queue/b?jsessionId=s')
  t.equal(none.status, 204)
  t.ok(noStore(none))
  t.equal(b.pending, 0)
  t.equal(mq.broker.parts.subscriptions.size, 1, 'a session with an empty hand is not kept')
})

t.test('a session that falls silent loses its hold, and one that does not keeps it', async (t) => {
  const mq = await spoken(t, { queues: ['a'] })
  await withMessages(mq, 'a', '1', '2', '3')
  t.equal((await mq.speak('GET', '/queue/a?jsessionId=s')).text, '1')
  mq.clock.advance(29_999)
  t.equal((await mq.speak('GET', '/queue/a?jsessionId=s')).text, '2')
  mq.clock.advance(29_999)
  t.equal(mq.broker.queue('a').held, 1)
  mq.clock.advance(1)
  t.equal(mq.broker.queue('a').held, 0)
  t.equal((await mq.speak('GET', '/queue/a')).text, '2', 'in its old place')
  t.equal((await mq.speak('GET', '/queue/a?jsessionId=s')).text, '3', 'the session begins anew')
  t.equal(mq.broker.queue('a').pending, 1)
})

t.test('a session is named once, by 1 to 255 characters', async (t) => {
  const mq = await spoken(t, { queues: ['a'] })
  await withMessages(mq, 'a', '1')
  for (const query of [
    'jsessionId=',
    'jsessionId',
    `jsessionId=${'x'.repeat(256)}`,
    'jsessionId=a&jsessionid=b',
  ]) {
    const refused = await mq.speak('GET', `/queue/a?${query}`)
    t.equal(refused.status, 400, query)
    t.equal(refused.problem, 'malformed-request')
  }
  t.equal((await mq.speak('GET', '/queue/a?jsessionId=%ff')).problem, 'bad-percent-encoding')
  t.equal((await mq.speak('GET', `/queue/a?jsessionId=${'x'.repeat(255)}`)).text, '1')
})

t.test('sessions are not reached as subscriptions, nor count against them when refused', async (t) => {
  const mq = await spoken(t, { queues: ['a'], limits: { maxSubscriptions: 1 } })
  await withMessages(mq, 'a', '1', '2')
  t.equal((await mq.speak('GET', '/queue/a?jsessionId=s')).text, '1')
  t.equal((await mq.speak('GET', '/subscriptions/session:s')).status, 404)
  t.equal((await mq.speak('DELETE', '/subscriptions/session%3As')).status, 404)
  const refused = await mq.speak('GET', '/queue/a?jsessionId=other')
  t.equal(refused.status, 429)
  t.equal(refused.problem, 'too-many-subscriptions')
  t.equal((await mq.speak('GET', '/queue/a?jsessionId=s')).text, '2', 'one that is there goes on')
  t.equal(mq.broker.queue('a').pending, 1)
})

t.test('a GET that waits ends with the message that comes', async (t) => {
  const mq = await spoken(t, { queues: ['a'] })
  const { takers: waiters } = mq.broker.queue('a')
  for (const query of ['', '?jsessionId=s']) {
    const waiting = mq.speak('GET', `/queue/a${query}`, { headers: { Prefer: 'wait=10' } })
    await mq.until(() => waiters.size === 1)
    await withMessages(mq, 'a', 'came')
    const answer = await waiting
    t.equal(answer.text, 'came')
    t.equal(answer.headers.get('preference-applied'), 'wait=10')
    t.ok(noStore(answer))
  }
  t.equal(mq.broker.queue('a').held, 1)
})

t.test('a GET that waits in vain is answered with 204, and one whose queue goes with 404', async (t) => {
  const mq = await spoken(t, { queues: ['a'] })
  const { takers: waiters } = mq.broker.queue('a')
  const vain = mq.speak('GET', '/queue/a', { headers: { Prefer: 'wait=10' } })
  await mq.until(() => waiters.size === 1)
  mq.clock.advance(10_000)
  t.equal((await vain).status, 204)
  const orphan = mq.speak('GET', '/queue/a?jsessionId=s', { headers: { Prefer: 'wait=10' } })
  await mq.until(() => waiters.size === 1)
  await mq.speak('DELETE', '/queues/a')
  t.equal((await orphan).problem, 'unknown-queue')
})

t.test('a HEAD that waits is not woken in the place of a GET', async (t) => {
  const mq = await spoken(t, { queues: ['a'] })
  const { takers, waiters } = mq.broker.queue('a')
  const wait = (method: string) => mq.speak(method, '/queue/a', { headers: { Prefer: 'wait=10' } })
  const head = wait('HEAD')
  await mq.until(() => waiters.size === 1)
  const get = wait('GET')
  await mq.until(() => takers.size === 1)
  await withMessages(mq, 'a', 'came')
  t.equal((await get).text, 'came')
  mq.clock.advance(10_000)
  t.ok((await head).status < 300)
})

t.test('a client that goes away while it waits takes nothing', async (t) => {
  const mq = await spoken(t, { queues: ['a'] })
  const { takers: waiters } = mq.broker.queue('a')
  for (const query of ['', '?jsessionId=s']) {
    const client = new AbortController()
    const waiting = mq.speak('GET', `/queue/a${query}`, {
      headers: { Prefer: 'wait=10' },
      signal: client.signal,
    })
    await mq.until(() => waiters.size === 1)
    client.abort()
    await t.rejects(waiting)
    await mq.until(() => waiters.size === 0)
  }
  await withMessages(mq, 'a', 'kept')
  t.strictSame([mq.broker.queue('a').pending, mq.broker.queue('a').held], [1, 0])
})

t.test('a GET that has waited acknowledges nothing that its session was handed meanwhile', async (t) => {
  const mq = await spoken(t, { queues: ['a', 'b'] })
  const waiting = mq.speak('GET', '/queue/a?jsessionId=s', { headers: { Prefer: 'wait=10' } })
  await mq.until(() => mq.broker.queue('a').takers.size === 1)
  await withMessages(mq, 'b', 'meanwhile')
  t.equal((await mq.speak('GET', '/queue/b?jsessionId=s')).text, 'meanwhile')
  await withMessages(mq, 'a', 'came')
  t.equal((await waiting).text, 'came')
  t.equal(mq.broker.queue('b').held, 1)
  t.equal((await mq.speak('GET', '/queue/a?jsessionId=s')).status, 204)
  t.strictSame(
    [mq.broker.queue('a').pending, mq.broker.queue('b').pending],
    [0, 0],
    'the next one does, of both',
  )
})
