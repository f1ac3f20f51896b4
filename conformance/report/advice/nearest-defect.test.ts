import t from 'tap'
import { reportOf, result } from '../report.test.helper.js'
import { nearestSin, similarity } from './nearest-defect.js'
import { SIGNATURES } from './signatures.js'

const everyId = [...new Set(SIGNATURES.flatMap(([, failing]) => failing))]

/** A report in which these checks failed and all others that any fault is known by passed. */
function failing(ids: readonly string[]) {
  return reportOf(everyId.map((id) => result(id, { status: ids.includes(id) ? 'fail' : 'pass' })))
}

t.test('each known fault is recognised', async (t) => {
  for (const [sin, ids] of SIGNATURES) {
    const nearest = nearestSin(failing(ids))
    t.ok(nearest?.sins.includes(sin), sin)
    t.equal(nearest?.similarity, 1)
    for (const other of nearest?.sins ?? []) {
      t.strictSame(
        SIGNATURES.find(([each]) => each === other)?.[1],
        ids,
        'only what fails alike is named too',
      )
    }
  }
})

t.test('what is like nothing known is not named', async (t) => {
  t.equal(nearestSin(failing([])), undefined, 'nothing failed')
  t.equal(nearestSin(failing(everyId)), undefined, 'everything failed')
  t.equal(nearestSin(reportOf([result('http.unknown', { status: 'fail' })])), undefined)
})

t.test('one more failure, or one fewer, is near enough', async (t) => {
  const [sin, ids] = SIGNATURES.find(([, failing]) => failing.length === 5)!
  const other = everyId.find((id) => !ids.includes(id))!
  t.match(nearestSin(failing([...ids, other])), { sins: [sin], similarity: 5 / 6 })
  t.ok(nearestSin(failing(ids.slice(1)))!.similarity >= 4 / 5)
})

t.test('only what the target was judged by counts', async (t) => {
  const [sin, ids] = SIGNATURES.find(([, failing]) => failing.length === 5)!
  const report = failing(ids)
  const blocked = report.results.map((each) =>
    each.id === ids[0] ? { ...each, status: 'blocked' as const } : each,
  )
  t.match(nearestSin({ results: blocked }), { similarity: 1 })
  const chosen = result('http.chosen', { status: 'fail', grade: 'chosen' })
  t.match(nearestSin({ results: [...report.results, chosen] }), { sins: [sin], similarity: 1 })
})

t.test('similarity', async (t) => {
  t.equal(similarity([], []), 0)
  t.equal(similarity(['a'], []), 0)
  t.equal(similarity(['a', 'b'], ['b', 'a']), 1)
  t.equal(similarity(['a', 'b'], ['b', 'c']), 1 / 3)
})
