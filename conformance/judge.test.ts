import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { parseProfile } from './client/parse-profile.js'
import { type ConformanceOptions, runConformance } from './judge.js'
import { check, create, runOne } from './judge.test.helper.js'
import { fakeBroker } from './trial/fake-broker.test.helper.js'
import type { Trial } from './trial/trial.js'
import { skipIdleTime } from './virtual-time.test.helper.js'

skipIdleTime()

t.test('a run gives its results as they come, and a report in the order of the checks', async (t) => {
  await using broker = await fakeBroker()
  const run = runConformance(`${broker.url}/`, {
    checks: [
      check('send.slow', () => sleep(50)),
      create,
      check('send.bad', async (trial: Trial) => trial.expect(false, 'this.', 'that')),
      check(
        'http.free',
        async (trial: Trial) => {
          trial.choose('point', 'one')
          trial.observed('sees one')
        },
        { grade: 'chosen' },
      ),
      check('http.free-too', async (trial: Trial) => trial.choose('point', 'two'), { grade: 'chosen' }),
      check('http.free-again', async (trial: Trial) => trial.choose('point', 'one'), { grade: 'chosen' }),
      check('dedup.ok', async () => {}, { grade: 'optional', feature: 'guid' }),
      check('subscribe.bad', async (trial: Trial) => trial.expect(false, '', ''), {
        grade: 'optional',
        feature: 'wildcards',
      }),
      check('batch.none', async () => {}, { grade: 'optional', feature: 'batch' }),
      check('send.after', async (trial: Trial) => trial.expect(false, 'x', 'that, too'), {
        needs: ['send.bad'],
      }),
      check('ack.after', async (trial: Trial) => trial.expect(false, 'x', 'that, too'), {
        needs: ['send.anyway'],
      }),
      check('send.anyway', async () => {}, { needs: ['send.bad'] }),
    ],
  })
  const came: string[] = []
  for await (const { id } of run) came.push(id)
  const report = await run.report
  const again: string[] = []
  for await (const { id } of run) again.push(id)
  t.strictSame(again, came, 'a second reader gets all')
  t.equal(came.at(-1), 'queues.create', 'last what every other check has a part in')
  t.equal(run.planned, came.length)
  t.equal(report.results[0]!.id, 'send.slow')
  t.strictSame([...came].sort(), report.results.map(({ id }) => id).sort())
  t.match(report, {
    kit: { name: 'atom-mq-conformance', version: /^\d/, document: String },
    target: { url: broker.url, name: new URL(broker.url).host },
    started: /^\d{4}-\d\d-\d\dT.*Z$/,
    verdict: 'non-conformant',
    planned: 12,
    executed: 12,
    choices: { point: 'one / two' },
    features: {
      guid: { claimed: true, seen: true },
      wildcards: { claimed: true, seen: false },
      batch: { claimed: false, seen: null },
      selector: { claimed: true, seen: null },
    },
  })
  t.strictSame(report.counts, {
    pass: 6,
    fail: 3,
    differs: 0,
    observed: 1,
    'not-applicable': 1,
    blocked: 1,
    inconclusive: 0,
    error: 0,
  })
  t.strictSame(Object.keys(report), [
    'kit',
    'format',
    'target',
    'started',
    'seconds',
    'verdict',
    'planned',
    'executed',
    'counts',
    'features',
    'choices',
    'results',
    'unsteady',
    'strict',
    'profile',
  ])
  t.strictSame(report.unsteady, { point: ['one', 'two'] })
  t.strictSame(report.results[2], {
    id: 'send.bad',
    clauses: ['c.c'],
    topic: 'send',
    grade: 'stated',
    feature: null,
    status: 'fail',
    seconds: report.results[2]!.seconds,
    message: 'expected: this; seen: that',
    expected: 'this.',
    seen: 'that',
    exchanges: [],
  })
  const by = (id: string) => report.results.find((each) => each.id === id)!
  t.match(by('batch.none'), { message: 'the target does not claim batch', feature: 'batch' })
  t.match(by('ack.after'), { message: /^blocked by send\.bad: .*that, too/, blockedBy: 'send.bad' })
  t.match(by('send.after'), { status: 'fail', seen: 'that, too' }, 'where it is the same question')
  t.equal(by('send.anyway').status, 'pass', 'what can be judged by the effect is judged')
  t.equal(by('http.free').message, 'sees one')
  t.equal(JSON.stringify(JSON.parse(JSON.stringify(report))), JSON.stringify(report), 'it is plain data')
})

t.test("the name of a target is its profile's", async (t) => {
  await using broker = await fakeBroker()
  const { report } = await runOne(broker.url, async () => {}, { profile: parseProfile({ name: 'mine' }) })
  t.equal(report.target.name, 'mine')
  t.notOk('probed' in report)
  const { report: probed } = await runOne(broker.url, async () => {}, { probed: true })
  t.equal(probed.probed, true)
  t.equal(report.verdict, 'conformant')
})

t.test('an exception of the kit is an error, and no failure', async (t) => {
  await using broker = await fakeBroker()
  const { report, result } = await runOne(broker.url, async () => {
    throw new TypeError('oops')
  })
  t.match(result, { status: 'error', message: /oops/ })
  t.equal(report.verdict, 'incomplete')
  t.match((await runOne(broker.url, () => Promise.reject('text'))).result, {
    status: 'error',
    message: 'text',
  })
})

t.test('exchanges are kept for what did not pass, and for all on demand', async (t) => {
  await using broker = await fakeBroker()
  const checks = [
    create,
    check('queues.bad', async (trial: Trial) => {
      await trial.createQueue()
      for (let times = 0; times < 5; times++) await trial.target.request('GET', trial.target.at('/none'))
      trial.expect(false, 'x', 'y')
    }),
    check('send.twice', async (trial: Trial) => {
      const queue = await trial.createQueue()
      for (const _ of 'ab') await trial.target.request('POST', queue.uri)
      trial.expect(false, 'x', 'y')
    }),
  ]
  const kept = async (options: ConformanceOptions) => {
    const { results } = await runConformance(broker.url, { checks, ...options }).report
    return results.map(({ exchanges }) => exchanges.length)
  }
  t.strictSame(await kept({}), [0, 2, 3])
  t.strictSame(await kept({ keepExchanges: true }), [1, 2, 3])
  const { results } = await runConformance(broker.url, { checks }).report
  const [created, polled] = results[1]!.exchanges
  t.match(created, {
    request: {
      method: 'POST',
      url: `${broker.url}/queues`,
      body: { encoding: 'text', data: /^kit-/, cut: false },
    },
    response: { status: 201, headers: { location: String }, body: { bytes: 0 } },
    error: null,
    times: 1,
  })
  t.ok(created!.at >= 0 && created!.seconds > 0)
  t.match(polled, { response: { status: 404 }, times: 5 })
  const [one, other] = results[2]!.exchanges.slice(1).map(({ response }) => response?.headers.location)
  t.not(one, other, 'answers with addresses of their own are not the same')
})

t.test('credentials are redacted wherever they stand', async (t) => {
  await using broker = await fakeBroker()
  broker.intercept = ({ path, body }) =>
    /\/[xy](\?|$)/.test(path)
      ? { status: 403, headers: { 'X-Echo': 'token-of-owner', 'Set-Cookie': 'a=b' }, body }
      : undefined
  const profile = parseProfile({
    headers: { Authorization: 'Bearer token-of-owner', Accept: 'a/b' },
    unauthorized: [{ 'X-Key': 'stranger-secret' }],
  })
  const { report, result } = await runOne(
    broker.url,
    async (trial: Trial) => {
      await trial.target.request('POST', trial.target.at('/x?k=token-of-owner'), {
        body: 'my token-of-owner \u00ff',
      })
      await trial.target.request('POST', trial.target.at('/y'), {
        as: profile.unauthorized[0]!,
        body: Buffer.concat([Buffer.from([0, 255]), Buffer.from('stranger-secret')]),
      })
      trial.expect(false, 'not token-of-owner', 'token-of-owner')
    },
    { profile },
  )
  const text = JSON.stringify(report)
  t.notMatch(text, /token-of-owner|stranger-secret|a=b/)
  t.notMatch(text, Buffer.from('stranger-secret').toString('base64').slice(4, 16))
  t.match(result, { expected: 'not ***', seen: '***' })
  const [first, second] = result.exchanges
  t.match(first!.request, {
    headers: { Authorization: '***', Accept: 'a/b' },
    body: { data: 'my *** ÿ' },
    url: /k=\*\*\*$/,
  })
  t.match(first!.response!.headers, { 'x-echo': '***', 'set-cookie': '***' })
  t.match(second!.request, { headers: { 'X-Key': '***' }, body: { encoding: 'base64' } })
  t.strictSame(Buffer.from(second!.request.body.data, 'base64'), Buffer.from('00ff2a2a2a', 'hex'))
})

t.test('long bodies and long stories are cut', async (t) => {
  await using broker = await fakeBroker()
  broker.intercept = ({ path }) => (/^\/mq\/(long|\d+)$/.test(path) ? { body: path.padEnd(8000) } : undefined)
  const { result } = await runOne(broker.url, async (trial: Trial) => {
    await trial.target.request('POST', trial.target.at('/long'), { body: `a${'é'.repeat(5000)}` })
    for (let times = 0; times < 150; times++) await trial.target.request('GET', trial.target.at(`/${times}`))
    trial.expect(false, '', '')
  })
  t.equal(result.exchanges.length, 100)
  t.match(result.exchanges[0]!.request.body, { bytes: 10_001, cut: true, data: /^aé+$/ })
  t.match(result.exchanges.at(-1)!.request.url, /\/149$/)
  t.equal(
    result.exchanges.filter(({ omitted }) => omitted === 51).length,
    1,
    'and it is told how many are not',
  )
})

t.test('a failure with a lease that may have ended underneath is asked again, alone', async (t) => {
  await using broker = await fakeBroker()
  let tries = 0
  const profile = parseProfile({ subscription: { parameters: { timeout: null }, leaseSeconds: 0.05 } })
  const slow = (stays: boolean) => async (trial: Trial) => {
    await trial.subscribe('q')
    if (stays || ++tries === 1) await sleep(50)
    trial.expect(!stays && tries > 1, 'there', 'gone')
  }
  const { report } = await runOne(broker.url, slow(false), { profile })
  t.equal(report.verdict, 'conformant')
  t.equal(tries, 2)
  const { result } = await runOne(broker.url, slow(true), { profile })
  t.match(result, {
    status: 'inconclusive',
    message: /^gone \(expected: there\); but the lease of .* may have ended/,
    inconclusiveReason: 'times',
  })
  const quick = await runOne(
    broker.url,
    async (trial: Trial) => {
      await trial.subscribe('q')
      trial.expect(false, 'there', 'gone')
    },
    { profile: parseProfile({}) },
  )
  t.equal(quick.result.status, 'fail')
})

t.test(
  'a check that takes too long: inconclusive where the target is slow, failed where it does not answer',
  async (t) => {
    await using broker = await fakeBroker()
    broker.intercept = async ({ path }) => {
      if (path.endsWith('/hang')) await sleep(400)
      else if (/\/(?:slow|closed)$/.test(path)) await sleep(15)
      return path.endsWith('/closed') ? { headers: { Connection: 'close' } } : undefined
    }
    const forever = (path: string) => async (trial: Trial) => {
      for (;;) await trial.target.request('GET', trial.target.at(path))
    }
    const slow = await runOne(broker.url, forever('/slow'), { timeout: 500 })
    t.match(slow.result, {
      status: 'inconclusive',
      message: 'the check was not done after 500 ms of its own activity',
      inconclusiveReason: 'overrun',
    })
    const many = Array.from({ length: 1000 }, () => '/closed')
    const crowd = async ({ target }: Trial) => {
      await Promise.all(many.map((path) => target.request('GET', target.at(path))))
    }
    const crowded = await runOne(broker.url, crowd, { timeout: 400 })
    t.match(crowded.result, { inconclusiveReason: 'overrun' }, 'most wait for their turn in the kit')
    const hung = await runOne(broker.url, forever('/hang'), { timeout: 100 })
    t.match(hung.result, {
      status: 'fail',
      seen: /^GET http.*\/hang was not answered in the 100 ms that the check has$/,
    })
    const side = async ({ target }: Trial) => {
      const ask = () => target.request('GET', target.at('/hang'), { timeout: 100 })
      await Promise.all([ask(), ask(), ask(), ask(), ask(), ask()])
      for (;;) await target.request('GET', target.at('/slow'))
    }
    const late = await runOne(broker.url, side, { timeout: 1000 })
    t.match(late.result, { inconclusiveReason: 'overrun' }, 'what waits side by side waits once')
    const idle = await runOne(broker.url, () => new Promise(() => {}), { timeout: 50 })
    t.equal(idle.result.status, 'inconclusive')
    t.ok(idle.report.seconds < 5)
  },
)

t.test('waiting by its own wish does not count against a check', async (t) => {
  await using broker = await fakeBroker()
  const { result } = await runOne(
    broker.url,
    async (trial: Trial) => {
      await Promise.all([trial.elapse(200), trial.elapse(150), trial.eventually(async () => undefined, 150)])
      t.notOk(await trial.eventually(async () => undefined, 150))
    },
    { timeout: 100 },
  )
  t.equal(result.status, 'pass')
})

t.test('a base URL that no target can have', async (t) => {
  for (const url of ['', 'nonsense', 'ftp://x/', 'http://a:b@x/', 'http://x/?q', 'http://x/#f']) {
    t.throws(() => runConformance(url), { name: 'BaseUrlError' }, url)
  }
})

t.test('what is about a feature that may be there is not asked, and leaves the run incomplete', async (t) => {
  await using broker = await fakeBroker()
  const asked = async () => void t.fail('nobody knows whether it is there')
  const { verdict, results } = await runConformance(broker.url, {
    profile: parseProfile({ features: { batch: 'unknown' } }),
    checks: [create, check('batch.one', asked, { grade: 'optional', feature: 'batch' })],
  }).report
  t.equal(verdict, 'incomplete')
  const message = "the profile's features.batch is unknown: fill it in"
  t.match(results, [{ status: 'pass' }, { status: 'inconclusive', message, inconclusiveReason: 'profile' }])
})

t.test('with a clock of the target nothing is waited for', async (t) => {
  await using broker = await fakeBroker()
  broker.intercept = ({ path, body }) => {
    if (path !== '/mq/_control/clock') return undefined
    broker.ahead += (JSON.parse(body.toString()) as { advance: number }).advance
    return { status: 200 }
  }
  const start = performance.now()
  const ends = async (trial: Trial) => {
    const consumer = await trial.subscribe('q', { lease: 'long' })
    t.equal((await consumer.get()).status, 200)
    await trial.elapse(consumer.lease + 1)
    t.ok(trial.now() - consumer.createdAt > consumer.lease)
    t.equal((await consumer.get()).status, 410)
  }
  const report = await runConformance(broker.url, {
    profile: parseProfile({ clock: {} }),
    checks: [check('lease.a', ends, { passesTime: true }), check('lease.b', ends, { passesTime: true })],
  }).report
  t.equal(report.verdict, 'conformant')
  t.ok(performance.now() - start < 10_000)
})

t.test('where the target’s clock is not moved by the profile’s request, the same', async (t) => {
  await using broker = await fakeBroker()
  broker.intercept = ({ path }) => (path.endsWith('/clock') ? {} : undefined)
  const ends = async (trial: Trial) => {
    const consumer = await trial.subscribe(await trial.createQueue(), { lease: 'short' })
    await trial.elapse(consumer.lease + 1000)
    trial.expect((await consumer.get()).status === 410, 'the lease over', 'that it goes on')
  }
  const { verdict, results } = await runConformance(broker.url, {
    profile: parseProfile({ clock: {}, subscription: { leaseSeconds: 0.5 } }),
    checks: [check('lease.a', ends, { passesTime: true })],
  }).report
  t.equal(verdict, 'incomplete')
  t.match(results, [
    { status: 'inconclusive', inconclusiveReason: 'clock', message: /not moved by clock.advance/ },
  ])
})

t.test(
  'where the target’s clock stands still, what needs time to pass says nothing against it',
  async (t) => {
    const never = async (trial: Trial) => trial.expect(false, 'the lease over', 'that it goes on')
    for (const stands of [true, false]) {
      await using broker = await fakeBroker()
      // All its feeds bear one time, whatever its clock does.
      let seconds = 10
      broker.intercept = async ({ method, path, headers }) => {
        if (method !== 'GET' || headers.inner) return undefined
        if (!stands) seconds += 1
        const answer = await fetch(new URL(path, broker.url), { headers: { inner: 'yes' } })
        const type = answer.headers.get('content-type') ?? ''
        return {
          status: answer.status,
          headers: { Date: `Mon, 01 Jan 2024 00:00:${seconds} GMT`, 'Content-Type': type },
          body: await answer.text(),
        }
      }
      const { verdict, results } = await runConformance(broker.url, {
        checks: [check('lease.a', never, { passesTime: true }), check('lease.b', never)],
      }).report
      t.equal(verdict, 'non-conformant')
      const found = stands ? { status: 'inconclusive', message: /clock stands still/ } : { status: 'fail' }
      t.match(results, [found, { status: 'fail' }])
    }
  },
)
