import t from 'tap'
import { verdictSentence } from './describe.js'
import { htmlReport } from './html/report-page.js'
import { markdownReport } from './markdown.js'
import { prettyReport, resultDetails } from './pretty.js'
import { mergeRuns } from './repeat.js'
import { body, descriptions, EVERY_STATUS, exchange, reportOf, result } from './report.test.helper.js'

const plain = { ...descriptions, color: false }

t.test('every status has its place', async (t) => {
  const text = prettyReport(reportOf(EVERY_STATUS, { choices: [['point', 'what']] }), plain)
  t.match(
    text,
    /^atom-mq-conformance \d.*: mq\.test at http:\/\/mq\.test,\nasked whether .* Message Queue REST Interface says\nnon-conformant: .*\n\n✗ queues\.fail {2}Title of queues\.fail/,
  )
  t.match(text, /\nqueues {9}1 pass, 1 fail, 1 differs/)
  t.notMatch(text, /queues\.pass|queues\.differs|where the document is silent/, 'not every check')
  t.match(text, /\nnot applicable\n {2}1 check: message of⟨U\+000A⟩not-applicable/)
  t.match(text, /\ncould not be asked\n {2}http\.blocked: message/)
  t.match(
    text,
    /! http\.error {2}Title.*\n {4}clause c\.one: Text of c\.one\.\n {4}the kit failed, not the target: message/,
  )
  t.match(text, /\n1 pass, 1 fail, .* in 1\.2 s\nnon-conformant: 1 of 8 checks failed\.\n$/)
  t.notOk(text.includes('\u001b'))
})

t.test('every check has its line where all is asked for', async (t) => {
  const text = prettyReport(reportOf(EVERY_STATUS, { choices: [['point', 'what']] }), {
    ...plain,
    verbose: true,
  })
  t.match(text, /\n {2}✓ queues\.pass\n {2}✗ queues\.fail fail\n/)
  t.match(text, /≠ queues\.differs: message of⟨U\+000A⟩differs/)
  t.match(text, /· http\.observed: message of⟨U\+000A⟩observed/)
  t.match(text, /▪ http\.blocked blocked\n/)
  t.match(text, /\nwhere the document is silent\n {2}point: what\n/)
})

t.test('what fails by one clause is told once in full, and in a line each', async (t) => {
  const failed = (id: string, clauses: string[], status: 'fail' | 'error' = 'fail') =>
    result(id, { status, clauses, seen: `${id} ${'x'.repeat(200)}` })
  const results = [
    failed('send.one', ['c.one', 'c.two']),
    failed('send.two', ['c.two']),
    failed('ack.three', ['c.three']),
    failed('ack.broken', ['c.one'], 'error'),
  ]
  const text = prettyReport(reportOf(results), plain)
  t.equal(text.match(/^✗ /gm)?.length, 2)
  t.match(text, /✗ send\.one[\s\S]*\n {4}as ✗ send\.two: send\.two x{91}…\n\n✗ ack\.three/)
  t.match(text, /\n! ack\.broken/)
  t.equal(prettyReport(reportOf(results), { ...plain, verbose: true }).match(/^✗ /gm)?.length, 3)
})

t.test('where nothing is wrong the beginning names what could not be asked, and why', async (t) => {
  const open = { status: 'inconclusive', message: 'a field is unknown: fill it in' } as const
  const results = [
    result('lease.slow', { ...open, message: 'too slow' }),
    result('send.first', { ...open, inconclusiveReason: 'profile' }),
    result('send.chosen', { ...open, grade: 'chosen' }),
  ]
  const head = (some: typeof results) =>
    prettyReport(reportOf(some), plain).split('\n').slice(3, 5).join('\n')
  t.match(head(results), /^ {2}not known: .*\(send\.first\)\n {4}a field is unknown: fill it in$/)
  t.match(head(results.slice(0, 1)), /too slow$/)
  t.match(head(results.slice(2)), /^\nsend /)
})

t.test('every report leads to the clause, where it knows its address', async (t) => {
  const report = reportOf([result('send.bad', { status: 'fail', clauses: ['c.one'] })])
  const linked = { ...plain, page: (id: string) => `https://mq.test/spec/#${id}` }
  t.match(prettyReport(report, linked), 'clause c.one: Text of c.one. <https://mq.test/spec/#c.one>\n')
  t.match(markdownReport(report, linked), '([c.one](<https://mq.test/spec/#c.one>)) |')
  t.match(htmlReport(report, linked), '<a href="https://mq.test/spec/#c.one"><code>c.one</code></a>')
  t.notMatch(
    prettyReport(report, plain) + markdownReport(report, plain) + htmlReport(report, plain),
    '#c.one',
  )
})

t.test(
  'a failure shows the clause, both sentences, the exchanges and its requests as curl commands',
  async (t) => {
    const failure = result('send.bad', {
      status: 'fail',
      clauses: ['c.one', 'c.unknown'],
      expected: 'one message',
      seen: 'two messages',
      seconds: 2.5,
      exchanges: [
        exchange(
          { method: 'POST', body: body('name') },
          { status: 201, headers: { location: '/queues/a' }, body: body('x'.repeat(200)) },
          { times: 3 },
        ),
        exchange({ method: 'PUT', body: body('AAA=', { encoding: 'base64', bytes: 2 }) }, null),
      ],
    })
    const text = prettyReport(reportOf([failure]), plain)
    t.match(
      text,
      /clause c\.one: Text of c\.one\.\n {4}clause c\.unknown: \n {4}expected: one message\n {4}seen: {5}two messages/,
    )
    t.match(
      text,
      /POST http:\/\/mq\.test\/queues "name" → 201 Location: \/queues\/a "x{120}"… <200 bytes> \(4 ms, 3 times\)/,
    )
    t.match(text, /PUT http:\/\/mq\.test\/queues <2 bytes> → no answer within 5 ms \(4 ms\)/)
    t.match(text, /\n {4}its requests as curl commands: --html FILE\n/)
    t.match(resultDetails(failure, descriptions), /its requests, for curl:\n {6}#!\/bin\/sh\n/)
  },
)

t.test('colour only on demand, by the verdict', async (t) => {
  const last = (text: string) => text.trimEnd().split('\n').at(-1)!
  const color = { ...descriptions, color: true }
  t.match(last(prettyReport(reportOf(EVERY_STATUS), color)), '\u001b[31mnon-conformant')
  t.match(last(prettyReport(reportOf([result('http.untitled')]), color)), '\u001b[32mconformant')
  t.match(last(prettyReport(reportOf([]), color)), '\u001b[33mincomplete')
})

t.test('reasons for what does not apply are counted', async (t) => {
  const na = (id: string, message: string) => result(id, { status: 'not-applicable', message })
  const text = prettyReport(
    reportOf([na('batch.a', 'no batch'), na('batch.b', 'no batch'), na('auth.a', 'no auth')]),
    plain,
  )
  t.match(text, /not applicable\n {2}2 checks: no batch\n {2}1 check: no auth\n/)
  t.match(text, /^batch {10}2 not-applicable$/m)
})

t.test('long stories are shown from their end', async (t) => {
  const exchanges = Array.from({ length: 40 }, (_, index) => exchange({ url: `http://mq.test/${index}` }))
  const text = prettyReport(reportOf([result('http.untitled', { status: 'fail', exchanges })]), plain)
  t.equal(text.match(/→/g)!.length, 30)
  t.match(text, /GET http:\/\/mq\.test\/39 →/)
  const all = { ...plain, verbose: true }
  const whole = prettyReport(reportOf([result('http.untitled', { status: 'fail', exchanges })]), all)
  t.equal(whole.match(/→/g)!.length, 40)
})

t.test('the verdict as a sentence', async (t) => {
  t.equal(verdictSentence(reportOf([])), 'incomplete: no check was chosen.')
  t.equal(
    verdictSentence(reportOf([result('a.b')])),
    'conformant: 1 of 1 checks passed, and none that counts failed.',
  )
  const chosen = { grade: 'chosen', status: 'inconclusive' } as const
  t.equal(
    verdictSentence(reportOf([result('a.b'), result('a.c', chosen), result('a.d', chosen)])),
    'conformant: 1 of 3 checks passed, and none that counts failed; not answered, and not counted: 2 inconclusive.',
  )
  const open = reportOf([result('a.b', { status: 'blocked' }), result('a.c', { status: 'error' })], {
    executed: 1,
  })
  t.equal(verdictSentence(open), 'incomplete: nothing failed, but 1 blocked, 1 error, 1 never began.')
  t.equal(
    verdictSentence(reportOf([result('a.b', { status: 'observed' })])),
    'incomplete: nothing failed, but no check passed.',
  )
})

t.test('what is unsteady, and what is unclaimed, have places of their own', async (t) => {
  const plain = { ...descriptions, color: false }
  const choices = [
    ['point', 'one'],
    ['steady', 'same'],
    ['point', 'two'],
    ['steady', 'same'],
    ['point', 'one'],
  ] as const
  const text = prettyReport(reportOf([result('http.x')], { choices, unclaimed: ['batch', 'guid'] }), plain)
  t.match(text, '\nunsteady: answered differently when asked again\n  point: first one, then two\n')
  t.notMatch(text, 'steady: first same')
  // The profile of this report claims guid.
  t.match(text, '\nwarning: present but unclaimed, and so not judged: batch\n')
  const quiet = prettyReport(reportOf([result('http.x')], { choices: [['steady', 'same']] }), plain)
  t.notMatch(quiet, /unsteady|warning/)
})

t.test(
  'the next steps stand before the counts and the verdict, with commands on lines of their own',
  async (t) => {
    const results = [
      result('send.fine'),
      result('send.bad', { status: 'fail' }),
      result('ack.a', { status: 'blocked', blockedBy: 'send.bad' }),
    ]
    const text = prettyReport(reportOf(results, { unclaimed: ['batch'] }), {
      ...plain,
      profileFile: 'mine.json',
    })
    t.match(
      text,
      /\nnext\n {2}1\. Mend send\.bad .*:\n {7}npx atom-mq-conformance explain send\.bad\n {7}npx .* --profile mine\.json --only send\.bad\n {2}2\. Set features\.batch to true .*\.\n\n1 pass, .*\nnon-conformant: 1 of 3 checks failed\.\n$/,
    )
    t.match(prettyReport(reportOf(results), { ...plain, color: true }), '\u001b[1mnext\u001b[0m\n  1. Mend')
    const twice = { writesFiles: true, allChecks: 1 }
    const good = mergeRuns([reportOf([result('send.fine')]), reportOf([result('send.fine')])])
    t.notMatch(prettyReport(good, { ...plain, ...twice }), /^next$/m, 'nothing is to be done')
  },
)
