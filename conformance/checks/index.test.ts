import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { FEATURES } from '../client/profile.js'
import { findClause, LEDGER } from '../requirements/index.js'
import { type Check, type CheckRecord, TOPICS } from '../trial/check.js'
import { checks } from './index.js'

const byId = new Map(checks.map((check) => [check.id, check]))

/** The ids of the checks for which something holds. */
function idsWhere(holds: (check: Check) => boolean): string[] {
  return checks.filter(holds).map(({ id }) => id)
}

/** Ids of all that a check builds on, itself included where it builds on itself. */
function foundation(check: Check, seen = new Set<string>()): Set<string> {
  for (const need of check.needs ?? []) {
    if (seen.has(need)) continue
    seen.add(need)
    const found = byId.get(need)
    if (found) foundation(found, seen)
  }
  return seen
}

function gradesOf({ clauses }: Check): (string | undefined)[] {
  return clauses.map((clause) => findClause(clause)?.grade)
}

t.test('ids are unique, and begin with a topic', async (t) => {
  t.equal(byId.size, checks.length)
  const form = new RegExp(`^(?:${TOPICS.join('|')})\\.[a-z0-9][a-z0-9-]*$`)
  t.strictSame(
    idsWhere(({ id }) => !form.test(id)),
    [],
  )
})

t.test('title and stimulus are sentences, and no title is given twice but by scenarios', async (t) => {
  const programs = checks.filter(({ scenario }) => scenario === undefined)
  t.strictSame(
    programs.filter(({ title, stimulus }) => ![title, stimulus].every((text) => /^[A-Z`].*\.$/s.test(text))),
    [],
  )
  const titles = programs.map(({ title }) => title)
  t.strictSame(
    titles.filter((title, i) => titles.indexOf(title) !== i),
    [],
  )
})

t.test('every check proves clauses that the ledger has', async (t) => {
  t.strictSame(
    idsWhere(({ clauses }) => clauses.length === 0 || !clauses.every(findClause)),
    [],
  )
})

t.test('every clause has checks that prove it, or the reason why nobody can', async (t) => {
  const proved = new Set<string>(checks.flatMap(({ clauses }) => clauses))
  t.strictSame(
    LEDGER.filter(({ id, unchecked }) => proved.has(id) === (unchecked !== undefined)).map(({ id }) => id),
    [],
  )
})

t.test('a check binds a target by clauses that do', async (t) => {
  const isWrong: Record<Check['grade'], (check: Check) => boolean> = {
    stated: (check) => !gradesOf(check).includes('stated'),
    optional: (check) => check.feature === undefined || gradesOf(check).every((grade) => grade === 'chosen'),
    chosen: (check) => !gradesOf(check).includes('chosen'),
  }
  t.strictSame(
    idsWhere((check) => isWrong[check.grade](check)),
    [],
  )
  t.strictSame(
    idsWhere(({ feature }) => feature !== undefined && !FEATURES.includes(feature)),
    [],
  )
})

t.test('what a check says of itself is not what its first clause says', async (t) => {
  const said = (await records()).filter(({ clauses, title, grade, feature }) => {
    const clause = findClause(clauses[0]!)!
    return title === clause.text || grade === clause.grade || (feature && feature === clause.feature)
  })
  t.strictSame(
    said.map(({ id }) => id),
    [],
  )
})

t.test('needs are checks, without circles, down to the creation of a queue', async (t) => {
  t.strictSame(
    idsWhere(({ needs = [] }) => !needs.every((need) => byId.has(need))),
    [],
  )
  t.strictSame(
    idsWhere((check) => foundation(check).has(check.id)),
    [],
  )
  // A scenario makes what it needs.
  const isBase = (id: string) => byId.get(id)?.scenario !== undefined
  t.strictSame(
    idsWhere((check) => !isBase(check.id) && ![...foundation(check)].some(isBase)),
    [],
  )
  t.ok(isBase('queues.create'))
})

t.test('what the document states builds on nothing that is chosen', async (t) => {
  t.strictSame(
    idsWhere(
      (check) =>
        check.grade !== 'chosen' && [...foundation(check)].some((id) => byId.get(id)?.grade === 'chosen'),
    ),
    [],
  )
})

t.test(
  'the folders of topics hold records of checks of their topic, all of them, and nothing else',
  async (t) => {
    const found = await records()
    t.strictSame(found.map(({ id }) => id).toSorted(), checks.map(({ id }) => id).toSorted())
  },
)

/** What the files in the folders of topics export; each is a list of checks of the topic. */
async function records(): Promise<CheckRecord[]> {
  const found: CheckRecord[] = []
  for (const topic of TOPICS) {
    const folder = join(import.meta.dirname, topic)
    for (const file of readdirSync(folder).filter((name) => /^[a-z-]+\.js$/.test(name))) {
      const module = await import(pathToFileURL(join(folder, file)).href)
      for (const list of Object.values(module) as CheckRecord[][]) {
        if (list.some(({ id }) => !id.startsWith(`${topic}.`)))
          throw new Error(`${topic}/${file}: another topic`)
        found.push(...list)
      }
    }
  }
  return found
}
