import t from 'tap'
import { Wakes } from './wakes.js'

t.test('who is noted is called once, in order, when it is time', (t) => {
  const wakes = new Wakes()
  const called: string[] = []
  const waiters = new Set([() => void called.push('a'), () => void called.push('b')])
  wakes.note(waiters)
  t.equal(waiters.size, 0)
  t.same(called, [])
  wakes.flush()
  wakes.flush()
  t.same(called, ['a', 'b'])
  t.end()
})

t.test('a waiter may bring about the next wakes', (t) => {
  const wakes = new Wakes()
  const called: string[] = []
  const later = new Set([() => void called.push('later')])
  wakes.note(
    new Set([
      () => {
        wakes.note(later)
        wakes.flush()
        called.push('first')
      },
      () => void called.push('second'),
    ]),
  )
  wakes.flush()
  t.same(called, ['later', 'first', 'second'])
  t.end()
})
