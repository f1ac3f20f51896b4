import t from 'tap'
import { applyBaseline, BaselineError, parseBaseline } from './baseline.js'
import { exchange, reportOf, result } from './report.test.helper.js'
import type { CheckResult, Report } from './result.js'
import { exitCodeOf } from './verdicts.js'

const IDS: ReadonlySet<string> = new Set(['a.pass', 'a.fail', 'a.blocked', 'a.other', 'a.left-out'])

function judged(results: CheckResult[], known: Record<string, string>, more = {}): Report {
  return applyBaseline(reportOf(results, more), parseBaseline({ known }), IDS)
}

t.test('what is no baseline is told in one sentence', async (t) => {
  const cases: [unknown, RegExp][] = [
    [null, /must hold "known"/],
    [[], /must hold "known"/],
    [{}, /must hold "known"/],
    [{ known: ['a.fail'] }, /must hold "known"/],
    [{ known: {}, verdict: 'conformant' }, /"verdict" is no field of a baseline/],
    [{ known: { 'a.fail': ' ' } }, /known\["a\.fail"\] must say why/],
    [{ known: { 'a.fail': true } }, /known\["a\.fail"\] must say why/],
  ]
  for (const [value, message] of cases)
    t.throws(() => parseBaseline(value), { name: 'BaselineError', message })
  t.type(new BaselineError('x'), Error)
  t.equal(parseBaseline(JSON.parse('{"known":{"__proto__":"a reason"}}')).get('__proto__'), 'a reason')
})

t.test('a known failure is shown, and does not count', async (t) => {
  const results = [result('a.pass'), result('a.fail', { status: 'fail' })]
  const report = judged(results, { 'a.fail': 'issue 7' })
  t.equal(report.verdict, 'conformant')
  t.equal(exitCodeOf(report), 0)
  t.equal(report.counts.fail, 1, 'the counts stay what was seen')
  t.match(report.results[1], { status: 'fail', known: 'issue 7' })
  t.notOk('known' in report.results[0]!)
  t.strictSame(report.baseline, { stale: [] })
})

t.test('another failure counts beside it', async (t) => {
  const results = [
    result('a.pass'),
    result('a.fail', { status: 'fail' }),
    result('a.other', { status: 'fail' }),
  ]
  const report = judged(results, { 'a.fail': 'known' })
  t.equal(report.verdict, 'non-conformant')
  t.equal(exitCodeOf(report), 1)
})

t.test('what a known failure blocks is known where it stands there too', async (t) => {
  const results = [
    result('a.pass'),
    result('a.fail', { status: 'fail' }),
    result('a.blocked', { status: 'blocked' }),
  ]
  const begun = { executed: 2 }
  t.equal(judged(results, { 'a.fail': 'x' }, begun).verdict, 'incomplete')
  const both = judged(results, { 'a.fail': 'x', 'a.blocked': 'y' }, begun)
  t.equal(both.verdict, 'conformant', 'though it never began')
  const asked = [
    ...results.slice(0, 2),
    result('a.blocked', { status: 'blocked', exchanges: [exchange({})] }),
  ]
  t.equal(judged(asked, { 'a.fail': 'x', 'a.blocked': 'y' }).verdict, 'conformant')
  const third = [...results, result('a.other', { status: 'blocked', grade: 'chosen' })]
  t.equal(
    judged(third, { 'a.fail': 'x', 'a.blocked': 'y' }, { executed: 2 }).verdict,
    'incomplete',
    'one that is not known never began either',
  )
})

t.test('nothing that is only not certain is known', async (t) => {
  for (const status of ['inconclusive', 'error', 'differs', 'not-applicable'] as const) {
    const report = judged([result('a.pass'), result('a.other', { status })], { 'a.other': 'x' })
    t.notOk('known' in report.results[1]!, status)
    t.strictSame(report.baseline!.stale, [], `${status} does not say that it is mended`)
  }
})

t.test('a stale entry leaves no run green, and the verdict as it is', async (t) => {
  const why = 'it does not fail any more'
  const mended = judged([result('a.pass')], { 'a.pass': 'issue 1' })
  t.strictSame(mended.baseline, { stale: [{ id: 'a.pass', reason: 'issue 1', why }] })
  t.equal(mended.verdict, 'conformant', 'the verdict is on the target')
  t.equal(exitCodeOf(mended), 2)
  const observed = judged([result('a.pass'), result('a.other', { status: 'observed' })], { 'a.other': 'x' })
  t.equal(observed.baseline!.stale[0]!.why, why)
  const gone = judged([result('a.pass')], { 'a.gone': 'issue 2' })
  t.strictSame(gone.baseline, { stale: [{ id: 'a.gone', reason: 'issue 2', why: 'no check has this id' }] })
  const open = judged([result('a.other', { status: 'blocked' })], { 'a.gone': 'x' })
  t.equal(open.verdict, 'incomplete')
  t.equal(exitCodeOf(open), 3)
  t.equal(exitCodeOf(reportOf([])), 3, 'without a baseline the verdict decides')
  t.strictSame(
    judged([result('a.pass')], { 'a.left-out': 'x' }).baseline,
    { stale: [] },
    'not chosen for this run',
  )
})

t.test('nothing but known failures is not conformant: nothing has passed', async (t) => {
  t.equal(judged([result('a.fail', { status: 'fail' })], { 'a.fail': 'x' }).verdict, 'incomplete')
})
