import fc from 'fast-check'
import type { ModelSelector } from './model.test.kit.js'

const QUEUES = ['a', 'a/b', 'a/b/c', 'b', 'b/x', 'c']
const DESTINATIONS = ['a', 'a.b', 'a/*', 'a.>', '>', '*', '*/b', '*.*.c', 'b/x', 'c', 'd']
const KINDS = ['red', 'green', 'blue']
const SELECTORS: (ModelSelector | undefined)[] = [
  undefined,
  undefined,
  { text: "kind = 'red'", picks: ({ kind }) => kind === 'red' },
  { text: "kind <> 'red'", picks: ({ kind }) => kind !== 'red' },
  { text: 'deliveries > 1', picks: (_message, deliveries) => deliveries > 1 },
  {
    text: "queue LIKE 'a%' AND deliveries < 3",
    picks: ({ queue }, n) => queue.name.startsWith('a') && n < 3,
  },
]

const index = fc.nat({ max: 40 })
const queue = fc.constantFrom(...QUEUES)
const kind = fc.constantFrom(...KINDS)
const spelled = fc.record({ queue, dotted: fc.boolean() })
/** One command of any kind. Numbers choose among what there is then, the latest first. */
export const command = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('create' as const), name: spelled }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), name: spelled }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('address' as const), name: spelled }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('post' as const), which: index, kind }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('guid' as const), name: spelled, which: fc.nat(9), kind }),
  },
  { weight: 10, arbitrary: fc.record({ do: fc.constant('send' as const), name: spelled, kind }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('subscribe' as const),
      destinations: fc.uniqueArray(fc.constantFrom(...DESTINATIONS), { minLength: 1, maxLength: 3 }),
      prefetch: fc.integer({ min: 1, max: 4 }),
      selector: fc.constantFrom(...SELECTORS),
      timeout: fc.constantFrom(50, 200, 1000),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('unsubscribe' as const), which: index }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('consume' as const), which: index }) },
  { weight: 8, arbitrary: fc.record({ do: fc.constant('ack' as const), which: index, what: index }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('ack any' as const), which: index, what: index }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('ack all' as const),
      which: index,
      what: fc.array(index, { maxLength: 3 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('advance' as const), by: fc.constantFrom(1, 49, 50, 120, 500) }),
  },
)
export type Command = typeof command extends fc.Arbitrary<infer T> ? T : never
