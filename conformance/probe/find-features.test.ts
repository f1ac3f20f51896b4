import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import type { Got, Reply } from '../client/serve.test.helper.js'
import { entry, fakeBroker, feed } from '../trial/fake-broker.test.helper.js'
import { skipIdleTime } from '../virtual-time.test.helper.js'
import { FEATURE_FINDINGS } from './feature-findings.js'
import { findDelivery } from './find-delivery.js'
import { findMessageAddress } from './find-message-address.js'
import { findSending } from './find-sending.js'
import { noteOf, proberOf } from './prober.test.helper.js'

skipIdleTime()

async function brokerWith(intercept: (got: Got) => Reply | undefined) {
  const broker = await fakeBroker()
  broker.intercept = intercept
  return broker
}

const isPost = ({ method, path }: Got, start: string) => method === 'POST' && path.startsWith(`/mq${start}`)

t.test('a subscription that others may read is not authenticated', async (t) => {
  await using broker = await fakeBroker()
  using open = proberOf(broker.url, { headers: { 'X-Key': 'k' }, unauthorized: [] })
  await FEATURE_FINDINGS.auth(open)
  t.equal(open.draft.features.auth, false)
  t.strictSame(open.draft.unauthorized, [{}])
  t.match(noteOf(open, 'features.auth'), /gave 200 to others/)
  broker.intercept = ({ headers }) => (headers['x-key'] === 'k' ? undefined : { status: 404 })
  using closed = proberOf(broker.url, { headers: { 'X-Key': 'k' }, unauthorized: [{}, { 'X-Key': 'x' }] })
  await FEATURE_FINDINGS.auth(closed)
  t.equal(closed.draft.features.auth, true)
  t.match(noteOf(closed, 'features.auth'), /gave 404, 404 to others/)
  using nobody = proberOf(broker.url)
  await FEATURE_FINDINGS.auth(nobody)
  t.equal(nobody.draft.features.auth, false)
})

t.test('a guid that is not heeded, or makes two messages', async (t) => {
  await using broker = await brokerWith((got) => {
    if (got.path.includes('?guid='))
      (got as { path: string }).path = got.path.replace(/-\d$/, `-${Math.random()}`)
    return undefined
  })
  using prober = proberOf(broker.url)
  await FEATURE_FINDINGS.guid(prober)
  t.equal(prober.draft.features.guid, false)
  t.match(noteOf(prober, 'features.guid'), /gave 200 and 200, and the queue has 2 messages/)
})

t.test('a send and a guid are seen in a feed that shows no contents', async (t) => {
  await using broker = await fakeBroker()
  broker.showsContents = false
  using prober = proberOf(broker.url)
  await findSending(prober)
  t.match(noteOf(prober, 'settleSeconds'), /showed in its queue's feed/)
  await FEATURE_FINDINGS.guid(prober)
  t.equal(prober.draft.features.guid, true)
})

t.test('a message that never shows in its queue is told', async (t) => {
  await using broker = await brokerWith((got) => (isPost(got, '/new/') ? { status: 200 } : undefined))
  using prober = proberOf(broker.url)
  await findSending(prober)
  t.match(noteOf(prober, 'settleSeconds'), /did not show in its queue's feed within 5 s/)
  t.equal(prober.draft.settleSeconds, 0)
})

t.test('entries whose addresses acknowledge nothing', async (t) => {
  await using broker = await brokerWith(({ method }) => (method === 'DELETE' ? { status: 200 } : undefined))
  using prober = proberOf(broker.url)
  await findMessageAddress(prober)
  t.match(noteOf(prober, 'messageUri'), /No address.*DELETE of link\[rel=edit\] gave 200 and no effect/)
  t.match(
    prober.draft,
    { messageUri: 'link[rel=edit]', unknown: [] },
    'which it is is known: its DELETE is taken',
  )
  t.match(noteOf(prober, 'content'), /and the links edit/)
  broker.intercept = ({ method, path }) =>
    method === 'GET' && path.startsWith('/mq/subscriptions/')
      ? feed([entry('1', '<summary>x</summary>')])
      : undefined
  using bare = proberOf(broker.url)
  await findMessageAddress(bare)
  t.match(noteOf(bare, 'messageUri'), /an entry has no address/)
  t.match(noteOf(bare, 'content'), /and the links no links/)
  t.strictSame(bare.draft.unknown, [], 'what is not there at all is a fault of the target')
  broker.intercept = ({ method, path }) =>
    method === 'GET' && path.startsWith('/mq/subscriptions/') ? feed([]) : undefined
  using empty = proberOf(broker.url)
  await empty.find('messageUri', () => findMessageAddress(empty))
  t.match(noteOf(empty, 'messageUri'), /Could not be seen: the feed of a subscription showed no message/)
})

t.test("where every address refuses to be deleted, nobody knows which is the message's", async (t) => {
  await using broker = await brokerWith(({ method }) => (method === 'DELETE' ? { status: 405 } : undefined))
  using prober = proberOf(broker.url)
  await findMessageAddress(prober)
  t.match(noteOf(prober, 'messageUri'), /No address.*DELETE of link\[rel=edit\] gave 405/)
  t.strictSame(prober.draft.unknown, ['messageUri'])
})

t.test('an address is known by its effect, whatever success is told', async (t) => {
  let isGone = false
  await using broker = await brokerWith(({ method, path }) => {
    if (method === 'DELETE' && path === '/mq/message') {
      isGone = true
      return { status: 204 }
    }
    if (method !== 'GET' || !path.startsWith('/mq/subscriptions/')) return undefined
    return feed(isGone ? [] : [entry('1', '<link rel="self" href="/mq/message"/><summary/>')])
  })
  using prober = proberOf(broker.url)
  await findMessageAddress(prober)
  t.match(prober.draft, { messageUri: 'link[rel=self]', unknown: [] })
})

for (const repeat of [201, 409]) {
  t.test(`a guid is heeded where the repeat that makes no second message gives ${repeat}`, async (t) => {
    const sent = new Map<string, Buffer>()
    await using broker = await brokerWith(({ method, path, body }) => {
      const guid = path.split('?guid=')[1]
      if (guid === undefined)
        return method === 'GET' && path !== '/mq/queues' && sent.size > 0
          ? feed([...sent.values()].map((each, index) => entry(String(index), contentOf(each))))
          : undefined
      const status = sent.has(guid) ? repeat : 201
      sent.set(guid, body)
      return { status }
    })
    using prober = proberOf(broker.url)
    await FEATURE_FINDINGS.guid(prober)
    t.equal(prober.draft.features.guid, true)
    t.match(noteOf(prober, 'features.guid'), `gave 201 and ${repeat}, and the queue has one message`)
  })
}

function contentOf(body: Buffer): string {
  return `<summary/><content type="a/b">${body.toString('base64')}</content>`
}

t.test('an address is found in an id, after a link that refuses', async (t) => {
  const gone = new Set<string>()
  await using broker = await brokerWith(({ method, path, headers }) => {
    if (method === 'DELETE' && path.startsWith('/ack/')) {
      gone.add(path)
      return { status: 200 }
    }
    if (method !== 'GET' || !path.startsWith('/mq/subscriptions/')) return undefined
    const address = `/ack${path}`
    const one = `<entry><id>http://${headers.host}${address}</id><title/><updated>2024-01-01T00:00:00Z</updated><link rel="self" href="/self"/><content type="a/b">eA==</content><summary/></entry>`
    return feed(gone.has(address) ? [] : [one])
  })
  using prober = proberOf(broker.url)
  await findMessageAddress(prober)
  t.equal(prober.draft.messageUri, 'id')
  t.match(
    noteOf(prober, 'messageUri'),
    'DELETE of link[rel=self] gave 404, DELETE of id acknowledged the message.',
  )
})

t.test('a single path that gives a message twice, or takes none', async (t) => {
  let body: Buffer = Buffer.alloc(0)
  await using broker = await brokerWith((got) => {
    if (!got.path.startsWith('/mq/queue/')) return undefined
    if (got.method === 'POST') body = got.body
    return { status: 200, body }
  })
  using prober = proberOf(broker.url)
  await FEATURE_FINDINGS['single-path'](prober)
  t.equal(prober.draft.features['single-path'], false)
  t.match(noteOf(prober, 'features.single-path'), /a GET gave it twice/)
  broker.intercept = () => undefined
  using none = proberOf(broker.url)
  await FEATURE_FINDINGS['single-path'](none)
  t.match(noteOf(none, 'features.single-path'), /a GET did not give it/)
})

t.test('one at a time: the id of the next message is in its JSON', async (t) => {
  const bodies: Buffer[] = []
  await using broker = await brokerWith((got) => {
    if (isPost(got, '/new/')) bodies.push(got.body)
    if (isPost(got, '/ack/')) {
      if (!got.path.endsWith('/n7')) return { status: 404 }
      bodies.shift()
      return {}
    }
    if (isPost(got, '/subscribe/')) return {}
    if (!isPost(got, '/nextMessageForMe/')) return undefined
    const message = { body: String(bodies[0]), messageId: 'n7' }
    return bodies[0] ? { body: JSON.stringify({ size: 5, message }) } : { status: 204 }
  })
  using prober = proberOf(broker.url)
  await FEATURE_FINDINGS['one-at-a-time'](prober)
  t.equal(prober.draft.features['one-at-a-time'], true)
  t.equal(prober.draft.oneAtATime.messageId, 'json:messageId')
})

t.test('one at a time: where consumers come no further', async (t) => {
  const bodies: Buffer[] = []
  let next: () => Reply = () => ({ status: 204 })
  await using broker = await brokerWith((got) => {
    if (isPost(got, '/new/')) bodies.push(got.body)
    if (isPost(got, '/subscribe/') || isPost(got, '/ack/')) return { status: 200 }
    return isPost(got, '/nextMessageForMe/') ? next() : undefined
  })
  using none = proberOf(broker.url)
  await FEATURE_FINDINGS['one-at-a-time'](none)
  t.match(noteOf(none, 'features.one-at-a-time'), /gave no message/)
  bodies.length = 0
  next = () => ({ body: bodies[0]! })
  using nameless = proberOf(broker.url)
  await FEATURE_FINDINGS['one-at-a-time'](nameless)
  t.match(noteOf(nameless, 'features.one-at-a-time'), /acknowledged its message: there was none/)
  bodies.length = 0
  next = () => ({ body: bodies[0]!, headers: { 'X-Message-Id': '7' } })
  using stuck = proberOf(broker.url)
  await FEATURE_FINDINGS['one-at-a-time'](stuck)
  t.equal(stuck.draft.features['one-at-a-time'], false)
  t.match(noteOf(stuck, 'features.one-at-a-time'), /header:X-Message-Id gave 200/)
})

t.test('one at a time, from afar, while nobody knows how long leases are', async (t) => {
  const bodies: Buffer[] = []
  let acknowledged = 0
  await using broker = await fakeBroker()
  broker.intercept = async (got) => {
    await sleep(400)
    if (isPost(got, '/new/')) bodies.push(got.body)
    if (isPost(got, '/ack/')) acknowledged += 1
    if (isPost(got, '/subscribe/') || isPost(got, '/ack/')) return { status: 200 }
    const body = bodies[acknowledged] ?? ''
    return isPost(got, '/nextMessageForMe/') ? { body, headers: { 'Message-Id': '7' } } : undefined
  }
  using prober = proberOf(broker.url, {}, { latency: 400 })
  prober.timeout = 5000
  await prober.find('features.one-at-a-time', () => FEATURE_FINDINGS['one-at-a-time'](prober).then(() => {}))
  t.match(noteOf(prober, 'features.one-at-a-time'), /the next one when it is acknowledged/)
  t.equal(prober.draft.features['one-at-a-time'], true)
  t.strictSame(prober.draft.unknown, [])
})

t.test('acknowledgements in a POST that are taken and have no effect', async (t) => {
  await using broker = await brokerWith((got) =>
    isPost(got, '/subscriptions/')
      ? { status: 200, headers: { 'Content-Type': 'application/atom+xml' } }
      : undefined,
  )
  using prober = proberOf(broker.url)
  await FEATURE_FINDINGS['ack-in-post'](prober)
  t.equal(prober.draft.features['ack-in-post'], false)
  t.match(noteOf(prober, 'features.ack-in-post'), /had no effect/)
})

t.test('a message that no subscription shows is bound to neither', async (t) => {
  await using broker = await brokerWith(({ method, path }) =>
    method === 'GET' && path.startsWith('/mq/subscriptions/') ? feed([]) : undefined,
  )
  using prober = proberOf(broker.url)
  await findDelivery(prober)
  t.match(noteOf(prober, 'binding'), /bound to neither/)
})

t.test(
  'a selector is sought no further in a field that lets everything pass, or that is refused',
  async (t) => {
    const tried: string[] = []
    await using broker = await brokerWith((got) => {
      if (!isPost(got, '/subscriptions')) return undefined
      const form = new URLSearchParams(got.body.toString())
      const selector = [...form.keys()].find((name) => name !== 'destination' && name !== 'prefetch')!
      tried.push(selector)
      return selector === 'selector' ? undefined : { status: 400 }
    })
    using prober = proberOf(broker.url)
    await FEATURE_FINDINGS.selector(prober)
    t.equal(prober.draft.features.selector, false)
    t.equal(tried.filter((name) => name === 'selector').length, 1)
    t.ok(tried.filter((name) => name === 'filter').length > 4)
  },
)

t.test('a category whose listing lacks its queue', async (t) => {
  await using broker = await brokerWith(({ method, path }) =>
    method === 'GET' && /^\/mq\/queues\/[^/]+$/.test(path) ? feed([]) : undefined,
  )
  using prober = proberOf(broker.url)
  await FEATURE_FINDINGS.subtree(prober)
  t.equal(prober.draft.features.subtree, false)
  t.match(noteOf(prober, 'features.subtree'), /gave a feed without it/)
})

t.test('a dotted name that is taken and leads nowhere', async (t) => {
  await using broker = await brokerWith(({ method, path }) =>
    method === 'GET' && path.includes('.dotted') ? { status: 404 } : undefined,
  )
  using prober = proberOf(broker.url)
  await FEATURE_FINDINGS['dotted-names'](prober)
  t.equal(prober.draft.features['dotted-names'], false)
  t.match(noteOf(prober, 'features.dotted-names'), /201, and it is not there by that name/)
})

t.test('a feature that could not be asked for, or not for its own sake, is unknown', async (t) => {
  const cases = [
    ['batch', '/lockNextMessage', { status: 500, body: 'out of rows' }, /POST .* gave 500: "out of rows"/],
    ['batch', '/subscribe', { status: 403, body: 'not for you' }, /gave 403: "not for you"/],
    ['one-at-a-time', '/subscribe/', { status: 429 }, /gave 429/],
    ['single-path', '/queue/', { status: 401 }, /gave 401/],
    ['guid', '/queues/kit', { status: 503 }, /gave 503/],
    ['selector', '/subscriptions', { status: 403 }, /gave 403/],
    ['wildcards', '/subscriptions', { status: 500 }, /gave 500/],
    ['ack-in-post', '/subscriptions/', { status: 502 }, /gave 502/],
  ] as const
  for (const [feature, start, reply, expected] of cases) {
    await using broker = await brokerWith((got) => (isPost(got, start) ? reply : undefined))
    using prober = proberOf(broker.url)
    await prober.findFeature(feature, () => FEATURE_FINDINGS[feature](prober))
    t.strictSame(prober.draft.unknown, [`features.${feature}`], feature)
    const told = prober.notes.filter(({ about }) => about === `features.${feature}`).map(({ text }) => text)
    t.match(told.join(' '), expected, feature)
  }
  await using full = await brokerWith((got) => (isPost(got, '/queues') ? { status: 409 } : undefined))
  using prober = proberOf(full.url)
  await prober.findFeature('batch', () => FEATURE_FINDINGS.batch(prober))
  t.strictSame(prober.draft.unknown, ['features.batch'], 'so is one whose queue was refused')
})

t.test('a feature that the target refuses, or has not, is not there', async (t) => {
  for (const status of [400, 404, 405, 501]) {
    const ways = /lockNext|nextMessage|\/(subscribe|queue|ack)\/|guid/
    await using broker = await brokerWith(({ path }) => (ways.test(path) ? { status } : undefined))
    using prober = proberOf(broker.url)
    for (const feature of ['batch', 'one-at-a-time', 'single-path', 'guid', 'selector'] as const)
      await prober.findFeature(feature, () => FEATURE_FINDINGS[feature](prober))
    t.strictSame(prober.draft.unknown, [], String(status))
  }
})

t.test('a 403 that the target says of whatever it has not is no want of permission', async (t) => {
  const ways = /lockNext|\/kit-[^/]*$/
  for (const [said, unknown] of [
    ['That is not done here.', []],
    ['You may not lock.', ['features.batch']],
  ] as const) {
    await using broker = await brokerWith(({ path }) => {
      if (!ways.test(path) || path.includes('/queues')) return undefined
      return { status: 403, body: path.includes('lockNext') ? said : 'That is not done here.' }
    })
    using prober = proberOf(broker.url)
    await prober.findFeature('batch', () => FEATURE_FINDINGS.batch(prober))
    t.strictSame(prober.draft.unknown, unknown, said)
  }
})

t.test('a field that refuses selectors as it refuses no unknown field may take others', async (t) => {
  const selectors = (answer: (field: string) => string | undefined) => async () => {
    await using broker = await brokerWith((got) => {
      if (!isPost(got, '/subscriptions')) return undefined
      const fields = [...new URLSearchParams(got.body.toString()).keys()]
      const body = fields.filter((field) => !/^(destination|prefetch|timeout)$/.test(field)).map(answer)[0]
      return body === undefined ? undefined : { status: 400, body }
    })
    using prober = proberOf(broker.url)
    await FEATURE_FINDINGS.selector(prober)
    const { unknown, subscription } = prober.draft
    return [unknown, noteOf(prober, 'features.selector'), subscription.parameters.selector] as const
  }
  const strange = (field: string) => `unknown field ${field}`
  const [none] = await selectors(strange)()
  t.strictSame(none, [])
  const [open, why] = await selectors((field) => (field === 'selector' ? 'syntax error' : strange(field)))()
  t.strictSame(open, ['features.selector'])
  t.match(why, /selector = colour = 'red' gave 400: "syntax error"/)
  const [lax, , field] = await selectors((field) => (field === 'filter' ? 'syntax error' : undefined))()
  t.strictSame(lax, ['features.selector'], 'also where unknown fields are ignored')
  t.equal(field, 'filter')
})
