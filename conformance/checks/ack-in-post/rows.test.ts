import t from 'tap'
import { Inconclusive } from '../../client/findings.js'
import { brokerBehind, outcomeAt } from '../alternatives.test.helper.js'
import { ACK_IN_POST_ROWS } from './rows.js'

/** An effect that shows later than somebody looks for it at once: milliseconds. */
const LATE = 60

type Way = 'all' | 'late' | 'some' | 'none' | 'refused' | 'broken'

/** Lock calls of at most ten messages, and subscriptions, each of which takes acknowledgements in this way. */
const brokerWith = (ways: Readonly<{ lock: Way; subscription: Way }>) => {
  const locks = new Map<string, Set<string>>()
  return brokerBehind(async (gateway, [verb, id = '', what = ''], { path, method, body }) => {
    if (verb === 'subscribe') return gateway.subscribe(id, what, 100)
    if (verb === 'unsubscribe') return {}
    const isLock = verb === 'lockNextMessage'
    if (verb === 'message') {
      const held = (await gateway.held(id)).find((each) => each.id === what)
      return held ? { body: held.text } : { status: 404 }
    }
    if (!isLock && (method !== 'POST' || verb !== 'subscriptions' || id === '')) return undefined
    const max = Number(/max=(\d+)/.exec(path)?.[1] ?? 1)
    if (max > 10) return { status: 400 }
    const way = ways[isLock ? 'lock' : 'subscription']
    const uris = body.toString().split('\r\n').filter(Boolean)
    if (uris.length > 0 && way === 'refused') return { status: 415 }
    if (uris.length > 0 && way === 'broken') return { status: 500 }
    const taken = uris.slice(way === 'some' ? 1 : 0).map((uri) => uri.split('/').at(-1)!)
    if (way === 'late') setTimeout(() => void taken.map((each) => gateway.acknowledge(id, each)), LATE)
    else if (way !== 'none') for (const each of taken) await gateway.acknowledge(id, each)
    if (!isLock) return {}
    const locked = locks.get(id) ?? new Set<string>()
    locks.set(id, locked)
    const fresh = (await gateway.held(id)).filter((each) => !locked.has(each.id)).slice(0, max)
    for (const each of fresh) locked.add(each.id)
    return { body: fresh.map((each) => `/mq/message/${id}/${each.id}\n`).join('') }
  })
}

const asked = async (lock: Way, subscription: Way, id = 'ack-in-post.acknowledges') => {
  await using broker = await brokerWith({ lock, subscription })
  return await outcomeAt(broker, ACK_IN_POST_ROWS, id, {
    features: { batch: true, 'one-at-a-time': true, 'ack-in-post': true },
    subscription: { maxPrefetch: 100 },
  })
}

t.test(
  'one place that takes acknowledgements is enough, and others may take no notice of them',
  async (t) => {
    for (const id of ['ack-in-post.acknowledges', 'ack-in-post.final', 'ack-in-post.next-batch']) {
      t.equal(await asked('all', 'all', id), undefined, id)
      t.equal(await asked('none', 'all', id), undefined, id)
      t.equal(await asked('refused', 'all', id), undefined, id)
      t.equal(await asked('all', 'none', id), undefined, id)
    }
  },
)

t.test('acknowledgements that show late are no such that had no effect', async (t) => {
  t.equal(await asked('none', 'late'), undefined)
})

t.test('who takes some of a list, or lets all of them pass without effect, is wrong', async (t) => {
  t.match(await asked('all', 'some'), {
    expected: 'm2 in the feed of a',
    seen: 'm1 and m2 in the feed of a',
  })
  t.match(await asked('none', 'none'), {
    expected: 'no message that was acknowledged in a POST',
    at: { clause: 'ack-in-post.acknowledges' },
  })
  t.match(await asked('none', 'none', 'ack-in-post.final'), { by: 'ack-in-post.acknowledges' })
  t.match(await asked('broken', 'refused'), { seen: '500' })
})

t.test('where the form is refused, nobody knows whether another is taken', async (t) => {
  for (const lock of ['none', 'refused'] as const) {
    const outcome = await asked(lock, 'refused')
    t.type(outcome, Inconclusive)
    t.match(outcome, { inconclusiveReason: 'profile', message: /say so by features.ack-in-post: 415/ })
  }
})
