import t from 'tap'
import type { Exchange } from './client/exchange.js'
import { Failed } from './client/findings.js'
import { runConformance } from './judge.js'
import { check, create, runOne } from './judge.test.helper.js'
import { exitCodeOf } from './report/verdicts.js'
import { fakeBroker } from './trial/fake-broker.test.helper.js'

t.test(
  'a check in which the kit fails is told in a sentence, and where that was apart from it',
  async (t) => {
    await using broker = await fakeBroker()
    const { report, result } = await runOne(broker.url, async (trial) => {
      await trial.post(undefined as unknown as string, 'x')
    })
    t.match(result, { status: 'error', stack: /\n {4}at / })
    t.equal(result.message, 'TypeError: POST of what is no address: undefined')
    t.equal(exitCodeOf(report), 4)
    t.notOk(broker.got.some(({ path }) => path.includes('undefined')))
  },
)

t.test('exchanges that cannot be told cost themselves', async (t) => {
  await using broker = await fakeBroker()
  const { report, result } = await runOne(broker.url, async (trial) => {
    await trial.createQueue()
    const exchanges = trial.target.exchanges as Exchange[]
    exchanges.push({
      ...exchanges[0]!,
      status: 500,
      requestHeaders: undefined as unknown as Exchange['requestHeaders'],
    })
    throw new Failed('this', 'that')
  })
  t.match(result, { status: 'fail', expected: 'this', seen: 'that', exchanges: [] })
  t.match(report.faults, [{ part: 'the exchanges of http.one', why: /^TypeError: / }])
  t.equal(exitCodeOf(report), 1, 'what the target broke it broke')
})

t.test('a result that cannot be told keeps its status', async (t) => {
  await using broker = await fakeBroker()
  const { report, result } = await runOne(broker.url, async () => {
    throw new Failed(undefined as unknown as string, 'that')
  })
  t.match(result, { status: 'fail', message: /by a fault of the kit/ })
  t.match(report, { verdict: 'non-conformant', faults: [{ part: 'the result of http.one' }] })
})

t.test('a run that breaks off has its report, with what was found before', async (t) => {
  await using broker = await fakeBroker()
  const broken = {
    get runsAlone(): boolean {
      if (broker.got.some(({ method }) => method === 'POST')) throw new TypeError('odd')
      return false
    },
  }
  const late = check('http.late', async () => {}, { needs: ['queues.create'] })
  const checks = [create, Object.defineProperties(late, Object.getOwnPropertyDescriptors(broken))]
  const { results, faults, verdict } = await runConformance(broker.url, { checks }).report
  t.match(
    results.map(({ status, message }) => ({ status, message })),
    [{ status: 'pass' }, { status: 'error', message: 'TypeError: odd' }],
  )
  t.match(faults, [{ part: 'the run', why: 'TypeError: odd' }])
  t.equal(verdict, 'incomplete')
})
