import fc from 'fast-check'
import t from 'tap'
import { Semaphore } from './semaphore.js'

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

t.test('a permit is taken once, and again when it is left', async (t) => {
  const semaphore = new Semaphore(1)
  const first = semaphore.tryAcquire()!
  t.ok(first)
  t.equal(semaphore.tryAcquire(), undefined)
  first.end()
  t.ok(semaphore.tryAcquire())
  t.equal(semaphore.tryAcquire(), undefined)
})

t.test('who rests gives its permit away, and says so', async (t) => {
  const semaphore = new Semaphore(1)
  const sleeper = semaphore.tryAcquire()!
  let told = 0
  sleeper.onYield = () => {
    told += 1
  }
  const night = wait()
  const yielding = sleeper.yield(night.over)
  t.equal(told, 1)
  const other = semaphore.tryAcquire()!
  t.ok(other)
  night.end()
  t.notOk(await isSettled(yielding), 'it comes back when there is a permit')
  t.equal(semaphore.tryAcquire(), undefined)
  other.end()
  t.ok(await isSettled(yielding))
  t.equal(semaphore.tryAcquire(), undefined, 'it has its permit again')
  sleeper.end()
  t.ok(semaphore.tryAcquire())
})

t.test('those that come back go before those that begin', async (t) => {
  const semaphore = new Semaphore(1)
  const sleeper = semaphore.tryAcquire()!
  const night = wait()
  const yielding = sleeper.yield(night.over)
  const other = semaphore.tryAcquire()!
  night.end()
  await isSettled(yielding)
  other.end()
  t.equal(semaphore.tryAcquire(), undefined)
  t.ok(await isSettled(yielding))
})

t.test('waits of one check overlap: one place is given, and one taken', async (t) => {
  const semaphore = new Semaphore(2)
  const sleeper = semaphore.tryAcquire()!
  semaphore.tryAcquire()
  const [short, long] = [wait(), wait()]
  const both = Promise.all([sleeper.yield(short.over), sleeper.yield(long.over)])
  t.ok(semaphore.tryAcquire())
  t.equal(semaphore.tryAcquire(), undefined)
  short.end()
  t.notOk(await isSettled(both))
  long.end()
  t.notOk(await isSettled(both), 'both others have a permit')
})

t.test(
  'a wait that begins while the check waits for its permit: one place is taken all the same',
  async (t) => {
    const semaphore = new Semaphore(1)
    const sleeper = semaphore.tryAcquire()!
    const [night, nap] = [wait(), wait()]
    const first = sleeper.yield(night.over)
    const other = semaphore.tryAcquire()!
    night.end()
    t.notOk(await isSettled(first))
    const second = sleeper.yield(nap.over)
    nap.end()
    t.notOk(await isSettled(second))
    other.end()
    t.ok(await isSettled(Promise.all([first, second])))
    sleeper.end()
    t.ok(semaphore.tryAcquire())
    t.equal(semaphore.tryAcquire(), undefined)
  },
)

t.test('of brief waits only as many give their place away as there are places', async (t) => {
  const semaphore = new Semaphore(1)
  const nights = [wait(), wait()]
  const first = semaphore.tryAcquire()!
  const yielding = first.yield(nights[0]!.over, 'brief')
  const second = semaphore.tryAcquire()!
  t.ok(second)
  const keeping = second.yield(nights[1]!.over, 'brief')
  t.equal(semaphore.tryAcquire(), undefined, 'the second keeps its permit while it waits')
  nights[1]!.end()
  t.ok(await isSettled(keeping))
  nights[0]!.end()
  second.end()
  t.ok(await isSettled(yielding))
  const dawn = wait()
  first.yield(dawn.over, 'brief')
  t.ok(semaphore.tryAcquire(), 'when one is over, another may')
  dawn.end()
})

t.test('however checks yield and end, no permit is lost, and none is had twice', async (t) => {
  const turns = fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 3 })
  const checks = fc.array(fc.array(turns, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(checks, fc.integer({ min: 1, max: 3 }), async (plan, count) => {
      const semaphore = new Semaphore(count)
      const left = [...plan]
      const pass = async (turns: number) => {
        for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve))
      }
      const running: Promise<void>[] = []
      const begin = () => {
        for (let branches = left.shift(); branches; branches = left.shift()) {
          const permit = semaphore.tryAcquire()
          if (!permit) return void left.unshift(branches)
          permit.onYield = begin
          const branch = async (rests: readonly number[]) => {
            for (const each of rests)
              await permit.yield(() => pass(each), each % 2 === 0 ? 'brief' : undefined)
          }
          running.push(
            Promise.all(branches.map(branch)).then(() => {
              permit.end()
              begin()
            }),
          )
        }
      }
      begin()
      for (let done = 0; done < plan.length; done++) await running[done]
      const free = Array.from({ length: count + 1 }, () => semaphore.tryAcquire())
      return free.filter((place) => place !== undefined).length === count
    }),
    { numRuns: 300 },
  )
  t.pass()
})

t.test('a check that is ended while it rests, or while it waits for its permit, keeps none', async (t) => {
  const semaphore = new Semaphore(1)
  const asleep = semaphore.tryAcquire()!
  const night = wait()
  const yielding = asleep.yield(night.over)
  asleep.end()
  const next = semaphore.tryAcquire()!
  t.ok(next)
  night.end()
  t.ok(await isSettled(yielding), 'nothing is waited for')
  t.equal(semaphore.tryAcquire(), undefined)

  const dawn = wait()
  const waking = next.yield(dawn.over)
  const other = semaphore.tryAcquire()!
  dawn.end()
  t.notOk(await isSettled(waking))
  next.end()
  other.end()
  t.ok(await isSettled(waking))
  t.ok(semaphore.tryAcquire(), 'the permit it was given is free')
  t.equal(semaphore.tryAcquire(), undefined)
  await next.yield(async () => {})
  t.equal(semaphore.tryAcquire(), undefined, 'who is at its end has nothing to give')
})
