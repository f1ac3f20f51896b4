import t from 'tap'
import type { Clock } from '../clock/clock.js'
import { isWaking, parkUntil } from './waiting.js'

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

t.test('of many who wait for one change, ten go on in one turn of the event loop', async (t) => {
  const wakes: (() => void)[] = []
  const { wait } = world()
  let gone = 0
  const park = (alone: boolean) => {
    const parked = parkUntil({
      ...wait,
      alone,
      subscribe: (wake) => {
        wakes.push(wake)
        return () => {}
      },
    })
    void parked.then(() => gone++)
    return parked
  }
  const turn = () => new Promise((resolve) => setImmediate(resolve))
  await turn()
  const all = Array.from({ length: 25 }, () => park(false))
  const alone = park(true)
  for (const wake of wakes) wake()
  await Promise.resolve()
  t.same([gone, isWaking()], [11, true], 'who is woken alone is not late')
  await turn()
  t.same([gone, isWaking()], [21, true])
  t.same(await Promise.all([...all, alone]), Array(26).fill('changed'))
  t.equal(isWaking(), false)
})
