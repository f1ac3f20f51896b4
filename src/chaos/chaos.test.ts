import t from 'tap'
import { createBroker } from '../broker/broker.js'
import { ManualClock } from '../clock/manual.js'
import { SystemClock } from '../clock/system.js'
import type { RunningServer } from '../server.js'
import { ChaosError, type ChaosOptions, chaos, search } from './chaos.js'

const SERVER: ChaosOptions = { server: { queues: ['orders'] }, slow: 20 }

/** Sends until there is a 200; what is asked at each try is up to the test. */
async function persist(ask: () => Promise<Response>): Promise<void> {
  for (let tries = 0; tries < 6; tries++) {
    const answer = await ask().catch(() => undefined)
    if (answer?.status === 200) return
    const later = answer?.headers.get('Retry-After')
    if (later != null) await new Promise((resolve) => setTimeout(resolve, Number(later) * 1000))
  }
  throw new Error('not sent')
}

const send = (mq: RunningServer, guid: string) =>
  fetch(`${mq.url}/queues/orders?guid=${guid}`, { method: 'POST', body: `a hat` })

const right = async (mq: RunningServer) => {
  await persist(() => send(mq, 'one'))
  mq.messages.expect({ body: 'a hat' }, 1)
}

t.test('nothing is found in a right client', async (t) => {
  const report = await chaos(right, { ...SERVER, runs: 30 })
  t.match(report, { runs: 30, seed: 1 })
  t.ok(report.faults > 15, `${report.faults} faults fired`)
})

t.test('what the rules tell without any fault is told at once', async (t) => {
  const twice = async (mq: RunningServer) => {
    await send(mq, 'one')
    await send(mq, 'one')
  }
  const { finding } = await search(twice, SERVER)
  t.match(finding, { run: 0, plan: [], failures: [/send-once: /] })
  t.match(finding?.story, /^Without any fault:\n.*send-once/)
  const { finding: none } = await search(twice, { ...SERVER, runs: 1, ignore: ['send-once'] })
  t.equal(none, undefined)
})

t.test('a lost answer finds a client that does not repeat, and the smallest plan is told', async (t) => {
  const once = async (mq: RunningServer) => {
    await send(mq, 'one').catch(() => undefined)
  }
  try {
    await chaos(once, { ...SERVER, runs: 100 })
    t.fail('nothing was found')
  } catch (error) {
    t.ok(error instanceof ChaosError)
    const { finding, message } = error as ChaosError
    t.match(finding, { plan: { length: 1 } })
    t.equal(message, finding.story)
    t.match(message, /^Found by plan \d+ of seed 1, made as small as possible:\n.*repeat-send/)
    t.match(message, /What goes wrong on purpose:\n {2}.*1st POST \/queues\/orders\?guid=…/)
    t.match(message, /What was asked:\n {2}#1 POST \/queues\/orders\?guid=one → /)
    t.match(
      message,
      /mq\.faults\.add\(\{ fault: '.*method: 'POST', path: '\/queues\/orders', query: \{ guid: true \}/,
    )
  }
})

t.test('what comes of a plan is the same for the same seed', async (t) => {
  const careless = async (mq: RunningServer) => {
    let n = 0
    await persist(() => send(mq, `${n++}`))
    mq.messages.expect({}, 1)
  }
  const options = { ...SERVER, runs: 60, concurrency: 1 }
  const [one, other] = [await search(careless, options), await search(careless, options)]
  t.ok(one.finding)
  t.same(other.finding?.plan, one.finding?.plan)
  t.equal(other.finding?.run, one.finding?.run)
})

t.test('a message that is there twice, or not at all, is told though the test passes', async (t) => {
  const ignore = ['same-guid', 'repeat-send'] as const
  const doubling = async (mq: RunningServer) => {
    let n = 0
    await persist(() => send(mq, `${n++}`))
  }
  const doubled = await search(doubling, { ...SERVER, runs: 60, ignore })
  t.match(doubled.finding?.failures, [/^Doubled: "orders a hat" was sent \d times, and not 1\.$/])
  const losing = async (mq: RunningServer) => {
    await send(mq, 'one').catch(() => undefined)
  }
  const lost = await search(losing, { ...SERVER, runs: 60, ignore })
  t.match(lost.finding?.failures, [/^Lost: "orders a hat" was never sent\.$/])
})

t.test('what is handled twice, or never, is told', async (t) => {
  const handling =
    (again: (run: number) => number) =>
    async (mq: RunningServer, { run, handled }: { run: number; handled(key: string): void }) => {
      await mq.send('orders', 'a hat', { guid: 'one' }).catch(() => undefined)
      await fetch(`${mq.url}/queue/orders`).catch(() => undefined)
      for (let n = 0; n < again(run); n++) handled('one')
    }
  const options = { ...SERVER, runs: 3 }
  t.match(
    (
      await search(
        handling((run) => (run === 0 ? 1 : 5)),
        options,
      )
    ).finding?.failures,
    [/^Handled twice: "one" was handed out/],
  )
  const never = await search(
    handling((run) => (run === 0 ? 1 : 0)),
    options,
  )
  t.match(never.finding?.failures.join(), /Lost: "one" was not handled\./)
})

t.test('a consumer that never acknowledges is told', async (t) => {
  const consumes = async (mq: RunningServer, { handled }: { handled(key: string): void }) => {
    await mq.send('orders', 'a hat')
    const form = new URLSearchParams({ destination: 'orders' })
    const { headers } = await fetch(`${mq.url}/subscriptions`, { method: 'POST', body: form })
    const subscription = new URL(headers.get('location') as string, mq.url)
    await fetch(subscription)
    handled('a hat')
    await fetch(subscription, { method: 'DELETE' })
  }
  t.match((await search(consumes, SERVER)).finding?.failures, [
    /^1 messages were given to consumers, and none/,
  ])
})

t.test('a test that does not end is ended', async (t) => {
  let ended = false
  const hangs = (_: RunningServer, { signal }: { signal: AbortSignal }) =>
    new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => {
        ended = true
        resolve()
      })
    })
  const { finding } = await search(hangs, { timeout: 20 })
  t.same(finding?.failures, ['The test did not end within 20 ms.'])
  t.ok(ended)
  await t.rejects(
    chaos(() => Promise.reject('so'), {}),
    { message: /^Without any fault:\n {2}so/ },
  )
  await t.rejects(
    chaos(() => Promise.reject(), {}),
    { message: /without a reason/ },
  )
})

t.test('what cannot be meant is refused by name, and nothing is run', async (t) => {
  const number = /^(runs|seed|concurrency|timeout|slow) must be a whole number from 1 to 1000000/
  for (const [options, message] of [
    [null, /^What is given must be an object/],
    [{ run: 2 }, / runs, seed, concurrency, timeout, slow, server, ignore\.$/],
    [{ seeds: 4 }, /^There is no member "seeds"; what can be given is runs, seed/],
    [{ Runs: 7 }, /Runs/],
    ...[-5, 0, '2', 1.5, Number.NaN, Infinity, null, 1_000_001].flatMap((value) =>
      ['runs', 'seed', 'concurrency', 'timeout', 'slow'].map((name) => [{ [name]: value }, number] as const),
    ),
    [{ ignore: ['nothing'] }, /^ignore\[0\] must be one of repeat-send/],
    [{ ignore: 'send-once' }, /^ignore must be a list/],
    [{ server: 'plain' }, /^server must be an object/],
    [{ server: { queue: ['a'] } }, /^There is no member "server\.queue"; server can have port/],
    [{ server: { queues: 'a' } }, /^server\.queues must be a list/],
    [{ server: { port: 8080 } }, /^server\.port must be 0: each run has a server of its own/],
    [{ server: { broker: createBroker() } }, /^server\.broker must be absent: each run has/],
    [{ server: { clock: 'manual' } }, /^server\.clock must be "system", or a clock that goes on by itself/],
    [{ server: { clock: new ManualClock() } }, /^server\.clock must be "system", or a clock/],
    [{ server: { clock: 'sundial' } }, /^server\.clock must be "system", "manual" or a clock/],
  ] as const) {
    const run = chaos(() => t.fail('it ran'), options as ChaosOptions)
    await t.rejects(run, { name: 'Problem', message }, JSON.stringify(options))
  }
  const server = { port: 0, clock: new SystemClock() }
  const report = await chaos(() => {}, { runs: 1, seed: undefined, server })
  t.match(report, { runs: 1, seed: 1 })
})
