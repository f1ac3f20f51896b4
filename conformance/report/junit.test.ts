import { DOMParser, type Element } from '@xmldom/xmldom'
import t from 'tap'
import { applyBaseline } from './baseline.js'
import { junitReport } from './junit.js'
import { descriptions, EVERY_STATUS, reportOf, result } from './report.test.helper.js'

function parse(xml: string): Element {
  const onError = (level: string, message: string) => {
    // U+FFFD is what stands for what XML cannot write.
    if (!message.startsWith('Unicode replacement')) throw new Error(`${level}: ${message}`)
  }
  return new DOMParser({ onError }).parseFromString(xml, 'application/xml').documentElement!
}

t.test('suites by topic, cases by check, totals that add up', async (t) => {
  const root = parse(junitReport(reportOf(EVERY_STATUS), descriptions))
  const numbers = (element: Element) =>
    ['tests', 'failures', 'errors', 'skipped'].map((name) => Number(element.getAttribute(name)))
  t.strictSame(numbers(root).slice(0, 3), [8, 1, 3])
  t.notOk(root.hasAttribute('skipped'), 'which the common schema does not know there')
  t.equal(root.getAttribute('time'), '0.080')
  const suites = [...root.getElementsByTagName('testsuite')]
  t.strictSame(
    suites.map((suite) => [suite.getAttribute('name'), ...numbers(suite)]),
    [
      ['queues', 3, 1, 0, 0],
      ['http', 5, 0, 3, 1],
    ],
  )
  const cases = [...root.getElementsByTagName('testcase')].map((each) => {
    const child = [...each.childNodes].find(({ nodeType }) => nodeType === 1)
    return [each.getAttribute('name')!.split(/[.:]/)[1], child?.nodeName]
  })
  t.strictSame(Object.fromEntries(cases), {
    pass: undefined,
    fail: 'failure',
    differs: 'system-out',
    observed: 'system-out',
    'not-applicable': 'skipped',
    blocked: 'error',
    inconclusive: 'error',
    error: 'error',
  })
  const failure = root.getElementsByTagName('failure')[0]!
  t.equal(failure.getAttribute('message'), 'message of\nfail # <&"⟨U+0001⟩⟨U+D800⟩>')
  t.equal(failure.textContent, 'expected: this\nseen: that')
  t.equal(failure.getAttribute('type'), 'fail')
  t.equal(
    root.getElementsByTagName('testcase')[0]!.getAttribute('name'),
    'queues.pass: Title of queues.pass # & <x> \\',
  )
})

t.test('characters beyond the first plane stay', async (t) => {
  const report = reportOf([result('http.untitled', { status: 'fail', seen: '😀' })])
  const root = parse(junitReport(report, descriptions))
  t.match(root.textContent, /😀/)
  t.equal(parse(junitReport(reportOf([]), descriptions)).getAttribute('tests'), '0')
})

t.test('a known failure is skipped, and a stale entry of a baseline fails', async (t) => {
  const report = applyBaseline(
    reportOf([result('http.bad', { status: 'fail' }), result('http.good')]),
    new Map([
      ['http.bad', 'issue <7>'],
      ['http.gone', 'issue 8'],
    ]),
    new Set(['http.bad']),
  )
  const root = parse(junitReport(report, descriptions))
  t.equal(root.getElementsByTagName('skipped')[0]!.getAttribute('message'), 'known failure: issue <7>')
  const suites = [...root.getElementsByTagName('testsuite')]
  t.strictSame(
    suites.map((suite) => ['name', 'tests', 'failures', 'skipped'].map((name) => suite.getAttribute(name))),
    [
      ['http', '2', '0', '1'],
      ['baseline', '1', '1', '0'],
    ],
  )
  t.strictSame([root.getAttribute('tests'), root.getAttribute('failures')], ['3', '1'])
  t.match(root.getElementsByTagName('failure')[0]!.getAttribute('message'), /stale: no check has this id/)
})
