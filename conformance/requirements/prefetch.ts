import { clauses } from './clause.js'

/** How many messages a consumer holds at most. */
export const PREFETCH = [
  ...clauses('2', 'stated', {
    'prefetch.asked':
      'The prefetch given when a subscription is created is the number of messages that its consumer may hold before it must acknowledge.',
  }),
  ...clauses('4.1', 'stated', {
    'prefetch.cap': 'A consumer that holds as many unacknowledged messages as its prefetch receives no more.',
    'prefetch.cap.at-once':
      'The prefetch holds for messages that were all waiting when the subscription was created.',
    'prefetch.cap.one-by-one':
      'The prefetch holds for messages that arrive one by one with reads between them.',
    'prefetch.cap.after-acks':
      'The prefetch still holds after a consumer has acknowledged some messages and received others.',
    'prefetch.cap.parallel': 'The prefetch holds where a consumer reads its feed several times at once.',
    'prefetch.cap.destinations':
      'The prefetch counts the messages of all destinations of a consumer together.',
    'prefetch.fills': 'A consumer that holds fewer messages than its prefetch goes on receiving messages.',
    'prefetch.refill': 'One acknowledgement of a consumer that is full lets one more message come.',
    'prefetch.full.others': 'A consumer that is full keeps no message from another consumer that has room.',
  }),
  ...clauses('8', 'stated', {
    'prefetch.per-consumer':
      "Each consumer has a prefetch of its own, which caps what it holds and nobody else's.",
  }),
]
