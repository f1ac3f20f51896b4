import t from 'tap'
import type { Exchange } from '../client/exchange.js'
import { parseProfile } from '../client/parse-profile.js'
import type { Check } from '../trial/check.js'
import { unknownFieldIn } from './unknown-fields.js'

const BASE = 'http://mq.test/mq'

function exchange(line: string, status = 200, body = '', requestBody = ''): Exchange {
  const [method = '', path = ''] = line.split(' ')
  return {
    ...{ method, url: BASE + path, requestHeaders: {}, requestBody: Buffer.from(requestBody) },
    ...{ status, headers: {}, body: Buffer.from(body), error: undefined, sentAt: 0, receivedAt: 0 },
  }
}

function found(path: string, more: Partial<Check>, ...exchanges: Exchange[]): string | undefined {
  const check: Check = { ...{ id: 'send.post', title: '', stimulus: '' }, ...CHECK, ...more }
  return unknownFieldIn({ ...parseProfile({}), unknown: [path] }, check, exchanges, 'nothing came')
}
const CHECK = { clauses: [], grade: 'stated', run: async () => {} } as const

t.test('an unknown field plays a part where a check needs it, and nowhere else', (t) => {
  const form = exchange('POST /subscriptions', 201)
  const refusedForm = exchange('POST /subscriptions', 400)
  const sends = ['/a', '/b'].map((path) => exchange(`POST /queues/x${path}`, 200, '', 'm'))
  const cases: [path: string, check: Partial<Check>, exchanges: Exchange[], others: Exchange[]][] = [
    ['createQueue', {}, [exchange('POST /queues', 415)], [exchange('POST /queues', 201)]],
    ['queueNames.form', {}, [exchange('POST /queues', 400)], [form]],
    ['subscription.separator', {}, [form], sends],
    ['subscription.parameters.prefetch', {}, [refusedForm], [form]],
    ['subscription.maxPrefetch', {}, [form, ...sends], [form, sends[0]!]],
    ['message.body', {}, [exchange('POST /queues/x', 400, '', 'm')], [exchange('POST /queues/x', 400)]],
    ['messageUri', {}, [exchange('DELETE /m')], [form]],
  ]
  for (const [path, check, exchanges, others] of cases) {
    t.match(found(path, check, ...exchanges), `the profile's ${path} is unknown`)
    t.equal(found(path, check, ...others), undefined, path)
  }
  const renewal = found('subscription.renewedBy', { passesTime: true }, form)
  t.equal(renewal, undefined, 'no check needs to know it')
  for (const [path, check] of [
    ['guid.form', { feature: 'guid' }],
    ['subscription.selector', { feature: 'selector' }],
    ['subscription.wildcard', { feature: 'wildcards' }],
    ['oneAtATime.messageId', { feature: 'one-at-a-time' }],
    ['subscription.leaseSeconds', { passesTime: true }],
    ['subscription.maxPrefetch', { id: 'prefetch.cap' }],
    ['messageUri', { id: 'ack.succeeds' }],
    ['messageUri', { id: 'consume.message-uri' }],
  ] as const) {
    t.ok(found(path, check), path)
    t.equal(found(path, {}), undefined, path)
  }
  for (const path of ['settleSeconds', 'headers', 'requestsPerSecond']) t.ok(found(path, {}), path)
  t.equal(found('clock', {}), undefined)
  t.end()
})

t.test('what the target answered is told: the last refusal, or else what was asked and looked for', (t) => {
  const refused = exchange('POST /queues', 415, ' no\n such  type ')
  t.match(found('headers', {}, refused, exchange('GET /queues')), /; POST \S+ gave 415: "no such type"$/)
  const fine = exchange('GET /queues', 200)
  t.match(found('headers', {}, fine, fine), /; the target did not refuse GET \S+\/queues: nothing came$/)
  const many = ['/a', '/b', '/c', '/d', '/e'].map((path) => exchange(`GET ${path}`))
  t.match(
    found('headers', {}, ...many),
    /refused none of 5 requests, of which the last was GET \S+\/e: nothing came$/,
  )
  t.match(found('headers', {}), /; nothing could be asked without it: nothing came$/)
  const lost = { ...exchange('GET /queues', 0), error: 'no answer within 5 ms' }
  t.match(found('headers', {}, lost), /; GET \S+ gave no answer within 5 ms$/)
  t.end()
})
