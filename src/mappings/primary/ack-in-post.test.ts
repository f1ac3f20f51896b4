import t from 'tap'
import type { ServerOptions } from '../../options.js'
import { form, links, list, spoken } from '../speak.test.helper.js'

/** A subscription with prefetch 2 on a queue of so many messages, and the messages in its hand. */
async function subscribed(t: Parameters<typeof spoken>[0], messages: number, options: ServerOptions = {}) {
  const mq = await spoken(t, { queues: ['a'], ...options })
  const base = options.basePath ?? ''
  for (let n = 1; n <= messages; n++) await mq.speak('POST', `${base}/queue/a`, { body: String(n) })
  const said = form(['destination', 'a'], ['prefetch', 2])
  const { location } = await mq.speak('POST', `${base}/subscriptions`, said)
  const own = base + location.slice(location.indexOf('/subscriptions/'))
  const uris = links((await mq.speak('GET', own)).text, 'edit')
  return { mq, location: own, uris, queue: mq.broker.queue('a') }
}

t.test('a POST of message URIs acknowledges them, and answers with the feed as it is then', async (t) => {
  const { mq, location, uris, queue } = await subscribed(t, 5)
  const answer = await mq.speak('POST', location, list('# done', ...uris, uris[0]!))
  t.equal(answer.status, 200)
  t.equal(answer.headers.get('content-type'), 'application/atom+xml;type=feed;charset=utf-8')
  t.equal(answer.headers.get('etag'), null, 'a tag would stand for what a GET gives')
  const next = links(answer.text, 'edit')
  t.equal(next.length, 2)
  t.equal(queue.pending, 3)
  t.notOk(uris.some((uri) => next.includes(uri)))
  const repeated = await mq.speak('POST', location, list(...uris))
  t.strictSame(links(repeated.text, 'edit'), next, 'a repeat acknowledges no more')
  const one = await mq.speak('POST', location, list(`HTTP://elsewhere.example:1${next[1]}`))
  t.equal(links(one.text, 'edit')[0], next[0], 'what is not named is left alone')
  t.equal(queue.pending, 2)
  t.equal((await mq.speak('POST', location)).status, 200, 'no body is an empty list')
  t.equal(queue.pending, 2)
})

t.test('where one is not held here, none is acknowledged, and the answer lists them', async (t) => {
  const { mq, location, uris, queue } = await subscribed(t, 4)
  const other = await mq.speak('POST', '/subscriptions', form(['destination', 'a']))
  const [foreign] = links((await mq.speak('GET', other.location)).text, 'edit')
  const id = foreign!.slice(foreign!.lastIndexOf('/'))
  const wrong = [
    foreign!,
    `${location}/messages${id}`,
    `${location}/messages/`,
    '/',
    'x',
    '/\\',
    'http://x/\\\\',
    `${uris[0]}/content`,
  ]
  const refused = await mq.speak('POST', location, list(...uris, ...wrong))
  t.strictSame([refused.status, refused.problem], [422, 'message-not-held'])
  t.strictSame(JSON.parse(refused.text).messages, wrong)
  t.strictSame([queue.pending, queue.held], [4, 4])
})

t.test('a refusal tells the lines that it is for, as far as a mebibyte goes', async (t) => {
  const { mq, location } = await subscribed(t, 1)
  const lines = Array.from({ length: 1000 }, (_, n) => `${n}${'\u0001'.repeat(1000)}`)
  const { status, text } = await mq.speak('POST', location, list(...lines))
  const { messages, detail } = JSON.parse(text)
  t.strictSame([status, messages], [422, lines.slice(0, 174)])
  t.match(detail, /1000 of the list are not held here/)
  t.ok(text.length < 1024 * 1024 + 1000, `${text.length} characters`)
})

t.test('what was withdrawn cannot be acknowledged', async (t) => {
  const { mq, location, uris } = await subscribed(t, 1)
  await mq.speak('DELETE', '/queues/a')
  t.equal((await mq.speak('POST', location, list(...uris))).status, 422)
})

t.test('a list of another media type is refused', async (t) => {
  const { mq, location, uris, queue } = await subscribed(t, 1)
  for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
    const refused = await mq.speak('POST', location, { body: uris[0]!, headers: { 'Content-Type': type } })
    t.strictSame([refused.status, refused.problem], [415, 'unsupported-media-type'])
    t.equal(refused.headers.get('accept-post'), 'text/uri-list')
  }
  t.equal(queue.pending, 1)
})

t.test('who acknowledges and prefers to wait waits for what is next', async (t) => {
  const { mq, location, uris } = await subscribed(t, 1)
  const { headers, body } = list(...uris)
  const waiting = mq.speak('POST', location, { headers: { ...headers, Prefer: 'wait=5' }, body: body! })
  await mq.until(() => mq.broker.subscription(location.split('/')[2]!).waiters.size === 1)
  await mq.speak('POST', '/queue/a', { body: 'next' })
  const answer = await waiting
  t.equal(links(answer.text, 'edit').length, 1)
  t.equal(answer.headers.get('preference-applied'), 'wait=5')
})

t.test('addresses below a base path or a public URL are known', async (t) => {
  const below = await subscribed(t, 1, { basePath: '/mq' })
  t.equal((await below.mq.speak('POST', below.location, list(below.location.slice(3)))).status, 422)
  t.equal((await below.mq.speak('POST', below.location, list(...below.uris))).status, 200)
  t.equal(below.queue.pending, 0)
  const outside = await subscribed(t, 2, { publicUrl: 'https://example.org/mq' })
  t.match(outside.uris[0]!, /^https:\/\/example\.org\/mq\/subscriptions\//)
  const [first, second] = outside.uris
  const said = list(first!, second!.slice('https://example.org'.length))
  t.equal((await outside.mq.speak('POST', outside.location, said)).status, 200)
  t.equal(outside.queue.pending, 0)
})
