import t from 'tap'
import { parseProfile } from '../../client/parse-profile.js'
import type { Got } from '../../client/serve.test.helper.js'
import { runConformance } from '../../judge.js'
import { type FakeBroker, fakeBroker } from '../../trial/fake-broker.test.helper.js'
import { skipIdleTime } from '../../virtual-time.test.helper.js'
import { checks } from '../index.js'

skipIdleTime()

const REMEMBERED = ['send.repeat-remembered', 'dedup.remembered']

async function judge({ url }: FakeBroker) {
  const profile = parseProfile({ features: { guid: true } })
  const { results } = await runConformance(url, { checks, only: REMEMBERED, profile }).report
  return results.map(({ id, status, message }) => ({ id, status, message }))
}

const PASSED = REMEMBERED.map((id) => ({ id, status: 'pass', message: '' }))

t.test('a queue that is full may refuse step 1, and a send with a guid', async (t) => {
  await using broker = await fakeBroker()
  const sends = new Map<string, number>()
  broker.intercept = ({ method, path }) => {
    const queue = /^\/mq\/queues\/([^?]+)/.exec(path)?.[1]
    if (method !== 'POST' || queue === undefined) return undefined
    sends.set(queue, (sends.get(queue) ?? 0) + 1)
    return sends.get(queue)! > 120 ? { status: 507 } : undefined
  }
  t.strictSame(await judge(broker), PASSED)
})

t.test('a server may refuse more requests at once than it answers', async (t) => {
  await using broker = await fakeBroker()
  let atOnce = 0
  broker.intercept = async ({ method }: Got) => {
    if (method !== 'POST') return undefined
    if (atOnce >= 20) return { status: 503 }
    atOnce += 1
    await new Promise((resolve) => setTimeout(resolve, 1))
    atOnce -= 1
    return undefined
  }
  t.strictSame(await judge(broker), PASSED)
})

t.test('a server may take its time over each post', async (t) => {
  await using broker = await fakeBroker()
  let last = Promise.resolve()
  broker.intercept = async ({ method }: Got) => {
    if (method !== 'POST') return undefined
    const turn = last.then(() => new Promise<void>((resolve) => setTimeout(resolve, 30)))
    last = turn
    await turn
    return undefined
  }
  t.strictSame(await judge(broker), PASSED)
})
