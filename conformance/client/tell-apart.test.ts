import t from 'tap'
import { fakeBroker, feed } from '../trial/fake-broker.test.helper.js'
import { skipIdleTime } from '../virtual-time.test.helper.js'
import { HttpClient } from './http-client.js'
import { parseProfile } from './parse-profile.js'
import type { Got, Reply } from './serve.test.helper.js'
import { Sockets } from './sockets.js'
import { whyNotJudged } from './tell-apart.js'

skipIdleTime()

type Fault = (got: Got) => Reply | undefined

const isQueueRead = ({ method, path }: Got) => method === 'GET' && path.startsWith('/mq/queues/')
const isPostTo = (at: string, { method, path }: Got) => method === 'POST' && path === `/mq/${at}`

/** What a faulty or an odd implementation does, in place of what the fake broker does. */
const FAULTS = {
  emptyFeedForAnyName: (got) => (isQueueRead(got) ? feed([]) : undefined),
  noQueueReadable: (got) => (isQueueRead(got) ? { status: 500 } : undefined),
  noListing: ({ method, path }) => (method === 'GET' && path === '/mq/queues' ? { status: 404 } : undefined),
  creationRefused: (got) => (isPostTo('queues', got) ? { status: 415 } : undefined),
  noSubscriptions: (got) => (isPostTo('subscriptions', got) ? { status: 501 } : undefined),
  noDeletions: ({ method }) => (method === 'DELETE' ? { status: 405 } : undefined),
  noTwoStep: ({ method, path }) =>
    method === 'POST' && /^\/mq\/queues\/[^?]+$/.test(path) ? { status: 405 } : undefined,
  noGuid: ({ method, path }) => (method === 'POST' && path.includes('guid') ? { status: 404 } : undefined),
} satisfies Record<string, Fault>

/** Besides, it makes no queue. */
const oneLocationForAll: Fault = (got) =>
  isPostTo('queues', got) ? { status: 201, headers: { Location: '/mq/queues/one' } } : undefined

async function whyNot(faults: readonly Fault[], settleSeconds = 0): Promise<string | undefined> {
  await using broker = await fakeBroker()
  broker.intercept = (got) => {
    for (const fault of faults) {
      const reply = fault(got)
      if (reply !== undefined) return reply
    }
    return undefined
  }
  const client = new HttpClient(new Sockets())
  try {
    const meeting = { baseUrl: broker.url, profile: parseProfile({ settleSeconds }), client }
    const { signal } = new AbortController()
    return await whyNotJudged({ latency: 1, answers: true }, { ...meeting, signal })
  } finally {
    client.close()
  }
}

t.test('an implementation with one or two faults is judged', async (t) => {
  const names = Object.keys(FAULTS) as (keyof typeof FAULTS)[]
  const pairs = names.flatMap((one, at) => names.slice(at).map((other) => [...new Set([one, other])]))
  for (const pair of pairs) {
    const faults = pair.map((name) => FAULTS[name])
    t.equal(await whyNot(faults), undefined, pair.join(' and '))
  }
})

t.test('one thing that is told apart is enough', async (t) => {
  const { emptyFeedForAnyName, noListing, noQueueReadable } = FAULTS
  const fewest = [emptyFeedForAnyName, noListing]
  t.equal(await whyNot(fewest), undefined, 'two queues by their addresses')
  t.equal(await whyNot([emptyFeedForAnyName, oneLocationForAll]), undefined, 'the listing')
  t.equal(await whyNot([...fewest, oneLocationForAll]), undefined, 'subscriptions')
  t.equal(await whyNot([noQueueReadable, noListing, oneLocationForAll]), undefined, 'subscriptions, too')
  const { noDeletions, noTwoStep, creationRefused } = FAULTS
  const noLocation: Fault = (got) => (isPostTo('queues', got) ? { status: 201 } : undefined)
  const posted: Buffer[] = []
  const keepsMessages: Fault = (got) => {
    if (isPostTo('queues', got)) return { status: 201 }
    if (got.method === 'POST' && got.path.includes('guid')) posted.push(got.body)
    return isQueueRead(got) ? feed(posted.map((body) => `<entry>${body}</entry>`)) : undefined
  }
  t.equal(await whyNot([noListing, noDeletions, noTwoStep, keepsMessages]), undefined, 'a message')
  t.equal(await whyNot([creationRefused, noQueueReadable]), undefined, 'a feed, and nothing elsewhere')
  t.match(await whyNot([noLocation, noQueueReadable, noListing, noDeletions]), /do not tell what is there/)
})

t.test('what only shows after a while, is waited for', async (t) => {
  let sent: Buffer | undefined
  let readings = 0
  const late: Fault = (got) => {
    if (got.method === 'POST' && got.path.includes('guid')) sent = got.body
    if (!isQueueRead(got)) return { status: 200 }
    return sent !== undefined && ++readings > 8 ? { body: sent } : {}
  }
  t.equal(await whyNot([late], 1), undefined)
})

t.test('a refusal for too many requests says nothing of what is there', async (t) => {
  let asked = 0
  const limited: Fault = () => ({ status: ++asked > 2 ? 429 : 200 })
  t.match(await whyNot([limited]), /do not tell what is there/)
})

t.test('what the target says is quoted, and never as it stands', async (t) => {
  const hostile: Fault = () => ({ status: 302, headers: { Location: '/"x' }, body: '\u001b[2J"' })
  t.match(await whyNot([hostile]), /gave 302, which leads to "\/\\"x": "\\u001b\[2J\\""/)
  const closed: Fault = () => ({ status: 401 })
  t.match(await whyNot([closed]), /it may want credentials/)
})
