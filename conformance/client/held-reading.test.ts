import t from 'tap'
import { runOne } from '../judge.test.helper.js'
import { holding } from '../trial/holding.test.helper.js'
import type { Trial } from '../trial/trial.js'
import { skipIdleTime } from '../virtual-time.test.helper.js'
import { heldReading } from './held-reading.js'
import { HttpClient } from './http-client.js'
import { parseProfile } from './parse-profile.js'
import { Sockets } from './sockets.js'

skipIdleTime()

async function heldAt(baseUrl: string): Promise<number> {
  const client = new HttpClient(new Sockets())
  try {
    const { signal } = new AbortController()
    return await heldReading({ baseUrl, profile: parseProfile({}), client, signal }, 2)
  } finally {
    client.close()
  }
}

t.test('how long an empty reading is held, and that none is', async (t) => {
  await using target = await holding(10_000)
  const held = await heldAt(target.url)
  t.ok(held >= 10_000 && held < 11_000, String(held))
  await using quick = await holding(0)
  t.equal(await heldAt(quick.url), 0)
})

t.test('a subscription that cannot be read is not taken for one that is held', async (t) => {
  await using target = await holding(0)
  target.broker.intercept = ({ method, path }) =>
    method === 'GET' && path.includes('subscriptions') ? { status: 500 } : undefined
  t.equal(await heldAt(target.url), 0)
})

t.test('a run waits for an answer that is held', async (t) => {
  await using target = await holding(20_000)
  const { result } = await runOne(target.url, async (trial: Trial) => {
    const queue = await trial.createQueue()
    const consumer = await trial.subscribe(queue, { lease: 'short' })
    for (let time = 0; time < 2; time++)
      trial.expect((await consumer.read()).length === 0, 'nothing', 'something')
    await trial.send(queue)
    const found = await trial.eventually(async () => (await consumer.read())[0])
    trial.expect(found !== undefined, 'the message', 'nothing')
  })
  t.equal(result.status, 'pass', result.message)
})
