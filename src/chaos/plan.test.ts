import fc from 'fast-check'
import t from 'tap'
import { readFault } from '../control/faults/fault.js'
import type { JournalEntry } from '../control/journal/exchange-record.js'
import { faultAsSentence, makePlan, planAsCode, shapesOf, smallerPlans } from './plan.js'

const asked = (method: string, path: string, query = '') => ({ method, path, query }) as JournalEntry

const SHAPES = shapesOf([
  asked('POST', '/queues/orders/new', 'guid=1'),
  asked('POST', '/queues/orders/new', 'guid=2'),
  asked('POST', '/queues/orders/new'),
  asked('POST', '/addresses/5f0c'),
  asked('POST', '/subscriptions'),
  asked('GET', '/subscriptions/8d1f'),
  asked('GET', '/subscriptions/8d1f/messages/c07b/content'),
  asked('DELETE', '/subscriptions/8d1f/messages/c07b'),
  asked('GET', '/queues/orders/new'),
])

t.test('requests of one kind are one shape', async (t) => {
  t.same(SHAPES, [
    { method: 'POST', path: '/queues/orders/new', guid: true, count: 2 },
    { method: 'POST', path: '/queues/orders/new', guid: false, count: 1 },
    { method: 'POST', path: '/addresses/*', guid: undefined, count: 1 },
    { method: 'POST', path: '/subscriptions', guid: undefined, count: 1 },
    { method: 'GET', path: '/subscriptions/*', guid: undefined, count: 1 },
    { method: 'GET', path: '/subscriptions/*/messages/*/content', guid: undefined, count: 1 },
    { method: 'DELETE', path: '/subscriptions/*/messages/*', guid: undefined, count: 1 },
    { method: 'GET', path: '/queues/orders/new', guid: undefined, count: 1 },
  ])
})

t.test('every plan is faults that a server takes, loses few requests, and can be pasted', async (t) => {
  const kinds = new Set<string>()
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      const plan = makePlan(SHAPES, seed, 300)
      const lost = plan
        .filter(({ fault }) => !['delay', 'end-lease', 'duplicate-delivery'].includes(fault as string))
        .reduce((sum, { times = 1 }) => sum + times, 0)
      for (const fault of plan) {
        readFault(fault)
        kinds.add(fault.fault as string)
        if (!/^\S.*\S$/.test(faultAsSentence(fault))) return false
      }
      const pasted: unknown[] = []
      new Function('mq', planAsCode(plan))({ faults: { add: (fault: unknown) => pasted.push(fault) } })
      t.strictSame(pasted, plan)
      t.strictSame(makePlan(SHAPES, seed, 300), plan)
      return lost <= 3 && plan.length <= 3 && smallerPlans(plan).every((one) => size(one) < size(plan))
    }),
  )
  t.equal(kinds.size, 7, [...kinds].join())
  t.same(makePlan([], 1, 300), [])
})

const size = (plan: readonly { times?: number | undefined }[]) =>
  plan.reduce((sum, { times = 1 }) => sum + times, 0)

t.test('faults are told as sentences', async (t) => {
  const target = { method: 'GET', path: '/subscriptions/*' } as const
  t.same(
    [
      faultAsSentence({ fault: 'delay', ms: 300, ...target, nth: 2 }),
      faultAsSentence({
        fault: 'status',
        code: 503,
        answer: { headers: { 'Retry-After': '1' } },
        ...target,
        nth: 11,
      }),
      faultAsSentence({ fault: 'reset-before', after: 2, times: 2 }),
      faultAsSentence({ fault: 'end-lease', ...target, nth: 23 }),
    ],
    [
      'the 2nd GET /subscriptions/* is handled late, 300 ms',
      'the 11th GET /subscriptions/* is answered with 503 and Retry-After: 1',
      'the connection breaks before the 3rd to the 4th request is handled',
      'the lease ends just before the 23rd GET /subscriptions/*',
    ],
  )
})
