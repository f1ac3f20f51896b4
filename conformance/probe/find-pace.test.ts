import t from 'tap'
import { HttpClient } from '../client/http-client.js'
import { Pace } from '../client/pace.js'
import { Sockets } from '../client/sockets.js'
import { fakeBroker } from '../trial/fake-broker.test.helper.js'
import { skipIdleTime } from '../virtual-time.test.helper.js'
import { findPace } from './find-pace.js'
import { noteOf, proberOf } from './prober.test.helper.js'

skipIdleTime()

/** A broker that answers 429 to what is more than so many requests within a second. */
async function patient(most: number, headers: Record<string, string> = { 'Retry-After': '1' }) {
  const broker = await fakeBroker()
  let taken: number[] = []
  broker.intercept = () => {
    const now = performance.now()
    taken = taken.filter((at) => at > now - 1000)
    if (taken.length >= most) return { status: 429, headers }
    taken.push(now)
    return undefined
  }
  return broker
}

async function find(url: string) {
  const pace = new Pace(null)
  const client = new HttpClient(new Sockets(), pace)
  using prober = proberOf(url, {}, { client })
  await findPace(prober, pace)
  client.close()
  return { prober, pace }
}

t.test(
  'a pace that the target wants is found before anything else, and none where it wants none',
  async (t) => {
    for (const headers of [{ 'Retry-After': '1' }, {}]) {
      await using broker = await patient(50, headers as Record<string, string>)
      const { prober, pace } = await find(broker.url)
      const kept = prober.draft.requestsPerSecond
      t.ok(kept !== null && kept >= 20 && kept <= 50, `${kept} a second`)
      t.equal(pace.requestsPerSecond, Math.max(kept!, pace.requestsPerSecond!))
      t.match(noteOf(prober, 'requestsPerSecond'), /answers 429 to more/)
    }
    await using quick = await patient(1000)
    t.equal((await find(quick.url)).prober.draft.requestsPerSecond, null)
  },
)

t.test('a pace that is never enough is not known', async (t) => {
  await using broker = await fakeBroker()
  let asked = 0
  broker.intercept = () => {
    asked += 1
    return asked > 20 ? { status: 429, headers: { 'Retry-After': '0' } } : undefined
  }
  const { prober } = await find(broker.url)
  t.strictSame(prober.draft.unknown, ['requestsPerSecond'])
})
