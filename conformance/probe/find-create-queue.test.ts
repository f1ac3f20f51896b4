import t from 'tap'
import { parseProfile } from '../client/parse-profile.js'
import { type Got, type Reply, serve } from '../client/serve.test.helper.js'
import { fakeBroker, feed } from '../trial/fake-broker.test.helper.js'
import { FEATURE_FINDINGS } from './feature-findings.js'
import { findCreateQueue } from './find-create-queue.js'
import { noteOf, proberOf } from './prober.test.helper.js'

/** A broker whose queues are defined as this reads them; what it gives undefined for is refused by `refuse`. */
async function definedBy(read: (got: Got) => string | null | undefined, refuse: Reply = { status: 415 }) {
  const broker = await fakeBroker()
  broker.intercept = (got) => {
    if (got.method === 'OPTIONS') return refuse
    if (got.method !== 'POST' || got.path !== '/mq/queues') return undefined
    const name = read(got)
    if (!name) return refuse
    ;(got as { body: Buffer }).body = Buffer.from(name)
    return undefined
  }
  return broker
}

const type = ({ headers }: Got) => headers['content-type'] ?? ''

function json(got: Got, field: string): string | undefined {
  try {
    return JSON.parse(got.body.toString())[field]
  } catch {
    return undefined
  }
}

const form = (got: Got, field: string) =>
  type(got) === 'application/x-www-form-urlencoded'
    ? new URLSearchParams(got.body.toString()).get(field)
    : null

const READERS: Record<string, [read: (got: Got) => string | null | undefined, body: string, refuse?: Reply]> =
  {
    'text/plain': [(got) => (type(got) === 'text/plain' ? got.body.toString() : null), '{name}'],
    'a form field name': [(got) => form(got, 'name'), 'name={name}'],
    'JSON with name': [(got) => json(got, 'name'), '{"name":"{name}"}'],
    'JSON with queue': [(got) => json(got, 'queue'), '{"queue":"{name}"}'],
    'a Slug': [(got) => got.headers.slug as string, ''],
    'another form field': [(got) => form(got, 'label'), 'label={name}'],
    'a string in JSON': [
      (got) => (/^"[\w-]+"$/.test(got.body.toString()) ? JSON.parse(got.body.toString()) : null),
      '"{name}"',
    ],
    'JSON of an advertised type': [
      (got) => (type(got) === 'application/vnd.x+json' ? json(got, 'queue') : undefined),
      '{"queue":"{name}"}',
      { status: 415, headers: { 'Accept-Post': 'image/png, application/vnd.x+json' } },
    ],
    'a field that refusals name': [
      (got) => json(got, 'boxName'),
      '{"boxName":"{name}"}',
      { status: 422, body: '{"detail":"the field boxName is missing"}' },
    ],
    'an Atom entry': [
      (got) => /<title>(.*)<\/title>/.exec(got.body.toString())?.[1],
      '<entry xmlns="http://www.w3.org/2005/Atom"><id>urn:kit:{name}</id><title>{name}</title><updated>2024-01-01T00:00:00Z</updated><author><name>kit</name></author></entry>',
    ],
  }

for (const [what, [read, body, refuse]] of Object.entries(READERS)) {
  t.test(`a queue defined by ${what}`, async (t) => {
    await using broker = await definedBy(read, refuse)
    using prober = proberOf(broker.url)
    t.equal(await findCreateQueue(prober), 'found')
    t.equal(prober.draft.createQueue.body, body)
    t.match(noteOf(prober, 'createQueue'), /201/)
  })
}

t.test('what the profile says already comes first', async (t) => {
  await using broker = await definedBy((got) => json(got, 'x'))
  const createQueue = { headers: { 'Content-Type': 'application/json' }, body: '{"x":"{name}"}' }
  using prober = proberOf(broker.url, { createQueue })
  t.equal(await findCreateQueue(prober), 'found')
  t.strictSame(prober.draft.createQueue, parseProfile({ createQueue }).createQueue)
  t.equal(broker.got.filter(({ method }) => method === 'POST').length, 1)
})

t.test('a queue that is only at an address of another kind is known by the listing', async (t) => {
  const names: string[] = []
  await using server = await serve(({ method, path, headers, body }) => {
    const name = new URLSearchParams(body.toString()).get('name')
    if (method === 'POST' && headers['content-type'] !== 'application/x-www-form-urlencoded')
      return { status: 201, headers: { Location: '/queues/nameless' } }
    if (method === 'POST' && name === null) return { status: 400 }
    if (method === 'POST') return { status: 201, headers: { Location: `/queues/${names.push(name!)}` } }
    const titles = names.map(
      (title) =>
        `<entry><id>urn:x:${title}</id><title>${title}</title><updated>2024-01-01T00:00:00Z</updated></entry>`,
    )
    return /queues(\/\d+|\/nameless)?$/.test(path) ? feed(titles) : { status: 404 }
  })
  using prober = proberOf(server.url)
  t.equal(await findCreateQueue(prober), 'found')
  t.equal(prober.draft.createQueue.body, 'name={name}')
  t.match(noteOf(prober, 'createQueue'), /listed under its name, and is not at/)
})

t.test('a queue whose creation tells no address is where its name says', async (t) => {
  const names = new Set<string>()
  await using server = await serve(({ method, path, body, headers }) => {
    if (method === 'GET') return names.has(path.replace('/queues/', '')) ? feed([]) : { status: 404 }
    if (headers['content-type'] !== 'application/json') return { status: 415 }
    names.add((JSON.parse(body.toString()) as { queue?: string }).queue ?? '')
    return { status: 201 }
  })
  using prober = proberOf(server.url)
  t.equal(await findCreateQueue(prober), 'found')
  t.equal(prober.draft.createQueue.body, '{"queue":"{name}"}')
  await FEATURE_FINDINGS['dotted-names'](prober)
  t.equal(prober.draft.features['dotted-names'], true)
})

t.test('a 201 without a queue is no creation', async (t) => {
  await using server = await serve(({ method }) =>
    method === 'POST' ? { status: 201, headers: { Location: '/queues/x' } } : { status: 404 },
  )
  using prober = proberOf(server.url)
  t.equal(await findCreateQueue(prober), 'absent', 'a success that does nothing is a fault of its own')
})

t.test('where any name has a feed, the address given has to tell', async (t) => {
  await using server = await serve(({ method, headers, body }) => {
    if (method === 'GET') return feed([])
    const name = headers['content-type'] === 'text/plain' ? body.toString() : 'other'
    return { status: 201, headers: { Location: `/queues/${name}` } }
  })
  using prober = proberOf(server.url)
  t.equal(await findCreateQueue(prober), 'found')
  t.equal(prober.draft.createQueue.body, '{name}')
})

for (const [status, result] of [
  [404, 'absent'],
  [405, 'absent'],
  [500, 'absent'],
  [400, 'refused'],
  [403, 'refused'],
] as const) {
  t.test(`${status} to all definitions: ${result}`, async (t) => {
    await using server = await serve(({ method }) => (method === 'POST' ? { status } : feed([])))
    using prober = proberOf(server.url)
    t.equal(await findCreateQueue(prober), result)
    t.match(noteOf(prober, 'createQueue'), result === 'refused' ? /Fill it in by hand/ : /none made one/)
  })
}

t.test('a prefix below which names have to stand is told by a refusal, or seen in the listing', async (t) => {
  for (const body of ['You may create queues below team/kit only.', 'Not yours.']) {
    await using broker = await definedBy(
      (got) => (got.body.toString().startsWith('team/kit/') ? got.body.toString() : null),
      { status: 403, body },
    )
    const intercept = broker.intercept
    broker.intercept = (got) => {
      if (got.method !== 'GET' || got.path !== '/mq/queues') return intercept(got)
      const listed = '<link href="/mq/queues/team/kit/theirs"/>'
      return feed([`<entry><id>urn:x:1</id><title/><updated>2024-01-01T00:00:00Z</updated>${listed}</entry>`])
    }
    using prober = proberOf(broker.url)
    t.equal(await findCreateQueue(prober), 'found')
    t.match(prober.draft.queueNames, { prefix: 'team/kit/', characters: null })
    t.match(noteOf(prober, 'queueNames.prefix'), `below team/kit/ is taken; another gave "${body}"`)
  }
})

t.test('names of other characters below a prefix are found by one refusal after the other', async (t) => {
  const refusal = (name: string) =>
    /^[a-z0-9/]+$/.test(name) ? 'Below lab/ only.' : 'Small letters and digits only.'
  await using broker = await fakeBroker()
  broker.intercept = ({ method, path, body }) => {
    const name = body.toString()
    if (method !== 'POST' || path !== '/mq/queues' || /^lab\/[a-z0-9/]+$/.test(name)) return undefined
    return { status: 400, body: refusal(name) }
  }
  using prober = proberOf(broker.url)
  t.equal(await findCreateQueue(prober), 'found')
  t.match(prober.draft.queueNames, { prefix: 'lab/', characters: 'a-z0-9' })
  t.match(noteOf(prober, 'queueNames.characters'), /Small letters and digits only/)
})
