import t from 'tap'
import { parseProfile } from '../client/parse-profile.js'
import { runConformance } from '../judge.js'
import { fakeBroker } from '../trial/fake-broker.test.helper.js'
import { skipIdleTime } from '../virtual-time.test.helper.js'
import { checks } from './index.js'

skipIdleTime()

t.test('where two steps come to nothing, rows of other topics send by guid', async (t) => {
  await using broker = await fakeBroker()
  broker.intercept = ({ method, path }) =>
    method === 'POST' && path.startsWith('/mq/queues/') && !path.includes('?guid=')
      ? { status: 405 }
      : undefined
  const only = ['send.address', 'dedup.send', 'ack.succeeds', 'ack.leaves-feed']
  const profile = parseProfile({ features: { guid: true } })
  const { results } = await runConformance(broker.url, { checks, only, profile }).report
  t.strictSame(Object.fromEntries(results.map(({ id, status }) => [id, status])), {
    ...{ 'send.address': 'fail', 'dedup.send': 'pass', 'ack.succeeds': 'pass', 'ack.leaves-feed': 'pass' },
  })
})

t.test('what is to be remembered is asked about so long after it was sent as the run says', async (t) => {
  const FORGOTTEN = 5000
  for (const [remember, status] of [
    [undefined, 'pass'],
    [6, 'fail'],
  ] as const) {
    await using broker = await fakeBroker()
    const first = new Map<string, number>()
    broker.intercept = ({ method, path }) => {
      if (method !== 'POST' || !path.includes('?guid=')) return undefined
      const at = first.get(path) ?? performance.now()
      first.set(path, at)
      return performance.now() - at > FORGOTTEN ? { status: 409 } : undefined
    }
    const profile = parseProfile({ features: { guid: true } })
    const only = ['dedup.repeat-late', 'dedup.repeat']
    const { results } = await runConformance(broker.url, {
      ...{ checks, only, profile },
      ...(remember === undefined ? {} : { remember }),
    }).report
    t.equal(results.find(({ id }) => id === 'dedup.repeat-late')?.status, status)
  }
})

t.test('a creation that does not tell where what was made is costs the checks of that alone', async (t) => {
  await using broker = await fakeBroker()
  broker.intercept = async ({ method, path, headers, body }) => {
    const isCreation = method === 'POST' && path === '/mq/queues' && headers.inner === undefined
    if (!isCreation) return undefined
    const type = String(headers['content-type'])
    const own = { inner: 'yes', 'Content-Type': type }
    const url = new URL(path, broker.url)
    const { status } = await fetch(url, { method, headers: own, body: new Uint8Array(body) })
    return { status }
  }
  const only = ['queues.create', 'queues.hierarchy', 'send.repeat', 'ack.leaves-queue']
  const { results } = await runConformance(broker.url, { checks, only }).report
  t.strictSame(Object.fromEntries(results.map(({ id, status }) => [id, status])), {
    ...{ 'queues.create': 'fail', 'queues.hierarchy': 'pass', 'send.repeat': 'pass' },
    'ack.leaves-queue': 'pass',
  })
})
