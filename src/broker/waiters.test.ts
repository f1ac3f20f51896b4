import t from 'tap'
import { Waiters } from './waiters.js'

t.test('who is noted is called once, in order, when the command is over', (t) => {
  const waiters = new Waiters()
  const called: string[] = []
  const set = new Set([() => void called.push('a'), () => void called.push('b')])
  const result = waiters.runThenWake(() => {
    waiters.note(set)
    t.equal(set.size, 0)
    t.same(called, [])
    return 'done'
  })
  t.equal(result, 'done')
  t.same(called, ['a', 'b'])
  waiters.runThenWake(() => {})
  t.same(called, ['a', 'b'])
  t.end()
})

t.test('who came first may be noted by itself, and is told that it is called alone', (t) => {
  const waiters = new Waiters()
  const called: (readonly [string, boolean])[] = []
  const set = new Set(['a', 'b', 'c'].map((name) => (alone: boolean) => void called.push([name, alone])))
  waiters.runThenWake(() => waiters.noteFirst(set))
  waiters.runThenWake(() => waiters.note(set))
  t.same(called, [
    ['a', true],
    ['b', false],
    ['c', false],
  ])
  t.end()
})

t.test('who is noted is called after a refused command too', (t) => {
  const waiters = new Waiters()
  let called = 0
  t.throws(() =>
    waiters.runThenWake(() => {
      waiters.note(new Set([() => called++]))
      throw new Error('refused')
    }),
  )
  t.equal(called, 1)
  t.end()
})

t.test('a waiter may give the next command', (t) => {
  const waiters = new Waiters()
  const called: string[] = []
  const later = new Set([() => void called.push('later')])
  const first = () => {
    waiters.runThenWake(() => waiters.note(later))
    called.push('first')
  }
  waiters.runThenWake(() => waiters.note(new Set([first, () => void called.push('second')])))
  t.same(called, ['later', 'first', 'second'])
  t.end()
})
