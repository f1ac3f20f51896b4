import { readdirSync, readFileSync } from 'node:fs'
import t from 'tap'
import { LEDGER, REMARK_TOPICS, TOPICS } from './index.js'

const DOCS = new URL('../../../docs/', import.meta.url)

/** Everything that a person reads under docs/, by its path there. */
const PAGES = new Map(
  readdirSync(DOCS, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.md'))
    .map((path) => [path, readFileSync(new URL(path, DOCS), 'utf8')]),
)

/** The pages that say what the interface is. */
const INTERFACE = [...PAGES].filter(([path]) => path.startsWith('interface/'))
const INTERPRETATIONS = PAGES.get('interpretations.md')!

/** What an anchor of a clause looks like: it begins with a topic. */
const ANCHOR = new RegExp(`<a id="((?:${[...TOPICS, ...REMARK_TOPICS].join('|')})\\.[^"]+)"></a>`, 'g')

/** Finds the clauses' anchors in a page, each with the text that follows it. */
function anchors(page: string): { id: string; following: string }[] {
  return [...page.matchAll(ANCHOR)].map((match) => ({
    id: match[1]!,
    following: page.slice(match.index + match[0].length),
  }))
}

/** The anchors that a heading and the clauses of a page make. */
function targets(page: string): Set<string> {
  const headings = [...page.matchAll(/^#+ (.+)$/gm)].map((match) =>
    match[1]!
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  )
  return new Set([...headings, ...anchors(page).map((anchor) => anchor.id)])
}

t.test('every clause has exactly one anchor, and every anchor is that of a clause', (t) => {
  const found = [...PAGES.values()].flatMap((page) => anchors(page).map((anchor) => anchor.id))
  t.strictSame(found.toSorted(), LEDGER.map((clause) => clause.id).toSorted())
  t.end()
})

t.test('the interface says what the ledger says, with the grade that the ledger gives', (t) => {
  const said = new Map(INTERFACE.flatMap(([, page]) => anchors(page)).map((anchor) => [anchor.id, anchor]))
  for (const { id, grade, text, feature } of LEDGER) {
    if (grade === 'chosen') continue
    const shown = feature === undefined ? `*${grade}*` : `*${grade}: ${feature}*`
    t.ok(said.get(id)?.following.startsWith(`${text} ${shown}`), `${id} reads "${text} ${shown}"`)
  }
  t.end()
})

t.test('what is chosen is in the interpretations, in the words of the ledger', (t) => {
  const said = new Map(anchors(INTERPRETATIONS).map((anchor) => [anchor.id, anchor]))
  for (const { id, grade, text } of LEDGER) {
    if (grade === 'chosen') t.ok(said.get(id)?.following.startsWith(text), `${id} reads "${text}"`)
    else t.notOk(said.has(id), `${id} is no choice`)
  }
  t.end()
})

t.test('every row of the interpretations gives a point, a choice and a reason', (t) => {
  const rows = INTERPRETATIONS.split('\n').filter((line) => line.startsWith('| '))
  t.ok(rows.length > 0)
  for (const row of rows) t.match(row, /^\| [^|]+ \| [^|]+ \| [^|]+ \|$/)
  t.end()
})

t.test('every link of the interface leads to a page and a place on it', (t) => {
  for (const [path, page] of [...INTERFACE, ['interpretations.md', INTERPRETATIONS] as const]) {
    for (const [, href] of page.matchAll(/\]\(([^)]+)\)/g)) {
      if (/^https?:/.test(href!)) continue
      const link = new URL(href!, new URL(path, 'docs:///'))
      const target = PAGES.get(link.pathname.slice(1))
      if (!t.ok(target, `${path} links to ${href}, which is there`)) continue
      if (link.hash) t.ok(targets(target!).has(link.hash.slice(1)), `${path} links to ${href}, a place there`)
    }
  }
  t.end()
})

t.test('every example is marked as HTTP', (t) => {
  for (const [path, page] of INTERFACE) {
    const fences = page.split('\n').filter((line) => line.startsWith('```'))
    t.equal(fences.length % 2, 0, `${path} closes what it opens`)
    t.ok(
      fences.every((fence, index) => fence === (index % 2 === 0 ? '```http' : '```')),
      `${path} has only HTTP examples`,
    )
  }
  t.end()
})

t.test('every folder of the house is in the picture of the house', (t) => {
  const picture = PAGES.get('architecture.md')!
  for (const house of ['src', 'conformance', 'fixtures']) {
    const drawn = new RegExp(`^${house}/\\n((?: .*\\n)*)`, 'm').exec(picture)![1]!
    for (const folder of readdirSync(new URL(`../${house}/`, DOCS), { withFileTypes: true })) {
      if (!folder.isDirectory() || ['dist', 'node_modules'].includes(folder.name)) continue
      t.ok(drawn.includes(`  ${folder.name}/ `), `${house}/${folder.name} is drawn`)
    }
  }
  t.end()
})
