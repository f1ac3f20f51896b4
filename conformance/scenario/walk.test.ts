import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { parseProfile } from '../client/parse-profile.js'
import type { Got, Reply } from '../client/serve.test.helper.js'
import { overSockets } from '../client/sockets.js'
import { entry, fakeBroker, feed } from '../trial/fake-broker.test.helper.js'
import { carryOut } from './carry-out.js'
import { parse } from './parse.js'
import { ScenarioTarget } from './scenario-target.js'

type Intercept = (got: Got) => Reply | undefined | Promise<Reply | undefined>

const REFUSED: Reply = { status: 409 }

/** What comes of a scenario at a broker that an intercept changes. */
async function carriedOut(scenario: string, intercept: Intercept, profile: object = {}) {
  await using broker = await fakeBroker()
  broker.intercept = intercept
  const whole = parseProfile({ subscription: { leaseSeconds: 30 }, ...profile })
  const target = await ScenarioTarget.at(broker.url, {
    ...{ profile: whole, signal: new AbortController().signal, transport: overSockets },
  })
  try {
    return await carryOut(parse(scenario), target)
  } finally {
    target.close()
  }
}

t.test('a queue can be written as its path, or with dots, whatever its creation told of it', async (t) => {
  const asked: string[] = []
  const features = { 'dotted-names': true }
  const outcome = await carriedOut(
    'create a/b; by path: browse a/b; by path: browse c; by dots: delete a/b',
    ({ method, path }) => {
      asked.push(`${method} ${path}`)
      return path.includes('.') ? { status: 404 } : undefined
    },
    { features },
  )
  const paths = [/^GET \/mq\/queues\/.*a\/b$/, /^GET \/mq\/queues\/.*c$/, /^DELETE \/mq\/queues\/.*a\.b$/]
  for (const each of paths)
    t.ok(
      asked.some((one) => each.test(one)),
      `${each} of ${asked.join('; ')}`,
    )
  t.match(
    outcome.broken.map(({ clause, step }) => [clause, step]),
    [['queues.delete.status', 3]],
  )
  const without = { features: { 'dotted-names': false } }
  const lacking = await carriedOut('create a/b; by dots: browse a/b', () => undefined, without)
  t.match(lacking, { verdict: 'not-applicable', why: /dotted-names/ })
})

t.test('a message is sent by the single path to a queue that nobody has made', async (t) => {
  const asked: string[] = []
  const outcome = await carriedOut(
    'create a; by path: send m1 to b/c by single-path',
    ({ method, path }) => {
      if (/b\/c$/.test(path)) asked.push(`${method} ${path}`)
      return undefined
    },
    { features: { 'single-path': true } },
  )
  t.match(asked, [/^POST \/mq\/queue\/.*b\/c$/])
  t.equal(outcome.verdict, 'conformant')
})

t.test('what was a queue is a category again, when it is deleted, in which others are listed', async (t) => {
  const root = /^\/mq\/queues$/
  const outcome = await carriedOut(
    'create a; create a/b; delete a; list',
    ({ method, path }) => (method === 'GET' && root.test(path) ? feed([]) : undefined),
    { features: { subtree: true } },
  )
  t.match(
    outcome.broken.map(({ clause, step }) => [clause, step]),
    [['browse.root.entries', 3]],
  )
})

t.test('a guid that the profile does not allow is not sent', async (t) => {
  const scenario = 'create a; send m1 to a by guid; send m2 to a by guid unlike m1 in emoji; browse a'
  t.match(await carriedOut(scenario, () => undefined, { features: { guid: true } }), {
    verdict: 'conformant',
  })
  const uuids = { features: { guid: true }, guid: { form: 'uuid' } }
  t.match(await carriedOut(scenario, () => undefined, uuids), {
    ...{ verdict: 'inconclusive', why: /step 3 was passed over: the profile allows no such guid/ },
  })
})

const isPost = ({ method, path }: Got) => method === 'POST' && path.startsWith('/mq/new/')

t.test('a message without a byte is a message, and one of another type is the same', async (t) => {
  const features = { features: { guid: true } }
  for (const way of ['two-step', 'guid']) {
    const scenario = `create a; send m1 to a by ${way} empty; repeat m1 retyped; browse a; subscribe A to a; read A`
    t.match(await carriedOut(scenario, () => undefined, features), { verdict: 'conformant', broken: [] }, way)
    const isEmpty = ({ method, path, body }: Got) =>
      method === 'POST' && /^\/mq\/(?:new\/|.*guid=)/.test(path) && body.length === 0
    t.match(
      await carriedOut(scenario, (got) => (isEmpty(got) ? REFUSED : undefined), features),
      { why: /step 2 was passed over: such a message is refused with 409/ },
      way,
    )
    t.match(
      await carriedOut(
        `create a; send m1..m3 to a by ${way} empty`,
        (got) => (isEmpty(got) ? REFUSED : undefined),
        features,
      ),
      { why: /such a message is refused with 409 \(3 times\)(?!.*such)/ },
      way,
    )
    const typed = scenario.replace(' empty', '')
    const isTyped = ({ headers }: Got) => headers['content-type'] === 'application/octet-stream'
    t.match(
      await carriedOut(typed, (got) => (isTyped(got) ? REFUSED : undefined), features),
      { why: /step 3 was passed over: the target refuses another type/ },
      way,
    )
  }
  const loses: Intercept = (got) => (isPost(got) && got.body.length === 0 ? {} : undefined)
  t.match(await carriedOut('create a; send m1 to a empty; browse a', loses), {
    broken: [{ clause: 'browse.queue.entries' }],
  })
})

t.test(
  'a HEAD of a feed and a GET of a new-message address are asked, and prove nothing by themselves',
  async (t) => {
    const asked: string[] = []
    const scenario =
      'create a; address m1 at a; visit m1; post m1; subscribe A to a; head A; read A; visit m2; head B'
    const outcome = await carriedOut(scenario, ({ method, path }) => {
      asked.push(`${method} ${path}`)
      return method === 'HEAD' ? {} : undefined
    })
    t.ok(asked.some((each) => each.startsWith('GET /mq/new/')))
    t.ok(asked.some((each) => each.startsWith('HEAD /mq/subscriptions/')))
    t.same(outcome.broken, [])
    t.match(outcome, { why: /step 8 was passed over: there is no address for m2/ })
  },
)

t.test('an id that is long may be refused', async (t) => {
  const features = { features: { 'one-at-a-time': true } }
  const joins =
    (status: number): Intercept =>
    ({ path }) =>
      path.startsWith('/mq/subscribe/') ? { status } : undefined
  const named = (name: string) => `create a; join ${name} to a`
  const long = 'X-with-an-id-of-many-letters'
  t.match(await carriedOut(named(long), joins(400), features), {
    broken: [],
    why: /the target refuses the id/,
  })
  t.match(await carriedOut(named(long), joins(200), features), { verdict: 'conformant' })
  t.match(await carriedOut(named('X'), joins(400), features), {
    broken: [{ clause: 'one-at-a-time.subscribe' }],
  })
})

t.test('a repeat that is refused while the first is under way is asked again', async (t) => {
  let underWay = 0
  const oneAtATime: Intercept = async (got) => {
    if (!isPost(got)) return undefined
    if (underWay > 0) return REFUSED
    underWay += 1
    await sleep(15)
    underWay -= 1
    return undefined
  }
  const repeats = 'create a; send m1 to a; together: repeat m1 | repeat m1; repeat m1; browse a'
  t.match(await carriedOut(repeats, oneAtATime), { verdict: 'conformant', broken: [] })

  let posts = 0
  const repeat = 'create a; send m1 to a; repeat m1'
  const late = await carriedOut(repeat, (got) => (isPost(got) && ++posts === 2 ? REFUSED : undefined))
  t.equal(late.verdict, 'conformant', 'and taken then')
  t.equal(posts, 3)

  const seen = new Set<string>()
  const never = await carriedOut(repeat, (got) => {
    if (seen.has(got.path)) return REFUSED
    if (isPost(got)) seen.add(got.path)
    return undefined
  })
  const broken = { clause: 'send.two-step.repeat.status', expected: '200', seen: '409', step: 2 }
  t.match(never.broken, [broken], 'but not refused for ever')
})

t.test('a scenario whose ways cannot be followed ends at once, and says so', async (t) => {
  const many = Array.from({ length: 11 }, (_, at) => `send m${at + 2} to a like m1`).join('; ')
  const scenario = `create a; send m1 to a; ${many}; subscribe A to a; read A; ! read A`
  const { verdict, why, told, steps } = await carriedOut(scenario, () => undefined)
  t.equal(verdict, 'inconclusive')
  t.equal(why, 'there are more ways in which things may stand than can be followed')
  t.equal(told.length, steps.length - 1, 'and nothing more is done')
})

t.test('of many destinations a subscription may be refused, and of few not', async (t) => {
  const refusing: Intercept = ({ method, path }) =>
    method === 'POST' && path === '/mq/subscriptions' ? REFUSED : undefined
  const many = 'create a; create b; create c; create d; subscribe A to a,b,c,d'
  const why = 'step 5 was passed over: the target refuses 4 destinations'
  t.match(await carriedOut(many, refusing), { verdict: 'inconclusive', why })
  const few = await carriedOut('create a; create b; create c; subscribe A to a,b,c', refusing)
  t.match(few.broken, [{ clause: 'subscribe.status', seen: /^409/ }])
})

t.test('what came or went has its time to do so', async (t) => {
  const settleMs = 150
  const since = new Map<string, number>()
  const slowly: Intercept = (got) => {
    const isNew = (path: string) => performance.now() - (since.get(path) ?? 0) < settleMs
    if (got.method === 'POST' && got.path === '/mq/queues')
      since.set(`/mq/queues/${got.body}`, performance.now())
    else if (got.method === 'POST' && isNew(got.path)) return { status: 404 }
    if (got.method === 'DELETE' && /subscriptions\/\d+$/.test(got.path)) {
      since.set(got.path, performance.now())
      return {}
    }
    if (got.method === 'GET' && since.has(got.path) && got.path.includes('subscriptions'))
      return isNew(got.path) ? feed([]) : { status: 410 }
    return undefined
  }
  const scenario = 'create a; send m1 to a; subscribe A to a prefetch 5; end A; together: read A | read A'
  // The kit counts from when it asks, and the broker from when it is asked.
  const patient = await carriedOut(scenario, slowly, { settleSeconds: (settleMs + 50) / 1000 })
  t.match(patient, { verdict: 'conformant', told: { length: 5 } })
  const hasty = await carriedOut(scenario, slowly)
  t.equal(hasty.broken[0]?.clause, 'send.step-1.status', 'as much as the profile says')
})

t.test('what a POST of acknowledgements does not show is held still', async (t) => {
  const acknowledged: string[] = []
  const onlyNew: Intercept = (got) => {
    if (got.method === 'DELETE') acknowledged.push(got.path)
    return got.method === 'POST' && /subscriptions\/\d+$/.test(got.path) ? feed([]) : undefined
  }
  const scenario =
    'create a; send m1 m2 to a; subscribe A to a prefetch 5; read A; ack A 1st and read; ack A 1st'
  await carriedOut(scenario, onlyNew, { features: { 'ack-in-post': true } })
  t.ok(acknowledged.some((path) => /subscriptions\/\d+\/\d+$/.test(path)))
})

t.test('what came of many sends is told as it was', async (t) => {
  const posted = new Map<string, number>()
  const paced: Intercept = (got) => {
    if (!isPost(got)) return undefined
    const place = posted.get(got.path) ?? posted.size + 1
    posted.set(got.path, place)
    return place % 5 === 0 ? { status: 503 } : undefined
  }
  const { told, verdict, why, unanswered } = await carriedOut('create a; send m1..m20 to a', paced)
  t.equal(told[1]?.came, '201 (20 times); 200 (16 times); 503 (4 times)')
  t.equal(verdict, 'inconclusive')
  t.match(why, /^4 of \d+ requests were not answered$/)
  t.match(unanswered, { count: 4, first: [{ method: 'POST', status: 503 }] })
})

t.test(
  'a send that is not done is repeated, and what became of the first try is anybody’s guess',
  async (t) => {
    const posted = new Set<string>()
    const once: Intercept = (got) => {
      if (got.method !== 'POST' || posted.has(got.path)) return undefined
      posted.add(got.path)
      return /\/queues\/|\/new\//.test(got.path) ? { status: 504 } : undefined
    }
    const { told, verdict, unanswered } = await carriedOut('create a; send m1 m2 to a; browse a', once)
    t.equal(told[1]?.came, '201 (2 times); 200 (2 times)')
    t.match({ verdict, unanswered }, { verdict: 'conformant', unanswered: { count: 0 } })
    t.ok(posted.size > 2, 'it was answered so')
  },
)

t.test('a refusal that breaks a clause is quoted', async (t) => {
  const refusing: Intercept = ({ method, path }) =>
    method === 'DELETE' && /subscriptions\/\d+\/./.test(path)
      ? { status: 404, headers: { 'Content-Type': 'text/plain' }, body: 'no such message' }
      : undefined
  const { broken } = await carriedOut('create a; send m1 to a; subscribe A to a; read A; ack A m1', refusing)
  t.match(broken, [{ clause: 'ack.status', expected: '200', seen: /^404.*: "no such message"$/ }])
})

t.test('why a feed could not be read is told, where that is why it shows nothing', async (t) => {
  const noFeed: Intercept = ({ method, path }) =>
    method === 'GET' && path.startsWith('/mq/queues/') ? { status: 200, body: 'three messages' } : undefined
  const { broken } = await carriedOut('create a; send m1 to a; browse a', noFeed)
  t.match(broken, [{ clause: 'browse.queue.entries', seen: /^GET http\S+ gave .+/ }])
})

t.test('who else is shown what one waits for is told', async (t) => {
  let ofA = ''
  let readings = 0
  const lateToA: Intercept = ({ method, path }) => {
    if (method === 'POST' && path.endsWith('/subscriptions')) ofA = ''
    if (method !== 'GET' || !/subscriptions\/\d+$/.test(path)) return undefined
    if (ofA === '') readings = 0
    ofA ||= path
    if (path === ofA) readings += 1
    return path === ofA && readings > 1 ? undefined : feed([])
  }
  const scenario = 'create a; send m1 to a; subscribe A to a; subscribe B to a; read A; read B; ack A m1'
  const { told, verdict } = await carriedOut(scenario, lateToA)
  t.equal(verdict, 'conformant')
  t.strictSame(
    told.slice(4).map(({ came }) => came),
    ['200, nothing', '200, nothing; A: 200, m1', '200'],
  )
})

t.test('what has no address is shown, and cannot be acknowledged', async (t) => {
  let body = ''
  const bare: Intercept = (got) => {
    if (isPost(got)) body = String(got.body)
    return got.method === 'GET' && /subscriptions\/\d+$/.test(got.path)
      ? feed([`<entry><id>urn:e:1</id><content type="text">${body}</content></entry>`])
      : undefined
  }
  const { told } = await carriedOut('create a; send m1 to a; subscribe A to a; read A; ack A 1st', bare)
  t.strictSame(
    told.slice(3).map(({ came }) => came),
    ['200, m1', 'A holds 0 messages'],
  )
})

t.test('where a part of what must come did, the rest is judged by it', async (t) => {
  const { feedOf, intercept } = shownOnly([1, 4])
  const scenario = 'create a; send m1..m4 to a; subscribe A to a prefetch 2; read A; ack A m1; read A'
  const half = await carriedOut(scenario, intercept)
  t.match(half, {
    verdict: 'broken',
    told: { length: 6 },
    broken: [
      { clause: 'consume.delivered', kind: 'late', step: 3, seen: "m1 in A's feed" },
      { clause: 'prefetch.cap', kind: 'certain', step: 5, seen: "m1..m4 in A's feed" },
    ],
  })
  t.ok(feedOf() > 4, 'it was waited for')
  const before = await carriedOut(scenario.replace('; ack', '; ! ack'), shownOnly([1, 1]).intercept)
  t.match(before, { verdict: 'blocked', why: 'of consume.delivered', told: { length: 6 } })
  const none = await carriedOut(scenario, shownOnly([0, 0]).intercept)
  t.match(none, { verdict: 'broken', told: { length: 4 } }, 'nothing at all tells nothing')
})

/** A broker that has sent so many messages to its consumer before any acknowledgement, and so many after. */
function shownOnly([before, after]: readonly [number, number]) {
  let bodies: string[] = []
  let isAcknowledged = false
  let readings = 0
  const intercept: Intercept = (got) => {
    if (got.method === 'POST' && got.path.endsWith('/subscriptions')) isAcknowledged = false
    if (got.method === 'POST' && got.path.endsWith('/queues')) bodies = []
    if (isPost(got)) bodies.push(String(got.body))
    if (got.method === 'DELETE' && /subscriptions\/\d+\/./.test(got.path)) isAcknowledged = true
    if (got.method !== 'GET' || !/subscriptions\/\d+$/.test(got.path)) return undefined
    readings += 1
    const some = bodies.slice(0, isAcknowledged ? after : before)
    return feed(
      some.map((body, at) =>
        entry(`${at}`, `<link rel="edit" href="${got.path}/${at}"/><content type="text">${body}</content>`),
      ),
    )
  }
  return { intercept, feedOf: () => readings }
}

t.test('a lease that no step waits for outlives the others', async (t) => {
  const asked: string[] = []
  const noted: Intercept = ({ method, path, body }) => {
    if (method === 'POST' && path.endsWith('/subscriptions'))
      asked.push(new URLSearchParams(String(body)).get('timeout') ?? '')
    return undefined
  }
  await using broker = await fakeBroker()
  broker.intercept = noted
  const profile = parseProfile({})
  const signal = new AbortController().signal
  const target = await ScenarioTarget.at(broker.url, { profile, signal, transport: overSockets })
  const timeouts = async (scenario: string) => {
    asked.length = 0
    await carryOut(parse(scenario), target)
    return asked.join(' ')
  }
  const both = 'create a; subscribe A to a; subscribe B to a'
  try {
    const [short, long] = (await timeouts(`${both}; wait part of A`)).split(' ')
    t.ok(Number(short) < Number(long), `${short} s and ${long} s`)
    t.equal(await timeouts(`${both}; end A by expiry`), `${short} ${long}`)
    t.equal(await timeouts(`${both}; wait part`), `${short} ${short}`, 'it may be anybody’s')
    t.equal(await timeouts(`${both}; end A`), `${long} ${long}`)
  } finally {
    target.close()
  }
})

t.test('a request as it is written is sent so, and is not judged', async (t) => {
  const asked: string[] = []
  const outcome = await carriedOut(
    `create a; send m1 to a; subscribe A to a
     request GET a ?x={20}&q={b/c} with X-Kit: "{a} ;" with content-type: b body "{A} c"
     request HEAD beside A; request PUT address m1
     request POST /subscriptions/{A} with Content-Type: text/x form destination=a destination=b prefetch=0 colour="a b"
     read A`,
    ({ method, path, headers, body }) => {
      const type = headers['content-type']
      asked.push(`${method} ${path} ${headers['x-kit']} ${type} ${body}`.replace(/kit-[\w]+|message/g, 'N'))
      return type === 'b' ? { status: 418 } : type === 'text/x' ? { status: 415 } : undefined
    },
  )
  t.match(outcome, { verdict: 'conformant' })
  t.same(
    outcome.told.slice(3, 7).map(({ came }) => came),
    ['418', '410', '404', '415'],
  )
  const written = asked.filter(
    (each) => !/^(?:GET|DELETE|POST) \S+ undefined (?:text\/plain|undefined)/.test(each),
  )
  t.match(written.join('\n'), /^GET \/mq\/queues\/\S+a\?x=\S+&q=\S+b\/c \S+a ; b \S+A c$/m)
  t.match(written.join('\n'), /^HEAD \/mq\/subscriptions\/\D\S* /m)
  t.match(written.join('\n'), /^PUT \/mq\/new\//m)
  t.match(
    written.join('\n'),
    /^POST \/mq\/subscriptions\/\S+A undefined text\/x destination=\S+a&destination=\S+b&prefetch=0&colour=a\+b$/m,
  )
})

t.test('the time in the data of a subscription is written as the target has it', async (t) => {
  const asked: string[] = []
  await carriedOut(
    `create a; request POST /subscriptions form destination=a timeout=0.05
     request POST /subscriptions form destination=a timeout=soon`,
    ({ path, body }) => {
      if (path.endsWith('/subscriptions')) asked.push(new URLSearchParams(`${body}`).get('ttl') ?? 'none')
      return undefined
    },
    { subscription: { parameters: { timeout: 'ttl' }, timeoutFormat: 'PT{ms}' } },
  )
  // The target may have been asked for one before, to be met.
  t.same(asked.slice(-2), ['PT50', 'soon'])
})

t.test('what a request as it is written may have changed is not known', async (t) => {
  const changed = await carriedOut('create a; request POST a; browse a', () => undefined)
  t.match(changed, { verdict: 'inconclusive', why: 'what step 2 has changed is not known' })
  t.equal(changed.told.length, 2)
  const lacking = await carriedOut(
    'create a; request GET b; request GET A; request GET A m1; request GET address m1',
    () => undefined,
  )
  t.same(
    lacking.told.slice(1).map(({ came }) => came),
    ['there is no queue b', 'A has no subscription', 'A was not shown m1', 'there is no address for m1'],
  )
})
