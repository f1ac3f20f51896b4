import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { parseProfile } from '../client/parse-profile.js'
import type { Got, Reply } from '../client/serve.test.helper.js'
import { runConformance } from '../judge.js'
import type { Check } from '../trial/check.js'
import { entry, fakeBroker, feed } from '../trial/fake-broker.test.helper.js'
import type { Trial } from '../trial/trial.js'
import { trialOf } from '../trial/trial-of.test.helper.js'
import { skipIdleTime } from '../virtual-time.test.helper.js'
import { outcomeAt } from './alternatives.test.helper.js'
import { checks, checksIn } from './index.js'
import { checksOf } from './row-check.js'

skipIdleTime()

t.test('where two steps come to nothing, rows of other topics send by guid', async (t) => {
  await using broker = await fakeBroker()
  const isStep1 = ({ method, path }: { method: string; path: string }) =>
    method === 'POST' && path.startsWith('/mq/queues/') && !path.includes('?guid=')
  let made = 0
  for (const [check, intercept] of [
    ['send.address', (got: Got) => (isStep1(got) ? { status: 405 } : undefined)],
    [
      'send.address-makes-no-message',
      (got: Got) => {
        const empty = { ...got, path: `${got.path}?guid=empty-${++made}`, body: Buffer.from('') }
        if (isStep1(got)) broker.answer(empty)
        return undefined
      },
    ],
  ] as const) {
    broker.intercept = intercept
    const only = [check, 'dedup.send', 'ack.succeeds', 'ack.leaves-feed']
    const profile = parseProfile({ features: { guid: true } })
    const { results } = await runConformance(broker.url, { checks, only, profile }).report
    t.strictSame(Object.fromEntries(results.map(({ id, status }) => [id, status])), {
      ...{ [check]: 'fail', 'dedup.send': 'pass', 'ack.succeeds': 'pass', 'ack.leaves-feed': 'pass' },
    })
  }
})

t.test('a row that sends many messages sends them by guid where the target has that', async (t) => {
  await using broker = await fakeBroker()
  const row = 'browse.mine: browse.queue.entries\n  create a; send m1..m100 to a\n  ! browse a'
  for (const guid of [true, false]) {
    const guids = new Set<string>()
    broker.intercept = ({ path }) => void (path.includes('?guid=') && guids.add(path))
    const profile = parseProfile({ features: { guid } })
    const { results } = await runConformance(broker.url, { checks: checksIn(row), profile }).report
    t.match(results, [{ status: 'pass' }])
    t.equal(guids.size, guid ? 100 : 0)
  }
})

t.test('no lease is asked for that is shorter than the target has them', async (t) => {
  await using broker = await fakeBroker()
  const only = ['lease.sends-renew-nothing']
  for (const [leaseSeconds, status] of [
    [3, 'not-applicable'],
    [2, 'pass'],
  ] as const) {
    const profile = parseProfile({ subscription: { leaseSeconds } })
    const { results } = await runConformance(broker.url, { checks, only, profile }).report
    t.match(
      results.find(({ id }) => only.includes(id)),
      { status },
      `${leaseSeconds} s`,
    )
  }
})

t.test('what a lease was too short for is done no further, and anew with a longer one', async (t) => {
  await using broker = await fakeBroker()
  let [tries, ends] = [0, 0]
  broker.intercept = async ({ method, path, body }) => {
    const made = method === 'POST' && path === '/mq/queues' ? body.toString() : ''
    if (made.endsWith('-begin')) tries += 1
    if (made.endsWith('-end')) ends += 1
    // Slower than anybody could know before.
    if (method === 'GET' && path.endsWith('-begin')) await sleep(400)
    return undefined
  }
  const row =
    'lease.hasty: lease.active\n  create begin; subscribe A to begin; wait part of A; browse begin; ! read A; create end'
  const [record] = checksOf(row)
  const hasty: Check = { title: 'A row.', grade: 'stated', ...record! }
  const { results } = await runConformance(broker.url, { checks: [hasty] }).report
  t.match(results, [{ status: 'pass' }])
  t.strictSame([tries, ends], [2, 1])
})

/** What comes of some checks at a broker that answers as `intercept` says. */
async function statusesAt(
  intercept: (got: Got, answer: (got: Got) => Reply) => Reply | undefined,
  only: readonly string[],
): Promise<Record<string, string>> {
  await using broker = await fakeBroker()
  broker.intercept = (got) => intercept(got, broker.answer)
  const { results } = await runConformance(broker.url, { checks, only }).report
  return Object.fromEntries(results.map(({ id, status, blockedBy }) => [id, blockedBy ?? status]))
}

t.test('where data of a subscription are taken as JSON alone, they are sent so', async (t) => {
  const only = ['subscribe.create', 'subscribe.form', 'consume.delivers', 'consume.all']
  const asForm = (got: Got, answer: (got: Got) => Reply) => {
    if (got.method !== 'POST' || got.path !== '/mq/subscriptions') return undefined
    if (got.headers['content-type'] !== 'application/json') return { status: 415 }
    const pairs = Object.entries(JSON.parse(String(got.body))).flatMap(([name, values]) =>
      [values].flat().map((value): [string, string] => [name, String(value)]),
    )
    return answer({ ...got, body: Buffer.from(`${new URLSearchParams(pairs)}`) })
  }
  t.strictSame(await statusesAt(asForm, only), {
    ...{ 'subscribe.create': 'fail', 'subscribe.form': 'fail' },
    ...{ 'consume.delivers': 'pass', 'consume.all': 'pass' },
  })
})

t.test('where messages have no addresses of their own, they are known by what they are', async (t) => {
  const only = [
    'consume.message-uri',
    'consume.many',
    'consume.own-view',
    'prefetch.fills',
    'ack.leaves-feed',
  ]
  const isOfConsumer = ({ method, path }: Got) => method === 'GET' && /\/subscriptions\/\d+$/.test(path)
  for (const addressed of ['', '<link rel="edit" href="/mq/subscriptions/1/1"/>'])
    t.strictSame(
      await statusesAt((got, answer) => {
        if (!isOfConsumer(got)) return undefined
        const { body = '', ...reply } = answer(got)
        return { ...reply, body: String(body).replaceAll(/<link rel="edit"[^>]*>/g, addressed) }
      }, only),
      {
        ...{ 'consume.message-uri': 'fail', 'consume.many': 'fail' },
        ...{ 'consume.own-view': 'pass', 'prefetch.fills': 'pass', 'ack.leaves-feed': 'consume.message-uri' },
      },
    )
})

t.test('where the newest message waits for another, another is sent', async (t) => {
  const only = ['consume.delivers', 'consume.later', 'lease.deletion-hands-over', 'prefetch.refill']
  const newest = new Map<string, Got>()
  const waiting = (got: Got, answer: (got: Got) => Reply) => {
    if (got.method !== 'POST' || !got.path.startsWith('/mq/new/')) return undefined
    const queue = got.path.slice(got.path.indexOf('?'))
    const before = newest.get(queue)
    if (before?.path === got.path) return { status: 200 }
    newest.set(queue, got)
    if (before !== undefined) answer(before)
    return { status: 200 }
  }
  const { 'consume.delivers': delivers, 'consume.later': later, ...others } = await statusesAt(waiting, only)
  t.strictSame([delivers, later].includes('fail'), true, 'it is found')
  t.strictSame(others, { 'lease.deletion-hands-over': 'pass', 'prefetch.refill': 'pass' })
})

t.test(
  'what sends in two steps that come to nothing is blocked by these, and fails nothing else',
  async (t) => {
    await using broker = await fakeBroker()
    const isStep2 = ({ method, path }: Got) => method === 'POST' && path.startsWith('/mq/new/')
    const lost = new Set<string>()
    broker.intercept = (got) => {
      if (!isStep2(got) || lost.has(got.path)) return undefined
      lost.add(got.path)
      return { status: 200 }
    }
    const rows = checksOf(`
consume.of-two-steps: consume.status consume.delivered
  create a; send m1 to a by two-step; subscribe A to a
  ! read A
`)
    const only = [
      'send.post',
      'send.repeat-held',
      'browse.queue',
      'consume.delivers',
      'dedup.send',
      'consume.of-two-steps',
    ]
    const profile = parseProfile({ features: { guid: true } })
    const all = [...checks, ...rows.map((row) => ({ ...row, title: '', grade: 'stated' as const }))]
    const { results } = await runConformance(broker.url, { checks: all, only, profile }).report
    t.strictSame(Object.fromEntries(results.map(({ id, status, blockedBy }) => [id, blockedBy ?? status])), {
      ...{
        'browse.queue': 'pass',
        'send.post': 'fail',
        'send.repeat-held': 'send.post',
        'dedup.send': 'pass',
      },
      ...{ 'consume.delivers': 'pass', 'consume.of-two-steps': 'send.post' },
    })
  },
)

t.test('where the Locations of queues are dead or one for all, queues are used at their paths', async (t) => {
  for (const [check, location] of [
    ['queues.takes-messages', '/mq/dead'],
    ['queues.own-address', '/mq/queues/first'],
  ] as const) {
    await using broker = await fakeBroker()
    broker.answer({ method: 'POST', path: '/mq/queues', headers: {}, body: Buffer.from('first') } as never)
    broker.intercept = (got) => {
      if (got.method !== 'POST' || got.path !== '/mq/queues') return undefined
      return { ...broker.answer(got), headers: { Location: location } }
    }
    const only = [check, 'ack.succeeds', 'ack.leaves-feed', 'prefetch.fills', 'browse.held']
    const { results } = await runConformance(broker.url, { checks, only }).report
    t.strictSame(Object.fromEntries(results.map(({ id, status }) => [id, status])), {
      ...{
        'browse.held': 'pass',
        'prefetch.fills': 'pass',
        'ack.succeeds': 'pass',
        'ack.leaves-feed': 'pass',
      },
      [check]: 'fail',
    })
  }
})

t.test('a message of another check in a feed is no spoilt body', async (t) => {
  await using broker = await fakeBroker()
  broker.intercept = ({ method, path }) =>
    method === 'GET' && path.includes('/subscriptions/')
      ? feed([entry('other', '<content>m1 kit-0123456789-1</content>')])
      : undefined
  const only = ['send.address-makes-no-message', 'consume.only-its-destinations']
  const { results } = await runConformance(broker.url, { checks, only }).report
  t.match(results, [
    { id: 'send.address-makes-no-message', status: 'pass' },
    { id: 'consume.only-its-destinations', status: 'fail' },
  ])
})

t.test('what a row says that is shown has its time to show', async (t) => {
  const rows = checksOf(`
subscribe.later: subscribe.destinations.later shows m1 as later
  create b; by path: subscribe A to a; create a; send m1 to a
  ! read A

subscribe.nothing: subscribe.destinations.later shows nothing as nothing
  create a; subscribe A to a
  ! read A
`).map((row) => ({ title: row.id, grade: 'chosen' as const, ...row }))
  for (const [late, status] of [
    [40, 'pass'],
    [3000, 'fail'],
  ] as const) {
    await using broker = await fakeBroker()
    let sent = Number.POSITIVE_INFINITY
    broker.intercept = ({ method, path }) => {
      if (method === 'POST' && path.includes('/new/')) sent = performance.now()
      const isFeed = method === 'GET' && path.includes('/subscriptions/')
      return isFeed && performance.now() < sent + late ? feed([]) : undefined
    }
    const { results, choices } = await runConformance(broker.url, { checks: rows, strict: true }).report
    t.match(Object.fromEntries(results.map(({ id, status }) => [id, status])), {
      ...{ 'subscribe.later': status, 'subscribe.nothing': 'pass' },
    })
    t.match(choices, { later: status === 'pass' ? 'm1' : 'nothing', nothing: 'nothing' })
  }
})

t.test('a lease that nobody is told of shortens no wait before it begins', async (t) => {
  await using broker = await fakeBroker()
  let sent = Number.POSITIVE_INFINITY
  broker.intercept = ({ method, path }) => {
    if (path.includes('/subscribe/')) return {}
    if (method === 'POST' && path.includes('/new/')) sent = performance.now()
    const isFeed = method === 'GET' && path.includes('/subscriptions/')
    return isFeed && performance.now() < sent + 1300 ? feed([]) : undefined
  }
  const row =
    'lease.mine: consume.delivered\n  create a; send m1 to a; subscribe A to a\n  ! read A; end A; join C to a'
  const profile = parseProfile({ features: { 'one-at-a-time': true } })
  const { results } = await runConformance(broker.url, { checks: checksIn(row), profile }).report
  t.match(results, [{ status: 'pass' }])
})

t.test('what is to be remembered is asked about so long after it was sent as the run says', async (t) => {
  const FORGOTTEN = 5000
  for (const [remember, status] of [
    [undefined, 'pass'],
    [6, 'fail'],
  ] as const) {
    await using broker = await fakeBroker()
    const first = new Map<string, number>()
    broker.intercept = ({ method, path }) => {
      if (method !== 'POST' || !path.includes('?guid=')) return undefined
      const at = first.get(path) ?? performance.now()
      first.set(path, at)
      return performance.now() - at > FORGOTTEN ? { status: 409 } : undefined
    }
    const profile = parseProfile({ features: { guid: true } })
    const only = ['dedup.repeat-late', 'dedup.repeat']
    const { results } = await runConformance(broker.url, {
      ...{ checks, only, profile },
      ...(remember === undefined ? {} : { remember }),
    }).report
    t.equal(results.find(({ id }) => id === 'dedup.repeat-late')?.status, status)
  }
})

t.test('a creation that does not tell where what was made is costs the checks of that alone', async (t) => {
  await using broker = await fakeBroker()
  broker.intercept = async ({ method, path, headers, body }) => {
    const isCreation = method === 'POST' && path === '/mq/queues' && headers.inner === undefined
    if (!isCreation) return undefined
    const type = String(headers['content-type'])
    const own = { inner: 'yes', 'Content-Type': type }
    const url = new URL(path, broker.url)
    const { status } = await fetch(url, { method, headers: own, body: new Uint8Array(body) })
    return { status }
  }
  const only = ['queues.create', 'queues.hierarchy', 'send.repeat', 'ack.leaves-queue']
  const { results } = await runConformance(broker.url, { checks, only }).report
  t.strictSame(Object.fromEntries(results.map(({ id, status }) => [id, status])), {
    ...{ 'queues.create': 'fail', 'queues.hierarchy': 'pass', 'send.repeat': 'pass' },
    'ack.leaves-queue': 'pass',
  })
})

t.test('a row tells of a clause beside its own, unless another check has found it broken', async (t) => {
  const rows = checksOf(`
ack.leaves: browse.pending.acknowledged
  create a; send m1 to a; subscribe A to a; read A
  ! ack A m1
  browse a

ack.status: ack.status
  create a; send m1 m2 to a; subscribe A to a; read A
  ack A m1
  ! ack A m2
  browse a
`).map((row) => ({ title: row.id, grade: 'stated' as const, ...row }))
  for (const [wrong, statuses] of [
    [1, { 'ack.leaves': 'fail', 'ack.status': 'pass' }],
    [2, { 'ack.leaves': 'pass', 'ack.status': 'fail' }],
  ] as const) {
    await using broker = await fakeBroker()
    const acks = new Map<string, number>()
    broker.intercept = (got) => {
      const [, lease] = (got.method === 'DELETE' && /^(.*subscriptions\/[^/]+)\/./.exec(got.path)) || []
      if (lease === undefined) return undefined
      acks.set(lease, (acks.get(lease) ?? 0) + 1)
      return acks.get(lease) === wrong ? {} : undefined
    }
    const { results } = await runConformance(broker.url, { checks: rows }).report
    t.strictSame(Object.fromEntries(results.map(({ id, status }) => [id, status])), statuses)
    t.match(
      results.find(({ status }) => status === 'fail')?.message,
      /breaks browse\.pending\.acknowledged|in the feed/,
    )
  }
})

t.test('a failure says whether the status of a success is all that was wrong', async (t) => {
  const row = checksOf(`ack.own: ack.status ack.final.same
  create a; send m1 to a; subscribe A to a; read A
  ! ack A m1; read A
`)
  for (const [isDone, isStatusAlone] of [
    [true, true],
    [false, false],
  ]) {
    await using broker = await fakeBroker()
    broker.intercept = async ({ method, path, headers }) => {
      const isAck = method === 'DELETE' && !path.startsWith('/mq/queues') && headers.inner === undefined
      if (!isAck) return undefined
      if (isDone) await fetch(new URL(path, broker.url), { method, headers: { inner: 'yes' } })
      return { status: 204 }
    }
    t.match(await outcomeAt(broker, row, 'ack.own'), { seen: '204', at: { isStatusAlone } })
  }
})

t.test('messages are shown in an order where a row says so', async (t) => {
  await using broker = await fakeBroker()
  const row = (shows: string) =>
    checksOf(`consume.own: consume.order shows ${shows} as order
  create a; send m1 m2 to a; subscribe A to a
  ! read A
`)
  t.equal(await outcomeAt(broker, row('m1 m2 in order'), 'consume.own'), undefined)
  t.equal(await outcomeAt(broker, row('m2 m1'), 'consume.own'), undefined)
  const outcome = await outcomeAt(broker, row('m2 m1 in order'), 'consume.own')
  t.match(outcome, { expected: 'm2 and m1', seen: 'm1 and m2' })
})

t.test('requests are answered with a status and headers where a row says so', async (t) => {
  const row = checksOf(`http.own: http.method answers 4xx with Allow: GET POST and ETag as own
  create a
  ! request PUT a
  ! request PATCH a
`)
  const outcome = async (reply: Reply) => {
    await using broker = await fakeBroker()
    const right = { status: 405, headers: { Allow: 'POST,HEAD, get', ETag: '"1"' } }
    broker.intercept = ({ method }) => ({ PUT: right, PATCH: reply })[method]
    return await outcomeAt(broker, row, 'http.own')
  }
  const expected = '4xx with Allow: GET POST and ETag for request PATCH a'
  t.equal(await outcome({ status: 404, headers: { Allow: 'GET POST', ETag: '"2"' } }), undefined)
  t.match(await outcome({ status: 200 }), { expected, seen: '200' })
  t.match(await outcome({ status: 404, headers: { Allow: 'GET' } }), {
    ...{ expected, seen: '404 with Allow: GET without ETag' },
  })
  t.match(await outcome({ status: 404, headers: { ETag: '"2"' } }), {
    ...{ expected, seen: '404 without Allow with ETag' },
  })
})

t.test('what steps are answered with one after another, and what that holds, a row says', async (t) => {
  const row =
    checksOf(`http.own: http.method answers 200 holding n 1 then 201 with no ETag holding published as own
  create a
  ! request PUT /made
  ! request GET /{=Location}
`)
  const holding = (body: string) => ({ headers: { 'Content-Type': 'application/xml' }, body })
  const first = { status: 200, ...holding('<d:a xmlns:d="urn:d"><d:n><![CDATA[1]]></d:n></d:a>') }
  const second = { status: 201, ...holding('<a><published>2024</published></a>') }
  const outcome = async (made: Reply, got: Reply) => {
    await using broker = await fakeBroker()
    broker.intercept = ({ method, path }) => {
      if (method === 'PUT') return { ...made, headers: { ...made.headers, Location: 'x' } }
      return path.endsWith('/x') ? got : undefined
    }
    return await outcomeAt(broker, row, 'http.own')
  }
  t.equal(await outcome(first, second), undefined)
  t.match(await outcome({ ...first, ...holding('<a><n>1</n><n>2</n></a>') }, second), {
    expected: '200 holding n 1 for request PUT /made',
    seen: '200 holding n 1 and n 2',
  })
  t.match(await outcome(first, { ...second, headers: { ETag: '"1"' }, body: '<a/>' }), {
    expected: '201 with no ETag holding published for request GET /{=Location}',
    seen: '201 with ETag holding no published',
  })
})

t.test('a name that is refused is no step that is passed over where a row asks for that', async (t) => {
  for (const [status, seen] of [
    [400, undefined],
    [409, '409'],
    [201, '201'],
  ] as const) {
    await using broker = await fakeBroker()
    broker.intercept = ({ body }) =>
      body.includes('b c') ? { status, headers: { Location: '/mq/b' } } : undefined
    const row = checksOf(`queues.own: queues.name.reserved answers 400 as own
  create a
  ! create "b c"
`)
    t.equal(((await outcomeAt(broker, row, 'queues.own')) as { seen?: string } | undefined)?.seen, seen)
  }
})

t.test('where what was sent before reaches nobody, rows send when somebody has subscribed', async (t) => {
  await using broker = await fakeBroker()
  broker.intercept = (got) => {
    const [, uri, made] = /^(\/mq\/subscriptions\/(\d+))$/.exec(got.path) ?? []
    const reply = broker.answer(got)
    if (got.method !== 'GET' || uri === undefined) return reply
    // Messages and subscriptions are counted together.
    const isOlder = (each: string) => Number(each.split(`href="${uri}/`)[1]?.split('"')[0]) < Number(made)
    const body = String(reply.body).replace(/<entry>.*?<\/entry>/gs, (each) => (isOlder(each) ? '' : each))
    return { ...reply, body }
  }
  const only = ['consume.delivers', 'ack.leaves-feed', 'prefetch.fills', 'lease.deletion-hands-over']
  const { results } = await runConformance(broker.url, { checks, only }).report
  t.strictSame(Object.fromEntries(results.map(({ id, status, blockedBy }) => [id, blockedBy ?? status])), {
    ...{ 'consume.delivers': 'fail', 'ack.leaves-feed': 'pass', 'prefetch.fills': 'pass' },
    'lease.deletion-hands-over': 'consume.delivers',
  })
})

t.test('where who asks for the same is given one subscription, no two ask for the same', async (t) => {
  await using broker = await fakeBroker()
  const known = new Map<string, ReturnType<typeof broker.answer>>()
  broker.intercept = (got) => {
    if (got.method !== 'POST' || got.path !== '/mq/subscriptions') return undefined
    const what = new URLSearchParams(got.body.toString()).getAll('destination').join()
    const reply = known.get(what) ?? broker.answer(got)
    known.set(what, reply)
    return reply
  }
  const program: Check = {
    ...{ id: 'consume.of-a-program', title: '', stimulus: '', clauses: ['consume.status'], grade: 'stated' },
    needs: ['subscribe.own-address'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const uris = await Promise.all([1, 2, 3].map(async () => (await trial.subscribe(queue)).uri))
      trial.expect(new Set(uris).size === 3, 'three subscriptions', uris.join())
    },
  }
  const only = ['subscribe.own-address', 'consume.exactly-one', 'consume.own-view', program.id]
  const { results } = await runConformance(broker.url, { checks: [...checks, program], only }).report
  t.strictSame(Object.fromEntries(results.map(({ id, status }) => [id, status])), {
    ...{ 'subscribe.own-address': 'fail', 'consume.exactly-one': 'pass', 'consume.own-view': 'pass' },
    [program.id]: 'pass',
  })
})

t.test('where each answer takes long, many acknowledgements go at once', async (t) => {
  const [row] = checksOf(`
ack.of-many: ack.leaves-feed ack.status
  create a; send m1..m14 to a; subscribe A to a prefetch 14; read A
  ! ack A each; read A
`)
  for (const [latency, isAtOnce] of [
    [1, false],
    [100, true],
  ] as const) {
    await using broker = await fakeBroker()
    const under = { way: 0, most: 0, all: 0 }
    broker.intercept = async ({ method }) => {
      if (method !== 'DELETE') return undefined
      under.all += 1
      under.most = Math.max(under.most, ++under.way)
      await sleep(20)
      under.way -= 1
      return undefined
    }
    await row!.run(trialOf(broker, { subscription: { maxPrefetch: 20 } }, { latency, timeout: 2000 }))
    t.ok(under.all >= 14)
    t.equal(under.most > 1, isAtOnce, `answers after ${latency} ms`)
  }
})
