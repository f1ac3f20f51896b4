import t from 'tap'
import { DEFAULT_PROFILE } from '../client/parse-profile.js'
import { compareReports } from './comparison.js'
import { compareText } from './comparison-text.js'
import type { RunRecord } from './make-report.js'
import { reportOf, result } from './report.test.helper.js'
import type { CheckResult, Report } from './result.js'

function named(name: string, results: CheckResult[], more: Partial<RunRecord> = {}): Report {
  return reportOf(results, { profile: { ...DEFAULT_PROFILE, name }, ...more })
}

const one = named('one', [result('queues.a'), result('send.a'), result('http.z')], {
  choices: [
    ['order', 'as sent'],
    ['late-ack', '410'],
    ['only-here', 'yes'],
  ],
})
const two = named('two', [result('queues.a'), result('send.a', { status: 'fail' }), result('queues.b')], {
  choices: [
    ['order', 'as sent'],
    ['late-ack', '404'],
  ],
})
const both = [
  { file: '1.json', report: one },
  { file: '2.json', report: two },
]

t.test('checks by topic, with a place for each target', async (t) => {
  const { checks, choices, targets, notes } = compareReports(both)
  t.strictSame(
    checks.map(({ id, results, differs }) => [id, ...results.map((each) => each?.status), differs]),
    [
      ['queues.a', 'pass', 'pass', false],
      ['queues.b', undefined, 'pass', false],
      ['send.a', 'pass', 'fail', true],
      ['http.z', 'pass', undefined, false],
    ],
  )
  t.strictSame(choices, [
    { point: 'order', answers: ['as sent', 'as sent'], differs: false },
    { point: 'late-ack', answers: ['410', '404'], differs: true },
    { point: 'only-here', answers: ['yes', undefined], differs: false },
  ])
  t.strictSame(
    targets.map(({ name }) => name),
    ['one', 'two'],
  )
  t.strictSame(notes, ['2 of 4 checks were not asked of every target.'])
})

t.test('what makes reports less comparable is noted', async (t) => {
  const newer = {
    ...named('one', [result('new.a'), result('queues.a')], { strict: true }),
    kit: { ...one.kit, version: '9.0.0' },
  }
  const { notes, targets, checks } = compareReports([
    { file: 'a.json', report: named('one', [result('queues.a')]) },
    { file: 'b.json', report: newer },
  ])
  t.strictSame(
    targets.map(({ name }) => name),
    ['one (a.json)', 'one (b.json)'],
  )
  t.equal(
    notes[0],
    `The reports come from different versions of the kit (one (a.json): ${one.kit.version}, one (b.json): 9.0.0): checks may have changed.`,
  )
  t.equal(
    notes[1],
    'Not all were judged by the same measure (one (a.json): not strict, one (b.json): strict).',
  )
  t.strictSame(
    checks.map(({ id }) => id),
    ['queues.a', 'new.a'],
    'a topic that is not known stands behind',
  )
})

t.test('names that objects have anyway are no choices', async (t) => {
  const odd = named('odd', [], { choices: [['constructor', 'a']] })
  t.strictSame(
    compareReports([
      { file: '1', report: odd },
      { file: '2', report: two },
    ]).choices[0],
    {
      point: 'constructor',
      answers: ['a', undefined],
      differs: false,
    },
  )
})

t.test('in short, for a terminal', async (t) => {
  t.equal(
    compareText(compareReports(both)),
    `one: conformant: 3 of 3 checks passed, and none that counts failed.
two: non-conformant: 1 of 3 checks failed.

     pass  fail
one  3     0
two  2     1

1 of 4 checks and 1 choice are not the same.

checks  one   two
send.a  pass  fail

where the document is silent  one  two
late-ack                      410  404

2 of 4 checks were not asked of every target.
`,
  )
  const alone = compareText(compareReports([{ file: '1', report: named('\u001b[31mred', []) }]))
  t.match(alone, /\n0 of 0 checks and 0 choices are not the same\.\n$/)
  t.notOk(alone.includes('\u001b'), 'no control character comes through')
  const three = [...both, { file: '3.json', report: named('three', []) }]
  t.match(compareText(compareReports(three)), /\nsend\.a {2}pass {2}fail {2}not asked\n/)
  t.match(compareText(compareReports(three)), /\nlate-ack +410 {2}404 {2}not seen\n/)
})
