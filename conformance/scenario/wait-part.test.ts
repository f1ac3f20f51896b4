import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { parseProfile } from '../client/parse-profile.js'
import type { Got, Reply } from '../client/serve.test.helper.js'
import { overSockets } from '../client/sockets.js'
import { fakeBroker } from '../trial/fake-broker.test.helper.js'
import { skipIdleTime } from '../virtual-time.test.helper.js'
import { carryOut } from './carry-out.js'
import { parse } from './parse.js'
import { ScenarioTarget } from './scenario-target.js'

skipIdleTime()

/** What comes of a scenario at a broker that takes its time for some requests. */
async function carriedOut(scenario: string, milliseconds: number, isSlow: (got: Got) => boolean) {
  await using broker = await fakeBroker()
  broker.intercept = async (got): Promise<Reply | undefined> => {
    if (isSlow(got)) await sleep(milliseconds)
    return undefined
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
