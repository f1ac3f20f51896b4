import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { fakeBroker } from '../trial/fake-broker.test.helper.js'
import { sendNew } from './producer.js'
import { soaking } from './shared.test.helper.js'

t.test('a send that is refused while its twin is under way is sent again until it is accepted', async (t) => {
  await using broker = await fakeBroker()
  using soak = soaking(broker.url)
  const { client, shared } = soak
  const { uri } = await client.createQueue('a')
  const underWay = new Set<string>()
  const failed = new Set<string>()
  let refused = 0
  broker.intercept = async ({ method, path }) => {
    if (method !== 'POST' || !/\/new\/|guid=/.test(path) || failed.has(path)) return undefined
    if (underWay.has(path)) {
      refused += 1
      return { status: 409 }
    }
    underWay.add(path)
    await sleep(20)
    failed.add(path)
    return { status: 503 }
  }
  const count = 30
  for (let left = count; left > 0; left--) await sendNew(client, { name: 'a', uri: uri! })
  t.equal(shared.violation, undefined)
  t.equal(shared.judge.open, count)
  t.ok(refused > 0, `${refused} were refused`)
})

t.test('a queue that is created again in vain keeps its address', async (t) => {
  await using broker = await fakeBroker()
  using soak = soaking(broker.url)
  const { client, shared } = soak
  const { uri } = await client.createQueue('a')
  broker.intercept = ({ method, path }) =>
    method === 'POST' && path.endsWith('/queues') ? { status: 503 } : undefined
  t.same(await client.createQueue('a'), { uri, outcome: 'unknown' })
  for (let left = 4; left > 0; left--) await sendNew(client, { name: 'a', uri: uri! })
  t.same([shared.violation, shared.judge.open], [undefined, 4])
})
