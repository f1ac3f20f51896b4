import t from 'tap'
import { parseProfile } from '../client/parse-profile.js'
import type { Got } from '../client/serve.test.helper.js'
import { runConformance } from '../judge.js'
import { type FakeBroker, fakeBroker, feed } from '../trial/fake-broker.test.helper.js'
import { skipIdleTime } from '../virtual-time.test.helper.js'
import { checks } from './index.js'

skipIdleTime()

/** The checks that do not pass, with what they saw. */
async function blamed(broker: FakeBroker, only: readonly string[], profile: object = {}): Promise<string[]> {
  const { results } = await runConformance(broker.url, { checks, only, profile: parseProfile(profile) })
    .report
  return results.flatMap(({ id, status, seen, message }) =>
    status === 'pass' ? [] : [`${id} ${status}: ${seen || message}`],
  )
}

const isReading = ({ method, path }: Got) => method === 'GET' && /\/subscriptions\/\d+$/.test(path)

t.test('a new consumer may be given its messages a moment later', async (t) => {
  for (const [delay, settleSeconds] of [
    [30, 0],
    [250, 0.3],
  ] as const) {
    await using broker = await fakeBroker()
    const first = new Map<string, number>()
    broker.intercept = (got) => {
      if (!isReading(got)) return undefined
      const since = first.get(got.path) ?? performance.now()
      first.set(got.path, since)
      return performance.now() - since < delay ? feed([]) : undefined
    }
    const only = ['lease.others-renew-nothing', 'prefetch.messages-of-ended-leases']
    t.strictSame(await blamed(broker, only, { settleSeconds }), [])
  }
})

t.test('each reading may bring one message more', async (t) => {
  await using broker = await fakeBroker()
  broker.perReading = 1
  const only = [
    'prefetch.fills',
    'prefetch.per-consumer',
    'ack.any-order',
    'lease.others-renew-nothing',
    'lease.expiry-of-every-kind',
  ]
  t.strictSame(await blamed(broker, only), [])
})

t.test('feeds may come from two replicas, of which one hears of new messages later', async (t) => {
  await using broker = await fakeBroker()
  const shownSince = new Map<string, number>()
  let turn = 0
  broker.intercept = async (got) => {
    if (!isReading(got) || got.headers.inner !== undefined) return undefined
    const answer = await fetch(new URL(got.path, broker.url), { headers: { inner: 'yes' } })
    const isBehind = turn++ % 2 === 1
    const body = (await answer.text()).replaceAll(/<entry>.*?<\/entry>/g, (entry) => {
      const since = shownSince.get(entry) ?? performance.now()
      shownSince.set(entry, since)
      return isBehind && performance.now() - since < 200 ? '' : entry
    })
    return { status: answer.status, headers: { 'Content-Type': 'application/atom+xml' }, body }
  }
  const only = [
    'consume.repeat',
    'consume.entries',
    'consume.atom',
    'consume.read-often',
    'ack.equal-bodies',
    'ack.leaves-feed',
    'lease.deletion-of-every-kind',
  ]
  t.strictSame(await blamed(broker, only, { settleSeconds: 0.3 }), [])
})
