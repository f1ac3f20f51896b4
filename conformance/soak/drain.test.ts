import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { type FakeBroker, fakeBroker } from '../trial/fake-broker.test.helper.js'
import { drain } from './drain.js'
import { sendNew } from './producer.js'
import { type Soaking, soaking } from './shared.test.helper.js'

/** Makes queues, and sends so many messages to each. */
async function fill({ client, shared }: Soaking, names: readonly string[], messages: number): Promise<void> {
  for (const name of names) {
    const { uri } = await client.createQueue(name)
    const queue = { name, uri: uri! }
    shared.queues.push(queue)
    for (let left = messages; left > 0; left--) await sendNew(client, queue)
  }
}

const isFeed = ({ method, path }: { method: string; path: string }) =>
  method === 'GET' && path.includes('/subscriptions/')

async function drained(
  names: readonly string[],
  intercept: FakeBroker['intercept'],
): Promise<{ lost: string | undefined; consumed: string[]; open: number; events: string[] }> {
  await using broker = await fakeBroker()
  using soak = soaking(broker.url)
  await fill(soak, names, 3)
  broker.intercept = intercept
  const last = await drain(soak.client)
  const violation = soak.shared.violation ?? soak.shared.judge.lost(last)
  return {
    lost: violation?.clause,
    consumed: [...last.keys()],
    open: soak.shared.judge.open,
    events: violation?.events.map(({ request }) => request.do) ?? [],
  }
}

t.test('all that is left is consumed', async (t) => {
  t.match(await drained(['a', 'b'], () => undefined), { lost: undefined, open: 0 })
})

t.test('one subscription for each queue, where one for all is refused', async (t) => {
  const refusing: FakeBroker['intercept'] = ({ path, body }) =>
    path.endsWith('/subscriptions') && new URLSearchParams(body.toString()).getAll('destination').length > 2
      ? { status: 400 }
      : undefined
  t.match(await drained(['a', 'b', 'c'], refusing), { lost: undefined, open: 0 })
})

t.test('a feed that is not answered now and then is read on, by the same subscription', async (t) => {
  let readings = 0
  let subscriptions = 0
  const busy: FakeBroker['intercept'] = (got) => {
    if (got.path.endsWith('/subscriptions')) subscriptions += 1
    return isFeed(got) && readings++ % 2 === 0 ? { status: 503 } : undefined
  }
  t.match(await drained(['a'], busy), { lost: undefined, open: 0 })
  t.equal(subscriptions, 1)
})

t.test('after a subscription that has ended there is another', async (t) => {
  let readings = 0
  const ended: FakeBroker['intercept'] = async (got) => {
    if (!isFeed(got) || readings++ > 0) return undefined
    await sleep(1100)
    return { status: 410 }
  }
  t.match(await drained(['a'], ended), { lost: undefined, open: 0 })
})

t.test('where nobody could consume to the end, nothing is lost for sure', async (t) => {
  let readings = 0
  const cases: Record<string, FakeBroker['intercept']> = {
    'no feed is answered': (got) => (isFeed(got) ? { status: 503 } : undefined),
    'nothing is answered any more after some empty feeds': (got) =>
      isFeed(got) && readings++ < 3 ? { ...EMPTY } : { status: 503 },
    'no subscription is to be had': ({ path }) =>
      path.endsWith('/subscriptions') ? { status: 503 } : undefined,
  }
  for (const [name, intercept] of Object.entries(cases))
    t.match(await drained(['a'], intercept), { lost: undefined, consumed: [], open: 3 }, name)
})

t.test('what never comes to one who could consume is lost, and told by the last reading', async (t) => {
  const empty: FakeBroker['intercept'] = (got) => (isFeed(got) ? { ...EMPTY } : undefined)
  const { lost, consumed, events } = await drained(['a', 'b'], empty)
  t.equal(lost, 'consume.delivered')
  t.same(consumed, ['a', 'b'])
  t.same(events.slice(-2), ['consume', 'unsubscribe'])
})

const EMPTY = {
  headers: { 'Content-Type': 'application/atom+xml' },
  body: '<feed xmlns="http://www.w3.org/2005/Atom"><id>urn:x:1</id><title/><updated>2026-01-01T00:00:00Z</updated></feed>',
}
