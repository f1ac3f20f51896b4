import { once } from 'node:events'
import { mock } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import t from 'tap'
import { SystemClock } from './system.js'

t.test('it tells the wall clock in whole milliseconds, and never goes back', (t) => {
  const clock = new SystemClock()
  t.ok(Number.isInteger(clock.now()))
  t.ok(Math.abs(clock.now() - Date.now()) < 60_000)
  const times = Array.from({ length: 1000 }, () => clock.now())
  t.strictSame(
    times.filter((time, place) => time < times[place - 1]!),
    [],
  )
  t.end()
})

t.test('tasks run in the order of their times, never within `at`, and not before their time', async (t) => {
  const clock = new SystemClock()
  const start = clock.now()
  const ran: string[] = []
  await new Promise<void>((resolve) => {
    clock.at(start + 12, () => {
      t.ok(clock.now() >= start + 12, 'not too early')
      ran.push('later')
      resolve()
    })
    clock.at(start + 3, () => void ran.push('sooner'))
    clock.at(start - 1000, () => void ran.push('overdue'))
    clock.at(start + 4, () => void ran.push('cancelled'))()
    t.same(ran, [])
    // The process would end here: the clock does not keep it alive, and something else must.
    void sleep(500, undefined, { ref: true, signal: AbortSignal.timeout(400) }).catch(() => {})
  })
  t.same(ran, ['overdue', 'sooner', 'later'])
})

/** Runs with the platform's timer and time in hand; `delays` are those that were asked for. */
function withTimeInHand(run: (pass: (milliseconds: number) => void, delays: number[]) => void): void {
  let elapsed = 0
  let timer: { task: () => void; due: number } | undefined
  const delays: number[] = []
  const now = mock.method(performance, 'now', () => elapsed)
  const clear = mock.method(globalThis, 'clearTimeout', () => {
    timer = undefined
  })
  const set = mock.method(globalThis, 'setTimeout', (task: () => void, delay: number) => {
    if (timer !== undefined) throw new Error('there is a platform timer already')
    delays.push(delay)
    timer = { task, due: elapsed + delay }
    return { unref: () => {} }
  })
  try {
    run((milliseconds) => {
      elapsed += milliseconds
      while (timer !== undefined && timer.due <= elapsed) {
        const { task } = timer
        timer = undefined
        task()
      }
    }, delays)
  } finally {
    for (const mocked of [now, clear, set]) mocked.mock.restore()
  }
}

t.test('one platform timer runs for the earliest, however many wait', (t) => {
  withTimeInHand((pass, delays) => {
    const clock = new SystemClock()
    const start = clock.now()
    let ran = 0
    for (let count = 0; count < 100; count++) clock.at(start + 100 + count, () => void ran++)
    t.same(delays, [100])
    clock.at(start + 50, () => void ran++)
    t.same(delays, [100, 50])
    pass(50)
    t.equal(ran, 1)
    t.same(delays, [100, 50, 50], 'then it is set for the next')
    pass(1000)
    t.equal(ran, 101)
    t.equal(delays.length, 3, 'what was due meanwhile ran in one go, and no timer is left')
    clock.at(start + 2000, () => void ran++)
    pass(1000)
    t.equal(ran, 102, 'it starts again when something is set')
  })
  t.end()
})

t.test('a wait longer than the platform can take is made of several', (t) => {
  withTimeInHand((pass, delays) => {
    const clock = new SystemClock()
    let ran = 0
    clock.at(clock.now() + 2 ** 31 + 9, () => void ran++)
    t.same(delays, [2 ** 31 - 1])
    pass(2 ** 31 - 1)
    t.equal(ran, 0)
    t.same(delays, [2 ** 31 - 1, 10])
    pass(10)
    t.equal(ran, 1)
  })
  t.end()
})

t.test('a task that sets another for now does not keep the event loop from its work', (t) => {
  withTimeInHand((pass, delays) => {
    const clock = new SystemClock()
    let ran = 0
    const again = () => {
      if (++ran < 10) clock.at(clock.now() - 1, again)
    }
    again()
    for (let count = 0; count < 9; count++) pass(1)
    t.equal(ran, 10)
    t.equal(delays.length, 9, 'each had a turn of the event loop of its own')
  })
  t.end()
})

t.test('when a task throws, the others still run', (t) => {
  withTimeInHand((pass) => {
    const clock = new SystemClock()
    let ran = 0
    clock.at(clock.now() + 1, () => {
      throw new Error('mine')
    })
    clock.at(clock.now() + 1, () => void ran++)
    t.throws(() => pass(1), { message: 'mine' })
    pass(1)
    t.equal(ran, 1)
  })
  t.end()
})

t.test('very many tasks that are due at once run in slices, and others have a turn in between', async (t) => {
  const clock = new SystemClock()
  const ran: string[] = []
  await new Promise<void>((resolve) => {
    for (let task = 0; task < 4; task++) {
      clock.at(clock.now() + 2, () => {
        for (const end = performance.now() + 6; performance.now() < end; );
        ran.push('task')
        setImmediate(() => {
          ran.push('other')
          if (task === 3) resolve()
        })
      })
    }
  })
  t.same(ran, ['task', 'other', 'task', 'other', 'task', 'other', 'task', 'other'])
})

t.test('it does not keep the process alive', async (t) => {
  const worker = new Worker(
    `const { workerData } = require('node:worker_threads')
     import(workerData).then(({ SystemClock }) => {
       const clock = new SystemClock()
       clock.at(clock.now() + 3_600_000, () => {})
     })`,
    { eval: true, workerData: new URL('./system.js', import.meta.url).href },
  )
  const [code] = await once(worker, 'exit')
  t.equal(code, 0)
})
