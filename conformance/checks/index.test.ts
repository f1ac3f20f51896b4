import t from 'tap'
import { FEATURES } from '../client/profile.js'
import { findClause } from '../requirements/index.js'
import { type Check, TOPICS } from '../trial/check.js'
import { checks } from './index.js'

const byId = new Map(checks.map((check) => [check.id, check]))

/** A path of needs that leads back to where it began. */
function circle(check: Check, path: readonly string[] = []): readonly string[] | undefined {
  if (path.includes(check.id)) return [...path, check.id]
  for (const need of check.needs ?? []) {
    const found = byId.has(need) ? circle(byId.get(need)!, [...path, check.id]) : undefined
    if (found) return found
  }
  return undefined
}

/** Ids of all that a check builds on. */
function foundation(check: Check, seen = new Set<string>()): Set<string> {
  for (const need of check.needs ?? []) {
    if (seen.has(need)) continue
    seen.add(need)
    if (byId.has(need)) foundation(byId.get(need)!, seen)
  }
  return seen
}

t.test('ids are unique, and begin with a topic', (t) => {
  t.equal(byId.size, checks.length)
  for (const { id } of checks) {
    t.match(id, /^[a-z-]+\.[a-z0-9-]+$/, id)
    t.ok((TOPICS as readonly string[]).includes(id.split('.')[0]!), `${id} begins with a topic`)
  }
  t.end()
})

t.test('title and stimulus are sentences', (t) => {
  for (const { id, title, stimulus } of checks) {
    for (const sentence of [title, stimulus]) t.match(sentence, /^[^a-z].*[.]$/s, `${id}: ${sentence}`)
  }
  t.equal(new Set(checks.map(({ title }) => title)).size, checks.length, 'no title is given twice')
  t.end()
})

t.test('each proves clauses that the ledger has', (t) => {
  for (const { id, clauses } of checks) {
    t.not(clauses.length, 0, id)
    for (const clause of clauses) t.ok(findClause(clause), `${id}: ${clause}`)
  }
  t.end()
})

t.test('what is optional names its feature', (t) => {
  for (const { id, grade, feature } of checks) {
    if (grade === 'optional') t.ok(feature, id)
    if (feature !== undefined) t.ok(FEATURES.includes(feature), `${id}: ${feature}`)
  }
  t.end()
})

t.test('needs are checks, without circles, down to the creation of a queue', (t) => {
  for (const check of checks) {
    for (const need of check.needs ?? []) t.ok(byId.has(need), `${check.id} needs ${need}`)
    t.strictSame(circle(check), undefined, check.id)
    if (check.id !== 'queues.create')
      t.ok(foundation(check).has('queues.create'), `${check.id} needs a queue`)
  }
  t.end()
})

t.test('what the document states builds on nothing that is chosen', (t) => {
  for (const check of checks) {
    if (check.grade === 'chosen') continue
    const chosen = [...foundation(check)].filter((id) => byId.get(id)?.grade === 'chosen')
    t.strictSame(chosen, [], check.id)
  }
  t.end()
})
