import t from 'tap'
import { findClause, LEDGER, TOPICS } from '../requirements/index.js'
import { checks } from './index.js'

const BY_ID = new Map(checks.map((check) => [check.id, check]))

t.test('every clause has checks that prove it, or the reason why nobody can', (t) => {
  const proved = new Set(checks.flatMap(({ clauses }) => clauses))
  for (const { id, unchecked } of LEDGER) {
    if (unchecked === undefined) t.ok(proved.has(id), `${id} has a check`)
    else t.notOk(proved.has(id), `${id} has no check, as its reason says`)
  }
  t.end()
})

t.test('every check proves clauses of the ledger', (t) => {
  for (const { id, clauses } of checks) {
    t.ok(clauses.length > 0, `${id} names a clause`)
    for (const clause of clauses) t.ok(findClause(clause), `${id} proves ${clause}, which is in the ledger`)
  }
  t.end()
})

t.test('a check that binds a target proves a clause that does', (t) => {
  for (const { id, grade, feature, clauses } of checks) {
    const grades = clauses.map((clause) => findClause(clause)!.grade)
    if (grade === 'stated') t.ok(grades.includes('stated'), `${id} proves something that is stated`)
    if (grade !== 'chosen') t.not(grades.join(), 'chosen', `${id} proves more than choices`)
    if (grade === 'optional') t.ok(feature, `${id} names its feature`)
    if (grade === 'chosen') t.ok(grades.includes('chosen'), `${id} proves a choice`)
  }
  t.end()
})

t.test('ids are unique and begin with a topic, and what a check needs is there', (t) => {
  t.equal(BY_ID.size, checks.length)
  for (const { id, needs = [] } of checks) {
    t.match(id, /^[a-z][a-z-]*\.[a-z0-9][a-z0-9.-]*$/, id)
    t.ok((TOPICS as readonly string[]).includes(id.split('.')[0]!), `${id} begins with a topic`)
    for (const need of needs) t.ok(BY_ID.has(need), `${id} needs ${need}, which is there`)
  }
  t.end()
})

t.test('every check builds on the creation of a queue in the end, and none on itself', (t) => {
  const foundations = (id: string, way: readonly string[] = []): readonly string[] => {
    t.notOk(way.includes(id), `${id} does not build on itself`)
    if (way.includes(id)) return []
    return (BY_ID.get(id)?.needs ?? []).flatMap((need) => [need, ...foundations(need, [...way, id])])
  }
  for (const { id } of checks) {
    if (id === 'queues.create') t.strictSame(foundations(id), [])
    else t.ok(foundations(id).includes('queues.create'), `${id} builds on queues.create`)
  }
  t.end()
})

t.test('every check says in sentences what it asks and what it does', (t) => {
  for (const { id, title, stimulus } of checks) {
    for (const sentence of [title, stimulus]) t.match(sentence, /^[A-Z`].*\.$/, id)
  }
  t.end()
})
