import t from 'tap'
import { reportOf, result } from '../report.test.helper.js'
import { nearestDefect, similarity } from './nearest-defect.js'
import { SIGNATURES } from './signatures.js'

const everyId = [...new Set(SIGNATURES.flatMap(([, failing]) => failing))]

/** A report in which these checks failed and all others that any fault is known by passed. */
function failing(ids: readonly string[]) {
  return reportOf(everyId.map((id) => result(id, { status: ids.includes(id) ? 'fail' : 'pass' })))
}

t.test('each known fault is recognised, and beside it only what fails alike is named', async (t) => {
  const like = (ids: readonly string[]) =>
    SIGNATURES.filter(([, others]) => `${others}` === `${ids}`).map(([defect]) => defect)
  const wrong = SIGNATURES.filter(([, ids]) => {
    const nearest = nearestDefect(failing(ids))
    return nearest?.similarity !== 1 || `${nearest.defects.toSorted()}` !== `${like(ids).toSorted()}`
  })
  t.strictSame(wrong, [])
})

t.test('what is like nothing known is not named', async (t) => {
  t.equal(nearestDefect(failing([])), undefined, 'nothing failed')
  t.equal(nearestDefect(failing(everyId)), undefined, 'everything failed')
  t.equal(nearestDefect(reportOf([result('http.unknown', { status: 'fail' })])), undefined)
})

t.test('one more failure, or one fewer, is near enough', async (t) => {
  const [defect, ids] = SIGNATURES.find(([, failing]) => failing.length === 5)!
  const other = everyId.find((id) => !ids.includes(id))!
  t.match(nearestDefect(failing([...ids, other])), { defects: [defect], similarity: 5 / 6 })
  t.ok(nearestDefect(failing(ids.slice(1)))!.similarity >= 4 / 5)
})

t.test('only what the target was judged by counts', async (t) => {
  // What is no feed fails the same two checks, whatever is wrong with it.
  const isOfFeeds = (ids: readonly string[]) => ids.includes('browse.valid-subtree')
  const [defect, ids] = SIGNATURES.find(([, failing]) => failing.length === 5 && !isOfFeeds(failing))!
  const report = failing(ids)
  const blocked = report.results.map((each) =>
    each.id === ids[0] ? { ...each, status: 'blocked' as const } : each,
  )
  t.match(nearestDefect({ results: blocked }), { similarity: 1 })
  t.equal(nearestDefect({ results: report.results.filter(({ id }) => ids.indexOf(id) > 2) }), undefined)
  const unanswered = result('consume.late', { status: 'inconclusive' })
  t.equal(nearestDefect({ results: [...report.results, unanswered] }), undefined, 'a run that is incomplete')
  const chosen = result('http.chosen', { status: 'fail', grade: 'chosen' })
  t.match(nearestDefect({ results: [...report.results, chosen] }), { defects: [defect], similarity: 1 })
})

t.test('similarity', async (t) => {
  t.equal(similarity([], []), 0)
  t.equal(similarity(['a'], []), 0)
  t.equal(similarity(['a', 'b'], ['b', 'a']), 1)
  t.equal(similarity(['a', 'b'], ['b', 'c']), 1 / 3)
})
