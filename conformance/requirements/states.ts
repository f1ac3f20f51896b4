import type { Clause } from './clause.js'

/** Section 3: states and transitions. */
export const STATES = [
  {
    id: 'lease.from-creation',
    section: '3',
    grade: 'stated',
    text: 'A subscription is active from the moment it is created.',
  },
  {
    id: 'browse.pending.held',
    section: '3',
    grade: 'stated',
    text: "A message that a consumer holds is still pending, and so still listed in its queue's feed.",
  },
  {
    id: 'browse.pending.acknowledged',
    section: '3',
    grade: 'stated',
    text: "A message is no longer pending once its consumer has deleted it, and so is gone from its queue's feed.",
  },
  {
    id: 'states.names',
    section: '3',
    grade: 'stated',
    text: 'The interface names no states and gives no table of transitions.',
    unchecked: 'It is a remark on the interface, and asks nothing of a server.',
  },
] as const satisfies readonly Clause[]
