import type { Clause } from './clause.js'

/** Section 6: events. */
export const EVENTS = [
  {
    id: 'events.none',
    section: '6',
    grade: 'stated',
    text: 'No notification and no callback is part of the interface.',
    unchecked: 'An absence cannot be shown from outside.',
  },
] as const satisfies readonly Clause[]
