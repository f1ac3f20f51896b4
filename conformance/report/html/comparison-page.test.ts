import { DOMParser, type Element } from '@xmldom/xmldom'
import t from 'tap'
import { DEFAULT_PROFILE } from '../../client/parse-profile.js'
import { applyBaseline } from '../baseline.js'
import { compareReports } from '../comparison.js'
import { descriptions, reportOf, result } from '../report.test.helper.js'
import { comparisonPage } from './comparison-page.js'

const all = (root: Element, name: string) => [...root.getElementsByTagName(name)]
const textOf = (element: Element | undefined) => (element?.textContent ?? '').replace(/\s+/g, ' ').trim()
const cells = (row: Element) =>
  [...row.childNodes].filter(({ nodeType }) => nodeType === 1).map((cell) => textOf(cell as Element))

function named(name: string, ...[results, more]: Parameters<typeof reportOf>) {
  return {
    file: `${name}.json`,
    report: reportOf(results, { profile: { ...DEFAULT_PROFILE, name }, ...more }),
  }
}

const fail = { status: 'fail', message: 'expected: <one>; seen: two' } as const
const one = named('one', [result('queues.a'), result('send.a'), result('http.z')], {
  choices: [
    ['order', 'as sent'],
    ['late-ack', '410'],
  ],
})
const two = named('<two>', [result('queues.a'), result('send.a', fail)], {
  choices: [
    ['order', 'as sent'],
    ['late-ack', '404'],
    ['wait', 'heeded'],
  ],
})

function parse(inputs: Parameters<typeof compareReports>[0]): Element {
  return new DOMParser().parseFromString(comparisonPage(compareReports(inputs), descriptions), 'text/html')
    .documentElement!
}

t.test('verdicts, then what is not the same, then the rest', async (t) => {
  const root = parse([one, two])
  t.equal(textOf(all(root, 'h1')[0]), '2 targets compared')
  t.equal(textOf(all(root, 'p')[0]), '1 of 3 checks were not asked of every target.')
  const tables = all(root, 'table').map((table) => all(table, 'tr').map(cells))
  t.strictSame(tables[0], [
    ['Target', 'Verdict', '✓ pass', '✗ fail', 'Kit'],
    [
      'onehttp://mq.test',
      '✓ Conformant 3 of 3 checks passed, and none that counts failed.',
      '3',
      '0',
      one.report.kit.version,
    ],
    ['<two>http://mq.test', '✗ Non-conformant 1 of 2 checks failed.', '1', '1', one.report.kit.version],
  ])
  t.strictSame(tables[1], [
    ['Check', 'one', '<two>'],
    ['send.a Title of send.a # & <x> \\', '✓ pass', '✗ failexpected: <one>; seen: two'],
  ])
  t.strictSame(
    tables[2]!.map((row) => row.slice(1)),
    [
      ['one', '<two>'],
      ['✓ pass', '✓ pass'],
      ['✓ pass', 'not asked'],
    ],
  )
  t.strictSame(tables[3], [
    ['Point', 'one', '<two>'],
    ['late-ack', '410', '404'],
  ])
  t.strictSame(tables[4], [
    ['Point', 'one', '<two>'],
    ['order', 'as sent', 'as sent'],
    ['wait', 'not seen', 'heeded'],
  ])
  const folds = all(root, 'details').filter((each) => textOf(all(each, 'summary')[0]).includes('everywhere'))
  t.strictSame(
    folds.map((each) => [textOf(all(each, 'summary')[0]), each.hasAttribute('open')]),
    [
      ['Not the same everywhere (1)', true],
      ['The same everywhere (2)', false],
      ['Not the same everywhere (1)', true],
      ['The same everywhere (2)', false],
    ],
  )
})

t.test('rows say what the filter needs', async (t) => {
  const rows = all(parse([one, two]), 'tr').filter((row) => row.hasAttribute('data-statuses'))
  t.strictSame(
    rows.map((row) => ['data-statuses', 'data-topic'].map((name) => row.getAttribute(name))),
    [
      ['pass fail', 'send'],
      ['pass', 'queues'],
      ['pass', 'http'],
    ],
  )
  t.strictSame(
    rows.map((row) => row.hasAttribute('data-different')),
    [true, false, false],
  )
})

t.test('one alone, and those that are the same', async (t) => {
  const alone = parse([one])
  t.equal(textOf(all(alone, 'h1')[0]), '1 target compared')
  const folds = all(alone, 'details')
  t.strictSame(
    folds.map((each) => each.hasAttribute('open')),
    [true, false],
    'the checks are open where all are the same',
  )
  t.equal(all(alone, 'p').length, 0)
  t.strictSame(all(parse([named('none', [])]), 'details'), [])
})

t.test('known failures are told', async (t) => {
  const known = applyBaseline(two.report, new Map([['send.a', 'issue 7']]), new Set(['send.a']))
  const root = parse([one, { file: 'b', report: known }])
  t.match(textOf(root), /✗ fail, known/)
  t.match(textOf(root), /✓ Conformant but for 1 known failure/)
})
