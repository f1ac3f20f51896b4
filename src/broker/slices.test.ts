import t from 'tap'
import { ManualClock } from '../clock/manual.js'
import { Waiters } from './waiters.js'

/** A job of so many steps of a thousand units each, which counts what it did. */
function work(waiters: Waiters, steps: number) {
  const made = { done: 0, runs: 0 }
  const job = () => {
    made.runs++
    while (made.done < steps && !waiters.slices.over) {
      made.done++
      waiters.slices.spend(1000)
    }
    return made.done === steps
  }
  return { made, job }
}

t.test('what fits into a slice is done at once', (t) => {
  const clock = new ManualClock()
  const waiters = new Waiters(clock)
  const { made, job } = work(waiters, 3)
  waiters.runThenWake(() => waiters.slices.add(job))
  t.same([made, waiters.slices.busy, clock.nextDue], [{ done: 3, runs: 1 }, false, undefined])
  t.end()
})

t.test('what does not is done by a timer, a slice at a time, and somewhat beside each command', (t) => {
  const clock = new ManualClock()
  const waiters = new Waiters(clock)
  const { made, job } = work(waiters, 20)
  waiters.runThenWake(() => waiters.slices.add(job))
  t.equal(made.done, 5)
  waiters.runThenWake(() => {})
  t.equal(made.done, 6, 'a little, at a clock that stands still')
  clock.advance(0)
  t.same([made.done, waiters.slices.busy, clock.nextDue], [20, false, undefined])
  t.end()
})

t.test('jobs take their turns, and are forgotten when they are to be', (t) => {
  const clock = new ManualClock()
  const waiters = new Waiters(clock)
  const [one, two] = [work(waiters, 8), work(waiters, 8)]
  waiters.runThenWake(() => {
    waiters.slices.add(one.job)
    waiters.slices.add(two.job)
  })
  t.same([one.made.done, two.made.done], [5, 0])
  waiters.slices.clear()
  clock.advance(10)
  waiters.runThenWake(() => {})
  t.same([one.made.done, two.made.done, waiters.slices.busy], [5, 0, false])
  t.end()
})

t.test('when what is left is forgotten, no timer is left either', (t) => {
  const clock = new ManualClock()
  const waiters = new Waiters(clock)
  waiters.runThenWake(() => waiters.slices.add(work(waiters, 8).job))
  t.equal(clock.nextDue, clock.now())
  waiters.slices.clear()
  t.equal(clock.nextDue, undefined)
  t.end()
})
