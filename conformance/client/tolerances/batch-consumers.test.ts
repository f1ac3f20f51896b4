import t from 'tap'
import { FreshMessages } from '../fresh-messages.js'
import { HttpClient } from '../http-client.js'
import { HttpTarget } from '../http-target.js'
import { InProcess } from '../in-process.js'
import { parseProfile } from '../parse-profile.js'
import { RunMemory } from '../run-memory.js'
import { Speaker } from '../speaker.js'
import { BatchConsumers } from './batch-consumers.js'

const BASE = 'http://handler.test'
const QUEUE = { path: 'a', uri: `${BASE}/queues/a` }

/** Consumers at a handler that answers with statuses, and what it was asked. */
function consumersAt(statusOf: (asked: string) => number, features: object) {
  const asked: string[] = []
  const transport = new InProcess(async ({ method, url }) => {
    const { pathname, search } = new URL(url)
    const one = `${method} ${pathname}${search}`
    asked.push(one)
    const headers: Record<string, string> =
      pathname === '/subscriptions' ? { Location: '/subscriptions/s1' } : {}
    return new Response('', { status: statusOf(one), headers })
  })
  const profile = parseProfile({ features })
  const target = new HttpTarget({
    baseUrl: BASE,
    profile,
    client: new HttpClient(transport),
    answerTimeout: 5000,
  })
  const messages = new FreshMessages(profile)
  const speaker = new Speaker({ profile, target, messages, memory: new RunMemory(), settle: 0 })
  return { asked, consumers: new BatchConsumers(speaker) }
}

const BOTH = { batch: true, 'one-at-a-time': true }

t.test('where nobody can subscribe by an id, the consumers of lock calls are subscriptions', async (t) => {
  const status = (asked: string) =>
    asked.startsWith('POST /subscribe/') ? 404 : asked === 'POST /subscriptions' ? 201 : 200
  const { asked, consumers } = consumersAt(status, { batch: true })
  t.equal((await consumers.join('C', QUEUE, {})).status, 201)
  t.equal((await consumers.lock('C', 3, [], {})).id, 's1')
  await consumers.leave('C', QUEUE, {})
  t.strictSame(asked, [
    'POST /subscribe/C/a',
    'POST /subscriptions',
    'POST /lockNextMessage/s1?max=3',
    'DELETE /subscriptions/s1',
  ])
})

t.test('one whose lock calls are refused becomes a subscription where those of one are taken', async (t) => {
  for (const areSubscriptions of [true, false]) {
    const isTaken = (asked: string) => areSubscriptions && asked.includes('/s1')
    const status = (asked: string) =>
      asked.includes('lockNextMessage') && !isTaken(asked) ? 404 : asked === 'POST /subscriptions' ? 201 : 200
    const { asked, consumers } = consumersAt(status, BOTH)
    await consumers.join('C', QUEUE, {})
    const { id, answer } = await consumers.lock('C', 3, [], {})
    t.strictSame([id, answer.status], areSubscriptions ? ['s1', 200] : ['C', 404])
    // It takes nothing as the other any more.
    t.equal(asked.includes('POST /unsubscribe/C/a'), areSubscriptions)
    t.equal(asked.includes('DELETE /subscriptions/s1'), !areSubscriptions)
    t.equal((await consumers.leave('C', QUEUE, {})).status, 200)
    t.equal(asked.at(-1), areSubscriptions ? 'DELETE /subscriptions/s1' : 'POST /unsubscribe/C/a')
  }
})

t.test('a consumer whose lock calls were taken is asked on where one is refused', async (t) => {
  let calls = 0
  const { asked, consumers } = consumersAt(
    (one) => (one.includes('lockNextMessage') && calls++ > 0 ? 404 : 200),
    BOTH,
  )
  await consumers.join('C', QUEUE, {})
  await consumers.lock('C', 1, [], {})
  t.equal((await consumers.lock('C', 1, [], {})).answer.status, 404)
  t.notOk(asked.includes('POST /subscriptions'))
})

t.test('where a max is refused, smaller ones are asked for, from then on at once', async (t) => {
  const isTooMany = (asked: string) => Number(/max=(\d+)/.exec(asked)?.[1] ?? 0) > 10
  const { asked, consumers } = consumersAt((one) => (isTooMany(one) ? 422 : 200), BOTH)
  await consumers.join('C', QUEUE, {})
  for (const max of [30, 30, 4]) t.equal((await consumers.lock('C', max, [], {})).answer.status, 200)
  const most = asked.flatMap((one) => /max=(\d+)/.exec(one)?.[1] ?? [])
  t.strictSame(most, ['30', '15', '7', '7', '4'])
  const all = consumersAt((one) => (one.includes('max=') ? 400 : 200), BOTH)
  t.equal((await all.consumers.lock('C', 4, [], {})).answer.status, 400, 'one that is never taken')
})
