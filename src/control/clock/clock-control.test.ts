import t from 'tap'
import { ManualClock } from '../../clock/manual.js'
import { SystemClock } from '../../clock/system.js'
import { Scheduler } from '../../http/scheduler.js'
import { ClockControl } from './clock-control.js'

t.test(
  'what is due happens in order, each at its own time, and what follows from it before the next',
  async (t) => {
    const clock = new ManualClock(0)
    const told: string[] = []
    const note = (text: string) => told.push(`${text} at ${clock.now()}`)
    for (const due of [30, 10, 20]) {
      clock.at(due, () => {
        note(`due ${due}`)
        Promise.resolve()
          .then(() => {})
          .then(() => note(`after ${due}`))
      })
    }
    let advances = 0
    const control = new ClockControl(clock, new Scheduler(), () => advances++)
    await control.advance(25)
    t.same(told, ['due 10 at 10', 'after 10 at 10', 'due 20 at 20', 'after 20 at 20'])
    t.equal(control.now(), 25)
    t.same(control.state(), { now: 25, time: '1970-01-01T00:00:00.025Z', manual: true })
    await control.advance(5)
    t.same(told.slice(4), ['due 30 at 30', 'after 30 at 30'])
    t.equal(advances, 2)
  },
)

t.test(
  'much that is due at one time leaves turns to others, and happens before what is due later',
  async (t) => {
    const clock = new ManualClock(0)
    const control = new ClockControl(clock, new Scheduler(), () => {})
    let [done, turns, running] = [0, 0, true]
    const busy = () => {
      const until = performance.now() + 0.1
      while (performance.now() < until);
      done++
    }
    for (let task = 0; task < 300; task++) clock.at(10, busy)
    clock.at(11, () => t.equal(done, 300))
    const count = () => {
      turns++
      if (running) setImmediate(count)
    }
    setImmediate(count)
    await control.advance(11)
    running = false
    t.ok(turns >= 4, `${turns} turns in between`)
  },
)

t.test('two advances happen one after the other', async (t) => {
  const clock = new ManualClock(0)
  const control = new ClockControl(clock, new Scheduler(), () => {})
  const seen: number[] = []
  clock.at(5, () => seen.push(clock.now()))
  clock.at(15, () => seen.push(clock.now()))
  await Promise.all([control.advance(10), control.advance(10)])
  t.same(seen, [5, 15])
  t.equal(control.now(), 20)
})

t.test('a reset ends the advances that are under way', async (t) => {
  const clock = new ManualClock(100)
  const control = new ClockControl(clock, new Scheduler(), () => {})
  const seen: number[] = []
  clock.at(110, () => {
    seen.push(110)
    // As a request does that comes in between.
    setImmediate(() => control.reset())
  })
  const cancel = clock.at(120, () => seen.push(120))
  await Promise.all([control.advance(50), control.advance(50)])
  t.same(seen, [110])
  t.equal(control.now(), 100)
  cancel()
  await control.advance(1)
  t.equal(control.now(), 101)
})

t.test('what is no span is refused, and the next advance is not spoilt', async (t) => {
  const control = new ClockControl(new ManualClock(0), new Scheduler(), () => {})
  for (const span of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, '1', undefined, 1e15]) {
    await t.rejects(
      control.advance(span as number),
      { message: /^advance must be a whole number from 0/ },
      `${span}`,
    )
  }
  const both = [control.advance(200_000_000_000_000), control.advance(200_000_000_000_000)]
  await Promise.all(both)
  t.equal(
    control.state().time,
    '9998-12-31T23:59:59.999Z',
    'it stops where leases could end beyond all dates',
  )
  await control.advance(0)
})

t.test('real time cannot be advanced, and a reset does not touch it', async (t) => {
  const control = new ClockControl(new SystemClock(), new Scheduler(), () => t.fail('nothing was advanced'))
  t.equal(control.state().manual, false)
  t.ok(Math.abs(control.now() - Date.now()) < 60_000)
  await t.rejects(control.advance(1), {
    message: 'This server runs on real time; start it with clock: "manual" to advance it.',
  })
  control.reset()
})

t.test('what a task throws is told to the advance that ran it, and to no later one', async (t) => {
  const clock = new ManualClock()
  const control = new ClockControl(clock, new Scheduler(), () => {})
  clock.at(clock.now() + 5, () => {
    throw new Error('the task failed')
  })
  const [first, second] = [control.advance(10), control.advance(10)]
  await t.rejects(first, { message: 'the task failed' })
  await t.resolves(second)
})
