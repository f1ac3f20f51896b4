import t from 'tap'
import type { Clock } from '../clock/clock.js'
import { Scheduler } from './scheduler.js'
import { parkUntil } from './waiting.js'

/** Everything that a wait registers with, and how much of it is registered. */
function world() {
  const registered = new Map<string, () => void>()
  const register = (name: string) => (callback: () => void) => {
    registered.set(name, callback)
    return () => registered.delete(name)
  }
  const dues: number[] = []
  const clock: Clock = {
    now: () => 1000,
    at(due, task) {
      dues.push(due)
      return register('clock')(task)
    },
  }
  return {
    dues,
    registered,
    wait: {
      clock,
      request: { whenGone: register('request') },
      milliseconds: 50,
      scheduler: new Scheduler(),
      subscribe: register('broker'),
    },
  }
}

t.test('each way to end leaves nothing behind', async (t) => {
  for (const [source, how] of [
    ['broker', 'changed'],
    ['clock', 'timeout'],
    ['request', 'gone'],
  ] as const) {
    const { registered, dues, wait } = world()
    const parked = parkUntil(wait)
    t.same([...registered.keys()].sort(), ['broker', 'clock', 'request'])
    t.same(dues, [1050])
    const others = [...registered.values()]
    registered.get(source)!()
    t.same([...registered.keys()], [])
    for (const other of others) other()
    t.equal(await parked, how)
  }
})

t.test('a change during the registration ends the wait', async (t) => {
  const { registered, wait } = world()
  let cancelled = 0
  const parked = parkUntil({
    ...wait,
    subscribe(wake) {
      wake()
      return () => cancelled++
    },
  })
  t.equal(await parked, 'changed')
  t.equal(cancelled, 1)
  t.equal(registered.size, 0)
})

t.test('a client that is gone already waits for nothing', async (t) => {
  const { registered, wait } = world()
  const whenGone = (callback: () => void) => {
    callback()
    return () => {}
  }
  t.equal(await parkUntil({ ...wait, request: { whenGone } }), 'gone')
  t.equal(registered.size, 0)
})

t.test('no time is no wait', async (t) => {
  for (const milliseconds of [0, -1, Number.NaN]) {
    const { registered, wait } = world()
    const parked = parkUntil({ ...wait, milliseconds })
    t.equal(registered.size, 0)
    t.equal(await parked, 'timeout')
  }
})

t.test('of many who wait for one change, one goes on in each turn of the event loop', async (t) => {
  const wakes: ((alone?: boolean) => void)[] = []
  const { wait } = world()
  let gone = 0
  const park = () => {
    const parked = parkUntil({
      ...wait,
      subscribe: (wake) => {
        wakes.push(wake)
        return () => {}
      },
    })
    void parked.then(() => gone++)
    return parked
  }
  const turn = () => new Promise((resolve) => setImmediate(resolve))
  const all = [park(), park(), park()]
  const alone = park()
  for (const wake of wakes) wake(wake === wakes.at(-1))
  await Promise.resolve()
  t.same([gone, wait.scheduler.hasWoken], [2, true], 'who is woken alone is not late')
  await turn()
  t.same([gone, wait.scheduler.hasWoken], [3, true])
  t.same(await Promise.all([...all, alone]), Array(4).fill('changed'))
  t.equal(wait.scheduler.hasWoken, false)
})

t.test('nobody goes on where there is no room for answers, but for a second at most', async (t) => {
  let elapsed = 0
  const scheduler = new Scheduler(() => elapsed)
  let room = false
  scheduler.hasRoom = () => room
  const gone: number[] = []
  for (const number of [1, 2, 3]) scheduler.wake(() => gone.push(number))
  elapsed = 999
  await new Promise((resolve) => setTimeout(resolve, 30))
  t.same(gone, [1], 'the first did not wait')
  room = true
  while (scheduler.hasWoken) await new Promise((resolve) => setTimeout(resolve, 1))
  t.same(gone, [1, 2, 3])
  // The turn of the last one ends with the event loop's.
  await new Promise((resolve) => setImmediate(resolve))
  room = false
  for (const number of [4, 5]) scheduler.wake(() => gone.push(number))
  await new Promise((resolve) => setTimeout(resolve, 30))
  t.same(gone, [1, 2, 3, 4])
  elapsed += 1000
  while (scheduler.hasWoken) await new Promise((resolve) => setTimeout(resolve, 10))
  t.same(gone, [1, 2, 3, 4, 5])
})

t.test('a page that several read who were woken is made once', async (t) => {
  const scheduler = new Scheduler()
  let made = 0
  const read = () => scheduler.share('a', () => `page ${++made}`)
  t.equal(read(), 'page 1', 'nobody waits: it is made for its one reader')
  const pages: (string | Uint8Array)[] = []
  for (let readers = 0; readers < 3; readers++) scheduler.wake(() => pages.push(read()))
  while (scheduler.hasWoken) await new Promise((resolve) => setImmediate(resolve))
  t.same(
    pages.map((page) => Buffer.from(page).toString()),
    ['page 2', 'page 3', 'page 3'],
    'the first had its turn at once',
  )
  t.equal(pages[1], pages[2], 'in the same memory')
  await new Promise((resolve) => setImmediate(resolve))
  t.equal(read(), 'page 4', 'and it is not kept')
})
