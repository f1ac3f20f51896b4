import { createHash } from 'node:crypto'
import t from 'tap'
import { createBroker } from '../broker/broker.js'
import { ManualClock } from '../clock/manual.js'
import { Control } from '../control/control.js'
import { idOfLease } from '../control/leases/lease-name.js'
import { controlRoutes } from '../control/routes.js'
import { DEFAULT_EDGE_LIMITS } from '../http/limits.js'
import { createLinks } from '../http/links.js'
import { Problem } from '../http/problems.js'
import { mappingRoutes } from '../mappings/routes.js'
import { type RunningServer, startServer } from '../server.js'
import { ACCESS } from './access.js'
import { guardRoutes } from './guard.js'
import type { Role } from './principal.js'

/** One party of each kind; the last two know nothing that the server would take. */
const PARTIES: Readonly<Record<string, readonly Role[] | undefined>> = {
  owner: ['produce', 'consume'],
  rival: ['produce', 'consume'],
  producer: ['produce'],
  consumer: ['consume'],
  admin: ['admin'],
  nothing: [],
  stranger: undefined,
  nobody: undefined,
}

/** Who gets past the door; everybody else is refused. `any` is every principal. */
const ANY = ['owner', 'rival', 'producer', 'consumer', 'admin', 'nothing']
const PRODUCERS = ['owner', 'rival', 'producer']
const CONSUMERS = ['owner', 'rival', 'consumer']
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  'GET /': ANY,
  'GET /queues': ANY,
  'POST /queues': [...PRODUCERS, 'admin'],
  'GET /queues/**': [...CONSUMERS, 'admin'],
  'POST /queues/**': PRODUCERS,
  'DELETE /queues/**': ['admin'],
  'POST /addresses/:address': PRODUCERS,
  'GET /subscriptions': ANY,
  'POST /subscriptions': CONSUMERS,
  'GET /subscriptions/:subscription': ['owner', 'admin'],
  'POST /subscriptions/:subscription': ['owner'],
  'DELETE /subscriptions/:subscription': ['owner'],
  'GET /subscriptions/:subscription/messages/:message': ['owner', 'admin'],
  'DELETE /subscriptions/:subscription/messages/:message': ['owner'],
  'GET /subscriptions/:subscription/messages/:message/content': ['owner', 'admin'],
  'GET /messages/:message': [...CONSUMERS, 'admin'],
  'GET /messages/:message/content': [...CONSUMERS, 'admin'],
  'GET /queue/**': CONSUMERS,
  'POST /queue/**': PRODUCERS,
  'POST /subscribe/:consumer/**': ['owner'],
  'POST /unsubscribe/:consumer/**': ['owner'],
  'POST /nextMessageForMe/:consumer': ['owner'],
  'POST /ack/:consumer/:message': ['owner'],
  'POST /lockNextMessage/:consumer': ['owner'],
  'GET /message/:consumer/:message': ['owner', 'admin'],
  'DELETE /:consumer/messages/:message': ['owner'],
  'GET /_control': ['admin'],
  'GET /_control/': ['admin'],
  'GET /_control/page/:asset': ['admin'],
  'GET /_control/clock': ['admin'],
  'POST /_control/clock': ['admin'],
  'GET /_control/dialect': ['admin'],
  'POST /_control/dialect': ['admin'],
  'GET /_control/faults': ['admin'],
  'POST /_control/faults': ['admin'],
  'DELETE /_control/faults': ['admin'],
  'GET /_control/faults/:fault': ['admin'],
  'DELETE /_control/faults/:fault': ['admin'],
  'GET /_control/journal': ['admin'],
  'DELETE /_control/journal': ['admin'],
  'POST /_control/journal/wait': ['admin'],
  'POST /_control/journal/expect-none': ['admin'],
  'GET /_control/journal/stream': ['admin'],
  'GET /_control/journal/scenario': ['admin'],
  'GET /_control/lanes': ['admin'],
  'POST /_control/verify': ['admin'],
  'POST /_control/idle': ['admin'],
  'GET /_control/state': ['admin'],
  'POST /_control/reset': ['admin'],
  'GET /_control/client': ['admin'],
  'POST /_control/client': ['admin'],
  'GET /_control/seed': ['admin'],
  'GET /_control/subscriptions': ['admin'],
  'POST /_control/subscriptions/end': ['admin'],
  'POST /_control/subscriptions/:lease/end': ['admin'],
  'GET /_control/messages': ['admin'],
  'POST /_control/messages/wait': ['admin'],
  'POST /_control/messages/expect': ['admin'],
  'POST /_control/messages/expect-handled-once': ['admin'],
  'POST /_control/seed': ['admin'],
}

const tokenOf = (party: string) => `token-of-${party}`
const headersOf = (party: string): Record<string, string> =>
  party === 'nobody' ? {} : { Authorization: `Bearer ${tokenOf(party)}` }

function principals() {
  return Object.entries(PARTIES).flatMap(([name, roles]) =>
    roles === undefined
      ? []
      : [
          {
            principal: { name, roles: new Set(roles) },
            hash: createHash('sha256').update(tokenOf(name)).digest(),
          },
        ],
  )
}

t.test('every method of every route has its row, and no row is for a route that is not there', async (t) => {
  const broker = createBroker()
  const routes = [
    ...mappingRoutes({ broker, links: createLinks(), limits: DEFAULT_EDGE_LIMITS }),
    ...controlRoutes(new Control(broker)),
  ]
  const rows = routes.flatMap(({ pattern, methods }) =>
    Object.keys(methods).map((method) => `${method} ${pattern}`),
  )
  t.same(rows.sort(), Object.keys(ACCESS).sort())
  t.same(rows, Object.keys(ALLOWED).sort())
  const [forgotten] = guardRoutes([{ pattern: '/new', methods: { GET: () => ({ status: 200 }) } }], broker)
  const request = { principal: { name: 'a', roles: new Set(['admin'] as const) } }
  t.throws(
    () => forgotten?.admit?.(request as never, 'GET'),
    new Problem('forbidden', 'These credentials do not suffice for this request.'),
    'a forgotten row opens nothing',
  )
  broker.close()
})

t.test('every kind of party at every door', async (t) => {
  const doors = Object.entries(ALLOWED).flatMap(([row, allowed]) =>
    Object.keys(PARTIES).map((party) => ({ row, party, isLetIn: allowed.includes(party) })),
  )
  const amiss: string[] = []
  for (const { row, party, isLetIn } of doors) {
    await using scene = await setScene()
    const [method = '', pattern = ''] = row.split(' ')
    const before = JSON.stringify(scene.state())
    const { status, headers, text } = await scene.ask(method, scene.address(pattern), party).then(read)
    const refusal = PARTIES[party] === undefined ? 401 : 403
    const isRight = isLetIn
      ? status !== 401 && status !== 403
      : status === refusal &&
        headers.has('WWW-Authenticate') === (refusal === 401) &&
        !text.includes('a secret') &&
        JSON.stringify(scene.state()) === before
    if (!isRight) amiss.push(`${party}: ${row} gave ${status}`)
  }
  t.strictSame(amiss, [], 'who may is let in; who may not is refused, is told nothing and changes nothing')
  t.strictSame(
    doors.length,
    Object.keys(ACCESS).length * Object.keys(PARTIES).length,
    'each of them was tried at each',
  )
})

async function read(answer: Response): Promise<{ status: number; headers: Headers; text: string }> {
  // A journal's stream and the like have no end.
  const isStream = answer.headers.get('Content-Type')?.startsWith('text/event-stream') === true
  return { status: answer.status, headers: answer.headers, text: isStream ? '' : await answer.text() }
}

/** Who asks, and how, at every GET: by each principal, without a body, and as a browser. */
const READINGS: readonly (readonly [party: string, method: string, headers?: Record<string, string>])[] = [
  ...ANY.map((party) => [party, 'GET'] as const),
  ...ANY.map((party) => [party, 'HEAD'] as const),
  ['owner', 'GET', { Accept: 'text/html' }],
  ['admin', 'GET', { 'If-None-Match': '*' }],
  ['owner', 'GET', { 'If-Match': '"another"' }],
]

t.test("no GET renews a lease but its consumer's own reading", async (t) => {
  const renewing: string[] = []
  for (const row of Object.keys(ALLOWED).filter((row) => row.startsWith('GET '))) {
    await using scene = await setScene()
    const address = scene.address(row.slice('GET '.length))
    for (const [party, method, headers = {}] of READINGS) {
      const { leases } = scene.state()
      await scene.advance(10)
      const answer = await scene.ask(method, address, party, headers)
      await answer.body?.cancel()
      const after = scene.state().leases
      for (const [index, [id, , end]] of leases.entries()) {
        if (after[index]?.[2] !== end) renewing.push(`${party} ${row} ${id === 'consumer:worker' ? id : ''}`)
      }
    }
  }
  t.same(renewing, [
    'owner GET /subscriptions/:subscription ',
    'owner GET /message/:consumer/:message consumer:worker',
  ])
})

t.test('an administrator sees what a consumer holds', async (t) => {
  await using scene = await setScene()
  for (const row of ['/subscriptions/:subscription', '/message/:consumer/:message']) {
    t.match(await (await scene.ask('GET', scene.address(row), 'admin')).text(), 'a secret')
  }
})

t.test('a session of one principal is not that of another', async (t) => {
  await using scene = await setScene()
  const take = (party: string) => scene.ask('GET', '/queue/taken?jsessionId=s', party)
  for (const body of ['1', '2', '3']) scene.send('taken', body)
  t.equal(await (await take('owner')).text(), '1')
  t.equal(await (await take('rival')).text(), '2')
  t.equal(scene.pending('taken'), 3, 'the second has not acknowledged for the first')
})

t.test("a consumer id stays its owner's while the end of its lease is remembered", async (t) => {
  const clock = new ManualClock()
  await using server = await startServer({
    broker: createBroker({ clock, limits: { endedLimit: 1 } }),
    principals: principals(),
    queues: ['a'],
  })
  const subscribe = async (consumer: string, party: string) =>
    (await fetch(`${server.url}/subscribe/${consumer}/a`, { method: 'POST', headers: headersOf(party) }))
      .status
  t.equal(await subscribe('worker', 'owner'), 200)
  clock.advance(60_000)
  t.equal(await subscribe('worker', 'rival'), 403)
  t.equal(await subscribe('worker', 'owner'), 200)
  clock.advance(60_000)
  t.equal(await subscribe('other', 'owner'), 200)
  clock.advance(60_000)
  t.equal(await subscribe('worker', 'rival'), 200, 'the oldest end is forgotten')
})

t.test('whoever is unknown learns nothing of which addresses there are', async (t) => {
  await using scene = await setScene()
  for (const path of ['/queues/held', '/queues/nowhere', '/nowhere', '/subscriptions/nobody']) {
    t.equal((await scene.ask('GET', path, 'stranger')).status, 401)
    t.equal((await scene.ask('OPTIONS', path, 'nobody')).status, 401)
  }
  t.equal((await scene.ask('GET', '/subscriptions/nobody', 'owner')).status, 404)
})

/** A server where the owner has a subscription and a consumer that hold a message each. */
async function setScene() {
  const server: RunningServer = await startServer({
    queues: ['held', 'locked', 'taken'],
    principals: principals(),
    control: true,
    clock: 'manual',
  })
  const { broker } = server
  const send = (queue: string, body: string) =>
    broker.send(queue, { body: Buffer.from(body), contentType: 'text/plain', properties: new Map() })
  const shown = send('held', 'a secret')
  send('locked', 'a secret')
  const subscription = broker.subscribe({ destinations: ['held'], owner: 'owner' })
  broker.subscribeConsumer('worker', 'locked', { owner: 'owner' })
  const [delivery] = broker.consume(subscription.id).deliveries
  const [locked] = broker.lock('worker', 1)
  const unused = broker.newAddress('taken')
  const params: Record<string, string> = {
    '/subscriptions/:subscription/messages/:message': `/subscriptions/${subscription.id}/messages/${delivery?.id}`,
    '/subscriptions/:subscription': `/subscriptions/${subscription.id}`,
    '/messages/:message': `/messages/${shown.id}`,
    '/addresses/:address': `/addresses/${unused}`,
    '/:consumer/messages/:message': `/worker/messages/${locked?.id}`,
    '/message/:consumer/:message': `/message/worker/${locked?.id}`,
    '/ack/:consumer/:message': `/ack/worker/${locked?.id}`,
    '/queues/**': '/queues/held',
    '/queue/**': '/queue/taken',
  }
  return {
    send,
    pending: (queue: string) => broker.queue(queue).pending,
    address(pattern: string): string {
      const known = Object.keys(params).find((start) => pattern.startsWith(start))
      const begun = known === undefined ? pattern : params[known] + pattern.slice(known.length)
      return begun.replace(':consumer', 'worker').replace('**', 'locked')
    },
    advance: (milliseconds: number) => server.clock.advance(milliseconds),
    ask(method: string, path: string, party: string, more: Record<string, string> = {}) {
      const headers = { ...headersOf(party), ...more }
      if (!path.endsWith('/wait')) return fetch(`${server.url}${path}`, { method, headers })
      return fetch(`${server.url}${path}`, { method, headers, body: '{"timeout": 1}' })
    },
    state() {
      const queues = [...broker.parts.queues]
      const leases = [...broker.parts.subscriptions]
      return {
        queues: queues.map(({ name, pending, held, version }) => [name, pending, held, version]),
        leases: leases.map((each) => [idOfLease(each), [...each.held.keys()], each.leaseEndsAt] as const),
        addresses: broker.parts.deduplication.openAddresses,
      }
    },
    [Symbol.asyncDispose]: () => server.stop(),
  }
}

t.test('who lacks a role is told which', async (t) => {
  const principal = { name: 'shop', roles: new Set(['produce'] as const) }
  const broker = createBroker()
  const tell = (pattern: string, method: 'GET' | 'POST' | 'DELETE') => {
    const [route] = guardRoutes([{ pattern, methods: { [method]: () => ({ status: 200 }) } }], broker)
    try {
      return route?.admit?.({ principal } as never, method, 'x')
    } catch (error) {
      return (error as Problem).message
    }
  }
  t.match(tell('/_control/', 'GET'), 'for this request: it takes the role admin.')
  t.match(tell('/queues/**', 'GET'), 'for this request: it takes the role consume or admin.')
  t.equal(tell('/queues/**', 'POST'), undefined)
  broker.close()
})
