import t from 'tap'
import { form, links, type Said, type Spoken, spoken } from '../speak.test.helper.js'

async function subscribe(mq: Spoken, ...fields: readonly (readonly [string, string | number])[]) {
  const { status, text, location } = await mq.speak('POST', '/subscriptions', form(...fields))
  if (status !== 201) throw new Error(text)
  return location
}

const heldBy = (mq: Spoken, location: string) => mq.broker.subscription(location.split('/')[2]!).held.size

t.test('a subscription has a URI of its own, its data, and a feed', async (t) => {
  const mq = await spoken(t, { queues: ['a', 'uk/tea'] })
  const said = form(
    ['destination', 'a'],
    ['destination', 'uk.*'],
    ['prefetch', 2],
    ['selector', 'n > 1'],
    ['timeout', '0.05'],
  )
  const first = await mq.speak('POST', '/subscriptions', said)
  t.equal(first.status, 201)
  t.equal(first.text, '')
  t.match(first.location, /^\/subscriptions\/[0-9a-f]{32}$/)
  t.not((await mq.speak('POST', '/subscriptions', said)).location, first.location)
  const subscription = mq.broker.subscription(first.location.split('/')[2]!)
  t.strictSame(
    [subscription.destinations, subscription.prefetch, subscription.selector, subscription.timeout],
    [['a', 'uk.*'], 2, 'n > 1', 50],
  )
  const plain = mq.broker.subscription((await subscribe(mq, ['destination', 'a'])).split('/')[2]!)
  t.strictSame([plain.prefetch, plain.timeout, plain.selector], [10, 30_000, undefined])
  const feed = await mq.speak('GET', first.location)
  t.equal(feed.status, 200)
  t.equal(feed.headers.get('content-type'), 'application/atom+xml;type=feed;charset=utf-8')
  t.equal(feed.headers.get('cache-control'), 'private, no-cache')
  t.equal(feed.headers.get('preference-applied'), null, 'nobody asked to wait')
  t.strictSame(links(feed.text, 'self'), [first.location])
})

t.test('what is no subscription data is refused, and makes none', async (t) => {
  const mq = await spoken(t)
  const a = ['destination', 'a'] as const
  const refused: [Said, status: number, problem: string][] = [
    [{}, 415, 'unsupported-media-type'],
    [{ headers: { 'Content-Type': 'application/json' }, body: '{}' }, 415, 'unsupported-media-type'],
    [form(), 400, 'malformed-request'],
    [form(['prefetch', 1]), 400, 'malformed-request'],
    [form(a, ['colour', 'red']), 400, 'malformed-request'],
    [form(a, ['prefetch', 1], ['prefetch', 1]), 400, 'malformed-request'],
    [form(a, ['selector', ''], ['selector', '']), 400, 'malformed-request'],
    [form(a, ['prefetch', 0]), 400, 'bad-parameter'],
    // The rest of such a form is not read.
    [form(...Array.from({ length: 101 }, () => a), ['colour', 'red']), 400, 'bad-parameter'],
    [form(a, ['prefetch', 1001]), 400, 'bad-parameter'],
    [form(a, ['prefetch', 1.5]), 400, 'malformed-request'],
    [form(a, ['prefetch', '']), 400, 'malformed-request'],
    [form(a, ['timeout', '0.049']), 400, 'bad-parameter'],
    [form(a, ['timeout', 3601]), 400, 'bad-parameter'],
    [form(a, ['timeout', 'soon']), 400, 'malformed-request'],
    [form(a, ['selector', 'n >']), 400, 'bad-selector'],
    [form(['destination', '']), 400, 'bad-destination'],
    [form(['destination', '>/a']), 400, 'bad-destination'],
    [form(['destination', 'a*']), 400, 'bad-destination'],
    [form(...Array.from({ length: 101 }, (_, n) => ['destination', `q${n}`] as const)), 400, 'bad-parameter'],
  ]
  for (const [said, status, problem] of refused) {
    const answer = await mq.speak('POST', '/subscriptions', said)
    t.strictSame([answer.status, answer.problem], [status, problem], String(said.body))
  }
  const broken = { headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }
  for (const body of ['destination=%ff', Buffer.from([0xff])]) {
    t.equal((await mq.speak('POST', '/subscriptions', { ...broken, body })).problem, 'bad-percent-encoding')
  }
  t.match((await mq.speak('POST', '/subscriptions', form(a, ['selector', 'n >']))).text, /"column":\d/)
  t.equal(
    (await mq.speak('POST', '/subscriptions')).headers.get('accept-post'),
    broken.headers['Content-Type'],
  )
  t.equal(mq.broker.parts.subscriptions.size, 0)
  const full = await spoken(t, { limits: { maxSubscriptions: 0 } })
  const crowded = await full.speak('POST', '/subscriptions', form(a))
  t.strictSame([crowded.status, crowded.problem], [429, 'too-many-subscriptions'])
})

t.test('the feed lists what the consumer holds, as far as its prefetch goes', async (t) => {
  const mq = await spoken(t, { queues: ['a'] })
  const location = await subscribe(mq, ['destination', 'a'], ['prefetch', 2])
  for (const text of ['1', '2', '3']) {
    await mq.speak('POST', '/queue/a', { body: text, headers: { 'Content-Type': 'text/plain' } })
  }
  const contents = async () =>
    [...(await mq.speak('GET', location)).text.matchAll(/<content [^>]*>([^<]*)</g)].map((match) => match[1])
  t.strictSame(await contents(), ['1', '2'])
  t.strictSame(await contents(), ['1', '2'], 'reading takes nothing')
  await mq.speak('DELETE', links((await mq.speak('GET', location)).text, 'edit')[1]!)
  t.strictSame(await contents(), ['1', '3'])
})

t.test('a client that has the feed is told so, and its lease is renewed all the same', async (t) => {
  const mq = await spoken(t, { queues: ['a'] })
  const location = await subscribe(mq, ['destination', 'a'])
  const etag = (await mq.speak('GET', location)).headers.get('etag')!
  t.match(etag, /^W\//)
  mq.clock.advance(20_000)
  t.equal((await mq.speak('GET', location, { headers: { 'If-None-Match': etag } })).status, 304)
  mq.clock.advance(20_000)
  await mq.speak('POST', '/queue/a', { body: 'x' })
  t.equal((await mq.speak('GET', location, { headers: { 'If-None-Match': etag } })).status, 200)
})

t.test('reading and acknowledging renew the lease; looking at a message does not', async (t) => {
  const mq = await spoken(t, { queues: ['a'] })
  const location = await subscribe(mq, ['destination', 'a'], ['timeout', 1])
  await mq.speak('POST', '/queue/a', { body: 'x' })
  const [uri] = links((await mq.speak('GET', location)).text, 'edit')
  const { leaseEndsAt } = mq.broker.subscription(location.split('/')[2]!)
  mq.clock.advance(999)
  await mq.speak('GET', uri!)
  await mq.speak('HEAD', location)
  await mq.speak('HEAD', location, { headers: { Prefer: 'wait=20' } })
  await mq.speak('GET', location, { headers: { Accept: 'text/html', Prefer: 'wait=20' } })
  t.equal(mq.broker.subscription(location.split('/')[2]!).leaseEndsAt, leaseEndsAt)
  for (const [method, path] of [
    ['GET', location],
    ['DELETE', uri!],
    ['DELETE', uri!],
    ['POST', location],
  ] as const) {
    await mq.speak(method, path)
    mq.clock.advance(999)
    t.equal(mq.broker.parts.subscriptions.size, 1, `${method} ${path}`)
  }
  await mq.speak('POST', location, { headers: { 'Content-Type': 'text/uri-list' }, body: 'nothing' })
  mq.clock.advance(1)
  t.equal(mq.broker.parts.subscriptions.size, 0, 'a refused request renews nothing')
})

t.test('the feed says when the lease ends', async (t) => {
  const mq = await spoken(t, { queues: ['a'] })
  const location = await subscribe(mq, ['destination', 'a'], ['timeout', 10])
  mq.clock.advance(5000)
  t.match((await mq.speak('GET', location)).text, '2000-01-01T00:00:15.000Z')
})

t.test('a subscription that ended is gone, and its messages go to another', async (t) => {
  const mq = await spoken(t, { queues: ['a'], limits: { endedLimit: 2 } })
  await mq.speak('POST', '/queue/a', { body: 'x' })
  const deleted = await subscribe(mq, ['destination', 'a'])
  const other = await subscribe(mq, ['destination', 'a'])
  const gone = await mq.speak('DELETE', deleted)
  t.strictSame([gone.status, gone.text], [200, ''])
  t.equal(heldBy(mq, other), 1)
  for (const [method, path] of [
    ['GET', deleted],
    ['DELETE', deleted],
    ['POST', deleted],
  ] as const) {
    const refused = await mq.speak(method, path)
    t.strictSame([refused.status, refused.problem], [410, 'subscription-ended'], method)
    t.match(refused.text, 'deleted')
  }
  mq.clock.advance(30_000)
  const expired = await mq.speak('GET', other)
  t.strictSame([expired.status, expired.problem], [410, 'subscription-ended'])
  t.match(expired.text, 'ran out')
  t.equal(mq.broker.queue('a').held, 0)
  await mq.speak('DELETE', await subscribe(mq, ['destination', 'a']))
  t.equal((await mq.speak('GET', deleted)).problem, 'unknown-subscription', 'the oldest is forgotten')
  t.equal((await mq.speak('GET', '/subscriptions/nothing')).status, 404)
})

t.test('a GET that waits ends with the entry, the time, or the lease', async (t) => {
  const mq = await spoken(t, { queues: ['a'] })
  const location = await subscribe(mq, ['destination', 'a'], ['timeout', 15])
  const { waiters } = mq.broker.subscription(location.split('/')[2]!)
  const wait = (seconds: number, signal?: AbortSignal) =>
    mq.speak('GET', location, { headers: { Prefer: `wait=${seconds}` }, ...(signal && { signal }) })
  const parked = () => mq.until(() => waiters.size === 1)
  const vain = wait(10)
  await parked()
  mq.clock.advance(9999)
  t.equal(waiters.size, 1)
  mq.clock.advance(1)
  const none = await vain
  t.strictSame(links(none.text, 'edit'), [])
  t.equal(none.headers.get('preference-applied'), 'wait=10')
  const client = new AbortController()
  const abandoned = wait(10, client.signal)
  await parked()
  const { leaseEndsAt } = mq.broker.subscription(location.split('/')[2]!)
  mq.clock.advance(1000)
  client.abort()
  await t.rejects(abandoned)
  await mq.until(() => waiters.size === 0)
  t.equal(mq.broker.subscription(location.split('/')[2]!).leaseEndsAt, leaseEndsAt, 'who left renews nothing')
  const came = wait(10)
  await parked()
  mq.clock.advance(1000)
  await mq.speak('POST', '/queue/a', { body: 'x' })
  const answer = await came
  const [uri] = links(answer.text, 'edit')
  t.ok(uri)
  t.equal(mq.broker.subscription(location.split('/')[2]!).leaseEndsAt, mq.clock.now() + 15_000)
  const more = wait(10)
  await parked()
  await mq.speak('POST', '/queue/a', { body: 'y' })
  t.equal(links((await more).text, 'edit').length, 2, 'what was shown is not new, and is shown again')
  await mq.speak('POST', '/queue/a', { body: 'z' })
  t.equal(links((await wait(10)).text, 'edit').length, 3, 'what no reading has shown is not waited for')
  t.equal((await mq.speak('GET', `${location}?cursor=0`, { headers: { Prefer: 'wait=10' } })).status, 200)
  const whole = wait(10)
  await parked()
  mq.clock.advance(10_000)
  t.equal(links((await whole).text, 'edit').length, 3, 'after its time it shows all that is held')
  for (const each of links((await mq.speak('GET', location)).text, 'edit')) await mq.speak('DELETE', each)
  const long = wait(3600)
  await parked()
  mq.clock.advance(15_000)
  t.equal((await long).problem, 'subscription-ended')
})

t.test('what was given back, and comes again, is new', async (t) => {
  const mq = await spoken(t, { queues: ['a'] })
  const [one, other] = [await subscribe(mq, ['destination', 'a']), await subscribe(mq, ['destination', 'a'])]
  await mq.speak('POST', '/queue/a', { body: 'x' })
  await mq.speak('GET', one)
  const { waiters } = mq.broker.subscription(other.split('/')[2]!)
  const waiting = mq.speak('GET', other, { headers: { Prefer: 'wait=10' } })
  await mq.until(() => waiters.size === 1)
  await mq.speak('DELETE', one)
  t.equal(links((await waiting).text, 'edit').length, 1)
})

t.test('a wait does not outlive its queue', async (t) => {
  const mq = await spoken(t, { queues: ['a'] })
  const location = await subscribe(mq, ['destination', 'a'])
  const { waiters } = mq.broker.subscription(location.split('/')[2]!)
  const waiting = mq.speak('GET', location, { headers: { Prefer: 'wait=10' } })
  await mq.until(() => waiters.size === 1)
  await mq.speak('DELETE', '/queues/a')
  t.equal((await waiting).status, 200)
})

t.test('stopping answers what waits', async (t) => {
  const mq = await spoken(t, { queues: ['a'] })
  const location = await subscribe(mq, ['destination', 'a'])
  const waiting = mq.speak('GET', location, { headers: { Prefer: 'wait=10' } })
  await mq.until(() => mq.broker.subscription(location.split('/')[2]!).waiters.size === 1)
  mq.broker.close()
  t.equal((await waiting).status, 200)
})
