import fc from 'fast-check'
import t from 'tap'
import { Places } from './semaphore.js'

/** A wait that a test ends by hand. */
function wait() {
  let end = () => {}
  const over = new Promise<void>((resolve) => {
    end = resolve
  })
  return { over: () => over, end }
}

/** Whether a promise is settled after all that is due has happened. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false
  promise.then(() => {
    settled = true
  })
  await new Promise((resolve) => setImmediate(resolve))
  return settled
}

t.test('a place is taken once, and again when it is left', async (t) => {
  const places = new Places(1)
  const first = places.take()!
  t.ok(first)
  t.equal(places.take(), undefined)
  first.end()
  t.ok(places.take())
  t.equal(places.take(), undefined)
})

t.test('who rests gives its place away, and says so', async (t) => {
  const places = new Places(1)
  const sleeper = places.take()!
  let told = 0
  sleeper.onRest = () => {
    told += 1
  }
  const night = wait()
  const resting = sleeper.rest(night.over)
  t.equal(told, 1)
  const other = places.take()!
  t.ok(other)
  night.end()
  t.notOk(await isSettled(resting), 'it comes back when there is a place')
  t.equal(places.take(), undefined)
  other.end()
  t.ok(await isSettled(resting))
  t.equal(places.take(), undefined, 'it has its place again')
  sleeper.end()
  t.ok(places.take())
})

t.test('those that come back go before those that begin', async (t) => {
  const places = new Places(1)
  const sleeper = places.take()!
  const night = wait()
  const resting = sleeper.rest(night.over)
  const other = places.take()!
  night.end()
  await isSettled(resting)
  other.end()
  t.equal(places.take(), undefined)
  t.ok(await isSettled(resting))
})

t.test('waits of one check overlap: one place is given, and one taken', async (t) => {
  const places = new Places(2)
  const sleeper = places.take()!
  places.take()
  const [short, long] = [wait(), wait()]
  const both = Promise.all([sleeper.rest(short.over), sleeper.rest(long.over)])
  t.ok(places.take())
  t.equal(places.take(), undefined)
  short.end()
  t.notOk(await isSettled(both))
  long.end()
  t.notOk(await isSettled(both), 'both others have a place')
})

t.test(
  'a wait that begins while the check waits for its place: one place is taken all the same',
  async (t) => {
    const places = new Places(1)
    const sleeper = places.take()!
    const [night, nap] = [wait(), wait()]
    const first = sleeper.rest(night.over)
    const other = places.take()!
    night.end()
    t.notOk(await isSettled(first))
    const second = sleeper.rest(nap.over)
    nap.end()
    t.notOk(await isSettled(second))
    other.end()
    t.ok(await isSettled(Promise.all([first, second])))
    sleeper.end()
    t.ok(places.take())
    t.equal(places.take(), undefined)
  },
)

t.test('of brief waits only as many give their place away as there are places', async (t) => {
  const places = new Places(1)
  const nights = [wait(), wait()]
  const first = places.take()!
  const resting = first.rest(nights[0]!.over, 'brief')
  const second = places.take()!
  t.ok(second)
  const keeping = second.rest(nights[1]!.over, 'brief')
  t.equal(places.take(), undefined, 'the second keeps its place while it waits')
  nights[1]!.end()
  t.ok(await isSettled(keeping))
  nights[0]!.end()
  second.end()
  t.ok(await isSettled(resting))
  const dawn = wait()
  first.rest(dawn.over, 'brief')
  t.ok(places.take(), 'when one is over, another may')
  dawn.end()
})

t.test('however checks rest and end, no place is lost, and none is had twice', async (t) => {
  const turns = fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 3 })
  const checks = fc.array(fc.array(turns, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(checks, fc.integer({ min: 1, max: 3 }), async (plan, count) => {
      const places = new Places(count)
      const left = [...plan]
      const pass = async (turns: number) => {
        for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve))
      }
      const running: Promise<void>[] = []
      const begin = () => {
        for (let branches = left.shift(); branches; branches = left.shift()) {
          const tenancy = places.take()
          if (!tenancy) return void left.unshift(branches)
          tenancy.onRest = begin
          const branch = async (rests: readonly number[]) => {
            for (const each of rests)
              await tenancy.rest(() => pass(each), each % 2 === 0 ? 'brief' : undefined)
          }
          running.push(
            Promise.all(branches.map(branch)).then(() => {
              tenancy.end()
              begin()
            }),
          )
        }
      }
      begin()
      for (let done = 0; done < plan.length; done++) await running[done]
      const free = Array.from({ length: count + 1 }, () => places.take())
      return free.filter((place) => place !== undefined).length === count
    }),
    { numRuns: 300 },
  )
  t.pass()
})

t.test('a check that is ended while it rests, or while it waits for its place, keeps none', async (t) => {
  const places = new Places(1)
  const asleep = places.take()!
  const night = wait()
  const resting = asleep.rest(night.over)
  asleep.end()
  const next = places.take()!
  t.ok(next)
  night.end()
  t.ok(await isSettled(resting), 'nothing is waited for')
  t.equal(places.take(), undefined)

  const dawn = wait()
  const waking = next.rest(dawn.over)
  const other = places.take()!
  dawn.end()
  t.notOk(await isSettled(waking))
  next.end()
  other.end()
  t.ok(await isSettled(waking))
  t.ok(places.take(), 'the place it was given is free')
  t.equal(places.take(), undefined)
  await next.rest(async () => {})
  t.equal(places.take(), undefined, 'who is at its end has nothing to give')
})
