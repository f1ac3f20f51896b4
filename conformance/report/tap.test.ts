import t from 'tap'
import { Parser } from 'tap-parser'
import { applyBaseline } from './baseline.js'
import { descriptions, EVERY_STATUS, reportOf, result } from './report.test.helper.js'
import type { Report } from './result.js'
import { tapReport } from './tap.js'

/** What a TAP reader makes of a report. */
function read(report: Report) {
  const points: Record<string, { ok: boolean; skip: unknown; diag: unknown; name: string }> = {}
  const comments: string[] = []
  let final: unknown
  const parser = new Parser({ strict: true })
  parser.on('assert', ({ ok, name, skip, diag }) => {
    points[name.split(' ')[0]!] = { ok, name, skip, diag }
  })
  parser.on('comment', (comment: string) => comments.push(comment))
  parser.on('complete', (results) => {
    final = results
  })
  parser.end(tapReport(report, descriptions))
  return {
    points,
    comments,
    final: final as { ok: boolean; count: number; failures: { tapError?: string }[]; plan: object },
  }
}

t.test('each status as a TAP reader sees it', async (t) => {
  const { points, comments, final } = read(reportOf(EVERY_STATUS))
  const oks = Object.fromEntries(
    Object.values(points).map(({ name, ok }) => [name.split(' ')[0]!.split('.')[1], ok]),
  )
  t.strictSame(oks, {
    pass: true,
    fail: false,
    differs: true,
    observed: true,
    'not-applicable': true,
    blocked: false,
    inconclusive: false,
    error: false,
  })
  t.equal(final.count, 8)
  t.strictSame(
    final.failures.filter(({ tapError }) => tapError),
    [],
    'nothing in it is malformed',
  )
  t.equal(points['queues.pass']!.name, 'queues.pass Title of queues.pass # & <x> \\')
  t.match(points['http.not-applicable'], { skip: /^message of not-applicable #/ })
  t.match(points['queues.fail']!.diag, {
    status: 'fail',
    grade: 'stated',
    clauses: ['c.one'],
    message: /^message of\nfail #/,
    expected: 'this',
    seen: 'that',
  })
  t.match(points['http.blocked']!.diag, { status: 'blocked' })
  t.match(comments.at(-1), /non-conformant: 1 of 8 checks failed/)
})

t.test('a run of nothing has an empty plan', async (t) => {
  const { final, comments } = read(reportOf([]))
  t.match(final, { count: 0, plan: { end: 0 } })
  t.match(comments.join(''), /incomplete: no check was chosen/)
})

t.test('an id without a title stands alone', async (t) => {
  t.match(tapReport(reportOf([result('http.untitled')]), descriptions), /^ok 1 - http\.untitled$/m)
})

t.test('a known failure is to do, and a stale entry of a baseline fails', async (t) => {
  const report = applyBaseline(
    reportOf([result('http.bad', { status: 'fail' }), result('http.good')]),
    new Map([
      ['http.bad', 'issue #7'],
      ['http.gone', 'issue 8'],
    ]),
    new Set(['http.bad']),
  )
  const text = tapReport(report, descriptions)
  t.match(text, /^1\.\.3$/m)
  t.match(text, /^not ok 1 - http\.bad .* # TODO issue \\#7$/m)
  t.match(text, /^not ok 3 - the baseline is stale: http\.gone: no check has this id$/m)
  const { final } = read(report)
  t.equal(final.ok, false)
  t.equal(final.count, 3)
  t.equal(read({ ...report, baseline: { stale: [] } }).final.ok, true, 'what is known does not count')
})
