import t from 'tap'
import { ManualClock } from './manual.js'
import { LATEST, LONGEST_SPAN } from './spans.js'

t.test('it stands where it is told, or at the beginning of 2000, until it is advanced', (t) => {
  t.equal(new Date(new ManualClock().now()).toISOString(), '2000-01-01T00:00:00.000Z')
  const clock = new ManualClock(5000)
  t.equal(clock.now(), 5000)
  clock.advance(0)
  t.equal(clock.now(), 5000)
  clock.advance(250)
  t.equal(clock.now(), 5250)
  t.end()
})

t.test('what falls due runs in order, each at its own time, what it sets in the span as well', (t) => {
  const clock = new ManualClock(0)
  const ran: [string, number][] = []
  const note = (name: string) => () => void ran.push([name, clock.now()])
  clock.at(30, note('late'))
  clock.at(10, () => {
    note('first')()
    clock.at(20, note('set for 20'))
    clock.at(5, note('set for what is past'))
    clock.at(41, note('beyond'))
  })
  clock.at(40, note('on the edge'))
  clock.advance(40)
  t.same(ran, [
    ['first', 10],
    ['set for what is past', 10],
    ['set for 20', 20],
    ['late', 30],
    ['on the edge', 40],
  ])
  t.equal(clock.now(), 40)
  clock.advance(1)
  t.same(ran.at(-1), ['beyond', 41])
  t.end()
})

t.test('a task that is due at once waits for the next advance, even by nothing', (t) => {
  const clock = new ManualClock(100)
  let ran = 0
  clock.at(50, () => void ran++)
  t.equal(ran, 0)
  clock.advance(0)
  t.equal(ran, 1)
  t.equal(clock.now(), 100, 'what was due in the past does not take the clock back')
  t.end()
})

t.test('a cancelled task does not run', (t) => {
  const clock = new ManualClock(0)
  const cancel = clock.at(10, () => t.fail('ran'))
  cancel()
  cancel()
  clock.advance(100)
  t.end()
})

t.test('a task may advance the clock itself', (t) => {
  const clock = new ManualClock(0)
  const ran: number[] = []
  clock.at(10, () => clock.advance(50))
  clock.at(30, () => void ran.push(clock.now()))
  clock.advance(20)
  t.same(ran, [30])
  t.equal(clock.now(), 60, 'time does not go back to where the first call was heading')
  t.end()
})

t.test('time is told in whole milliseconds, also to what is due between two of them', (t) => {
  const clock = new ManualClock(0)
  const ran: number[] = []
  clock.at(10.5, () => void ran.push(clock.now()))
  clock.advance(10)
  t.same(ran, [], 'not before its time')
  clock.advance(1)
  t.same(ran, [11])
  t.end()
})

t.test('it is not advanced by less than nothing, by parts, or beyond the dates of leases', (t) => {
  const clock = new ManualClock(0)
  for (const span of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
    t.throws(() => clock.advance(span), RangeError, `${span}`)
  }
  t.throws(() => clock.advance(LATEST + 1), RangeError)
  t.equal(clock.now(), 0)
  clock.advance(LATEST)
  t.equal(new Date(clock.now() + LONGEST_SPAN).toISOString(), '9999-12-31T23:59:59.999Z', 'the last date')
  for (const start of [-1, 0.5, Number.NaN, LATEST + 1]) {
    t.throws(() => new ManualClock(start), RangeError, `${start}`)
  }
  t.equal(new ManualClock(LATEST).now(), LATEST)
  t.end()
})

t.test('when a task throws, the clock stands where it was due and goes on when asked', (t) => {
  const clock = new ManualClock(0)
  let ran = 0
  clock.at(10, () => {
    throw new Error('mine')
  })
  clock.at(20, () => void ran++)
  t.throws(() => clock.advance(30), { message: 'mine' })
  t.equal(clock.now(), 10)
  clock.advance(30)
  t.equal(ran, 1)
  t.end()
})
