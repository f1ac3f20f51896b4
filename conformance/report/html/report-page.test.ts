import { createHash } from 'node:crypto'
import { DOMParser, type Element } from '@xmldom/xmldom'
import t from 'tap'
import { applyBaseline } from '../baseline.js'
import { curlList } from '../curl/curl-list.js'
import { mergeRuns } from '../repeat.js'
import { body, descriptions, EVERY_STATUS, exchange, reportOf, result } from '../report.test.helper.js'
import type { Report } from '../result.js'
import { htmlReport } from './report-page.js'

function parse(report: Report): Element {
  const text = htmlReport(report, descriptions)
  return new DOMParser().parseFromString(text, 'text/html').documentElement!
}

const all = (root: Element, name: string) => [...root.getElementsByTagName(name)]
const textOf = (element: Element | undefined) => (element?.textContent ?? '').replace(/\s+/g, ' ').trim()
const byId = (root: Element, id: string) => all(root, '*').find((each) => each.getAttribute('id') === id)
const check = (root: Element, id: string) => byId(root, `check-${id}`)!

t.test('the verdict in words, and the counts of each topic', async (t) => {
  const root = parse(reportOf(EVERY_STATUS))
  t.equal(textOf(all(root, 'title')[0]), 'mq.test: non-conformant')
  t.match(
    textOf(all(root, 'header')[0]),
    /^mq\.test ✗ Non-conformant 1 of 8 checks failed\. Address http:\/\/mq\.test/,
  )
  const [matrix] = all(root, 'table')
  const rows = all(matrix!, 'tr').map((row) => [...row.childNodes].map((cell) => textOf(cell as Element)))
  t.strictSame(rows[0]!.slice(0, 3), ['Topic', '✓ pass', '✗ fail'])
  t.strictSame(rows.slice(1), [
    ['queues', '1', '1', '1', '0', '0', '0', '0', '0', '3'],
    ['http', '0', '0', '0', '1', '1', '1', '1', '1', '5'],
    ['all', '1', '1', '1', '1', '1', '1', '1', '1', '8'],
  ])
  for (const [verdict, sentence] of [
    [reportOf([result('send.a')]), '✓ Conformant 1 of 1 checks passed, and none that counts failed.'],
    [reportOf([]), '? Incomplete no check was chosen.'],
  ] as const) {
    t.ok(textOf(all(parse(verdict), 'header')[0]).includes(sentence), sentence)
  }
})

t.test('every check is there: what went wrong is open, and the rest is folded', async (t) => {
  const root = parse(reportOf(EVERY_STATUS))
  for (const { id, status } of EVERY_STATUS) {
    const item = check(root, id)
    t.equal(item.hasAttribute('open'), status === 'fail' || status === 'error', id)
    t.equal(item.getAttribute('data-statuses'), status)
    t.match(
      textOf(all(item, 'summary')[0]),
      `${status.replace('-', ' ')} ${id} Title of ${id} # & <x> \\ 0.01 s`,
    )
    t.match(textOf(item), /Clause c\.one Text of c\.one\. Grade stated/)
  }
  t.match(textOf(check(root, 'queues.fail')), /Expected this Seen that/)
  t.match(textOf(check(root, 'queues.differs')), /Expected this Seen that/)
  t.match(textOf(check(root, 'http.blocked')), /Message message of blocked # <&"⟨U\+0001⟩⟨U\+D800⟩>/)
  t.notMatch(textOf(check(root, 'queues.pass')), /Message/)
  const wrong = all(root, 'ul')[0]!
  t.match(
    textOf(wrong),
    /✗ fail queues\.fail Title.* Seen: that ! error http\.error .* The kit failed: message of error/,
  )
  t.strictSame(
    all(wrong, 'a').map((link) => link.getAttribute('href')),
    ['#check-queues.fail', '#check-http.error'],
  )
  t.notOk(byId(parse(reportOf([result('send.a')])), 'wrong'), 'nothing is said where nothing is wrong')
})

t.test('a failure shows its exchanges, and the script', async (t) => {
  const exchanges = [
    exchange(
      { method: 'POST', headers: { 'X-A': '<b>' }, body: body('name') },
      { status: 201, headers: { location: '/queues/a' }, body: body('<feed/>') },
      { times: 3, at: 0.5 },
    ),
    exchange({ method: 'PUT', body: body('AAA=', { encoding: 'base64', bytes: 2 }) }, null),
    exchange({}, { body: body('xxx', { bytes: 9000, cut: true }) }),
  ]
  const item = check(
    parse(reportOf([result('send.bad', { status: 'fail', feature: 'guid', exchanges })])),
    'send.bad',
  )
  const shown = all(item, 'li')
  t.equal(shown.length, 3)
  t.strictSame(
    shown.map((each) => all(each, 'details')[0]!.hasAttribute('open')),
    [false, false, true],
  )
  t.equal(textOf(all(shown[0]!, 'summary')[0]), 'POST http://mq.test/queues → 201 4 ms, at 0.500 s, 3 times')
  t.strictSame(
    all(shown[0]!, 'pre').map(({ textContent }) => textContent),
    ['POST http://mq.test/queues\nX-A: <b>\n\nname', '201\nlocation: /queues/a\n\n<feed/>'],
  )
  t.strictSame(
    all(shown[1]!, 'pre').map(({ textContent }) => textContent),
    ['PUT http://mq.test/queues\n\n(2 bytes that are not text, in Base64)\nAAA=', 'no answer within 5 ms'],
  )
  t.equal(all(shown[2]!, 'pre')[1]!.textContent, '200\n\n(the beginning of 9000 bytes)\nxxx')
  t.equal(all(item, 'pre').at(-1)!.textContent, curlList(exchanges, { id: 'send.bad' }))
  t.match(textOf(item), /Grade stated, of the feature guid/)
  const cut = parse(
    reportOf([result('send.bad', { status: 'fail', exchanges: [{ ...exchanges[0]!, omitted: 20 }] })]),
  )
  t.match(textOf(all(cut, 'li').at(-1)), /^20 more stood here that the report does not hold\. POST/)
  const silent = exchange({}, null, { error: null })
  const other = parse(reportOf([result('send.bad', { status: 'fail', exchanges: [silent] })]))
  t.match(textOf(all(other, 'li').at(-1)), /→ no answer/)
})

t.test('features and choices', async (t) => {
  const results = [
    result('dedup.a', { feature: 'guid' }),
    result('browse.a', { feature: 'subtree', status: 'fail' }),
  ]
  const root = parse(reportOf(results, { choices: [['late-ack', '410 / 404']], strict: true }))
  const text = textOf(root)
  const rows = all(byId(root, 'features')!.parentNode as Element, 'tr').map((row) =>
    [...row.childNodes].map((cell) => textOf(cell as Element)),
  )
  t.strictSame(rows.slice(0, 4), [
    ['Feature', 'Claimed', 'Seen'],
    ['subtree', 'yes', 'no'],
    ['dotted-names', 'yes', 'not asked'],
    ['guid', 'yes', 'yes'],
  ])
  t.match(text, /What the target does at 1 point where the document is silent .*late-ack410 \/ 404/)
  t.match(text, /against the Message Queue REST Interface, strictly/)
  t.notOk(byId(parse(reportOf(results)), 'choices'))
  t.notMatch(text, /unclaimed|Unsteady/)
  const odd = parse(
    reportOf([], {
      unclaimed: ['batch'],
      choices: [
        ['order', 'a'],
        ['order', 'b'],
      ],
    }),
  )
  t.match(textOf(odd), /warning: present but unclaimed, and so not judged: batch/)
  t.match(textOf(odd), /Unsteady: answered differently when asked again order: first a, then b/)
})

t.test('a baseline and repeated runs', async (t) => {
  const runs = mergeRuns([
    reportOf([result('send.bad', { status: 'fail' }), result('send.b')]),
    reportOf([result('send.bad'), result('send.b')]),
  ])
  const root = parse(
    applyBaseline(
      runs,
      new Map([
        ['send.bad', 'issue 7'],
        ['send.x', 'y'],
      ]),
      new Set(['send.bad']),
    ),
  )
  t.match(textOf(root), /Known failures, which do not count send\.bad: issue 7/)
  t.match(textOf(root), /Stale entries of the baseline: take them out send\.x: no check has this id \(y\)/)
  t.match(textOf(root), /Not the same in each of 2 runs send\.bad: 50 % /)
  t.match(textOf(root), /✓ Conformant but for 1 known failure: 1 of 2/)
  t.notOk(check(root, 'send.bad').hasAttribute('open'))
  t.match(textOf(check(root, 'send.bad')), /fail, known send\.bad .* Known issue 7/)
  t.notOk(byId(root, 'wrong'))
})

t.test('the page asks for nothing, and runs nothing but its own', async (t) => {
  const root = parse(reportOf(EVERY_STATUS))
  const policy = all(root, 'meta')
    .find((meta) => meta.hasAttribute('http-equiv'))!
    .getAttribute('content')!
  t.match(
    policy,
    /^default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+'; img-src data:; base-uri 'none'; form-action 'none'$/,
  )
  for (const name of ['script', 'style']) {
    const [own, ...others] = all(root, name)
    t.strictSame(others, [])
    const hash = createHash('sha256').update(own!.textContent!).digest('base64')
    t.ok(policy.includes(`${name}-src 'sha256-${hash}'`), name)
  }
  for (const element of all(root, '*')) {
    for (const { name, value } of element.attributes) {
      t.notMatch(name, /^(?:on|style$|src$|srcset$|action$)/, `${element.tagName} ${name}`)
      if (name === 'href') t.match(value, /^(?:#|data:,$)/)
    }
  }
})

t.test('headings go down by one, tables have heads, and ids are unique', async (t) => {
  const exchanges = [exchange({})]
  const root = parse(reportOf([...EVERY_STATUS, result('send.a', { status: 'fail', exchanges })]))
  const levels = all(root, '*')
    .flatMap(({ tagName }) => /^h([1-6])$/.exec(tagName)?.[1] ?? [])
    .map(Number)
  t.equal(levels[0], 1)
  for (const [index, level] of levels.slice(1).entries())
    t.ok(level <= levels[index]! + 1, `heading ${index}`)
  for (const table of all(root, 'table')) {
    t.ok(all(table, 'th').every((cell) => cell.hasAttribute('scope')))
    t.ok(
      all(table, 'tbody')
        .flatMap((part) => all(part, 'tr'))
        .every((row) => all(row, 'th').length === 1),
    )
  }
  const ids = all(root, '*')
    .map((each) => each.getAttribute('id'))
    .filter(Boolean)
  t.equal(new Set(ids).size, ids.length)
  for (const each of all(root, '*')) {
    const label = each.getAttribute('aria-labelledby')
    if (label) t.ok(ids.includes(label), label)
  }
})

t.test('whatever a report holds is text', async (t) => {
  const evil = '"><script>alert(1)</script><img src=x onerror=alert(1)>\' &lt;'
  const root = parse(
    reportOf(
      [
        result(`send.${evil}`, {
          status: 'fail',
          message: evil,
          expected: evil,
          seen: evil,
          clauses: [evil],
          exchanges: [
            exchange({ url: evil, headers: { [evil]: evil }, body: body(evil) }, { body: body(evil) }),
          ],
        }),
      ],
      { choices: [[evil, evil]] },
    ),
  )
  t.equal(all(root, 'script').length, 1)
  t.equal(all(root, 'img').length, 0)
  t.ok(check(root, `send.${evil}`))
  t.equal(all(all(root, 'li').at(-1)!, 'pre')[0]!.textContent, `GET ${evil}\n${evil}: ${evil}\n\n${evil}`)
})

t.test('what to do next, and what the target resembles', async (t) => {
  const results = [
    result('browse.ids-unique'),
    result('send.same-body'),
    result('ack.leaves-feed'),
    result('ack.equal-bodies', { status: 'fail' }),
  ]
  const root = parse(reportOf(results))
  const section = byId(root, 'next')!.parentNode as Element
  t.match(
    textOf(all(section, 'li')[0]),
    /^Mend ack\.equal-bodies \(clause c\.one\); read what it asks, then run it alone:/,
  )
  t.equal(
    all(section, 'pre')[0]!.textContent,
    'npx atom-mq-conformance explain ack.equal-bodies\nnpx atom-mq-conformance http://mq.test --profile profile.json --only ack.equal-bodies',
  )
  t.equal(all(all(section, 'li')[1]!, 'pre').length, 0, 'not every step has a command')
  const defect = 'An acknowledgement takes every message of the same body.'
  t.match(textOf(root), `Fails like a server with this defect ${defect} 100 % of what failed is the same`)
  const named = htmlReport(reportOf(results), descriptions, { profileFile: 'mine.json' })
  t.match(named, '--profile mine.json')
  const done = { writesFiles: true, allChecks: 1 }
  const good = mergeRuns([reportOf([result('send.a')]), reportOf([result('send.a')])])
  t.notMatch(htmlReport(good, descriptions, done), 'id="next"')
})

t.test('a scenario leads to where it runs in a page, where that is known', (t) => {
  const failed = result('send.a', { status: 'fail', scenario: 'create a; read A' })
  const page = (more: object) => htmlReport(reportOf([failed]), { ...descriptions, ...more })
  t.match(page({}), '<code>create a; read A</code></dd>')
  const linked = page({ playground: (scenario: string) => `play.html#${scenario.length}` })
  t.match(linked, '<code>create a; read A</code> <a href="play.html#16">Run it in the playground</a>')
  t.end()
})
