import fc from 'fast-check'
import t from 'tap'
import { checks } from '../../checks/index.js'
import type { InconclusiveReason } from '../../client/findings.js'
import { DEFAULT_PROFILE } from '../../client/parse-profile.js'
import { FEATURES } from '../../client/profile.js'
import { applyBaseline } from '../baseline.js'
import type { RunContext } from '../describe.js'
import type { RunRecord } from '../make-report.js'
import { mergeRuns } from '../repeat.js'
import { exchange, reportOf, result } from '../report.test.helper.js'
import { type CheckResult, type Report, STATUSES } from '../result.js'
import { nextSteps } from './next-steps.js'
import { SIGNATURES } from './signatures.js'

const KIT = 'npx atom-mq-conformance'
const URL = 'http://mq.test'
const RUN = `${KIT} ${URL} --profile profile.json`

const failing = (id: string, more: Partial<CheckResult> = {}) => result(id, { status: 'fail', ...more })
const blocked = (id: string, blockedBy: string, more: Partial<CheckResult> = {}) =>
  result(id, { status: 'blocked', blockedBy, ...more })
const inconclusive = (id: string, inconclusiveReason: InconclusiveReason, message = '') =>
  result(id, { status: 'inconclusive', inconclusiveReason, message })

/** The steps after a report, each as its sentence with its commands below it. */
function steps(report: Report, runContext: RunContext = {}): string[] {
  return nextSteps(report, runContext).map(({ sentence, commands }) => [sentence, ...commands].join('\n'))
}

function after(results: readonly CheckResult[], more: Partial<RunRecord> = {}): string[] {
  return steps(reportOf(results, more))
}

const good = result('http.good')

t.test('no check chosen: the list', async (t) => {
  t.strictSame(after([]), [
    `Choose at least one check by --only and --skip, of those that this lists:\n${KIT} list`,
  ])
})

t.test('where what the profile makes is refused, the profile is doubted first', async (t) => {
  const refused = (status: number, data = 'destination=x') => [
    good,
    failing('subscribe.create', {
      seen: `${status}: "no such thing"`,
      exchanges: [
        exchange({ method: 'POST', body: { encoding: 'text', data, bytes: 0, cut: false } }, { status }),
      ],
    }),
  ]
  t.equal(
    after(refused(400))[0],
    'Is the profile right? Its field subscription made the POST of "destination=x", and what came was 400: "no such thing"',
  )
  t.match(after(refused(422, ''))[0], /made the POST, and what came was 422/)
  for (const status of [200, 404, 405, 429, 500])
    t.notMatch(after(refused(status))[0], /Is the profile right/)
  t.notMatch(after([good, failing('ack.one', { exchanges: refused(400)[1]!.exchanges })])[0], /profile right/)
})

t.test('the failure on which most hangs comes first', async (t) => {
  const results = [
    good,
    failing('send.one'),
    failing('send.two', { clauses: ['c.one', 'c.two', 'c.three'] }),
    blocked('ack.a', 'send.two'),
    blocked('ack.b', 'ack.a'),
  ]
  t.equal(
    after(results)[0],
    `Begin with send.two (clause c.one and 2 more), on which 2 blocked checks hang; read what it asks, then run it alone:\n${KIT} explain send.two\n${RUN} --only send.two`,
  )
  t.match(after([...results, blocked('ack.c', 'send.one')])[0], /^Begin with send\.two/)
  t.match(
    after([good, failing('send.one'), failing('send.two')])[0],
    /^Begin with send\.one \(clause c\.one\), the first of 2 failures from the ground up; read/,
  )
  t.match(after([good, failing('send.one')])[0], /^Mend send\.one \(clause c\.one\); read/)
  const one = [good, failing('send.one'), blocked('ack.a', 'send.one')]
  t.match(after(one)[0], /^Mend send\.one \(clause c\.one\), on which 1 blocked check hangs; read/)
})

t.test('commands say what the run was made with', async (t) => {
  const report = reportOf([good, failing('send.one')], { strict: true, probed: true })
  t.match(steps(report)[0], `\n${KIT} ${URL} --strict --only send.one`)
  const plain = reportOf([good, failing('send.one')], { url: "http://mq.test/it's" })
  t.match(
    steps(plain, { profileFile: 'my server.json' })[0],
    `\n${KIT} 'http://mq.test/it'\\''s' --profile 'my server.json' --only send.one`,
  )
})

t.test('where nothing passes the interface may be elsewhere', async (t) => {
  const nothing = [failing('queues.create'), blocked('send.a', 'queues.create')]
  t.equal(
    after(nothing)[0],
    `Make sure that ${URL} is what stands before /queues, since not one check passed, and see what a probe tries there:\n${KIT} probe ${URL} --profile profile.json > draft.json`,
  )
  t.match(after(nothing)[1], /^Mend queues\.create/)
  t.equal(after(nothing).length, 2, 'it resembles no server with a fault')
  const probed = after(nothing, { probed: true })
  t.match(probed[0], `\n${KIT} probe ${URL} > profile.json`)
  t.equal(probed.length, 2, 'there is no profile to keep')
  t.match(after([...nothing, good])[0], /^Mend queues\.create/)
  t.match(after([failing('send.a')])[0], /^Mend send\.a/)
})

t.test('an owner who is refused needs credentials', async (t) => {
  for (const status of [401, 403]) {
    const exchanges = [exchange({}), exchange({ method: 'POST' }, { status })]
    t.match(
      after([failing('queues.create', { exchanges })]),
      [
        `Give the owner's credentials in headers of the profile, since POST ${URL}/queues was answered with ${status}.`,
        /^Mend queues\.create/,
      ],
      'and nothing is said of another place',
    )
    t.match(after([failing('auth.message', { exchanges })])[0], /^Mend/, 'that is what it asks about')
  }
  t.match(after([good, failing('send.a', { exchanges: [exchange({}, { status: 400 })] })])[0], /^Mend/)
  t.match(after([good, failing('send.a', { exchanges: [exchange({}, null)] })])[0], /^Mend/)
})

t.test('a claimed feature of which nothing passed may not be claimed', async (t) => {
  const guid = { feature: 'guid' } as const
  const selector = { feature: 'selector' } as const
  t.equal(
    after([good, failing('dedup.send', guid)])[1],
    'Set features.guid to false in the profile where the target is not meant to have it, since no check of guid passed.',
  )
  t.match(
    after([good, failing('dedup.send', guid), failing('subscribe.selector', selector)])[1],
    'Set features.guid and features.selector to false in the profile where the target is not meant to have them,',
  )
  t.notMatch(after([good, result('dedup.a', guid), failing('dedup.b', guid)]).join(), /features\.guid/)
  const known = reportOf([failing('http.bad'), failing('dedup.send', guid), good])
  t.notMatch(
    steps(applyBaseline(known, new Map([['dedup.send', 'issue 7']]), new Set(['dedup.send']))).join(),
    /features\.guid/,
  )
})

t.test('a known fault is named where few fail alike', async (t) => {
  const dropped = 'The end of a lease drops the messages that its consumer held.'
  const results = [good, ...new Map(SIGNATURES).get(dropped)!.map((id) => failing(id))]
  t.match(
    after(results)[1],
    /^Look for (?:this fault|one of these faults), with which servers fail alike: "The end of a lease drops the messages that its consumer held"/,
  )
  t.notMatch(after([good, failing('browse.many-messages')])[1], /Look for/, 'too many fail alike')
  t.notMatch(after([good, failing('http.own')])[1], /Look for/, 'none fails alike')
  t.match(
    after([good, failing('auth.pages')])[1],
    /^Look for one of these faults, .*"The pages of a feed after the first .*", or "HEAD of the pages of a feed .*"\.$/,
  )
  const one = failing('ack.equal-bodies')
  t.equal(
    after([one, ...['browse.ids-unique', 'send.same-body', 'ack.leaves-feed'].map((id) => result(id))])[1],
    'Look for this fault, with which servers fail alike: "An acknowledgement takes every message of the same body".',
  )
})

t.test('what fails now and then is asked alone, after what fails each time', async (t) => {
  const steady = failing('queues.steady')
  const runs = [
    reportOf([good, steady, failing('send.flaky'), blocked('ack.a', 'send.flaky')]),
    reportOf([good, steady, result('send.flaky'), result('ack.a')]),
  ]
  const said = steps(mergeRuns(runs))
  t.match(said[0], /^Begin with queues\.steady/)
  t.equal(
    said[1],
    `See whether send.flaky, which was not always the same (fail 1, pass 1), fails with nothing beside it too:\n${RUN} --only send.flaky --repeat 50`,
  )
  const onlyFlaky = steps(
    mergeRuns([reportOf([good, failing('send.a')]), reportOf([good, result('send.a')])]),
  )
  t.match(onlyFlaky, [/^See whether send\.a, /])
})

t.test('a stale baseline, and what is known', async (t) => {
  const baseline = new Map([
    ['send.known', 'issue 7'],
    ['send.other', 'issue 8'],
    ['send.mended', 'issue 9'],
    ['a.gone', 'x'],
    ['b.gone', 'x'],
    ['c.gone', 'x'],
  ])
  const ids = new Set(['send.known', 'send.other', 'send.mended'])
  const judge = (...results: CheckResult[]) => steps(applyBaseline(reportOf(results), baseline, ids))
  const said = judge(
    result('send.mended'),
    failing('send.other'),
    failing('send.known'),
    blocked('ack.a', 'send.known'),
  )
  t.strictSame(said, [
    'Take send.mended, a.gone, b.gone and 1 other out of the baseline: with stale entries in it no run ends with exit code 0.',
    `Mend send.known next, one of 2 failures that the baseline knows (issue 7), on which 1 blocked check hangs:\n${KIT} explain send.known`,
  ])
  t.match(
    judge(good, failing('send.other'))[1],
    'Mend send.other next, the one failure that the baseline knows (issue 8):\n',
  )
  t.match(judge(failing('http.bad'), good)[1], /^Take a\.gone, b\.gone and c\.gone out of the baseline:/)
})

t.test('what blocked checks hang on, and was left out', async (t) => {
  const results = [
    blocked('ack.a', 'send.post'),
    blocked('ack.b', 'queues.create'),
    blocked('ack.c', 'ack.b'),
  ]
  t.strictSame(after(results), [
    `Ask queues.create as well, which this run left out, on which 2 blocked checks hang:\n${RUN} --only queues.create`,
  ])
  t.strictSame(
    after([blocked('own.row', 'prefetch.cap')]),
    [
      `See which checks prove prefetch.cap, which no check of this run asks about, on which 1 blocked check hangs:\n${KIT} explain prefetch.cap`,
    ],
    'the clause that a scenario names',
  )
  t.strictSame(after([blocked('ack.a', 'http.free'), result('http.free', { status: 'differs' })]), [])
  t.strictSame(after([good, blocked('ack.a', 'send.post', { grade: 'chosen' })], {}).slice(2), [])
  t.notMatch(after([good, blocked('ack.a', 'send.post', { grade: 'chosen' })]).join(), /left out/)
})

t.test('what to do about each reason', async (t) => {
  const cases: [CheckResult[], string][] = [
    [
      [
        inconclusive('send.a', 'stopped'),
        inconclusive('send.b', 'stopped'),
        inconclusive('send.c', 'overrun'),
      ],
      'Run it again and let it end: it was stopped before 2 checks that count had an answer.',
    ],
    [
      [inconclusive('send.a', 'gone'), inconclusive('send.b', 'gone')],
      `See why the target ended, or who ended it, and start it again: it took no connection any more when 2 checks that count had not asked it to the end.`,
    ],
    [
      // What passed would say to keep a profile, by the same commands.
      [good, inconclusive('lease.a', 'profile', 'the length of a lease could not be seen: give it.')],
      `Draft a profile, put in by hand what a probe could not see (the length of a lease could not be seen: give it), and run by it:\n${KIT} probe ${URL} > profile.json\n${KIT} ${URL} --profile profile.json`,
    ],
    [
      [inconclusive('lease.a', 'clock', "the target's clock could not be advanced: POST /clock gave 404")],
      "Mend clock in the profile, or leave it out and let the kit wait, since the target's clock could not be advanced: POST /clock gave 404.",
    ],
    [
      [inconclusive('lease.a', 'clock', "the target's clock stands still")],
      "Let the target's clock go, or give the request that moves it as clock in the profile, since the target's clock stands still.",
    ],
    [
      [inconclusive('send.a', 'overrun'), inconclusive('send.b', 'overrun')],
      `Give send.a and send.b more time than one check has by default:\n${KIT} ${URL} --only send.a --only send.b --timeout 120000`,
    ],
    [
      ['a', 'b', 'c', 'd', 'e'].map((name) => inconclusive(`send.${name}`, 'overrun')),
      `Give send.a, send.b, send.c and 2 others more time than one check has by default:\n${KIT} ${URL} --timeout 120000`,
    ],
    [
      [inconclusive('lease.a', 'times'), result('lease.b', { status: 'inconclusive' })],
      'Give the target longer leases, by subscription.leaseSeconds in the profile, since its answers took too long in lease.a.',
    ],
  ]
  for (const [results, step] of cases) t.strictSame(after(results, { probed: true }), [step])
  t.strictSame(after([result('lease.b', { status: 'inconclusive' })]), [], 'nobody knows why')
  const free = { ...inconclusive('lease.a', 'times'), grade: 'chosen' } as const
  t.strictSame(after([free]), [], 'it does not count')
  t.equal(after([free], { strict: true }).length, 1)
})

t.test("the kit's own fault is reported", async (t) => {
  const results = [
    result('send.a', { status: 'error' }),
    result('send.b', { status: 'error' }),
    blocked('ack.a', 'send.b'),
  ]
  t.strictSame(after(results), [
    `Report send.b as a fault of the kit, on which 1 blocked check hangs, with the file that this writes:\n${RUN} --only send.b --json report.json`,
  ])
})

t.test('features that are there, and that were asked about in vain', async (t) => {
  t.equal(
    after([good], { unclaimed: ['batch', 'auth'] })[0],
    'Set features.batch and features.auth to true in the profile, so that they are judged: the target has them.',
  )
  t.match(
    after([good], { unclaimed: ['batch'] })[0],
    /features\.batch to true .* so that it is judged: .* has it\.$/,
  )
  const asked = { status: 'not-applicable', feature: 'batch' } as const
  t.match(after([result('batch.a', asked), result('batch.b', asked)]), [
    'Set features.batch to true in the profile where the target has it: all that was chosen is about it.',
  ])
  t.strictSame(after([result('http.a', { status: 'not-applicable' })]), [])
})

t.test('a good run: what it missed, and how to keep it so', async (t) => {
  const build = `Keep it so: let your build run this, and fail by its exit code:\n${RUN} --junit report.xml --html report.html`
  const again = `See whether it is so each time:\n${RUN} --repeat 10`
  const free = result('http.free', { status: 'differs', grade: 'chosen' })
  t.strictSame(after([good, free]), [build, again], 'two are enough')
  t.strictSame(steps(reportOf([good, free]), { writesFiles: true }), [
    again,
    `See in full where the target chose otherwise than the reference, as it may, in 1 check:\n${RUN} --strict`,
  ])
  t.strictSame(steps(mergeRuns([reportOf([good]), reportOf([good])]), { writesFiles: true }), [])
  t.strictSame(steps(reportOf([good]), { allChecks: 9 }), [`Ask everything: this was 1 of 9 checks:\n${RUN}`])
  t.strictSame(steps(reportOf([good]), { allChecks: 1 }), [build, again])
  t.match(after([good], { probed: true }), [
    `Keep what the probe found as a profile, and complete it: without one, a feature that breaks is not found, and so not judged:\n${KIT} probe ${URL} > profile.json\n${KIT} ${URL} --profile profile.json`,
    /^Keep it so/,
  ])
})

t.test('answers that vary are asked for again', async (t) => {
  const choices = [
    ['order', 'by name'],
    ['order', 'by age'],
  ] as const
  t.equal(
    after([good], { choices })[0],
    `See how steady the target is at order, where its answers were by name and by age, since clients can rely on none of them:\n${RUN} --repeat 5`,
  )
  const twice = mergeRuns([reportOf([good], { choices }), reportOf([good], { choices })])
  t.notMatch(steps(twice).join(), /steady/, 'they were')
})

t.test('never more than three, each a sentence, and with a colon where there are commands', async () => {
  const ids = checks.map(({ id }) => id)
  const results = fc
    .uniqueArray(
      fc.record({
        id: fc.constantFrom(...ids),
        status: fc.constantFrom(...STATUSES),
        grade: fc.constantFrom('stated', 'optional', 'chosen'),
        feature: fc.constantFrom(null, ...FEATURES),
        blockedBy: fc.constantFrom(...ids),
        inconclusiveReason: fc.constantFrom<InconclusiveReason[]>(
          'times',
          'overrun',
          'clock',
          'profile',
          'contents',
          'gone',
          'stopped',
        ),
      }),
      { selector: ({ id }) => id, maxLength: 40 },
    )
    .map((all) => all.map(({ id, ...more }) => result(id, more)))
  const runContext = fc.record({
    probed: fc.boolean(),
    strict: fc.boolean(),
    unclaimed: fc.subarray([...FEATURES]),
  })
  fc.assert(
    fc.property(results, runContext, (all, more) => {
      const said = nextSteps(reportOf(all, { ...more, profile: DEFAULT_PROFILE }))
      if (said.length > 3) return false
      return said.every(({ sentence, commands }) =>
        commands.length === 0 ? sentence.endsWith('.') : sentence.endsWith(':'),
      )
    }),
  )
})
