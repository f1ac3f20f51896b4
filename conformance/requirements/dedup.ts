import { clauses } from './clause.js'

/** Sending in one request with a guid. */
export const DEDUP = [
  ...clauses('4.1', 'stated', {
    'dedup.client-unique': {
      text: 'A client makes its guids unique in the whole system.',
      unchecked: 'It binds the client; a server is checked by what a repeated guid does.',
    },
  }),
  ...clauses('4.1', 'optional', 'guid', {
    'dedup.status': "A POST of a message to a queue's address with a `guid` is answered with 200.",
    'dedup.one-message':
      'A send with a guid that was not seen before puts exactly one message into the queue.',
    'dedup.body': 'A message sent with a guid reaches its consumer as it was sent.',
    'dedup.repeat': 'A send with a guid seen before is ignored while its message waits to be delivered.',
    'dedup.repeat.held': 'A send with a guid seen before is ignored while a consumer holds its message.',
    'dedup.repeat.acknowledged':
      'A send with a guid seen before is ignored after its message was acknowledged.',
    'dedup.repeat.late': 'A send with a guid seen before is ignored after the length of a lease, too.',
    'dedup.repeat.parallel': 'Several sends with one guid at once make one message.',
    'dedup.repeat.status': 'A send that is ignored for its guid is answered with 200.',
    'dedup.repeat.other-body': 'A send with a guid seen before is ignored even when its body is another.',
    'dedup.broken-off':
      'A send with a guid whose connection ends before the whole message came stores nothing and does not use up the guid.',
    'dedup.unanswered':
      'A send with a guid whose client goes away before the answer, and its repeats until one is answered, make one message.',
    'dedup.system-wide': 'A guid seen on one queue is seen on every queue.',
    'dedup.outlives-queue': 'A guid is still known after the queue of its message was deleted.',
    'dedup.case': 'Guids that differ only in case are two guids.',
    'dedup.whole': 'Of a guid that is accepted every character counts, however long it is.',
    'dedup.any-party': 'A guid seen from one party is seen whoever sends it.',
    'dedup.distinct': 'Sends of one body with two guids make two messages.',
  }),
  ...clauses('4.1', 'chosen', 'guid', {
    'dedup.repeat.replayed':
      'The answer to a send that is ignored for its guid bears `Idempotent-Replayed: true`.',
    'dedup.refused.empty': 'A guid that is empty, or has no value, is refused with 400.',
    'dedup.refused.long': 'A guid has at most 255 characters; a longer one is refused with 400.',
    'dedup.refused.twice': 'A send with two guids is refused with 400.',
    'dedup.refused.unused': 'A send that is refused does not use up its guid.',
    'dedup.memory': {
      text: 'The last 200,000 guids are known, and each older one as long as its message is pending.',
      unchecked: 'An outsider would have to send several hundred thousand messages.',
    },
  }),
]
