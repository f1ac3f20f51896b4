import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { parseProfile } from '../client/parse-profile.js'
import type { Got, Reply } from '../client/serve.test.helper.js'
import { overSockets } from '../client/sockets.js'
import { fakeBroker, feed } from '../trial/fake-broker.test.helper.js'
import { skipIdleTime } from '../virtual-time.test.helper.js'
import { carryOut } from './carry-out.js'
import { parse } from './parse.js'
import { ScenarioTarget } from './scenario-target.js'
import { roomFor } from './walk-in.js'

skipIdleTime()

/** What comes of a scenario at a broker that takes its time for some requests, or answers them otherwise. */
async function carriedOut(
  scenario: string,
  milliseconds: number,
  isMeant: (got: Got) => boolean,
  answer?: Reply,
) {
  await using broker = await fakeBroker()
  broker.intercept = async (got): Promise<Reply | undefined> => {
    if (!isMeant(got)) return undefined
    await sleep(milliseconds)
    return answer
  }
  const target = await ScenarioTarget.at(broker.url, {
    profile: parseProfile({ subscription: { leaseSeconds: 30 } }),
    signal: new AbortController().signal,
    transport: overSockets,
  })
  try {
    return await carryOut(parse(scenario), target)
  } finally {
    target.close()
  }
}

t.test('a part of a lease counts from when it began, whatever was asked meanwhile', async (t) => {
  let reads = 0
  const isFirstRead = ({ method, path }: Got) =>
    method === 'GET' && path.startsWith('/mq/subscriptions/') && ++reads === 1
  const scenario = 'create a; send m1 to a; subscribe A to a timeout 2s; read A; wait part of A; ! read A'
  const { verdict, why, told } = await carriedOut(scenario, 1000, isFirstRead)
  t.strictSame([verdict, why], ['conformant', ''])
  t.equal(told.at(-1)?.came, '200, m1', 'it is still held')
})

t.test('a lease that ended while a step waited has not ended for slow answers before it', async (t) => {
  const isSend = ({ method, path }: Got) => method === 'POST' && path.startsWith('/mq/new/')
  const setUp = 'create a; send m1 m2 m3 m4 to a; subscribe A to a timeout 1s'
  const { verdict, why } = await carriedOut(`${setUp}; advance 1500ms; ! read A`, 600, isSend)
  t.strictSame([verdict, why], ['conformant', ''])
})

t.test('leases that steps wait for have room for what is asked in the course of them', async (t) => {
  const rooms = {
    'create a; subscribe A to a; read A': 0,
    'create a; send m1..m9 to a; subscribe A to a; read A; wait end of A; subscribe B to a; read B': 2,
    'create a; subscribe A to a; send m1..m4 to a; wait end of A; read A': 9,
    'create a; subscribe A to a; send m1 m2 to a by guid; wait end of A': 3,
    'create a; subscribe A to a; wait part of A; read A; together: read A | browse a; wait end of A': 2 / 0.3,
    'create a; subscribe A to a; read A; wait part of A; wait part of A; read A': 1 / 0.3,
    'create a; subscribe A to a; wait part of A; read A; read A; read A': 3 / 0.3,
  }
  const found = Object.keys(rooms).map((scenario) => [scenario, roomFor(parse(scenario), 100) / 150])
  t.strictSame(
    found.map(([scenario, room]) => [scenario, Number(room).toFixed(3)]),
    Object.entries(rooms).map(([scenario, room]) => [scenario, room.toFixed(3)]),
  )
})

t.test('what is no feed is not asked for again as long as what is missing in one', async (t) => {
  const readings = async (answer: Reply) => {
    let count = 0
    const isReading = ({ method, path }: Got) => method === 'GET' && path.includes('/queues/') && ++count > 0
    const outcome = await carriedOut('create a; send m1 to a; browse a', 1, isReading, answer)
    t.equal(outcome.verdict, 'broken')
    return count
  }
  const missing = await readings(feed([]))
  const unreadable = await readings({ status: 200, headers: { 'Content-Type': 'text/xml' }, body: '<rss/>' })
  t.ok(unreadable < 0.8 * missing, `${unreadable} readings of what is no feed, ${missing} of a feed`)
})
