import t from 'tap'
import { applyBaseline } from './baseline.js'
import { parseReport } from './parse-report.js'
import { mergeRuns } from './repeat.js'
import { EVERY_STATUS, exchange, reportOf, result } from './report.test.helper.js'

type Json = Record<string, unknown>

/** A report as a file holds it, changed at a path. */
function changed(path: readonly (string | number)[], value: unknown): unknown {
  const report = JSON.parse(JSON.stringify(full)) as Json
  let at: Json = report
  for (const step of path.slice(0, -1)) at = at[step] as Json
  at[path.at(-1)!] = value
  return report
}

const results = [
  result('queues.a', { status: 'fail', exchanges: [exchange({}), exchange({}, null)], feature: 'guid' }),
  ...EVERY_STATUS,
]
const full = applyBaseline(
  mergeRuns([reportOf(results, { choices: [['point', 'what']] }), reportOf(results)]),
  new Map([
    ['queues.a', 'issue 1'],
    ['no.such', 'issue 2'],
  ]),
  new Set(),
)

t.test('what was written is read', async (t) => {
  const value: unknown = JSON.parse(JSON.stringify(full))
  t.equal(parseReport(value), value)
  t.ok(parseReport(JSON.parse(JSON.stringify(reportOf([])))))
  t.ok(parseReport(changed(['results', 0, 'more'], 1)), 'a later version may add something')
})

t.test('what is no report says what is wrong', async (t) => {
  const cases: [unknown, string][] = [
    [null, 'is not a report: it does not say which kit wrote it'],
    [[], 'is not a report: it does not say which kit wrote it'],
    ['report', 'is not a report: it does not say which kit wrote it'],
    [{ kit: { name: 'x' } }, 'is not a report: it does not say which kit wrote it'],
    [changed(['kit', 'name'], 'other'), 'is not a report of atom-mq-conformance, but of "other"'],
    [changed(['format'], 2), 'with format 2, but only format 1 is known here: use the version that wrote it'],
    [changed(['format'], undefined), 'with no format, but only'],
    [
      changed(['results', 0, 'status'], 'good'),
      'is not a report: results[0].status is "good", but must be one of',
    ],
    [changed(['results', 1, 'id'], 7), 'is not a report: results[1].id is 7, but must be a string'],
    [changed(['results', 0, 'grade'], null), 'results[0].grade is null, but must be one of stated'],
    [changed(['results', 0, 'known'], 1), 'results[0].known is 1'],
    [
      changed(['results', 0, 'exchanges', 0, 'request', 'body', 'bytes'], -1),
      'bytes is -1, but must be a number',
    ],
    [
      changed(['results', 0, 'exchanges', 1, 'response'], 'x'),
      'exchanges[1].response is "x", but must be an object',
    ],
    [changed(['results', 0, 'exchanges', 0, 'times'], '2'), 'exchanges[0].times is "2"'],
    [changed(['results'], {}), 'results is {}, but must be a list'],
    [changed(['counts', 'pass'], undefined), 'counts.pass is undefined, but must be a number'],
    [changed(['features', 'guid'], null), 'features.guid is null, but must be an object'],
    [changed(['choices', 'point'], 3), 'choices.point is 3, but must be a string'],
    [changed(['unsteady'], { point: 'a' }), 'unsteady.point is "a", but must be a list'],
    [changed(['verdict'], 'good'), 'verdict is "good", but must be one of conformant'],
    [changed(['target'], []), 'target is [], but must be an object'],
    [changed(['strict'], 'no'), 'strict is "no", but must be true or false'],
    [changed(['baseline', 'stale', 0, 'why'], null), 'baseline.stale[0].why is null'],
    [changed(['repeat', 'runs'], 'two'), 'repeat.runs is "two"'],
  ]
  for (const [value, message] of cases) {
    try {
      parseReport(value)
      t.fail(message)
    } catch (error) {
      t.equal((error as Error).name, 'ReportError')
      t.ok((error as Error).message.includes(message), message, { said: (error as Error).message })
      t.notMatch((error as Error).message, /[.\n]$/)
    }
  }
})
