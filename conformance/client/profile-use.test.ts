import t, { type Test } from 'tap'
import { checksIn } from '../checks/index.js'
import { runConformance } from '../judge.js'
import type { Report } from '../report/result.js'
import type { Check } from '../trial/check.js'
import type { CheckTrial } from '../trial/check-trial.js'
import { entry, fakeBroker, feed } from '../trial/fake-broker.test.helper.js'
import { wildcard } from '../trial/subscription-form.js'
import type { Trial } from '../trial/trial.js'
import { unauthorized } from '../trial/unauthorized.js'
import { skipIdleTime } from '../virtual-time.test.helper.js'
import type { Exchange } from './exchange.js'
import { messageIds } from './one-at-a-time.js'
import { parseProfile } from './parse-profile.js'
import { FEATURES, profileJson } from './profile.js'
import type { Got, Reply } from './serve.test.helper.js'

skipIdleTime()

interface Used {
  readonly got: readonly Got[]
  readonly report: Report
}

/** What a run of one check with this profile asks of a target. */
async function use(
  profile: object,
  run: (trial: Trial) => Promise<unknown>,
  {
    intercept = () => undefined,
    more = {},
  }: { intercept?: (got: Got) => Reply | undefined; more?: Partial<Check> } = {},
): Promise<Used> {
  await using broker = await fakeBroker()
  broker.intercept = intercept
  // Before it, the run has measured what the target's answers take.
  let begun = 0
  const check: Check = {
    id: 'http.one',
    title: 'x',
    stimulus: 'x',
    clauses: ['c.c'],
    grade: 'stated',
    run: async (trial) => {
      begun = broker.got.length
      await run(trial)
    },
    ...more,
  }
  const report = await runConformance(broker.url, { profile: parseProfile(profile), checks: [check] }).report
  return { got: broker.got.slice(begun), report }
}

const posted = ({ got }: Used, path: string) =>
  got.filter((each) => each.method === 'POST' && each.path === path)
const form = (used: Used) => new URLSearchParams(posted(used, '/mq/subscriptions')[0]!.body.toString())
const subscribe = (trial: Trial) => trial.subscribe('q', { selector: 's', lease: 'short' })

/** A profile with one field that is not as usual. */
function having(path: string, value: unknown): object {
  return path.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as object
}

async function tellsTheForm(t: Test, path: string, value: unknown, name: string, expected: string | null) {
  t.equal(form(await use(having(path, value), subscribe)).get(name), expected)
}

const clock = (fields: object) => ({ clock: { advance: fields } })
const advance = (trial: Trial) => trial.elapse(1500)
const answer = (headers: Record<string, string>) =>
  ({ url: 'http://mq.test/x', status: 200, headers, body: Buffer.alloc(0) }) as unknown as Exchange
const done = ({ path }: Got) => (/clock|tick/.test(path) ? { status: 200 } : undefined)
const advances = ({ got }: Used) => got.find((each) => done(each) !== undefined)!

/** For each field of a profile, what changes with it. */
const EXERCISED: Readonly<Record<string, (t: Test) => Promise<unknown>>> = {
  name: async (t) => t.equal((await use({ name: 'n' }, async () => {})).report.target.name, 'n'),
  ...Object.fromEntries(
    FEATURES.map((feature) => [
      `features.${feature}`,
      async (t: Test) => {
        for (const [claimed, status] of [
          [true, 'pass'],
          [false, 'not-applicable'],
        ] as const) {
          const { report } = await use({ features: { [feature]: claimed } }, async () => {}, {
            more: { feature },
          })
          t.equal(report.results[0]!.status, status)
          t.equal(report.features[feature].claimed, claimed)
        }
      },
    ]),
  ),
  headers: async (t) => {
    const { got } = await use({ headers: { 'X-Key': 'k' } }, (trial) => trial.createQueue())
    t.ok(got.every(({ headers }) => headers['x-key'] === 'k'))
  },
  unauthorized: async (t) => {
    const { got } = await use(
      { headers: { 'X-Key': 'k' }, unauthorized: [{ 'X-Key': 'other' }] },
      async (trial) => {
        for (const { headers } of unauthorized(trial, 'all')) {
          await trial.target.request('GET', trial.target.at('/x'), { as: headers })
        }
      },
    )
    t.strictSame(
      got.filter(({ path }) => path === '/mq/x').map(({ headers }) => headers['x-key']),
      ['other'],
    )
  },
  'createQueue.headers': async (t) => {
    const used = await use({ createQueue: { headers: { 'X-Kind': 'k' } } }, (trial) => trial.createQueue('q'))
    t.match(posted(used, '/mq/queues')[0], { headers: { 'x-kind': 'k' } })
  },
  'createQueue.body': async (t) => {
    const used = await use({ createQueue: { body: 'a {name}' } }, (trial) => trial.createQueue('q'))
    t.equal(posted(used, '/mq/queues')[0]!.body.toString(), 'a q')
  },
  'subscription.parameters.destination': (t) =>
    tellsTheForm(t, 'subscription.parameters.destination', 'd', 'd', 'q'),
  'subscription.parameters.prefetch': async (t) => {
    await tellsTheForm(t, 'subscription.parameters.prefetch', 'p', 'p', '10')
    await tellsTheForm(t, 'subscription.parameters.prefetch', null, 'prefetch', null)
  },
  'subscription.parameters.selector': (t) =>
    tellsTheForm(t, 'subscription.parameters.selector', 'x', 'x', 's'),
  'subscription.parameters.timeout': async (t) => {
    await tellsTheForm(t, 'subscription.parameters.timeout', 'ttl', 'ttl', '2')
    await tellsTheForm(t, 'subscription.parameters.timeout', null, 'timeout', null)
  },
  'subscription.fixed': (t) => tellsTheForm(t, 'subscription.fixed', { agreed: 'yes' }, 'agreed', 'yes'),
  'queueNames.form': async (t) => {
    const used = await use({ queueNames: { form: 'dotted' } }, async (trial) => {
      await trial.createQueue('a/b')
      t.match(trial.target.queueUri('a/b'), /\/queues\/a\.b$/)
      await subscribe(trial)
    })
    t.equal(posted(used, '/mq/queues')[0]!.body.toString(), 'a.b')
  },
  'queueNames.characters': async (t) => {
    for (const [characters, pattern] of [
      ['a-z0-9', /^[a-z0-9]+$/],
      ['A-Z', /^[A-Z]+$/],
      ['0-9', /^[0-9]+$/],
    ] as const) {
      const profile = { queueNames: { characters } }
      const names = new Set<string>()
      const { report } = await use(profile, async (trial) => {
        for (let count = 0; count < 30; count++) names.add(trial.freshName())
        await trial.tryCreateQueue('a!')
      })
      t.equal(names.size, 30)
      t.ok(
        [...names].every((name) => pattern.test(name)),
        `${[...names][0]}`,
      )
      t.equal(report.results[0]!.status, 'not-applicable')
    }
  },
  'queueNames.maxLength': (t) => isNotAsked(t, { maxLength: 32 }, 'x'.repeat(33)),
  'queueNames.maxSegments': (t) => isNotAsked(t, { maxSegments: 2 }, 'a/b/c'),
  'queueNames.prefix': async (t) => {
    const used = await use({ queueNames: { prefix: 'team/kit' } }, (trial) => trial.createQueue())
    t.match(posted(used, '/mq/queues')[0]!.body.toString(), /^team\/kit\/kit-/)
    await isNotAsked(t, { prefix: 'team' }, 'elsewhere')
  },
  'message.headers': async (t) => {
    const used = await use({ message: { headers: { 'X-Kind': 'k' } } }, sendOne)
    t.equal(used.got.find(({ path }) => path.startsWith('/mq/new/'))!.headers['x-kind'], 'k')
  },
  'message.body': async (t) => {
    const headers = { 'Content-Type': 'application/json' }
    const used = await use({ message: { headers, body: '{"m":"{text}"}' } }, async (trial) => {
      const queue = await trial.createQueue('q')
      await trial.send(queue, trial.freshMessage('"').body)
    })
    const { body } = used.got.find(({ path }) => path.startsWith('/mq/new/'))!
    t.match(JSON.parse(body.toString()).m, /^"kit-/)
  },
  'message.arrives': async (t) => {
    for (const [arrives, known] of [
      ['same', false],
      ['contains', true],
    ] as const) {
      await use({ message: { arrives } }, async (trial) => {
        const message = trial.freshMessage()
        const arrived = Buffer.from(`<m>${message.text}</m>`)
        t.equal(trial.isMessage(arrived, message), known)
        t.equal(trial.messageText(arrived) === message.text, known)
      })
    }
  },
  'message.maxBytes': async (t) => {
    for (const [maxBytes, length, refusal, status] of [
      [4, 5, 413, 'not-applicable'],
      [null, 1025, 413, 'not-applicable'],
      [null, 1025, 400, 'not-applicable'],
      [null, 1024, 413, 'blocked'],
      [null, 1025, 500, 'blocked'],
    ] as const) {
      const { report } = await use(
        { message: { maxBytes } },
        async (trial) => trial.send(await trial.createQueue('q'), 'x'.repeat(length)),
        { intercept: ({ path }) => (path.startsWith('/mq/new/') ? { status: refusal } : undefined) },
      )
      t.equal(report.results[0]!.status, status)
    }
  },
  'guid.form': async (t) => {
    const { report } = await use({ guid: { form: 'uuid' } }, async (trial) => {
      t.match(trial.freshGuid(), /^[\da-f]{8}-[\da-f]{4}-4/)
      await trial.postWithGuid(await trial.createQueue('q'), 'kit-1', 'x')
    })
    t.equal(report.results[0]!.status, 'not-applicable')
  },
  'guid.maxLength': async (t) => {
    const { report } = await use({ guid: { maxLength: 4 } }, async (trial) =>
      trial.postWithGuid(await trial.createQueue('q'), '12345', 'x'),
    )
    t.equal(report.results[0]!.status, 'not-applicable')
  },
  'subscription.headers': async (t) => {
    const used = await use({ subscription: { headers: { 'X-Kind': 'k' } } }, subscribe)
    t.equal(posted(used, '/mq/subscriptions')[0]!.headers['x-kind'], 'k')
  },
  'subscription.separator': async (t) => {
    const used = await use({ subscription: { separator: ',' } }, (trial) => trial.subscribe(['a', 'b']))
    t.strictSame(form(used).getAll('destination'), ['a,b'])
  },
  'subscription.destination': async (t) => {
    for (const [destination, written] of [
      ['q:{path}', /^q:a\/b$/],
      ['{dotted}', /^a\.b$/],
      ['{address}', /^http:.*\/queues\/a\/b$/],
    ] as const) {
      const used = await use({ subscription: { destination } }, async (trial) =>
        trial.subscribe({ path: 'a/b', uri: trial.target.queueUri('a/b') }),
      )
      t.match(form(used).get('destination'), written)
    }
  },
  'subscription.maxPrefetch': async (t) => {
    await tellsTheForm(t, 'subscription.maxPrefetch', 3, 'prefetch', '3')
    const { report } = await use({ subscription: { maxPrefetch: 3 } }, (trial) =>
      trial.subscribe('q', { prefetch: 4 }),
    )
    t.equal(report.results[0]!.status, 'not-applicable')
  },
  'subscription.maxLeaseSeconds': async (t) => {
    const used = await use({ subscription: { maxLeaseSeconds: 60 } }, (trial) => trial.subscribe('q'))
    t.equal(form(used).get('timeout'), '60')
  },
  requestsPerSecond: async (t) => {
    const began = performance.now()
    await use({ requestsPerSecond: 50 }, async (trial) =>
      Promise.all(Array.from({ length: 20 }, () => trial.target.request('GET', trial.target.at('/x')))),
    )
    t.ok(performance.now() - began > 380, 'twenty requests take four tenths of a second')
  },
  'subscription.timeoutFormat': (t) =>
    tellsTheForm(t, 'subscription.timeoutFormat', 'PT{s}S', 'timeout', 'PT2S'),
  'subscription.leaseSeconds': (t) => tellsTheForm(t, 'subscription.leaseSeconds', 3.5, 'timeout', '3.5'),
  'subscription.renewedBy': async (t) => {
    for (const [renewedBy, status] of [
      [['read'], 'fail'],
      [[], 'inconclusive'],
    ] as const) {
      const { report } = await use(
        { subscription: { renewedBy, leaseSeconds: 0.3 } },
        async (trial: Trial) => {
          const consumer = await trial.subscribe('q', { lease: 'short' })
          await new Promise((resolve) => setTimeout(resolve, 200))
          await consumer.read()
          await new Promise((resolve) => setTimeout(resolve, 80))
          trial.expect(false, 'x', 'y')
        },
        { intercept: ({ method }) => (method === 'GET' ? feed([]) : undefined) },
      )
      t.equal(
        report.results[0]!.status,
        status,
        'a failure after the first lease is one where it was renewed',
      )
    }
  },
  'subscription.wildcard': async (t) => {
    await use({ subscription: { wildcard: '{prefix}/+' } }, async (trial) =>
      t.equal(wildcard(trial, 'p'), 'p/+'),
    )
  },
  'subscription.selector.expression': async (t) => {
    t.equal(form(await selecting({ expression: 'e' })).get('selector'), 'e')
  },
  'subscription.selector.matching': async (t) => {
    t.equal(labelOf(await selecting({ matching: { 'X-Size': 's' } })), 's')
  },
  'subscription.selector.other': async (t) => {
    t.equal(labelOf(await selecting({ other: { 'X-Size': 's' } }, 'blue')), 's')
  },
  messageUri: async (t) => {
    const intercept = ({ method }: Got) =>
      method === 'GET'
        ? feed([entry('1', '<link rel="x" href="/here"/><content src="/there" type="a/b"/>')])
        : undefined
    for (const [where, path] of [
      ['link[rel=x]', '/here'],
      ['content', '/there'],
    ]) {
      await use(
        { messageUri: where },
        async (trial) => {
          const [message] = await (await trial.subscribe('q')).read()
          t.equal(new URL(message!.messageUri!).pathname, path)
        },
        { intercept },
      )
    }
  },
  'oneAtATime.messageId': async (t) => {
    const headers = { 'x-id': 'h', location: '/ack/c/l' }
    for (const [messageId, expected] of [
      ['header:X-Id', 'h'],
      ['location', 'l'],
    ]) {
      await use({ oneAtATime: { messageId } }, async (trial) =>
        t.strictSame(messageIds(trial, answer(headers)), [expected]),
      )
    }
  },
  settleSeconds: async (t) => {
    await use({ settleSeconds: 1.5 }, async ({ timing }) => {
      t.equal(timing.settle, 1500)
      t.ok(timing.timeout >= 4500)
    })
  },
  'clock.advance.method': async (t) => {
    const used = await use(clock({ method: 'PUT' }), advance, { intercept: done })
    t.equal(advances(used).method, 'PUT')
  },
  'clock.advance.path': async (t) => {
    const used = await use(clock({ path: '/tick' }), advance, { intercept: done })
    t.equal(advances(used).path, '/mq/tick')
  },
  'clock.advance.body': async (t) => {
    const used = await use(clock({ body: '<{ms}>' }), advance, { intercept: done })
    t.equal(advances(used).body.toString(), '<1500>')
  },
  'clock.advance.headers': async (t) => {
    const used = await use(clock({ headers: { 'X-A': 'b' } }), advance, { intercept: done })
    t.equal(advances(used).headers['x-a'], 'b')
  },
}

const sendOne = async (trial: Trial) => trial.send(await trial.createQueue('q'))

/** A name outside of what these limits allow makes a check that asks for it not applicable, and is not sent. */
async function isNotAsked(t: Test, queueNames: object, name: string): Promise<void> {
  const used = await use({ queueNames }, (trial) => trial.createQueue(name))
  t.equal(used.report.results[0]!.status, 'not-applicable')
  t.strictSame(posted(used, '/mq/queues'), [])
}

/** A consumer with a selector, and a message of a colour. */
async function selecting(selector: object, colour = 'red'): Promise<Used> {
  const [row] = checksIn(`subscribe.selector: subscribe.selector
  create a; subscribe A to a selector colour = 'red'; send m1 to a with colour ${colour}`)
  return use({ subscription: { selector } }, async (trial) => row!.run(trial as CheckTrial))
}

const labelOf = ({ got }: Used) => got.find(({ path }) => path.startsWith('/mq/new/'))!.headers['x-size']

/** Paths of all fields that the parser knows; an object that takes any name is one field. */
function fields(value: unknown, path: string[] = []): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || takesAnyName(path))
    return [path.join('.')]
  return Object.entries(value).flatMap(([name, each]) => fields(each, [...path, name]))
}

function takesAnyName(path: readonly string[]): boolean {
  if (path.length === 0) return false
  try {
    parseProfile(having([...path, 'x-anything'].join('.'), 'x'))
    return true
  } catch {
    return false
  }
}

const KNOWN = fields(profileJson(parseProfile({ clock: {} })))

t.test('every field of a profile is exercised here', async (t) => {
  t.ok(KNOWN.length > 25)
  t.strictSame(Object.keys(EXERCISED).sort(), [...KNOWN].sort())
})

for (const [field, exercise] of Object.entries(EXERCISED)) {
  t.test(`${field} has its effect`, async (t) => void (await exercise(t)))
}
