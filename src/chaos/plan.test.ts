import fc from 'fast-check'
import t from 'tap'
import { readFault } from '../control/faults/fault.js'
import type { JournalEntry } from '../control/journal/exchange-record.js'
import {
  faultAsSentence,
  makePlan,
  NO_PLAN,
  type Plan,
  planAsCode,
  planAsSentences,
  shapesOf,
  smallerPlans,
} from './plan.js'

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

t.test('what clients of other mappings chose or were given has no name either', async (t) => {
  const paths = [
    '/subscribe/anna/uk/tea',
    '/nextMessageForMe/anna',
    '/lockNextMessage/anna',
    '/ack/anna/c07b',
  ]
  const posts = shapesOf(paths.map((path) => asked('POST', path)))
  t.same(
    posts.map(({ path }) => path),
    ['/subscribe/*/uk/tea', '/nextMessageForMe/*', '/lockNextMessage/*', '/ack/*/*'],
  )
  t.match(shapesOf([asked('DELETE', '/anna/messages/c07b'), asked('DELETE', '/ben/messages/d18c')]), [
    { path: '/*/messages/*', count: 2 },
  ])
  const ending = Array.from({ length: 200 }, (_, seed) => makePlan(posts, seed, 300).faults)
    .flat()
    .filter(({ fault }) => fault === 'end-lease')
  t.same([...new Set(ending.map(({ path }) => path))].sort(), [
    '/ack/*/*',
    '/lockNextMessage/*',
    '/nextMessageForMe/*',
  ])
})

t.test('every plan is faults that a server takes, loses few requests, and can be pasted', async (t) => {
  const kinds = new Set<string>()
  const dialects = new Set<string>()
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      const plan = makePlan(SHAPES, seed, 300)
      const { faults, dialect } = plan
      const lost = faults
        .filter(({ fault }) => !['delay', 'end-lease', 'duplicate-delivery'].includes(fault as string))
        .reduce((sum, { times = 1 }) => sum + times, 0)
      dialects.add(dialect)
      for (const fault of faults) {
        readFault(fault)
        kinds.add(fault.fault as string)
        if (!/^\S.*\S$/.test(faultAsSentence(fault))) return false
      }
      const pasted: unknown[] = []
      let set = 'plain'
      new Function('mq', planAsCode(plan))({
        faults: { add: (fault: unknown) => pasted.push(fault) },
        setDialect: (name: string) => {
          set = name
        },
      })
      t.strictSame({ faults: pasted, dialect: set }, plan)
      t.strictSame(makePlan(SHAPES, seed, 300), plan)
      return lost <= 3 && faults.length <= 3 && smallerPlans(plan).every((one) => size(one) < size(plan))
    }),
  )
  t.equal(kinds.size, 7, [...kinds].join())
  t.equal(dialects.size, 8, [...dialects].join())
  t.same(makePlan([], 1, 300), NO_PLAN)
  const told = new Set(Array.from({ length: 20 }, (_, seed) => makePlan(SHAPES, seed, 300, []).dialect))
  t.same([...told], ['plain'])
})

/** Each time of a fault counts one, a dialect too, and all of them one more. */
const size = ({ faults, dialect }: Plan) =>
  faults.reduce((sum, { times = 1 }) => sum + times, 0) +
  (dialect === 'plain' ? 0 : dialect === 'all' ? 2 : 1)

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
  t.same(
    planAsSentences({ faults: [{ fault: 'end-lease', ...target, after: 1, times: 2 }], dialect: 'based' }),
    [
      'feeds are written in the dialect based: addresses are relative to an `xml:base`',
      'the lease ends just before the 2nd to the 3rd GET /subscriptions/*',
    ],
  )
})
