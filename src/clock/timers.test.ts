import fc from 'fast-check'
import t from 'tap'
import { Timers } from './timers.js'

function drain(timers: Timers, now: number): void {
  for (let task = timers.takeDue(now); task !== undefined; task = timers.takeDue(now)) task()
}

t.test('timers come due in the order of their times, and equals in the order of their setting', (t) => {
  const timers = new Timers()
  const ran: string[] = []
  for (const [due, name] of [
    [30, 'c'],
    [10, 'a'],
    [20, 'b'],
    [10, 'a2'],
    [30, 'c2'],
  ] as const) {
    timers.add(due, () => void ran.push(name))
  }
  t.equal(timers.size, 5)
  t.equal(timers.earliest, 10)
  t.equal(timers.takeDue(9), undefined, 'nothing is due yet')
  drain(timers, 29)
  t.same(ran, ['a', 'a2', 'b'])
  drain(timers, 30)
  t.same(ran, ['a', 'a2', 'b', 'c', 'c2'])
  t.equal(timers.earliest, undefined)
  t.equal(timers.size, 0)
  t.end()
})

t.test('a cancelled timer does not run; cancelling again, or after it ran, does nothing', (t) => {
  const timers = new Timers()
  const ran: string[] = []
  const first = timers.add(1, () => void ran.push('first'))
  const second = timers.add(2, () => void ran.push('second'))
  first()
  first()
  t.equal(timers.size, 1)
  t.equal(timers.earliest, 2, 'a cancelled timer is not the earliest')
  drain(timers, 5)
  second()
  t.same(ran, ['second'])
  t.equal(timers.size, 0)
  timers.add(3, () => void ran.push('third'))
  second()
  t.equal(timers.size, 1, 'a late cancel does not count another timer out')
  t.end()
})

t.test('a timer that cancels itself as it runs is not counted twice', (t) => {
  const timers = new Timers()
  const cancel = timers.add(1, () => cancel())
  timers.add(2, () => {})
  timers.takeDue(1)?.()
  t.equal(timers.size, 1)
  t.end()
})

t.test('among thousands of cancelled timers, just the others run', (t) => {
  const timers = new Timers()
  let ran = 0
  for (let count = 0; count < 10_000; count++) timers.add(count, () => t.fail('ran'))()
  for (let due = 0; due < 100; due++) timers.add(due, () => void ran++)
  for (let count = 0; count < 10_000; count++) timers.add(count, () => t.fail('ran'))()
  t.equal(timers.size, 100)
  t.equal(timers.earliest, 0)
  drain(timers, 20_000)
  t.equal(ran, 100)
  t.end()
})

t.test('whatever is added and cancelled, what is left comes due in order', (t) => {
  const step = fc.oneof(
    { weight: 3, arbitrary: fc.record({ add: fc.nat({ max: 50 }) }) },
    { weight: 2, arbitrary: fc.record({ cancel: fc.nat() }) },
    { weight: 1, arbitrary: fc.record({ run: fc.nat({ max: 60 }) }) },
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 500, size: 'max' }), (steps) => {
      const timers = new Timers()
      const set: { due: number; order: number; cancel: () => void }[] = []
      let waiting: typeof set = []
      let ran: (typeof set)[number][] = []
      for (const step of steps) {
        if ('add' in step) {
          const timer = { due: step.add, order: set.length, cancel: () => {} }
          timer.cancel = timers.add(step.add, () => void ran.push(timer))
          set.push(timer)
          waiting.push(timer)
        } else if ('cancel' in step) {
          const timer = set[step.cancel % Math.max(1, set.length)]
          timer?.cancel()
          waiting = waiting.filter((other) => other !== timer)
        } else {
          ran = []
          drain(timers, step.run)
          const due = waiting.filter((timer) => timer.due <= step.run)
          due.sort((a, b) => a.due - b.due || a.order - b.order)
          if (ran.length !== due.length || ran.some((timer, index) => timer !== due[index]))
            throw new Error('order')
          waiting = waiting.filter((timer) => timer.due > step.run)
        }
        if (timers.size !== waiting.length) throw new Error(`${timers.size} wait, not ${waiting.length}`)
        const earliest = waiting.length === 0 ? undefined : Math.min(...waiting.map(({ due }) => due))
        if (timers.earliest !== earliest) throw new Error('earliest')
      }
    }),
    { numRuns: 200 },
  )
  t.end()
})
