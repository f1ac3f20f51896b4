import t from 'tap'
import { SIGNATURES } from './advice/signatures.js'
import { applyBaseline, parseBaseline } from './baseline.js'
import { verdictSentence } from './describe.js'
import { flakeRate, notes } from './notes.js'
import { prettyReport } from './pretty.js'
import { mergeRuns } from './repeat.js'
import { descriptions, reportOf, result } from './report.test.helper.js'

const known = parseBaseline({
  known: { 'send.bad': 'issue 7', 'send.mended': 'issue 8', 'send.gone': 'issue 9' },
})
const ids = new Set(['send.bad', 'send.mended'])
const judged = applyBaseline(
  reportOf([result('send.bad', { status: 'fail', seen: 'two messages' }), result('send.mended')]),
  known,
  ids,
)

t.test('a plain run has none', async (t) => {
  t.strictSame(notes(reportOf([result('send.bad', { status: 'fail' })])), [])
})

t.test('a baseline: what is known, and what is stale', async (t) => {
  t.strictSame(notes(judged), [
    { heading: 'known failures, which do not count', lines: ['send.bad: issue 7'] },
    {
      heading: 'stale entries of the baseline: take them out',
      lines: [
        'send.mended: it does not fail any more (issue 8)',
        'send.gone: no check has this id (issue 9)',
      ],
    },
  ])
  const text = prettyReport(judged, { ...descriptions, color: false })
  t.match(prettyReport(judged, { ...descriptions, color: false, verbose: true }), /✗ send\.bad fail, known\n/)
  t.match(text, /\nknown failures, which do not count\n {2}send\.bad: issue 7\n\nstale entries/)
  t.notMatch(text, /two messages/, 'what is known needs no details')
  t.match(text, /conformant but for 1 known failure: 1 of 2 checks passed, and none that counts failed\.\n$/)
})

t.test('repeated runs: what was not the same', async (t) => {
  const flaky = mergeRuns([
    reportOf([result('send.a')]),
    reportOf([result('send.a', { status: 'fail' })]),
    reportOf([result('send.a')]),
  ])
  t.strictSame(notes(flaky), [
    { heading: 'not the same in each of 3 runs', lines: ['send.a: 33 % (pass 2, fail 1)'] },
  ])
  const rate = (part: number) => flakeRate({ id: 'a', statuses: {}, rate: part })
  t.strictSame([0.5, 1 / 3, 0.01, 0.0012, 0.125].map(rate), ['50', '33', '1', '0.1', '13'])
})

t.test('the verdict beside what is known', async (t) => {
  const sentence = (others: Parameters<typeof result>[1][], executed = others.length + 1) => {
    const results = [
      result('send.bad', { status: 'fail' }),
      ...others.map((more, index) => result(`send.${index}`, more)),
    ]
    return verdictSentence(applyBaseline(reportOf(results, { executed }), known, ids))
  }
  t.equal(sentence([{}, { status: 'fail' }]), 'non-conformant: 1 of 3 checks failed, beside 1 known.')
  t.equal(
    sentence([{}, { status: 'blocked' }], 2),
    'incomplete: nothing failed that is not known, but 1 blocked, 1 never began.',
  )
  const two = parseBaseline({ known: { 'send.bad': 'x', 'send.0': 'y' } })
  const blocked = reportOf([
    result('send.bad', { status: 'fail' }),
    result('send.0', { status: 'blocked' }),
    result('send.mended'),
  ])
  t.equal(
    verdictSentence(applyBaseline(blocked, two, new Set(['send.bad', 'send.0']))),
    'conformant but for 2 known failures: 1 of 3 checks passed, and none that counts failed.',
  )
  const pretty = prettyReport(applyBaseline(blocked, two, ids), { ...descriptions, color: false })
  t.notMatch(pretty, /could not be asked/, 'a known one is told once')
})

t.test('a failing target is compared with known faults', async (t) => {
  const dropped = 'The end of a lease drops the messages that its consumer held.'
  const failed = reportOf(new Map(SIGNATURES).get(dropped)!.map((id) => result(id, { status: 'fail' })))
  const [note, ...others] = notes(failed)
  t.equal(note?.heading, 'fails like a server with this defect')
  t.ok(note?.lines.includes(dropped))
  t.equal(note?.lines.at(-1), '100 % of what failed is the same')
  t.strictSame(others, [])
  t.match(prettyReport(failed, { ...descriptions, color: false }), /\nfails like a server with this defect/)
})

t.test('of many faults that fail alike three are named', async (t) => {
  const [note] = notes(reportOf([result('subscribe.name-is-no-pattern', { status: 'fail' })]))
  t.equal(note?.lines.length, 5)
  t.match(note?.lines[3], /^or one of \d+ others that fail alike$/)
})
