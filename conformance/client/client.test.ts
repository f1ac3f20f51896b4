import t from 'tap'
import type { Request } from '../model/model.js'
import { Client, type Names } from './client.js'
import { FreshMessages } from './fresh-messages.js'
import { HttpClient } from './http-client.js'
import { HttpTarget } from './http-target.js'
import { InProcess } from './in-process.js'
import { messagesIn } from './message-in.js'
import { parseProfile } from './parse-profile.js'
import { RunMemory } from './run-memory.js'
import { Speaker } from './speaker.js'

const BASE = 'http://handler.test/mq'
const LEASE = { length: 30_000, grace: 0, renewedBy: [] }

interface Asked {
  readonly method: string
  /** With its query, below the base. */
  readonly path: string
  readonly body: string
  readonly authorization: string | null
}

type Answered = readonly [status: number, body?: string, headers?: Record<string, string>]

/** A client of a handler, with the queue `a`, `b` below `c`, and the messages `m1` and `m2`. */
function clientOf(answer: (asked: Asked) => Answered, profileJson: object = {}) {
  const asked: Asked[] = []
  const transport = new InProcess(async (request) => {
    const { pathname, search } = new URL(request.url)
    const path = (pathname + search).replace(/^\/mq/, '')
    const body = await request.text()
    const one = { method: request.method, path, body, authorization: request.headers.get('authorization') }
    asked.push(one)
    const [status, text = null, headers = {}] = answer(one)
    return new Response(status === 204 ? null : text, { status, headers })
  })
  const profile = parseProfile({ headers: { Authorization: 'owner' }, ...profileJson })
  const client = new HttpClient(transport)
  const target = new HttpTarget({ baseUrl: BASE, profile, client, answerTimeout: 1000 })
  const messages = new FreshMessages(profile)
  const speaker = new Speaker({ profile, target, messages, memory: new RunMemory(), settle: 0 })
  const made = new Map(['m1', 'm2'].map((name, at) => [name, messages.make(`kit-0123456789-${at}`, name)]))
  const nameOf = (text: string) => [...made].find(([, each]) => each.text === text)?.[0]
  const names: Names = {
    path: (name) => `kit-${name}`,
    queue: (name) => ({ path: `kit-${name}`, uri: `${BASE}/queues/kit-${name}` }),
    body: (message) => made.get(message)!.body,
    nameOf: (body) => nameOf(body.toString()),
    messageIn: async (exchange, how) => {
      const [first] = await messagesIn(speaker.readerFor(how), exchange, [...made.values()])
      return first && nameOf(first.text)
    },
    time: () => ({ from: 0, to: 1 }),
    queuesShowContents: async () => false,
  }
  return { asked, client: new Client(speaker, names), text: (name: string) => made.get(name)!.text }
}

/** What a handler is asked by a request, as a line. */
async function spoken(request: Request): Promise<readonly string[]> {
  const { asked, client } = clientOf(({ path }) => [201, '', { Location: `/mq${path}/made` }])
  await client.ask(request)
  return asked.map(({ method, path, body }) => [method, path, body].filter((each) => each !== '').join(' '))
}

t.test('each operation is the request that the document has for it', async (t) => {
  const { text } = clientOf(() => [200])
  const address = `${BASE}/new/1`
  const destinations = [{ queue: 'a' }, { below: 'c' }]
  const consumer = 'kit-A'
  const cases: readonly (readonly [Request, string])[] = [
    [{ do: 'deleteQueue', queue: 'a' }, 'DELETE /queues/kit-a'],
    [{ do: 'newAddress', queue: 'a' }, 'POST /queues/kit-a'],
    [{ do: 'postMessage', address, body: 'm1', colour: 'red' }, `POST /new/1 ${text('m1')}`],
    [
      { do: 'sendOnce', queue: 'a', guid: 'g 1', body: 'm1', colour: 'red' },
      `POST /queues/kit-a?guid=g%201 ${text('m1')}`,
    ],
    [
      { do: 'subscribe', destinations, prefetch: 2, selector: 'red', lease: LEASE },
      'POST /subscriptions destination=kit-a&destination=kit-c%2F*&prefetch=2&selector=colour+%3D+%27red%27&timeout=30',
    ],
    [{ do: 'unsubscribe', consumer: `${BASE}/s/1` }, 'DELETE /s/1'],
    [{ do: 'acknowledge', uri: `${BASE}/m/1` }, 'DELETE /m/1'],
    [{ do: 'look', uri: `${BASE}/m/1` }, 'GET /m/1'],
    [{ do: 'look', uri: `${BASE}/s/1`, head: true }, 'HEAD /s/1'],
    [{ do: 'sendBySinglePath', queue: 'a', body: 'm1', colour: 'red' }, `POST /queue/kit-a ${text('m1')}`],
    [{ do: 'takeBySinglePath', queue: 'a', session: 'S', lease: LEASE }, 'GET /queue/kit-a?jsessionId=S'],
    [{ do: 'join', consumer, queue: 'a', lease: LEASE, prefetch: 9 }, 'POST /subscribe/kit-A/kit-a'],
    [{ do: 'leave', consumer, queue: 'a' }, 'POST /unsubscribe/kit-A/kit-a'],
    [{ do: 'nextMessage', consumer }, 'POST /nextMessageForMe/kit-A'],
    [{ do: 'lockNextMessages', consumer, max: 3 }, 'POST /lockNextMessage/kit-A?max=3'],
    [
      { do: 'acknowledgeInPost', consumer: `${BASE}/s/1`, uris: [`${BASE}/m/1`, `${BASE}/m/2`] },
      `POST /s/1 ${BASE}/m/1\r\n${BASE}/m/2\r\n`,
    ],
  ]
  const seen = await Promise.all(cases.map(([request]) => spoken(request)))
  t.strictSame(
    seen,
    cases.map(([, line]) => [line]),
  )
  t.equal((await spoken({ do: 'createQueue', queue: 'a' }))[0], 'POST /queues kit-a')
})

const ATOM = 'application/atom+xml'
const feed = (entries: readonly string[], next = '') =>
  `<feed xmlns="http://www.w3.org/2005/Atom"><id>urn:f</id>${next}${entries.join('')}</feed>`
const entry = (id: string, content: string) =>
  `<entry><id>${id}</id><link rel="edit" href="/mq/m/${id}"/><content>${content}</content></entry>`

t.test('a feed is read with all its pages, and what moved to the next is told once', async (t) => {
  const { client, text } = clientOf(({ path }) =>
    path === '/s/1'
      ? [200, feed([entry('1', text('m1'))], '<link rel="next" href="/mq/s/1?2"/>'), { 'Content-Type': ATOM }]
      : [200, feed([entry('1', text('m1')), entry('2', text('m2'))]), { 'Content-Type': ATOM }],
  )
  const { answer, sizes } = await client.ask({ do: 'consume', consumer: `${BASE}/s/1` })
  t.match(answer, {
    ...{ status: 200, inPages: true, from: 0, to: 1 },
    entries: [
      { body: 'm1', uri: `${BASE}/m/1` },
      { body: 'm2', uri: `${BASE}/m/2` },
    ],
  })
  t.strictSame(sizes, [1, 1])
})

t.test('of a feed that is refused, the pages that it had are asked for', async (t) => {
  let gone: readonly string[] = []
  const { client, text } = clientOf(({ path }) => {
    if (gone.includes(path)) return [404]
    const [name, next] = path === '/s/1' ? ['m1', '<link rel="next" href="/mq/s/1?2"/>'] : ['m2']
    return [200, feed([entry('1', text(name!))], next), { 'Content-Type': ATOM }]
  })
  const read = async (as?: Record<string, string>) => {
    const { answer } = await client.ask({ do: 'consume', consumer: `${BASE}/s/1` }, as ? { as } : {})
    return [answer.status, ...(answer.entries ?? []).map(({ body }) => body)]
  }
  await read()
  gone = ['/s/1']
  t.strictSame(await read(), [200, 'm2'])
  t.strictSame(await read({ Authorization: 'stranger' }), [404])
  gone = ['/s/1', '/s/1?2']
  t.strictSame(await read(), [404])
})

t.test('what nobody sent is told by its beginning, and of a queue it may be a description', async (t) => {
  const { client } = clientOf(() => [200, feed([entry('1', 'something')]), { 'Content-Type': ATOM }])
  const { answer } = await client.ask({ do: 'consume', consumer: `${BASE}/s/1` })
  t.match(answer.entries, [{ body: 'the body "something"' }])
  const browsed = await client.ask({ do: 'browseQueue', queue: 'a' })
  t.match(browsed.answer, { status: 200, count: 1, entries: undefined }, 'so that it is counted alone')
})

t.test(
  'of a queue whose feed shows no contents the entries are counted, each once over all pages',
  async (t) => {
    const bare = (...ids: string[]) => ids.map((id) => `<entry><id>${id}</id></entry>`)
    const { client } = clientOf(({ path }) => {
      const next = '<link rel="next" href="/mq/queues/kit-a/more"/>'
      const page = path === '/queues/kit-a' ? [next, ...bare('1', '2')] : bare('2', '3')
      return [200, feed(page), { 'Content-Type': ATOM }]
    })
    const { answer } = await client.ask({ do: 'browseQueue', queue: 'a' })
    t.match(answer, { status: 200, count: 3, inPages: true, entries: undefined })
  },
)

t.test('queues and categories below a queue may stand in its feed, but no messages of theirs', async (t) => {
  const childOf = (title: string, href: string, inner = '') =>
    `<entry><id>urn:${title}</id><title>${title}</title><link href="${href}"/>${inner}</entry>`
  let entries: string[] = []
  let below = '<feed xmlns="http://www.w3.org/2005/Atom"/>'
  const { client, text } = clientOf(({ path }) => {
    if (path === '/queues') return [201, '', { Location: '/mq/q/7' }]
    return [200, path === '/q/7' ? below : feed(entries), { 'Content-Type': ATOM }]
  })
  for (const queue of ['a', 'a/b', 'a/c/d']) await client.ask({ do: 'createQueue', queue })
  const browsed = async () => {
    const { answer } = await client.ask({ do: 'browseQueue', queue: 'a' })
    return (answer.entries ?? []).map(({ body }) => body)
  }
  entries = [entry('1', text('m1')), childOf('b', '/mq/q/7'), childOf('c', '/mq/queues/kit-a/c/')]
  t.strictSame(await browsed(), ['m1'])
  below = feed([entry('2', text('m2'))])
  t.strictSame(await browsed(), ['m1'], 'that of a queue with messages')
  entries = [entry('1', text('m1')), childOf('all of c', '/mq/queues/kit-a/c/d')]
  t.strictSame(await browsed(), ['m1'], 'and one further below')
  entries = [entry('1', text('m1')), childOf('e', '/mq/q/7')]
  t.strictSame(await browsed(), ['m1'], 'and one that nobody has told of')
  entries = [entry('1', text('m1')), childOf('b', 'urn:x', `<content>${text('m2')}</content>`)]
  t.strictSame(await browsed(), ['m1', 'm2'], 'a message of the other')
})

t.test('a party without permission asks for what is linked, too', async (t) => {
  const linked = '<entry><id>1</id><content src="/mq/c/1"/></entry>'
  const { asked, client } = clientOf(({ path }) =>
    path === '/s/1' ? [200, feed([linked]), { 'Content-Type': ATOM }] : [200, 'x'],
  )
  await client.ask({ do: 'consume', consumer: `${BASE}/s/1` }, { as: { Authorization: 'stranger' } })
  t.strictSame(
    asked.map(({ path, authorization }) => [path, authorization]),
    [
      ['/s/1', 'stranger'],
      ['/c/1', 'stranger'],
    ],
  )
})

t.test('listings are followed to the queues that are asked for', async (t) => {
  const { client } = clientOf(({ path }) => {
    if (path === '/queues') return [200, feed([entry('kit-a', '')]), { 'Content-Type': ATOM }]
    return path === '/queues/kit-c' ? [200, feed([entry('kit-b', '')]), { 'Content-Type': ATOM }] : [404]
  })
  const shown = async (request: Request) =>
    (await client.ask(request)).answer.entries?.map(({ body }) => body)
  t.strictSame(await shown({ do: 'listQueues', queues: ['a', 'z'] }), ['a'])
  t.strictSame(await shown({ do: 'listQueues', queues: ['b', 'z'], below: 'c' }), ['b'])
  t.strictSame(await shown({ do: 'listQueues', queues: ['b'], below: 'none' }), [])
})

t.test('what was given to a consumer of section 4.2 is acknowledged as it was given', async (t) => {
  let isFetched = 0
  const { asked, client, text } = clientOf(({ method, path }) => {
    if (path.startsWith('/nextMessageForMe')) return [200, text('m1'), { 'Message-Id': '/x/1' }]
    if (path.startsWith('/lockNextMessage')) return [200, '/mq/message/kit-A/2\r\n']
    // What is locked is fetched until there is an answer.
    if (method === 'GET') return ++isFetched < 3 ? [500] : [200, text('m2')]
    return [path === '/ack/kit-A/%2Fx%2F1' ? 404 : 200]
  })
  const consumer = 'kit-A'
  const next = await client.ask({ do: 'nextMessage', consumer })
  const locked = await client.ask({ do: 'lockNextMessages', consumer, max: 1 })
  t.match(
    [next, locked].map(({ answer }) => answer.entries),
    [[{ body: 'm1' }], [{ body: 'm2', uri: `${BASE}/message/kit-A/2` }]],
  )
  const before = asked.length
  for (const { answer } of [next, locked])
    await client.ask({ do: 'acknowledgeForConsumer', uri: answer.entries![0]!.uri })
  await client.ask({ do: 'fetchLocked', uri: `${BASE}/message/kit-A/2` })
  t.strictSame(
    asked.slice(before).map(({ method, path }) => `${method} ${path}`),
    ['POST /ack/kit-A/%2Fx%2F1', 'POST /ack/kit-A/1', 'DELETE /kit-A/messages/2', 'GET /message/kit-A/2'],
  )
  await t.rejects(client.ask({ do: 'fetchLocked', uri: 'http://never.test/' }), /nobody was given/)
})

t.test('a list of nothing may be of JSON; what lists something else is told', async (t) => {
  const unread = async (body: string) => {
    const { client } = clientOf(() => [200, body, { 'Content-Type': 'application/json' }])
    return (await client.ask({ do: 'lockNextMessages', consumer: 'kit-A', max: 1 })).unread
  }
  t.strictSame(
    await Promise.all(['[]', '{"messages": [], "count": 0}', ''].map(unread)),
    Array(3).fill(undefined),
  )
  t.match(await unread('{"messages": ["none"]}'), /no message is found/)
})

t.test('the answer to acknowledgements may show the next messages', async (t) => {
  const { client, text } = clientOf(() => [200, feed([entry('2', text('m2'))]), { 'Content-Type': ATOM }])
  const request = { do: 'acknowledgeInPost', consumer: `${BASE}/s/1`, uris: [`${BASE}/m/1`] } as const
  t.match((await client.ask(request)).answer.entries, [{ body: 'm2', uri: `${BASE}/m/2` }])
  const unreadable = clientOf(() => [200, feed(['<entry><id>1</id></entry>']), { 'Content-Type': ATOM }])
  t.equal((await unreadable.client.ask(request)).answer.entries, undefined)
})

t.test('what the profile does not allow is not asked', async (t) => {
  const { asked, client } = clientOf(() => [200], {
    queueNames: { maxLength: 3 },
    guid: { maxLength: 1 },
    subscription: { maxPrefetch: 2 },
  })
  const destinations = [{ queue: 'a' }]
  for (const request of [
    { do: 'createQueue', queue: 'a' },
    { do: 'sendOnce', queue: 'a', guid: 'long', body: 'm1', colour: 'red' },
    { do: 'subscribe', destinations, prefetch: 3, lease: LEASE },
  ] as const satisfies Request[])
    await t.rejects(client.ask(request), { name: 'NotApplicable' }, request.do)
  t.strictSame(asked, [])
})
