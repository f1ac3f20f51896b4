import { clauses } from './clause.js'

/** The mapping that locks a batch. */
export const BATCH = [
  ...clauses('4.2', 'optional', 'batch', {
    'batch.lock':
      'A POST to `/lockNextMessage/<consumer_id>` answers with the URLs of messages that it locks.',
    'batch.max': 'No more URLs are returned than the integer `max` says.',
    'batch.exclusive': 'A message that is locked for one consumer is locked for no other.',
    'batch.fetch': 'A GET of `/message/<consumer_id>/<message_id>` gives a locked message.',
    'batch.ack': 'A DELETE of `/<consumer_id>/messages/<message_id>` acknowledges a locked message.',
    'batch.ack.final': 'A message acknowledged in this way is given to nobody again.',
    'batch.ack.only': 'Acknowledging one message of a batch leaves the others of the batch locked.',
  }),
  ...clauses('4.2', 'chosen', 'batch', {
    'batch.consumers':
      'The consumers of the batch mapping are those of one-at-a-time delivery, and subscribe in the same way.',
    'batch.list':
      'The URLs are answered with 200 as `text/uri-list`, which is empty when there is no message.',
    'batch.further':
      'A further lock call returns further messages, and none that the consumer has already locked.',
    'batch.max.default': 'Without `max` one message is locked.',
    'batch.max.range': 'A `max` that is not a whole number from 1 to 1000 is refused with 400.',
    'batch.ack.status': 'The acknowledgement of a locked message is answered with 200.',
    'batch.lease': "The end of a consumer's lease unlocks its messages for others.",
    'batch.wait': 'A lock call with `Prefer: wait` waits for a message as a GET of a feed does.',
    'batch.unknown': 'A lock call of a consumer that never subscribed is answered with 404.',
  }),
  ...clauses('8', 'optional', 'batch', {
    'batch.max.per-call': 'The bound `max` holds for each call by itself.',
  }),
]
