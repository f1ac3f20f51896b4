import t from 'tap'
import { countDependents, withMostDependents } from './dependents.js'
import { result } from './report.test.helper.js'

const blocked = (id: string, blockedBy: string) => result(id, { status: 'blocked', blockedBy })

t.test('blocked checks hang on what is not blocked itself, through others too', async (t) => {
  const counts = countDependents([
    result('queues.a', { status: 'fail' }),
    blocked('send.a', 'queues.a'),
    blocked('consume.a', 'send.a'),
    blocked('ack.a', 'http.left-out'),
    result('http.fine'),
  ])
  t.strictSame(
    [...counts],
    [
      ['queues.a', 2],
      ['http.left-out', 1],
    ],
  )
})

t.test('what hangs on itself, or on nobody knows what, hangs on nothing', async (t) => {
  const older = result('http.older', { status: 'blocked' })
  const results = [
    blocked('a.one', 'a.two'),
    blocked('a.two', 'a.one'),
    blocked('a.own', 'a.own'),
    blocked('a.three', 'http.older'),
    older,
  ]
  t.equal(countDependents(results).size, 0)
})

t.test('of several on which about as much hangs the first is taken', async (t) => {
  const some = [{ id: 'a' }, { id: 'b' }, { id: 'c' }]
  const dependents = new Map([
    ['a', 17],
    ['b', 18],
    ['c', 20],
  ])
  t.equal(withMostDependents(some, dependents)?.id, 'b')
  t.equal(withMostDependents(some, new Map())?.id, 'a')
  t.equal(withMostDependents([], dependents), undefined)
})
