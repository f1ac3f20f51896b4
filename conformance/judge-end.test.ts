import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { Unreachable } from './client/contact.js'
import { parseProfile } from './client/parse-profile.js'
import { serve } from './client/serve.test.helper.js'
import { runConformance } from './judge.js'
import { check, create, runOne } from './judge.test.helper.js'
import { unclaimed } from './report/notes.js'
import { fakeBroker } from './trial/fake-broker.test.helper.js'
import { skipIdleTime } from './virtual-time.test.helper.js'

skipIdleTime()

t.test('a check that was ended asks nothing more', async (t) => {
  await using broker = await fakeBroker()
  let orphan: Promise<void> | undefined
  await runOne(
    broker.url,
    (trial) => {
      orphan = sleep(120).then(async () => void (await trial.target.request('GET', trial.target.at('/late'))))
      orphan.catch(() => {})
      return orphan
    },
    { timeout: 30 },
  )
  await t.rejects(orphan!)
  t.notOk(broker.got.some(({ path }) => path.endsWith('/late')))
})

t.test('a run can be stopped', async (t) => {
  await using broker = await fakeBroker()
  const stopping = new AbortController()
  const run = runConformance(broker.url, {
    signal: stopping.signal,
    checks: [
      create,
      check('http.first', async () => {}, { needs: ['queues.create'] }),
      check('lease.long', (trial) => trial.elapse(60_000), { needs: ['http.first'] }),
      check('lease.later', async () => {}, { needs: ['lease.long'] }),
    ],
  })
  for await (const { id } of run) {
    if (id === 'http.first') stopping.abort()
  }
  const report = await run.report
  t.equal(report.verdict, 'incomplete')
  t.strictSame([report.planned, report.executed], [4, 3])
  for (const stopped of report.results.slice(2))
    t.match(stopped, {
      status: 'inconclusive',
      message: 'the run was stopped',
      inconclusiveReason: 'stopped',
    })
  const stopped = await runConformance(broker.url, { signal: AbortSignal.abort(), checks: [create] }).report
  t.match(stopped, { verdict: 'incomplete', planned: 1, executed: 0 })
})

t.test('its queues are deleted as many at once as checks could be', async (t) => {
  const QUEUES = 40
  let [open, most] = [0, 0]
  await using broker = await fakeBroker()
  broker.intercept = (got) => {
    if (got.method !== 'DELETE') return broker.answer(got)
    open += 1
    most = Math.max(most, open)
    return new Promise((resolve) => {
      setTimeout(() => {
        open -= 1
        resolve(broker.answer(got))
      }, 20)
    })
  }
  const many = check('queues.many', async (trial) => {
    for (let queue = 0; queue < QUEUES; queue++) await trial.createQueue()
  })
  await runConformance(broker.url, { checks: [many], jobs: 32 }).report
  t.equal(most, 32)
})

t.test('where many are asked at once, features are looked for while queues are deleted', async (t) => {
  await using broker = await fakeBroker()
  const asked: string[] = []
  broker.intercept = ({ method, path }) => {
    asked.push(`${method} ${path}`)
    return undefined
  }
  const some = check('queues.some', async (trial) => {
    made.push(`DELETE ${new URL((await trial.createQueue()).uri).pathname}`)
  })
  const made: string[] = []
  const run = async (jobs: number) => {
    asked.length = 0
    const profile = parseProfile({ features: { guid: false } })
    const options = { checks: [some], profile, jobs, lookForUnclaimed: true }
    const report = await runConformance(broker.url, options).report
    t.match(unclaimed(report), /not judged: guid/, `${jobs} at once`)
    const listing = await (await fetch(`${broker.url}/queues`)).text()
    t.notMatch(listing, '<entry>', 'nothing is left')
    return asked.findLastIndex((each) => each.startsWith('POST')) - asked.indexOf(made.at(-1)!)
  }
  t.ok((await run(32)) > 0)
  t.ok((await run(8)) < 0)
})

t.test('where nothing answers the run says so at once', async (t) => {
  const gone = await serve(() => ({}))
  await gone[Symbol.asyncDispose]()
  const run = runConformance(gone.url, { checks: [create] })
  await t.rejects(
    run.report,
    new Unreachable(`nothing answers at ${gone.url}: connect ECONNREFUSED ${gone.url.slice(7)}`),
  )
  await t.rejects(
    async () => {
      for await (const _ of run) t.fail('a result')
    },
    Unreachable as unknown as Error,
  )
})

t.test('a target that has ended is not blamed for what it was not asked any more', async (t) => {
  await using broker = await fakeBroker()
  const asks = check('send.asks', async (trial) => void (await trial.createQueue()), {
    needs: ['queues.ends'],
  })
  const ends = check('queues.ends', async () => broker[Symbol.asyncDispose](), { needs: ['queues.create'] })
  const { verdict, results } = await runConformance(broker.url, { checks: [create, ends, asks] }).report
  t.equal(verdict, 'incomplete')
  t.match(results[2], {
    status: 'inconclusive',
    inconclusiveReason: 'gone',
    message: /^the target took no connection any more: .*ECONNREFUSED/,
  })
})

t.test('connected and never answered: nothing is judged, and that soon', async (t) => {
  const server = createServer(() => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const start = performance.now()
  const report = await runConformance(`http://127.0.0.1:${port}`, {
    checks: [create, check('send.post', async () => {}, { needs: ['queues.create'] })],
  }).report
  server.close()
  t.ok(performance.now() - start < 15_000)
  t.equal(report.verdict, 'incomplete')
  t.strictSame(report.results, [])
  t.match(
    report.notJudged,
    /it takes connections and answers nothing in HTTP \(no answer within 3000 ms\)\.$/,
  )
})

t.test('answered with what is not HTTP: that is said', async (t) => {
  const server = createServer((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 1x\r\n\r\n'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const { notJudged } = await runConformance(`http://127.0.0.1:${port}`, { checks: [create] }).report
  server.close()
  t.match(notJudged, /answers nothing in HTTP \(no answer: the answer is not HTTP: .*Content-Length\)\.$/)
})
