import t from 'tap'
import { form, links, type Said, type Spoken, spoken } from '../speak.test.helper.js'

const FEED = 'application/atom+xml;type=feed;charset=utf-8'

const titles = (feed: string) =>
  [...feed.matchAll(/<entry>\s*<id>[^<]*<\/id>\s*<title>([^<]*)/g)].map((match) => match[1])

function named(type: string, body: string | Uint8Array): Said {
  return { headers: { 'Content-Type': type }, body }
}

t.test('a queue is created by its name, however that is given', async (t) => {
  const mq = await spoken(t)
  const ways: Said[] = [
    named('text/plain', 'uk/tea'),
    named('text/plain;charset=utf-8', 'uk.tea\r\n'),
    named('text/plain', 'uk/tea\n'),
    form(['name', 'uk/tea']),
    named('application/json', '{"name": "uk.tea"}'),
    { headers: { Slug: 'uk%2Ftea' } },
    { headers: { Slug: 'uk.tea', 'Content-Type': 'text/plain' }, body: '' },
  ]
  for (const way of ways) {
    const created = await mq.speak('POST', '/queues', way)
    t.equal(created.status, 201)
    t.equal(created.location, '/queues/uk/tea')
  }
  t.equal(mq.broker.parts.queues.size, 1)
})

t.test('names of any characters come back as links', async (t) => {
  const mq = await spoken(t)
  const created = await mq.speak('POST', '/queues', named('text/plain', 'grün & <co/100%'))
  t.equal(created.location, '/queues/gr%C3%BCn%20%26%20%3Cco/100%25')
  t.equal((await mq.speak('GET', created.location)).status, 200)
  const listing = await mq.speak('GET', '/queues')
  t.strictSame(links(listing.text, 'alternate'), ['/queues/gr%C3%BCn%20%26%20%3Cco/'])
  t.strictSame(titles(listing.text), ['grün &amp; &lt;co'])
})

t.test('a definition of 16 KiB is read, and a longer one is not', async (t) => {
  const mq = await spoken(t)
  const define = async (length: number) =>
    (await mq.speak('POST', '/queues', named('application/json', '{"name":"a"}'.padEnd(length)))).status
  t.strictSame([await define(16_384), await define(16_385)], [201, 400])
})

t.test('what names no queue is refused, and makes none', async (t) => {
  const mq = await spoken(t)
  const refused: [Said, status: number, problem: string][] = [
    [{}, 400, 'malformed-request'],
    [named('text/plain', ''), 400, 'bad-queue-name'],
    [named('text/plain', 'a//b'), 400, 'bad-queue-name'],
    [named('text/plain', 'a*'), 400, 'bad-queue-name'],
    [named('text/plain', 'a\tb'), 400, 'bad-queue-name'],
    [named('text/plain', 'x'.repeat(256)), 400, 'bad-queue-name'],
    [named('text/plain', Array(6).fill('x'.repeat(200)).join('/')), 400, 'bad-queue-name'],
    [named('text/plain', Buffer.from([0xff])), 400, 'malformed-request'],
    [form(), 400, 'malformed-request'],
    [form(['name', 'a'], ['name', 'b']), 400, 'malformed-request'],
    [named('application/x-www-form-urlencoded', 'name=%ff'), 400, 'bad-percent-encoding'],
    [named('application/json', '{"name": 1}'), 400, 'malformed-request'],
    [named('application/json', 'null'), 400, 'malformed-request'],
    [named('application/json', '{'), 400, 'malformed-request'],
    [{ headers: { Slug: '%ff' } }, 400, 'bad-percent-encoding'],
    [named('application/xml', '<name>a</name>'), 415, 'unsupported-media-type'],
    [named('nonsense', 'a'), 415, 'unsupported-media-type'],
  ]
  for (const [said, status, problem] of refused) {
    const answer = await mq.speak('POST', '/queues', said)
    t.strictSame([answer.status, answer.problem], [status, problem], String(said.body))
    t.equal(answer.headers.get('content-type'), 'application/problem+json')
  }
  t.match(
    (await mq.speak('POST', '/queues', named('a/b', 'a'))).headers.get('accept-post'),
    'application/json',
  )
  t.equal(mq.broker.parts.queues.size, 0)
})

t.test('creating a queue that is there leaves its messages', async (t) => {
  const mq = await spoken(t, { queues: ['a'] })
  await mq.speak('POST', '/queue/a', { body: 'kept' })
  t.equal((await mq.speak('POST', '/queues', { headers: { Slug: 'a' } })).status, 201)
  t.equal(mq.broker.queue('a').pending, 1)
})

t.test('a deleted queue is gone with its messages, and is not deleted twice', async (t) => {
  const mq = await spoken(t, { queues: ['uk/tea'] })
  await mq.speak('POST', '/queue/uk/tea', { body: 'x' })
  t.equal((await mq.speak('DELETE', '/queues/uk')).problem, 'unknown-queue', 'a category is no queue')
  const deleted = await mq.speak('DELETE', '/queues/uk.tea')
  t.equal(deleted.status, 200)
  t.equal(deleted.text, '')
  const again = await mq.speak('DELETE', '/queues/uk/tea')
  t.strictSame([again.status, again.problem], [404, 'unknown-queue'])
  t.equal((await mq.speak('DELETE', '/queues/uk//tea')).problem, 'bad-queue-name')
  await mq.speak('POST', '/queues', { headers: { Slug: 'uk/tea' } })
  t.strictSame(links((await mq.speak('GET', '/queues/uk/tea')).text, 'alternate'), [])
})

t.test('a listing shows the children of its category, as what they are', async (t) => {
  const mq = await spoken(t, { queues: ['a', 'uk', 'uk/tea', 'uk/tea/green', 'us/x/y'] })
  await mq.speak('POST', '/queue/a', { body: 'x' })
  mq.broker.subscribe({ destinations: ['a'] })
  const root = await mq.speak('GET', '/queues')
  t.equal(root.status, 200)
  t.equal(root.headers.get('content-type'), FEED)
  t.equal(root.headers.get('cache-control'), 'private, no-cache')
  t.strictSame(titles(root.text), ['a', 'uk', 'uk', 'us'])
  t.strictSame(links(root.text, 'alternate'), ['/queues/a', '/queues/uk', '/queues/uk/', '/queues/us/'])
  t.match(root.text, /<mq:pending>1<\/mq:pending>\s*<mq:held>1<\/mq:held>\s*<mq:subscriptions>1</)
  t.equal((await mq.speak('GET', '/queues/')).text, root.text)
  for (const [path, children] of [
    ['/queues/uk/', ['uk/tea', 'uk/tea']],
    ['/queues/uk/tea/', ['uk/tea/green']],
    ['/queues/uk.tea/', ['uk/tea/green']],
    ['/queues/us', ['us/x']],
    ['/queues/us.x', ['us/x/y']],
  ] as const) {
    t.strictSame(titles((await mq.speak('GET', path)).text), children, path)
  }
  t.match((await mq.speak('GET', '/queues/us.x/')).text, '<title>Queues below us/x</title>')
  t.match((await mq.speak('GET', '/queues/uk')).text, '<title>uk</title>', 'without a slash it is the queue')
})

t.test('what is nothing is not found', async (t) => {
  const mq = await spoken(t, { queues: ['a'] })
  for (const [path, problem] of [
    ['/queues/b', 'unknown-queue'],
    ['/queues/a/b', 'unknown-queue'],
    ['/queues/b/', 'unknown-path'],
    ['/queues/a/', 'unknown-path'],
  ] as const) {
    const answer = await mq.speak('GET', path)
    t.strictSame([answer.status, answer.problem], [404, problem], path)
  }
  for (const [path, problem] of [
    ['/queues/a//', 'bad-queue-name'],
    ['/queues//a', 'bad-queue-name'],
    ['/queues/%2Fa', 'bad-queue-name'],
    ['/queues/%', 'bad-percent-encoding'],
    ['/queues/%ff', 'bad-percent-encoding'],
    ['/queues/a%00', 'bad-queue-name'],
  ] as const) {
    const answer = await mq.speak('GET', path)
    t.strictSame([answer.status, answer.problem], [400, problem], path)
  }
})

t.test('the listing of no queues at all is empty', async (t) => {
  const mq = await spoken(t)
  t.strictSame(titles((await mq.speak('GET', '/queues')).text), [])
})

t.test(
  "a queue's feed shows every pending message, held or not, without a way to acknowledge it",
  async (t) => {
    const mq = await spoken(t, { queues: ['a', 'b'] })
    await mq.speak('POST', '/queue/a', { body: 'first' })
    const { id } = mq.broker.subscribe({ destinations: ['a'], prefetch: 1 })
    await mq.speak('POST', '/queue/a', { body: 'second' })
    await mq.speak('POST', '/queue/b', { body: 'other' })
    const feed = await mq.speak('GET', '/queues/a')
    t.equal(feed.status, 200)
    t.equal(feed.headers.get('content-type'), FEED)
    t.strictSame(titles(feed.text), ['Message 1 of a', 'Message 2 of a'])
    t.strictSame(links(feed.text, 'edit'), [])
    t.strictSame(
      [...feed.text.matchAll(/<mq:held>(true|false)</g)].map((match) => match[1]),
      ['true', 'false'],
    )
    t.notOk(feed.text.includes(id))
    t.equal((await mq.speak('GET', '/queues/a')).text, feed.text, 'and takes nothing')
  },
)

/** Follows `next` from an address on. */
async function pages(mq: Spoken, from: string, between = async (_: number) => {}): Promise<string[]> {
  const found: string[] = []
  let address: string | undefined = from
  for (let page = 0; address !== undefined; page++) {
    const { text, status } = await mq.speak('GET', address)
    if (status !== 200) throw new Error(text)
    found.push(text)
    address = links(text, 'next')[0]
    if (address !== undefined) await between(page)
  }
  return found
}

t.test('a feed comes in pages, which neither skip nor repeat', async (t) => {
  const mq = await spoken(t, { queues: ['a'] })
  for (let n = 1; n <= 7; n++) await mq.speak('POST', '/queue/a', { body: String(n) })
  const found = await pages(mq, '/queues/a?limit=3', async () => {
    await mq.speak('GET', '/queue/a')
    await mq.speak('POST', '/queue/a', { body: 'late' })
  })
  t.strictSame(
    found.map((page) => titles(page).map((title) => title?.split(' ')[1])),
    [
      ['1', '2', '3'],
      ['4', '5', '6'],
      ['7', '8', '9'],
    ],
  )
  t.strictSame(links(found[1]!, 'self'), ['/queues/a?cursor=3&limit=3'])
  for (let n = 0; n < 100; n++) mq.broker.createQueue(`list/${String(n).padStart(3, '0')}`)
  t.equal((await pages(mq, '/queues/list')).length, 1, 'a hundred are a page')
  mq.broker.createQueue('list/100')
  const listed = await pages(mq, '/queues/list', async () => mq.broker.deleteQueue('list/099'))
  t.strictSame(
    listed.map((page) => titles(page).length),
    [100, 1],
  )
  t.equal((await pages(mq, '/queues/list?limit=1000')).length, 1)
})

t.test('a page that cannot be is refused', async (t) => {
  const mq = await spoken(t, { queues: ['a', 'b/c'] })
  for (const path of ['/queues', '/queues/b', '/queues/a']) {
    for (const limit of ['0', '1001', '-1', 'x', '', '1.5']) {
      const answer = await mq.speak('GET', `${path}?limit=${limit}`)
      t.strictSame([answer.status, answer.problem], [400, 'malformed-request'], `${path} ${limit}`)
      t.match(JSON.parse(answer.text), { parameter: 'limit', least: 1, most: 1000 })
    }
    const answer = await mq.speak('GET', `${path}?cursor=x`)
    t.strictSame([answer.status, answer.problem], [400, 'bad-cursor'], path)
  }
  for (const name of ['b', 'b.d']) mq.broker.createQueue(name)
  const { next } = mq.broker.listQueues('b', { limit: 1 })
  const answer = await mq.speak('GET', `/queues/b?cursor=${encodeURIComponent(next!)}`)
  t.strictSame([answer.status, answer.problem], [400, 'bad-cursor'], 'what is both is the queue')
})

t.test('a client that has the feed is told so, until it changes', async (t) => {
  const mq = await spoken(t, { queues: ['a', 'b/c'] })
  for (const [path, change] of [
    ['/queues/a', () => mq.speak('POST', '/queue/a', { body: 'x' })],
    ['/queues', () => mq.speak('POST', '/queue/a', { body: 'x' })],
    ['/queues/b', () => mq.speak('POST', '/queue/b/c', { body: 'x' })],
  ] as const) {
    const etag = (await mq.speak('GET', path)).headers.get('etag')!
    const same = await mq.speak('GET', path, { headers: { 'If-None-Match': `"x", ${etag}` } })
    t.equal(same.status, 304, path)
    t.equal(same.bytes.length, 0)
    t.equal(same.headers.get('etag'), etag)
    t.equal(same.headers.get('cache-control'), 'private, no-cache')
    await change()
    const other = await mq.speak('GET', path, { headers: { 'If-None-Match': etag } })
    t.equal(other.status, 200)
    t.not(other.headers.get('etag'), etag)
  }
  const [first, second] = [await mq.speak('GET', '/queues/a?limit=1'), await mq.speak('GET', '/queues/a')]
  t.not(first.headers.get('etag'), second.headers.get('etag'), 'each page has its own')
})

t.test("a GET of a queue's feed can wait", async (t) => {
  const mq = await spoken(t, { queues: ['a', 'b'] })
  const wait = (queue: string) => mq.speak('GET', `/queues/${queue}`, { headers: { Prefer: 'wait=60' } })
  const { waiters } = mq.broker.queue('a')
  const waiting = wait('a')
  await mq.until(() => waiters.size === 1)
  await mq.speak('POST', '/queue/a', { body: 'came' })
  const answer = await waiting
  t.strictSame(titles(answer.text), ['Message 1 of a'])
  t.equal(answer.headers.get('preference-applied'), 'wait=20')
  t.equal((await wait('a')).text, answer.text, 'with something there it does not wait')
  const vain = wait('b')
  await mq.until(() => mq.broker.queue('b').waiters.size === 1)
  mq.clock.advance(20_000)
  t.strictSame(titles((await vain).text), [])
  const orphan = wait('b')
  const b = mq.broker.queue('b')
  await mq.until(() => b.waiters.size === 1)
  await mq.speak('DELETE', '/queues/b')
  t.equal((await orphan).status, 404)
})
