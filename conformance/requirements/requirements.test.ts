import t from 'tap'
import { type Clause, FEATURES, findClause, LEDGER, REMARK_TOPICS, SECTIONS, TOPICS } from './index.js'

/** The ids of the clauses for which something holds. */
function idsWhere(holds: (clause: Clause) => unknown): string[] {
  return LEDGER.filter(holds).map(({ id }) => id)
}

t.test('ids are unique, well-formed, and begin with a topic', async (t) => {
  const form = new RegExp(`^(?:${[...TOPICS, ...REMARK_TOPICS].join('|')})(\\.[a-z][a-z0-9-]*)+$`)
  t.strictSame(
    idsWhere(({ id }) => !form.test(id)),
    [],
  )
  t.equal(new Set(LEDGER.map(({ id }) => id)).size, LEDGER.length)
})

t.test('every section of the document has clauses, and they stand in its order', async (t) => {
  const places = LEDGER.map((clause) => SECTIONS.indexOf(clause.section))
  t.strictSame(
    places,
    places.toSorted((a, b) => a - b),
  )
  t.strictSame([...new Set(places)], [...SECTIONS.keys()])
})

t.test('every topic has clauses', async (t) => {
  const found = new Set(LEDGER.map((clause) => clause.id.split('.')[0]))
  t.strictSame([...found].toSorted(), [...TOPICS, ...REMARK_TOPICS].toSorted())
})

t.test(
  'what is optional names the feature that it belongs to, and every feature has something',
  async (t) => {
    t.strictSame(
      idsWhere(({ grade, feature }) => grade === 'optional' && feature === undefined),
      [],
    )
    const bound = LEDGER.filter((clause) => clause.feature && clause.grade !== 'chosen')
    t.strictSame([...new Set(bound.map((clause) => clause.feature))].toSorted(), [...FEATURES].toSorted())
  },
)

t.test('a text is one sentence in plain English, and no text is given twice', async (t) => {
  const isWrong = ({ text }: Clause) =>
    !/^[A-Z].*[^.]\.$/.test(text) || /[.!?] [A-Z]|\b(?:MUST|SHALL|SHOULD|MAY|must not|shall)\b/.test(text)
  t.strictSame(idsWhere(isWrong), [])
  t.equal(new Set(LEDGER.map((clause) => clause.text)).size, LEDGER.length)
})

t.test('what nobody can check says why', async (t) => {
  t.strictSame(
    idsWhere(({ unchecked }) => unchecked !== undefined && !/^[A-Z].{20,}\.$/.test(unchecked)),
    [],
  )
})

t.test('a clause is found by its id', async (t) => {
  t.strictSame(
    idsWhere((clause) => findClause(clause.id) !== clause),
    [],
  )
  t.equal(findClause('send.never'), undefined)
  t.equal(findClause('toString'), undefined)
})
