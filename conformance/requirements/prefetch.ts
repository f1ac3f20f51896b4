import type { Clause } from './clause.js'

/** Section 4.1: how many messages a consumer may hold. */
export const PREFETCH = [
  {
    id: 'prefetch.cap',
    section: '4.1',
    grade: 'stated',
    text: 'A consumer that holds as many unacknowledged messages as its prefetch receives no more.',
  },
  {
    id: 'prefetch.cap.at-once',
    section: '4.1',
    grade: 'stated',
    text: 'The prefetch holds for messages that were all waiting when the subscription was created.',
  },
  {
    id: 'prefetch.cap.one-by-one',
    section: '4.1',
    grade: 'stated',
    text: 'The prefetch holds for messages that arrive one by one with reads between them.',
  },
  {
    id: 'prefetch.cap.after-acks',
    section: '4.1',
    grade: 'stated',
    text: 'The prefetch still holds after a consumer has acknowledged some messages and received others.',
  },
  {
    id: 'prefetch.cap.parallel',
    section: '4.1',
    grade: 'stated',
    text: 'The prefetch holds where a consumer reads its feed several times at once.',
  },
  {
    id: 'prefetch.cap.destinations',
    section: '4.1',
    grade: 'stated',
    text: 'The prefetch counts the messages of all destinations of a consumer together.',
  },
  {
    id: 'prefetch.fills',
    section: '4.1',
    grade: 'stated',
    text: 'A consumer that holds fewer messages than its prefetch goes on receiving messages.',
  },
  {
    id: 'prefetch.refill',
    section: '4.1',
    grade: 'stated',
    text: 'One acknowledgement of a consumer that is full lets one more message come.',
  },
  {
    id: 'prefetch.full.others',
    section: '4.1',
    grade: 'stated',
    text: 'A consumer that is full keeps no message from another consumer that has room.',
  },
] as const satisfies readonly Clause[]
