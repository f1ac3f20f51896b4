import t from 'tap'
import { FEATURES, findClause, LEDGER, REMARK_TOPICS, SECTIONS, TOPICS } from './index.js'

t.test('ids are unique, well-formed, and begin with a topic', (t) => {
  const topics: readonly string[] = [...TOPICS, ...REMARK_TOPICS]
  const seen = new Set<string>()
  for (const { id } of LEDGER) {
    t.match(id, /^[a-z][a-z0-9-]*(\.[a-z][a-z0-9-]*)+$/, id)
    t.ok(topics.includes(id.split('.')[0]!), `${id} begins with a known topic`)
    t.notOk(seen.has(id), `${id} is given once`)
    seen.add(id)
  }
  t.end()
})

t.test('every section of the document has clauses, and they stand in its order', (t) => {
  const places = LEDGER.map((clause) => SECTIONS.indexOf(clause.section))
  t.strictSame(
    places,
    places.toSorted((a, b) => a - b),
  )
  t.strictSame([...new Set(places)], [...SECTIONS.keys()])
  t.end()
})

t.test('every topic has clauses', (t) => {
  const found = new Set(LEDGER.map((clause) => clause.id.split('.')[0]))
  t.strictSame([...found].toSorted(), [...TOPICS, ...REMARK_TOPICS].toSorted())
  t.end()
})

t.test('what is optional names the feature that it belongs to, and every feature has something', (t) => {
  for (const clause of LEDGER) {
    if (clause.grade === 'optional') t.ok(clause.feature, `${clause.id} names a feature`)
  }
  const bound = LEDGER.filter((clause) => clause.feature && clause.grade !== 'chosen')
  t.strictSame([...new Set(bound.map((clause) => clause.feature))].toSorted(), [...FEATURES].toSorted())
  t.end()
})

t.test('a text is one sentence in plain English', (t) => {
  for (const { id, text } of LEDGER) {
    t.match(text, /^[A-Z].*[^.]\.$/, `${id} is a sentence`)
    t.notMatch(text, /[.!?] [A-Z]/, `${id} is one sentence`)
    t.notMatch(text, /\b(MUST|SHALL|SHOULD|MAY|must not|shall)\b/, `${id} states what is so`)
  }
  t.equal(new Set(LEDGER.map((clause) => clause.text)).size, LEDGER.length, 'no text is given twice')
  t.end()
})

t.test('what nobody can check says why', (t) => {
  for (const { id, unchecked } of LEDGER) {
    if (unchecked !== undefined) t.match(unchecked, /^[A-Z].{20,}\.$/, id)
  }
  t.end()
})

t.test('a clause is found by its id', (t) => {
  for (const clause of LEDGER) t.equal(findClause(clause.id), clause)
  t.equal(findClause('send.never'), undefined)
  t.equal(findClause('toString'), undefined)
  t.end()
})
