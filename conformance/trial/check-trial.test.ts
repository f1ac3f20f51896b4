import t from 'tap'
import { Blocked, Failed, Inconclusive } from '../client/findings.js'
import { queuesShowContents } from '../client/queue-contents.js'
import { skipIdleTime } from '../virtual-time.test.helper.js'
import type { CheckTrial } from './check-trial.js'
import { entry, fakeBroker, feed } from './fake-broker.test.helper.js'
import { expectAsSent, expectPending, needContents, pendingBodies, untilPending } from './pending.js'
import { trialOf } from './trial-of.test.helper.js'

skipIdleTime()

async function blockedBy(promise: Promise<unknown>): Promise<string> {
  try {
    await promise
  } catch (error) {
    if (error instanceof Blocked) return `${error.by}: ${error.seen}`
    throw error
  }
  return 'not blocked'
}

t.test('names, bodies and guids are of the trial alone', async (t) => {
  await using broker = await fakeBroker()
  const trial = trialOf(broker)
  t.match(trial.freshName(), /^kit-0123456789-\d+$/)
  t.match(trial.freshName(3), /^[\w-]+\/s1\/s2$/)
  const made = [trial.freshName(), trial.freshName(), trial.freshGuid(), trial.freshMessage().text]
  t.equal(new Set(made).size, made.length)
  const message = trial.freshMessage('<&>')
  t.match(message, { text: /^<&>kit-/, address: undefined })
  t.strictSame(message.body, Buffer.from(message.text))
})

t.test('the whole way of a message', async (t) => {
  await using broker = await fakeBroker()
  const trial = trialOf(broker)
  const queue = await trial.createQueue()
  t.equal(queue.uri, `${broker.url}/queues/${queue.path}`)
  const first = await trial.send(queue)
  t.match(first.address, /^http:.*\/mq\/new\//)
  const [second, third] = await trial.sendInOrder(queue, 2)
  const more = await trial.sendMany(queue, 2)
  const bytes = await trial.send(queue, Buffer.from([0, 1, 255]), {
    'content-type': 'application/x',
    'X-A': 'b',
  })
  t.strictSame(bytes.body, Buffer.from([0, 1, 255]))
  const got = broker.got.at(-1)!
  t.match(got.headers, { 'content-type': 'application/x', 'x-a': 'b' })
  await trial.post(first.address!, 'x')
  t.equal(broker.got.at(-1)!.headers['content-type'], 'text/plain; charset=utf-8')
  const guided = await trial.postWithGuid(queue, 'g &1', 'guided')
  t.equal(guided.url, `${queue.uri}?guid=g%20%261`)
  await trial.postWithGuid({ ...queue, uri: `${queue.uri}?a=b` }, 'g', 'x')
  t.match(broker.got.at(-1)!.path, /\?a=b&guid=g$/)

  const pending = await trial.browse(queue)
  t.equal(pending.entries.length, 7)
  t.strictSame((await trial.bodies(pending.entries)).slice(0, 3), [first.text, second!.text, third!.text])

  const consumer = await trial.subscribe([queue, 'no-such'], { prefetch: 9 })
  t.match(consumer, { prefetch: 9, lease: 120_000 })
  t.ok(consumer.createdAt <= consumer.lastUsedAt)
  const received = await consumer.receive([more[1]!, first, bytes])
  t.strictSame(await trial.bodies(received.slice(0, 2)), [more[1]!.text, first.text])
  t.equal((await consumer.receiveCount(7)).length, 7)
  const before = consumer.lastUsedAt
  await consumer.ack(received[0]!)
  t.ok(consumer.lastUsedAt > before)
  t.equal((await consumer.read()).length, 6)
  t.equal((await consumer.get()).status, 200)
  t.equal((await consumer.tryAck(received[1]!)).status, 200)
  await consumer.end()
  t.equal((await consumer.get()).status, 410)
})

t.test('the pairs of a subscription can be written otherwise', async (t) => {
  await using broker = await fakeBroker()
  const trial = trialOf(broker)
  const write = (pairs: [string, string][]) => new URLSearchParams(pairs.toReversed()).toString()
  for (const more of [{}, { write }]) {
    const answer = await trial.trySubscribe('q', { prefetch: 1, ...more })
    t.equal(answer.status, 201)
  }
  const [plain, reversed] = broker.got.slice(-2).map(({ body }) => body.toString().split('&'))
  t.strictSame(reversed, plain!.toReversed())
})

t.test('what is not answered as stated blocks the trial by the check of that operation', async (t) => {
  await using broker = await fakeBroker()
  const trial = trialOf(broker)
  const queue = await trial.createQueue()
  const sent = await trial.send(queue)
  const consumer = await trial.subscribe(queue)
  const [held] = await consumer.receive([sent])
  const answer = (status: number, headers = {}) => {
    broker.intercept = () => ({ status, headers })
  }
  answer(400, { Location: '/x' })
  t.match(await blockedBy(trial.createQueue()), /^queues\.create: .* gave 400/)
  t.match(await blockedBy(trial.newAddress(queue)), /^send\.address: /)
  t.match(await blockedBy(trial.subscribe(queue)), /^subscribe\.create: /)
  answer(200, { Location: '/x' })
  t.ok(await trial.createQueue(), 'with which success, is a question of its own')
  t.match(await blockedBy(trial.browse(queue)), /^browse\.queue: GET .* gave a body/)
  t.match(await blockedBy(consumer.read()), /^consume\.feed: /)
  t.match(await blockedBy(trial.readFeed(`${broker.url}/queues`, 'browse.root')), /^browse\.root: /)
  answer(201)
  broker.intercept = ({ method }) => (method === 'GET' ? feed([]) : { status: 201 })
  t.equal((await trial.createQueue('a')).uri, `${broker.url}/queues/a`, 'where the document has it')
  broker.intercept = ({ method }) => ({ status: method === 'GET' ? 404 : 201 })
  t.match(await blockedBy(trial.createQueue()), /^queues\.create: .* has no Location/)
  answer(201, { Location: 'http://[' })
  t.match(
    await blockedBy(trial.subscribe(queue)),
    /^subscribe\.create: .* has no Location that is an address/,
  )
  answer(404)
  t.match(await blockedBy(consumer.ack(held!)), /^ack\.succeeds: DELETE .* gave 404 instead of 200$/)
  t.match(await blockedBy(consumer.end()), /^subscribe\.delete: DELETE .* gave 404 instead of 200$/)
  broker.intercept = ({ path }) => (path.includes('/new/') ? { status: 400 } : undefined)
  t.match(await blockedBy(trial.send(queue)), /^send\.post: the POST of a message gave 400.*$/)
  t.equal(broker.got.filter(({ path }) => path.includes('/new/')).length, 2, 'a refusal is not asked again')
})

t.test('the second step is repeated until it is 200, as clients do', async (t) => {
  await using broker = await fakeBroker()
  const trial = trialOf(broker)
  const queue = await trial.createQueue()
  const answers = [503, 429, 408]
  broker.intercept = ({ path }) => {
    const status = path.includes('/new/') ? answers.shift() : undefined
    return status ? { status } : undefined
  }
  const sent = await trial.send(queue)
  t.strictSame(await trial.bodies((await trial.browse(queue)).entries), [sent.text])
  broker.intercept = ({ path }) => (path.includes('/new/') ? { status: 500 } : undefined)
  t.match(await blockedBy(trial.send(queue)), /^send\.post: .* 500$/)
})

t.test('messages that do not come block by consume.delivers, and those missing are named', async (t) => {
  await using broker = await fakeBroker()
  const trial = trialOf(broker)
  const queue = await trial.createQueue()
  const here = await trial.send(queue)
  const consumer = await trial.subscribe(queue)
  const gone = trial.freshMessage()
  const why = await blockedBy(consumer.receive([here, gone]))
  t.equal(why, `consume.delivers: the feed has 1 entries, and none is "${gone.text}"`)
  t.equal(await blockedBy(consumer.receiveCount(2)), 'consume.delivers: the feed has 1 entries instead of 2')
})

t.test('a message that comes late is waited for', async (t) => {
  await using broker = await fakeBroker()
  const trial = trialOf(broker, {}, { timeout: 5000 })
  const queue = await trial.createQueue()
  const consumer = await trial.subscribe(queue)
  let reads = 0
  broker.intercept = ({ method, path }) =>
    method === 'GET' && path.includes('/subscriptions/') && ++reads < 4 ? feed([]) : undefined
  const sent = await trial.send(queue)
  t.equal((await consumer.receive([sent])).length, 1)
  t.equal(reads, 4)
})

t.test('a body that cannot be had blocks by the check of the feed it stands in', async (t) => {
  await using broker = await fakeBroker()
  const trial = trialOf(broker)
  const queue = await trial.createQueue()
  broker.intercept = ({ path }) =>
    path.includes('/raw') ? { status: 500 } : feed([entry('1', '<content type="a/b" src="/raw"/><summary/>')])
  const { entries } = await trial.browse(queue)
  t.match(await blockedBy(trial.bodies(entries)), /^browse\.queue: GET .*\/raw, .* gave 500$/)
})

t.test('a queue whose feed shows no contents is not blamed for it', async (t) => {
  await using broker = await fakeBroker()
  const trial = trialOf(broker)
  const queue = await trial.createQueue()
  broker.intercept = () => feed([entry('1', '<link href="urn:x:1"/><summary>5 bytes</summary>')])
  const { entries } = await trial.browse(queue)
  await t.rejects(trial.bodies(entries), { name: 'Inconclusive', inconclusiveReason: 'contents' })
  // Who may read a queue need not be let at its messages.
  broker.intercept = ({ path }) =>
    path.includes('/raw') ? { status: 403 } : feed([entry('1', '<content type="a/b" src="/raw"/><summary/>')])
  const other = (await trial.browse(queue)).entries
  await t.rejects(trial.bodies(other), { name: 'Inconclusive', inconclusiveReason: 'contents' })
  const held = (await trial.readFeed(queue.uri, 'consume.feed')).entries
  t.match(await blockedBy(trial.bodies(held)), /^consume\.feed: GET .*\/raw, .* gave 403$/)
})

t.test('a queue whose feed shows no contents is judged by how many entries it has', async (t) => {
  await using broker = await fakeBroker()
  const trial = trialOf(broker)
  const queue = await trial.createQueue()
  const messages = await trial.sendMany(queue, 2)
  const stray = trial.freshMessage()
  let ids = ['1', '2']
  const told = '<content>a message</content>'
  broker.intercept = ({ method }) => (method === 'GET' ? feed(ids.map((id) => entry(id, told))) : undefined)
  await untilPending(trial, queue, messages)
  await expectPending(trial, queue, messages, 'both')
  t.notOk((await pendingBodies(trial, queue, [...messages, stray])).includes(stray.text))
  await t.rejects(needContents(trial), { name: 'NotApplicable' })
  for (const wrong of [['1'], ['1', '2', '3']]) {
    ids = wrong
    await t.rejects(
      expectPending(trial, queue, messages, 'both'),
      { name: 'Failed' },
      `${wrong.length} for 2`,
    )
  }
  // Where a queue's feed shows messages, one that stands in place of another is no other's.
  broker.intercept = () => undefined
  t.ok(await queuesShowContents(trialOf(broker)))
})

t.test('the feed of a queue may list those below beside its messages', async (t) => {
  await using broker = await fakeBroker()
  const trial = trialOf(broker)
  const [queue, below] = [await trial.createQueue(), await trial.createQueue()]
  const messages = await trial.sendMany(queue, 2)
  const entries = messages.map(({ text }, at) => entry(String(at), `<content>${text}</content>`))
  const listed = entry('below', `<link href="${below.uri}"/>`)
  broker.intercept = ({ method, path }) =>
    method === 'GET' && queue.uri.endsWith(path) ? feed([...entries, listed]) : undefined
  await expectPending(trial, queue, messages, 'both')
  entries.pop()
  await t.rejects(expectPending(trial, queue, messages, 'both'), { name: 'Failed' }, 'and stand for none')
})

t.test('an entry that tells of a message and includes it stands for that message', async (t) => {
  await using broker = await fakeBroker()
  const shown = new Map<string, string[]>()
  let told = (text: string) => `<content>text/plain, ${text.length} bytes: ${text}</content>`
  broker.intercept = ({ method, path, body }) => {
    const queue = path.replace(/^.*\?/, '')
    if (path.includes('/new/')) shown.set(queue, [...(shown.get(queue) ?? []), String(body)])
    const texts = shown.get(path.split('/').at(-1)!) ?? []
    return method === 'GET' ? feed(texts.map((text, at) => entry(String(at), told(text)))) : undefined
  }
  const html = (text: string) =>
    `<content type="html">&lt;p&gt;${text.length} bytes: ${text}&lt;/p&gt;</content>`
  for (const form of [told, html]) {
    told = form
    const trial = trialOf(broker)
    const queue = await trial.createQueue()
    const messages = await trial.sendMany(queue, 2)
    await expectPending(trial, queue, messages, 'both')
    t.strictSame(await pendingBodies(trial, queue, [messages[1]!]), [
      'an entry without a message (urn:e:0)',
      messages[1]!.text,
    ])
    shown.set(queue.path, [messages[0]!.text, messages[0]!.text])
    await t.rejects(expectPending(trial, queue, messages, 'both'), { name: 'Failed' }, 'one twice')
  }
  for (const spoilt of [
    (text: string) => `<content> ${text}</content>`,
    (text: string) => `<content>${text}0</content>`,
  ]) {
    told = spoilt
    t.ok(await queuesShowContents(trialOf(broker)), 'what is spoilt is shown for all that')
  }
})

t.test('a message that is longer than others may be cut, if the feed says so', async (t) => {
  await using broker = await fakeBroker()
  const trial = trialOf(broker)
  const queue = await trial.createQueue()
  const message = await trial.send(queue, trial.freshMessage('some words, and more of them, and then ').body)
  let shown = `${message.text.slice(0, 39)}…`
  broker.intercept = ({ method, path }) =>
    method === 'GET' && path.endsWith(queue.path)
      ? feed([entry('1', `<content>${shown}</content>`)])
      : undefined
  await expectPending(trial, queue, [message], 'it')
  await expectAsSent(trial, queue, [message], 'it, by what a consumer is given')
  for (const wrong of [message.text.slice(0, 39), `others ${shown}`, 'some words…']) {
    shown = wrong
    await t.rejects(expectPending(trial, queue, [message], 'it'), { name: 'Failed' }, wrong)
  }
})

t.test('more messages than a consumer may hold are compared, where queues do not show them', async (t) => {
  await using broker = await fakeBroker()
  broker.showsContents = false
  const trial = trialOf(broker)
  const queue = await trial.createQueue()
  const messages = await trial.sendMany(queue, 11)
  await expectAsSent(trial, queue, messages, 'all')
  const others = messages.slice(1)
  await t.rejects(expectAsSent(trial, queue, [trial.freshMessage(), ...others], 'all'), { name: 'Failed' })
})

t.test('an entry without an address cannot be acknowledged', async (t) => {
  await using broker = await fakeBroker()
  const trial = trialOf(broker, { messageUri: 'link[rel=other]' })
  const queue = await trial.createQueue()
  await trial.send(queue)
  const consumer = await trial.subscribe(queue)
  const [held] = await consumer.receiveCount(1)
  t.match(await blockedBy(consumer.tryAck(held!)), /^consume\.message-uri: .* \(link\[rel=other\]\)$/)
})

t.test('the profile decides how queues and subscriptions are written', async (t) => {
  await using broker = await fakeBroker()
  const body = async (createQueue: unknown, path: string) => {
    await trialOf(broker, { createQueue }).tryCreateQueue(path)
    return broker.got.findLast(({ method }) => method === 'POST')!
  }
  const json = {
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: '{"n":"{name}","m":"{name}"}',
  }
  t.equal((await body(json, 'a"\\/$&')).body.toString(), '{"n":"a\\"\\\\/$&","m":"a\\"\\\\/$&"}')
  const form = { headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, body: 'name={name}&x=1' }
  t.equal((await body(form, 'a&b/ü')).body.toString(), 'name=a%26b%2F%C3%BC&x=1')
  const xml = { headers: { 'Content-Type': 'application/q+xml' }, body: '<q n="{name}"/>' }
  t.equal((await body(xml, '<"&')).body.toString(), '<q n="&#60;&#34;&#38;"/>')
  const slug = await body({ headers: { Slug: '{name}' }, body: '' }, 'a/ü')
  t.equal(slug.headers.slug, 'a/%C3%BC')
  t.equal(slug.body.length, 0)

  const subscription = {
    parameters: { destination: 'd', prefetch: 'p', selector: 's', timeout: 't' },
    fixed: { kind: 'x' },
    timeoutFormat: '{ms}',
  }
  const trial = trialOf(broker, { subscription })
  const queue = await trial.createQueue('a/b')
  const consumer = await trial.subscribe([queue, 'c/*'], { prefetch: 1, selector: "x = 'y'", lease: 'short' })
  t.strictSame(
    [...new URLSearchParams(broker.got.at(-1)!.body.toString())],
    [
      ['kind', 'x'],
      ['d', 'a/b'],
      ['d', 'c/*'],
      ['p', '1'],
      ['s', "x = 'y'"],
      ['t', '1000'],
    ],
  )
  t.equal(consumer.lease, 1000)
  const own = trialOf(broker, {
    features: { selector: false },
    subscription: { parameters: { timeout: null, selector: null }, leaseSeconds: 7 },
  })
  t.equal((await own.subscribe('q', { lease: 'short', selector: 'ignored' })).lease, 7000)
  t.equal(broker.got.at(-1)!.body.toString(), 'destination=q&prefetch=10')
})

t.test('findings say what they are', async (t) => {
  await using broker = await fakeBroker()
  const trial: CheckTrial = trialOf(broker)
  trial.expect(true, 'x', 'y')
  trial.precondition(true, 'x', 'y')
  t.throws(() => trial.expect(false, 'good', 'bad'), new Failed('good', 'bad'))
  t.throws(() => trial.expect(false, 'good', () => 'late'), new Failed('good', 'late'))
  t.throws(() => trial.precondition(false, 'a.b', 'bad'), new Blocked('a.b', 'bad'))
  t.throws(() => trial.inconclusive('why'), new Inconclusive('why'))
  trial.choose('p', 'a')
  trial.choose('p', 'b')
  t.strictSame(trial.choices, [
    ['p', 'a'],
    ['p', 'b'],
  ])
  trial.observed('o')
  t.equal(trial.observation, 'o')
})

t.test("a stranger asks with its own headers and not the owner's", async (t) => {
  await using broker = await fakeBroker()
  const trial = trialOf(broker, { headers: { Authorization: 'owner', 'X-Own': '1' } })
  await trial.target.request('GET', trial.target.at('/queues'))
  t.match(broker.got.at(-1)!.headers, { authorization: 'owner', 'x-own': '1' })
  await trial.target.request('GET', trial.target.at('/queues'), {
    as: { Authorization: 'thief' },
    headers: { 'X-B': '2' },
  })
  t.match(broker.got.at(-1)!.headers, { authorization: 'thief', 'x-b': '2', 'x-own': undefined })
  t.equal(trial.target.exchanges.length, 2)
  t.equal(trial.target.queueUri('a b/ü'), `${broker.url}/queues/a%20b/%C3%BC`)
  broker.intercept = () => ({ headers: { Location: '../x' } })
  const answer = await trial.target.request('GET', `${broker.url}/a/b`)
  t.equal(trial.target.location(answer), `${broker.url}/x`)
  broker.intercept = () => ({ headers: { Location: '' } })
  t.equal(trial.target.location(await trial.target.request('GET', broker.url)), undefined)
})
