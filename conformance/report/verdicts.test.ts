import t from 'tap'
import type { Grade } from '../trial/check.js'
import { STATUSES, type Status, type Verdict } from './result.js'
import { EXIT_CODES, exitCodeOf, isFoundation, resultStatus, verdictOf } from './verdicts.js'

const GRADES: Grade[] = ['stated', 'optional', 'chosen']

t.test('status: only a failure at a point that the document leaves open depends on the grade', async (t) => {
  const kinds = {
    passed: 'pass',
    observed: 'observed',
    blocked: 'blocked',
    inconclusive: 'inconclusive',
    error: 'error',
  } as const
  for (const grade of GRADES) {
    for (const strict of [true, false]) {
      for (const [kind, status] of Object.entries(kinds)) {
        t.equal(resultStatus(kind as keyof typeof kinds, grade, strict), status)
      }
      t.equal(resultStatus('failed', grade, strict), grade === 'chosen' && !strict ? 'differs' : 'fail')
    }
  }
})

t.test('foundations', async (t) => {
  t.strictSame(STATUSES.filter(isFoundation), ['pass', 'observed', 'not-applicable'])
})

// The verdict of a run with one passed check and one of this status, for each grade, without and with strict.
const TABLE: Record<Status, Verdict[]> = {
  //                   stated            optional          chosen             stated, strict    optional, strict  chosen, strict
  pass: ['conformant', 'conformant', 'conformant', 'conformant', 'conformant', 'conformant'],
  fail: [
    'non-conformant',
    'non-conformant',
    'non-conformant',
    'non-conformant',
    'non-conformant',
    'non-conformant',
  ],
  differs: ['conformant', 'conformant', 'conformant', 'conformant', 'conformant', 'conformant'],
  observed: ['conformant', 'conformant', 'conformant', 'conformant', 'conformant', 'conformant'],
  'not-applicable': ['conformant', 'conformant', 'conformant', 'conformant', 'conformant', 'conformant'],
  blocked: ['incomplete', 'incomplete', 'conformant', 'incomplete', 'incomplete', 'incomplete'],
  inconclusive: ['incomplete', 'incomplete', 'conformant', 'incomplete', 'incomplete', 'incomplete'],
  error: ['incomplete', 'incomplete', 'conformant', 'incomplete', 'incomplete', 'incomplete'],
}

for (const status of STATUSES) {
  t.test(`verdict of a run with ${status}`, async (t) => {
    const seen = [false, true].flatMap((strict) =>
      GRADES.map((grade) =>
        verdictOf(
          [
            { grade: 'stated', status: 'pass' },
            { grade, status },
          ],
          2,
          2,
          strict,
        ),
      ),
    )
    t.strictSame(seen, TABLE[status])
  })
}

t.test('a failure weighs more than what is missing', async (t) => {
  const results = [
    { grade: 'stated', status: 'blocked' },
    { grade: 'stated', status: 'fail' },
  ] as const
  t.equal(verdictOf(results, 3, 1, false), 'non-conformant')
})

t.test('fewer than planned is incomplete', async (t) => {
  const pass = { grade: 'stated', status: 'pass' } as const
  t.equal(verdictOf([pass], 1, 1, false), 'conformant')
  t.equal(verdictOf([pass], 2, 1, false), 'incomplete')
  t.equal(verdictOf([pass], 2, 2, false), 'incomplete', 'a result is missing')
})

t.test('nothing asked is nothing found', async (t) => {
  t.equal(verdictOf([], 0, 0, false), 'incomplete')
  for (const status of ['not-applicable', 'observed', 'differs'] as const) {
    t.equal(verdictOf([{ grade: 'chosen', status }], 1, 1, false), 'incomplete', status)
  }
})

t.test('exit codes', async (t) => {
  t.strictSame(EXIT_CODES, { conformant: 0, 'non-conformant': 1, incomplete: 3 })
  const stale = { baseline: { stale: [{ id: 'a.gone', reason: 'x', why: 'no check has this id' }] } }
  const faults = { faults: [{ part: 'the HTML report', why: 'x' }] }
  const both = { ...stale, ...faults }
  const codes = (['non-conformant', 'incomplete', 'conformant'] as const).map((verdict) =>
    [both, faults, stale, {}].map((more) => exitCodeOf({ verdict, results: [], ...more })),
  )
  t.strictSame(codes, [
    [1, 1, 1, 1],
    [4, 4, 3, 3],
    [4, 4, 2, 0],
  ])
})
