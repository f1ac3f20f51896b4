import fc from 'fast-check'
import t from 'tap'
import { mergeRuns } from './repeat.js'
import { reportOf, result } from './report.test.helper.js'
import { type Report, STATUSES, type Status, type Verdict } from './result.js'

const run = (statuses: Record<string, Status>, more = {}): Report =>
  reportOf(
    Object.entries(statuses).map(([id, status]) => result(id, { status, message: `${id} ${status}` })),
    more,
  )

t.test('one run is itself', async (t) => {
  const only = run({ 'a.a': 'pass' })
  t.equal(mergeRuns([only]), only)
})

t.test('each check comes to its worst, and what was not the same has a rate', async (t) => {
  const merged = mergeRuns([
    run({ 'a.steady': 'pass', 'a.flaky': 'pass', 'a.worse': 'differs' }),
    run({ 'a.steady': 'pass', 'a.flaky': 'fail', 'a.worse': 'inconclusive' }),
    run({ 'a.steady': 'pass', 'a.flaky': 'pass', 'a.worse': 'observed' }),
    run({ 'a.steady': 'pass', 'a.flaky': 'pass', 'a.worse': 'observed' }),
  ])
  t.strictSame(
    merged.results.map(({ id, status, message }) => [id, status, message]),
    [
      ['a.steady', 'pass', 'a.steady pass'],
      ['a.flaky', 'fail', 'a.flaky fail'],
      ['a.worse', 'inconclusive', 'a.worse inconclusive'],
    ],
  )
  t.match(merged.counts, { pass: 1, fail: 1, inconclusive: 1, observed: 0 })
  t.equal(merged.verdict, 'non-conformant')
  t.strictSame(merged.repeat, {
    runs: 4,
    flaky: [
      { id: 'a.flaky', statuses: { pass: 3, fail: 1 }, rate: 0.25 },
      { id: 'a.worse', statuses: { differs: 1, inconclusive: 1, observed: 2 }, rate: 0.5 },
    ],
  })
})

t.test('sums, choices and features of all runs', async (t) => {
  const merged = mergeRuns([
    run({ 'a.a': 'pass' }, { seconds: 1.5, started: new Date(0), choices: [['order', 'as sent']] }),
    run({ 'a.a': 'pass' }, { seconds: 0.25, started: new Date(9), executed: 0, choices: [['order', 'any']] }),
    run(
      { 'a.a': 'pass' },
      {
        choices: [
          ['order', 'as sent'],
          ['wait', 'heeded'],
        ],
      },
    ),
  ])
  t.equal(merged.seconds, 2.985)
  t.equal(merged.started, new Date(0).toISOString())
  t.equal(merged.executed, 0)
  t.equal(merged.verdict, 'incomplete', 'as the run in which nothing began')
  t.strictSame(merged.choices, { order: 'as sent / any', wait: 'heeded' })
  t.strictSame(merged.unsteady, { order: ['as sent', 'any'] })
  const twice = [
    ['wait', '1'],
    ['wait', '2'],
  ] as const
  const unsteady = mergeRuns([run({}, { choices: twice }), run({}, { choices: [['wait', '1']] })])
  t.strictSame([unsteady.choices, unsteady.unsteady], [{ wait: '1 / 2' }, { wait: ['1', '2'] }])
  t.notOk('unsteady' in mergeRuns([run({}), run({})]))
  const guid = (status: Status) => reportOf([result('dedup.a', { feature: 'guid', status })])
  const seen = (...statuses: Status[]) => mergeRuns(statuses.map(guid)).features.guid.seen
  t.equal(seen('fail', 'pass'), true)
  t.equal(seen('blocked', 'fail'), false)
  t.equal(seen('blocked', 'blocked'), null)
})

t.test('the verdict is the worst of the runs', async () => {
  const order: Verdict[] = ['conformant', 'incomplete', 'non-conformant']
  const status = fc.constantFrom(...STATUSES)
  const runs = fc.integer({ min: 1, max: 4 }).chain((checks) =>
    fc.array(
      fc.array(status, { minLength: checks, maxLength: checks }).map((statuses) =>
        // One that always passes: a run in which nothing has passed is incomplete for that alone.
        run({ 'a.sure': 'pass', ...Object.fromEntries(statuses.map((each, index) => [`a.${index}`, each])) }),
      ),
      { minLength: 2, maxLength: 4 },
    ),
  )
  fc.assert(
    fc.property(runs, (reports) => {
      const worst = Math.max(...reports.map(({ verdict }) => order.indexOf(verdict)))
      return mergeRuns(reports).verdict === order[worst]
    }),
  )
})
