import fc from 'fast-check'
import t from 'tap'
import type { Exchange } from './exchange.js'
import { parseProfile } from './parse-profile.js'
import { RunClock } from './run-clock.js'
import type { Target } from './target.js'
import { TargetClock } from './target-clock.js'

const LEASE = 1000
const SLACK = 50

const soon = () => new Promise((resolve) => setTimeout(resolve))

/** A clock whose moves are written down, each of which takes a while. */
function clockOf(status: () => number = () => 204) {
  const moves: number[] = []
  const profile = parseProfile({ clock: { advance: { method: 'PUT', path: '/tick', body: '{ms}' } } })
  const target = {
    at: (path: string) => `http://host.example${path}`,
    request: async (method: string, url: string, { body }: { body: string }) => {
      await soon()
      moves.push(Number(body))
      return { method, url, status: status() } as Exchange
    },
  } as unknown as Target
  const runClock = new RunClock()
  return { moves, runClock, clock: new TargetClock(profile, target, runClock, LEASE) }
}

t.test('a check alone has the clock moved by what it asks for', async (t) => {
  const { clock, moves, runClock } = clockOf()
  const hold = await clock.hold()
  const start = runClock.now()
  const exchanges = await hold.elapse(999.2)
  t.strictSame(moves, [1000])
  t.match(exchanges, [{ method: 'PUT', url: 'http://host.example/tick', status: 204 }])
  t.ok(runClock.now() - start >= 1000)
  await hold.elapse(1)
  t.strictSame(moves, [1000, 1])
})

t.test('no time passes while a check is about something', async (t) => {
  const { clock, moves } = clockOf()
  const [waiting, busy] = [await clock.hold(), await clock.hold()]
  const waited = waiting.elapse(10)
  for (let turn = 0; turn < 5; turn++) await soon()
  t.strictSame(moves, [])
  busy.release()
  await waited
  t.strictSame(moves, [10])
})

t.test('the clock goes on to the moment that the first waits for', async (t) => {
  const { clock, moves } = clockOf()
  const [early, late] = [await clock.hold(), await clock.hold()]
  const log: string[] = []
  const all = [
    late.elapse(1000).then((exchanges) => {
      log.push(`late after ${exchanges.length}`)
      late.release()
    }),
    early.elapse(300).then(async () => {
      log.push('early')
      await early.elapse(400)
      log.push('early again')
      early.release()
    }),
  ]
  await Promise.all(all)
  t.strictSame(moves, [300, 400, 300])
  t.strictSame(log, ['early', 'early again', 'late after 3'])
})

t.test('who waits for nearly the same moment goes on together', async (t) => {
  const { clock, moves } = clockOf()
  const holds = await Promise.all([clock.hold(), clock.hold(), clock.hold()])
  const waits = [1000, 1000 + SLACK, 1001 + SLACK].map((each, index) => holds[index]!.elapse(each))
  await Promise.all(waits.slice(0, 2))
  t.strictSame(moves, [1050])
  holds[0]!.release()
  holds[1]!.release()
  await waits[2]
  t.strictSame(moves, [1050, 1])
})

t.test('waits of one check may overlap', async (t) => {
  const { clock, moves } = clockOf()
  const hold = await clock.hold()
  await Promise.all([hold.elapse(100), hold.elapse(500)])
  t.strictSame(moves, [100, 400])
  const further = hold.elapse(7)
  hold.release()
  let woken = false
  further.then(() => {
    woken = true
  })
  for (let turn = 0; turn < 5; turn++) await soon()
  t.notOk(woken, 'a check that is done waits no longer')
})

t.test('a check that begins while the clock is moved begins after that', async (t) => {
  const { clock, moves } = clockOf()
  const hold = await clock.hold()
  const waited = hold.elapse(5)
  await soon()
  t.strictSame(moves, [], 'it is being moved')
  const second = await clock.hold()
  t.strictSame(moves, [5])
  second.release()
  await waited
})

t.test('a clock that cannot be moved wakes all, with the answer', async (t) => {
  const { clock, moves, runClock } = clockOf(() => (moves.length > 1 ? 204 : 500))
  const [one, two] = [await clock.hold(), await clock.hold()]
  const before = runClock.now()
  const answers = await Promise.all([one.elapse(60_000), two.elapse(120_000)])
  t.match(answers, [[{ status: 500 }], [{ status: 500 }]])
  t.ok(runClock.now() - before < 10_000, 'no time has passed')
  two.release()
  t.match(await one.elapse(3), [{ status: 204 }])
})

t.test('whoever waits for what, nobody is woken early, nor later than by the slack', async (t) => {
  const plan = fc.array(fc.array(fc.integer({ min: 1, max: 3000 }), { maxLength: 4 }), {
    minLength: 1,
    maxLength: 5,
  })
  await fc.assert(
    fc.asyncProperty(plan, async (checks) => {
      const { clock, moves } = clockOf()
      const passed = () => moves.reduce((sum, each) => sum + each, 0)
      const check = async (waits: readonly number[]) => {
        const hold = await clock.hold()
        for (const wait of waits) {
          const before = passed()
          const exchanges = await hold.elapse(wait)
          const after = passed() - before
          if (after < wait || after > wait + SLACK) throw new Error(`${after} instead of ${wait}`)
          if (exchanges.length === 0) throw new Error('no exchange')
        }
        hold.release()
      }
      await Promise.all(checks.map(check))
    }),
    { numRuns: 200 },
  )
  t.pass()
})
