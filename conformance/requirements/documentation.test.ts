import { existsSync, readdirSync, readFileSync } from 'node:fs'
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
  const found = [...INTERFACE.map(([, page]) => page), INTERPRETATIONS].flatMap((page) =>
    anchors(page).map((anchor) => anchor.id),
  )
  t.strictSame(found.toSorted(), LEDGER.map((clause) => clause.id).toSorted())
  t.end()
})

t.test('every link of the interface leads to a page and a place on it', async (t) => {
  const broken = [...INTERFACE, ['interpretations.md', INTERPRETATIONS] as const].flatMap(([path, page]) =>
    [...page.matchAll(/\]\((?!https?:)([^)]+)\)/g)]
      .map(([, href]) => href!)
      .filter((href) => {
        const link = new URL(href, new URL(path, 'docs:///'))
        const target = PAGES.get(link.pathname.slice(1))
        if (target === undefined) return !existsSync(new URL(link.pathname.slice(1), DOCS))
        return link.hash && !targets(target).has(link.hash.slice(1))
      })
      .map((href) => `${path}: ${href}`),
  )
  t.strictSame(broken, [])
})

t.test('every example is marked as HTTP', async (t) => {
  const wrong = INTERFACE.filter(([, page]) => {
    const fences = page.split('\n').filter((line) => line.startsWith('```'))
    return fences.length % 2 > 0 || fences.some((fence, i) => fence !== (i % 2 === 0 ? '```http' : '```'))
  })
  t.strictSame(
    wrong.map(([path]) => path),
    [],
  )
})

t.test('every folder of the house is in the picture of the house', async (t) => {
  const picture = PAGES.get('architecture.md')!
  const missing = ['src', 'conformance', 'fixtures'].flatMap((house) => {
    const drawn = new RegExp(`^${house}/\\n((?: .*\\n)*)`, 'm').exec(picture)![1]!
    return readdirSync(new URL(`../${house}/`, DOCS), { withFileTypes: true })
      .filter((folder) => folder.isDirectory() && !['dist', 'node_modules'].includes(folder.name))
      .filter((folder) => !drawn.includes(`  ${folder.name}/ `))
      .map((folder) => `${house}/${folder.name}`)
  })
  t.strictSame(missing, [])
})
