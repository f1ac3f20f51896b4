import type { Clause } from './clause.js'

/** Section 8: limits. */
export const LIMITS = [
  {
    id: 'prefetch.per-consumer',
    section: '8',
    grade: 'stated',
    text: "Each consumer has a prefetch of its own, which caps what it holds and nobody else's.",
  },
  {
    id: 'batch.max.per-call',
    section: '8',
    grade: 'optional',
    text: 'The bound `max` holds for each call by itself.',
    feature: 'batch',
  },
  {
    id: 'lease.expires',
    section: '8',
    grade: 'stated',
    text: 'A subscription expires after a timeout, so that it acts as a lease.',
  },
  {
    id: 'limits.open',
    section: '8',
    grade: 'stated',
    text: 'Default and largest prefetch, the length of the timeout, size limits and rate limits are left open.',
    unchecked: 'Nothing is asked of a server; its limits are observed.',
  },
  {
    id: 'http.limit.message',
    section: '8',
    grade: 'chosen',
    text: 'A message above 1 MiB is refused with 413.',
  },
  {
    id: 'http.limit.target',
    section: '8',
    grade: 'chosen',
    text: 'A request target above 8 KiB is refused with 414.',
  },
  {
    id: 'http.limit.headers',
    section: '8',
    grade: 'chosen',
    text: 'A request whose headers are too large is refused with 431.',
  },
  {
    id: 'http.limit.slow',
    section: '8',
    grade: 'chosen',
    text: 'Headers that take more than 10 seconds, or a request that takes more than 30, end the connection.',
    unchecked: 'An outsider would have to be slow for half a minute in every run.',
  },
  {
    id: 'limits.memory',
    section: '8',
    grade: 'chosen',
    text: 'Messages above 256 MiB in all are refused with 507.',
    unchecked: 'An outsider would have to fill the memory of the target.',
  },
  {
    id: 'limits.subscriptions',
    section: '8',
    grade: 'chosen',
    text: 'Subscriptions above 100,000 at once are refused with 429.',
    unchecked: 'An outsider would have to create a hundred thousand subscriptions.',
  },
] as const satisfies readonly Clause[]
