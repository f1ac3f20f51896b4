import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { parseProfile } from '../client/parse-profile.js'
import { type Got, serve } from '../client/serve.test.helper.js'
import { runConformance } from '../judge.js'
import { entry, type FakeBroker, fakeBroker, feed } from '../trial/fake-broker.test.helper.js'
import { giveInboxes } from '../trial/inboxes.test.helper.js'
import { skipIdleTime } from '../virtual-time.test.helper.js'
import { checks } from './index.js'

skipIdleTime()

/** The checks that do not pass, with what they saw. */
async function blamed(
  broker: Pick<FakeBroker, 'url'>,
  only: readonly string[],
  profile: object = {},
  origins: readonly string[] = [],
): Promise<string[]> {
  const options = { checks, only, origins, profile: parseProfile(profile) }
  const { results } = await runConformance(broker.url, options).report
  return results.flatMap(({ id, status, seen, message }) =>
    status === 'pass' ? [] : [`${id} ${status}: ${seen || message}`],
  )
}

/** What the broker itself answers, for what stands before it. */
function inner(broker: FakeBroker, { method, path, headers, body }: Got, form?: URLSearchParams) {
  const type = headers['content-type']
  const sent = method === 'GET' ? {} : { body: form?.toString() ?? new Uint8Array(body) }
  const own = { inner: 'yes', ...(typeof type === 'string' && { 'Content-Type': type }) }
  return fetch(new URL(path, broker.url), { method, headers: own, ...sent })
}

const isReading = ({ method, path }: Got) => method === 'GET' && /\/subscriptions\/\d+$/.test(path)

t.test('a new consumer may be given its messages a moment later', async (t) => {
  for (const [delay, settleSeconds] of [
    [30, 0],
    [250, 0.3],
  ] as const) {
    await using broker = await fakeBroker()
    const first = new Map<string, number>()
    broker.intercept = (got) => {
      if (!isReading(got)) return undefined
      const since = first.get(got.path) ?? performance.now()
      first.set(got.path, since)
      return performance.now() - since < delay ? feed([]) : undefined
    }
    const only = ['lease.others-renew-nothing', 'prefetch.messages-of-ended-leases']
    t.strictSame(await blamed(broker, only, { settleSeconds }), [])
  }
})

t.test('a second reading of a subscription at once may be refused, and not with a 5xx', async (t) => {
  const only = ['consume.parallel', 'prefetch.parallel']
  for (const status of [409, 503]) {
    await using broker = await fakeBroker()
    const reading = new Set<string>()
    broker.intercept = async (got) => {
      if (!isReading(got) || got.headers.inner) return undefined
      if (reading.has(got.path)) return { status }
      reading.add(got.path)
      await sleep(20)
      reading.delete(got.path)
      return undefined
    }
    t.strictSame(
      (await blamed(broker, only)).map((each) => each.split(':')[0]),
      status === 409 ? [] : ['consume.parallel blocked', 'prefetch.parallel blocked'],
    )
  }
})

t.test('each reading may bring one message more', async (t) => {
  await using broker = await fakeBroker()
  broker.perReading = 1
  const only = [
    'prefetch.fills',
    'prefetch.per-consumer',
    'ack.any-order',
    'lease.others-renew-nothing',
    'lease.expiry-of-every-kind',
  ]
  t.strictSame(await blamed(broker, only), [])
})

t.test('the ends of leases may be kept in whole seconds', async (t) => {
  const only = [
    'lease.active-until-end',
    'lease.not-early',
    'ack.late-in-its-lease',
    'lease.expiry-hands-over',
  ]
  const blamedWhere = async (granted: (seconds: number) => number) => {
    await using broker = await fakeBroker()
    broker.intercept = async (got) => {
      if (got.headers.inner !== undefined || got.method !== 'POST' || got.path !== '/mq/subscriptions')
        return undefined
      const form = new URLSearchParams(got.body.toString())
      form.set('timeout', String(granted(Number(form.get('timeout')))))
      const { status, headers } = await inner(broker, got, form)
      return { status, headers: { Location: headers.get('location')! } }
    }
    return await blamed(broker, only, { subscription: { renewedBy: [] } })
  }
  t.strictSame(await blamedWhere((seconds) => Math.max(0.1, seconds - 0.9)), [])
  t.equal((await blamedWhere((seconds) => seconds / 2)).length, 3, 'that may not be')
})

t.test('a second reading of a feed may be refused while one is under way', async (t) => {
  await using broker = await fakeBroker()
  const busy = new Set<string>()
  broker.intercept = async (got) => {
    if (!isReading(got)) return undefined
    if (busy.has(got.path)) return { status: 409 }
    busy.add(got.path)
    await new Promise((resolve) => setTimeout(resolve, 5))
    busy.delete(got.path)
    return undefined
  }
  t.strictSame(await blamed(broker, ['ack.leaves-feed']), [])
})

t.test('feeds may come from two replicas, of which one hears of new messages later', async (t) => {
  await using broker = await fakeBroker()
  const shownSince = new Map<string, number>()
  let turn = 0
  broker.intercept = async (got) => {
    if (!isReading(got) || got.headers.inner !== undefined) return undefined
    const answer = await inner(broker, got)
    const isBehind = turn++ % 2 === 1
    const body = (await answer.text()).replaceAll(/<entry>.*?<\/entry>/g, (entry) => {
      const since = shownSince.get(entry) ?? performance.now()
      shownSince.set(entry, since)
      return isBehind && performance.now() - since < 200 ? '' : entry
    })
    return { status: answer.status, headers: { 'Content-Type': 'application/atom+xml' }, body }
  }
  const only = [
    'consume.repeat',
    'consume.entries',
    'consume.atom',
    'consume.read-often',
    'ack.equal-bodies',
    'ack.leaves-feed',
    'lease.deletion-of-every-kind',
  ]
  t.strictSame(await blamed(broker, only, { settleSeconds: 0.3 }), [])
})

t.test('a root that has too many queues on one page to be read is no fault', async (t) => {
  await using broker = await fakeBroker()
  const queues = Array.from(
    { length: 20_000 },
    (_, n) => `<entry><id>u:${n}</id><title>${n}</title><link href="/mq/queues/${n}"/></entry>`,
  )
  broker.intercept = ({ method, path }) =>
    method === 'GET' && path === '/mq/queues' ? feed(queues) : undefined
  const found = await blamed(broker, ['browse.root', 'browse.root-once', 'browse.queue', 'send.post'])
  t.match(found, [/^browse.root inconclusive: .*pieces of markup/, /^browse.root-once blocked: /])
  t.equal(found.length, 2)
})

t.test(
  'each step 2 may first be answered with another status, whether its message was stored or not',
  async (t) => {
    for (const [isStored, status] of [
      [true, 504],
      [false, 503],
      [false, 202],
    ] as const) {
      await using broker = await fakeBroker()
      const answered = new Set<string>()
      broker.intercept = async (got) => {
        const isSend = got.method === 'POST' && /\/new\/|\?guid=/.test(got.path)
        if (!isSend || got.headers.inner || answered.has(got.path)) return undefined
        answered.add(got.path)
        if (isStored) await inner(broker, got)
        return { status }
      }
      const only = [
        ...['prefetch.one-by-one', 'prefetch.parallel', 'prefetch.destinations', 'consume.exactly-one'],
        ...['subscribe.delete-spares-others', 'ack.final-for-its-consumer', 'lease.deletion-of-guid-sends'],
      ]
      t.strictSame(await blamed(broker, only), [])
    }
  },
)

t.test('the Location of a queue may be for posting alone', async (t) => {
  await using broker = await fakeBroker()
  giveInboxes(broker)
  const only = [
    ...[
      'queues.create',
      'queues.takes-messages',
      'queues.delete',
      'queues.delete-unreadable',
      'browse.queue',
    ],
    ...[
      'browse.takes-nothing',
      'send.post',
      'consume.delivers',
      'ack.leaves-queue',
      'dedup.send',
      'queues.own-address',
    ],
  ]
  t.strictSame(await blamed(broker, only), [])
  const left = broker.got.filter(({ method }) => method === 'DELETE').map(({ path }) => path)
  t.ok(left.length > 0 && left.every((path) => !path.includes('inbox')), 'and is deleted at its path')
})

t.test(
  'an address that takes messages in one request alone is blamed for step 1, and for nothing else',
  async (t) => {
    for (const status of [400, 404, 405]) {
      await using broker = await fakeBroker()
      broker.intercept = ({ method, path }) =>
        method === 'POST' && path.startsWith('/mq/queues/') && !path.includes('?guid=')
          ? { status }
          : undefined
      const only = ['send.address', 'queues.takes-messages', 'dedup.send', 'consume.delivers', 'ack.succeeds']
      const found = await blamed(broker, only)
      t.match(found, [/^send\.address fail: /])
      t.equal(found.length, 1, found.slice(1).join())
    }
  },
)

t.test('only so many unused new-message addresses may be given at once', async (t) => {
  await using broker = await fakeBroker()
  let unused = 0
  broker.intercept = ({ method, path, headers }) => {
    if (method !== 'POST' || headers.inner) return undefined
    if (path.includes('/new/')) unused -= 1
    else if (path.startsWith('/mq/queues/') && !path.includes('?guid=') && ++unused > 5) {
      unused -= 1
      return { status: 429 }
    }
    return undefined
  }
  const only = ['browse.many-messages', 'browse.held-of-many', 'browse.of-mebibytes', 'consume.exactly-one']
  const found = await blamed(broker, only)
  const full = / (inconclusive|blocked): .*(?:no room for what it needs|no more new-message addresses)/
  t.ok(
    found.every((each) => full.test(each)),
    found.join(),
  )
  t.match(found.join(), /browse\.of-mebibytes inconclusive: .*no room/)
})

t.test('fewer messages at once may be granted than were asked for, without a word', async (t) => {
  await using broker = await fakeBroker()
  broker.intercept = async (got) => {
    if (got.headers.inner !== undefined || got.method !== 'POST' || got.path !== '/mq/subscriptions')
      return undefined
    const form = new URLSearchParams(got.body.toString())
    form.set('prefetch', String(Math.min(15, Number(form.get('prefetch')))))
    const { status, headers } = await inner(broker, got, form)
    return { status, headers: { Location: headers.get('location')! } }
  }
  const only = ['lease.deletion-of-many', 'lease.expiry-of-many']
  t.strictSame(await blamed(broker, only, { subscription: { maxPrefetch: 100 } }), [])
})

t.test('a consumer of many messages may be given one more by each reading', async (t) => {
  await using broker = await fakeBroker()
  broker.perReading = 1
  const only = ['lease.deletion-of-many', 'lease.expiry-of-many']
  t.strictSame(await blamed(broker, only, { subscription: { maxPrefetch: 100 } }), [])
})

t.test('a queue that takes few messages is asked for no more', async (t) => {
  await using broker = await fakeBroker()
  const sent = new Map<string, number>()
  broker.intercept = ({ method, path }) => {
    const queue = /^\/mq\/queues\/[^?]+$/.exec(path)?.[0]
    if (method !== 'POST' || queue === undefined) return undefined
    sent.set(queue, (sent.get(queue) ?? 0) + 1)
    return sent.get(queue)! > 10 ? { status: 507 } : undefined
  }
  t.strictSame(await blamed(broker, ['lease.deletion-of-many'], { subscription: { maxPrefetch: 100 } }), [])
})

t.test('far away a consumer of short leases holds no more than it can read a page for each', async (t) => {
  await using broker = await fakeBroker()
  let sent = 0
  broker.intercept = async ({ method, path }) => {
    await sleep(150)
    if (method === 'POST' && path.startsWith('/mq/queues/')) sent++
    return undefined
  }
  const subscription = { maxPrefetch: 100, leaseSeconds: 2 }
  t.strictSame(await blamed(broker, ['lease.expiry-of-many'], { subscription }), [])
  t.ok(sent >= 8 && sent < 12, String(sent))
})

t.test('a send with a guid to a queue that is not there may make it, or its refusal be kept', async (t) => {
  /** @param first what a send to a queue that is not there is answered, and `later` what comes with its guid after that */
  const foundWhere = async (first: number, later?: number) => {
    await using broker = await fakeBroker()
    const made = new Set<string>()
    const seen = new Set<string>()
    broker.intercept = ({ method, path, body }) => {
      if (method === 'POST' && path === '/mq/queues') made.add(`/mq/queues/${body}`)
      const [queue, guid] = path.split('?guid=')
      if (guid === undefined) return undefined
      if (seen.has(guid) && later !== undefined) return { status: later }
      seen.add(guid)
      return made.has(queue!) ? undefined : { status: first }
    }
    return (await blamed(broker, ['dedup.refused-then-created'])).join()
  }
  t.equal(await foundWhere(404), '')
  t.equal(await foundWhere(200), '')
  t.equal(await foundWhere(404, 404), '')
  t.match(await foundWhere(404, 200), 'fail: ')
  t.match(await foundWhere(404, 500), 'fail: 500')
})

t.test('what stands at another origin, which is not shown the credentials, is no fault', async (t) => {
  await using broker = await fakeBroker()
  const isAllowed = ({ headers }: Got) => headers.authorization === 'Bearer owner'
  await using other = await serve(async (got) => {
    if (!isAllowed(got)) return { status: 401 }
    const { status, headers, body } = await passOn(got)
    const location = headers.get('location')
    const fields = { 'Content-Type': headers.get('content-type') ?? 'text/plain' }
    return {
      status,
      headers: location === null ? fields : { ...fields, Location: location },
      body: Buffer.from(await new Response(body).arrayBuffer()),
    }
  })
  const passOn = (got: Got) => inner(broker, got)
  broker.origin = other.url
  // Only collections are here.
  broker.intercept = (got) => {
    if (got.headers.inner || /\/(?:queues|subscriptions)$/.test(got.path)) return undefined
    return { status: 404 }
  }
  const profile = { headers: { Authorization: 'Bearer owner' } }
  const only = ['queues.takes-messages', 'send.post', 'consume.delivers', 'ack.succeeds']
  const found = await blamed(broker, only, profile)
  t.equal(found.length, only.length)
  t.match(
    found.filter((each) => !/(?:inconclusive|blocked): /.test(each) || / fail/.test(each)),
    [],
    'nothing is blamed',
  )
  t.match(found[0], `inconclusive: credentials go to the target's own origin alone`)
  t.match(found[0], `"--origin ${other.url}" sends them there`)
  t.strictSame(other.got.filter(isAllowed), [])
  t.strictSame(await blamed(broker, only, profile, [other.url]), [])
  t.ok(other.got.some(isAllowed))
})

t.test('feeds with hundreds of kilobytes of foreign elements are read, and judged', async (t) => {
  await using broker = await fakeBroker()
  const values = Array.from({ length: 3000 }, (_, n) => `<x:v n="${n}">some foreign text</x:v>`).join('')
  const foreign = `<x:data xmlns:x="urn:x">${values}</x:data>`
  broker.intercept = async (got) => {
    if (got.method !== 'GET' || got.headers.inner !== undefined) return undefined
    const answer = await inner(broker, got)
    const text = await answer.text()
    const body = text.replace('</feed>', `${foreign}</feed>`).replaceAll('</entry>', `${foreign}</entry>`)
    return { status: answer.status, headers: { 'Content-Type': 'application/atom+xml' }, body }
  }
  const only = ['browse.root', 'browse.queue', 'consume.delivers', 'consume.repeat', 'ack.succeeds']
  t.strictSame(await blamed(broker, only), [])
})

t.test('an answer that has more in it than the kit reads is no fault, and the limit is named', async (t) => {
  const deep = `${'<x>'.repeat(300)}${'</x>'.repeat(300)}`
  const wide = `<x ${Array.from({ length: 200 }, (_, n) => `a${n}=""`).join(' ')}/>`
  for (const [inside, limit] of [
    [deep, /nested deeper than 200/],
    [wide, /100 attributes/],
    [`<link rel="edit" href="/${'x'.repeat(40_000)}"/>`, /address of more than 8192 characters/],
  ] as const) {
    await using broker = await fakeBroker()
    broker.intercept = (got) => (isReading(got) ? feed([entry('1', inside)]) : undefined)
    const [found, ...others] = await blamed(broker, ['consume.message-uri'])
    t.match(found, /^consume.message-uri inconclusive: /)
    t.match(found, limit)
    t.strictSame(others, [])
  }
})

t.test('a Location may be long, and stand among many other fields', async (t) => {
  await using broker = await fakeBroker()
  broker.intercept = async (got) => {
    if (got.headers.inner !== undefined || got.method !== 'POST') return undefined
    const { status, headers } = await inner(broker, got)
    const location = headers.get('location')
    const others = Object.fromEntries(Array.from({ length: 2500 }, (_, n) => [`X-${n}`, 'some value']))
    return { status, headers: location === null ? {} : { ...others, Location: location } }
  }
  t.strictSame(await blamed(broker, ['queues.create', 'send.post']), [])
})

t.test('what is not done, or refused for now, is repeated until it is', async (t) => {
  const only = [
    ...['queues.create', 'queues.delete', 'send.address', 'send.post', 'send.repeat', 'dedup.send'],
    ...[
      'subscribe.create',
      'subscribe.delete',
      'consume.feed',
      'ack.succeeds',
      'browse.root',
      'browse.queue',
    ],
  ]
  for (const status of [202, 503, 504]) {
    await using broker = await fakeBroker()
    const asked = new Set<string>()
    // Of a subscription more than one message is acknowledged and more than one reading made: each is asked once in vain.
    broker.intercept = ({ method, path, body }) => {
      const which = `${method} ${path} ${body}`
      if (asked.has(which)) return undefined
      asked.add(which)
      const isSend = method === 'POST' && /^\/mq\/(new\/|queues\/)/.test(path)
      // Other refusals are repeated where the target says when.
      return status === 202 || isSend ? { status } : { status: 503, headers: { 'Retry-After': '0' } }
    }
    t.strictSame(await blamed(broker, only), [], String(status))
  }
})

t.test(
  'what is never done is told by the check of its status alone, whatever else is judged by its effect',
  async (t) => {
    for (const [isAsked, id] of [
      [({ method, path }: Got) => method === 'POST' && path.startsWith('/mq/new/'), 'send.post'],
      [({ method, path }: Got) => method === 'DELETE' && /\/queues\//.test(path), 'queues.delete'],
    ] as const) {
      await using broker = await fakeBroker()
      broker.intercept = async (got) => {
        if (!isAsked(got) || got.headers.inner) return undefined
        const { status } = await inner(broker, got)
        return status === 200 ? { status: 202 } : { status }
      }
      const only = [id, 'browse.queue', 'queues.own-address', 'queues.delete-unreadable', 'consume.delivers']
      t.match(await blamed(broker, only), [new RegExp(`^${id} fail: .*202`)], id)
    }
  },
)

t.test('feeds of queues that do not show what their messages are', async (t) => {
  await using broker = await fakeBroker()
  broker.showsContents = false
  const only = ['ack.leaves-queue', 'ack.final-after-deletion', 'ack.parallel', 'ack.leaves-feed']
  t.strictSame(await blamed(broker, only), [])

  broker.intercept = (got) => {
    if (got.method !== 'GET' || !got.path.startsWith('/mq/queues/')) return undefined
    const { body, ...head } = broker.answer(got)
    return { ...head, ...(body ? { body: String(body).replaceAll('<summary/>', '<content/>') } : {}) }
  }
  t.strictSame(await blamed(broker, ['send.address-takes-one-message']), [], 'nor that one has no body')
})

t.test('a content that a queue’s own feed links to is for whoever may browse the queue', async (t) => {
  const profile = {
    features: { auth: true },
    headers: { Authorization: 'Bearer owner' },
    unauthorized: [{}, { Authorization: 'Bearer other' }],
  }
  const blamedWhere = async (isBrowsedBy: (authorization: string | undefined) => boolean) => {
    await using broker = await fakeBroker()
    const bodies: Buffer[] = []
    broker.intercept = async (got) => {
      const { authorization, inner: isInner } = got.headers
      if (isInner !== undefined) return undefined
      const isOwner = authorization === 'Bearer owner'
      if (got.path === '/mq/contents')
        return authorization === undefined ? { status: 401 } : { body: bodies[0]!.toString() }
      if (!isOwner && (isReading(got) || !isBrowsedBy(authorization))) return { status: 403 }
      if (got.method !== 'GET') {
        if (got.body.length > 0 && !/\/(queues|subscriptions)$/.test(got.path)) bodies.unshift(got.body)
        return undefined
      }
      const body = await (await inner(broker, got)).text()
      const linked = body.replaceAll(
        /<content type="a\/b">[^<]*<\/content>/g,
        '<content type="a/b" src="/mq/contents"/>',
      )
      return { headers: { 'Content-Type': 'application/atom+xml' }, body: linked }
    }
    return await blamed(broker, ['auth.content'], profile)
  }
  t.strictSame(await blamedWhere((authorization) => authorization !== undefined), [])
  t.match(await blamedWhere((authorization) => authorization === 'Bearer owner'), [
    /^auth\.content fail: 200, with the message$/,
  ])
})

t.test('a consumer by its id may be forgotten that was not heard of for as long as a lease', async (t) => {
  await using broker = await fakeBroker()
  const joined = new Map<string, number>()
  const posted = new Set<string>()
  broker.intercept = ({ method, path }) => {
    const [, , verb = '', id = ''] = path.split('/')
    if (verb === 'subscribe') joined.set(id, performance.now())
    if (verb === 'subscribe') return {}
    if (verb === 'nextMessageForMe') return { status: performance.now() - joined.get(id)! < 2000 ? 200 : 404 }
    if (method !== 'POST' || verb !== 'new' || posted.has(path)) return undefined
    posted.add(path)
    return { status: 503, headers: { 'Retry-After': '3' } }
  }
  const judged = (leaseSeconds: number) =>
    blamed(broker, ['one-at-a-time.delivers'], {
      features: { 'one-at-a-time': true },
      subscription: { leaseSeconds },
    })
  t.match(await judged(2), [/^one-at-a-time.delivers inconclusive: a lease may have ended/])
  t.match(await judged(10), [/^one-at-a-time.delivers fail: 404/])
})

t.test('a message that no consumer by its id is given is told, however short leases are', async (t) => {
  await using broker = await fakeBroker()
  broker.intercept = ({ path }) =>
    path.includes('/nextMessageForMe/') ? { status: 204 } : path.includes('/subscribe/') ? {} : undefined
  const profile = { features: { 'one-at-a-time': true }, subscription: { leaseSeconds: 1 } }
  t.match(await blamed(broker, ['one-at-a-time.delivers'], profile), [/^one-at-a-time.delivers fail: 204/])
})
