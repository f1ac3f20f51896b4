import { clauses } from './clause.js'

/** Acknowledging. */
export const ACK = [
  ...clauses('4.1', 'stated', {
    'ack.status': "A DELETE of a message's URI is answered with 200.",
    'ack.delete': 'Deleting a message is its acknowledgement.',
    'ack.leaves-feed': "An acknowledged message is gone from its consumer's feed.",
    'ack.leaves-queue': 'An acknowledged message is gone from its queue.',
    'ack.only-that': 'An acknowledgement leaves every other message alone.',
    'ack.any-order': 'A consumer can acknowledge its messages in any order.',
    'ack.until-end': 'An acknowledgement counts at any time before the lease of its subscription ends.',
    'ack.final.same': 'An acknowledged message does not come back to the consumer that acknowledged it.',
    'ack.final.other': 'An acknowledged message does not come to another consumer.',
    'ack.final.deleted':
      'An acknowledged message does not come back when the subscription of its consumer is deleted.',
    'ack.final.lease': 'An acknowledged message does not come back when the lease of its consumer ends.',
  }),
  ...clauses('4.1', 'chosen', {
    'ack.repeat': 'Repeating an acknowledgement is answered with 200.',
    'ack.below-subscription': "A message's URI is below the URI of the subscription that holds it.",
    'ack.fresh': 'Each delivery of a message has a message URI of its own.',
    'ack.late':
      'An acknowledgement after the lease has ended is refused with 410, and leaves the message with its new consumer.',
    'ack.late.deleted':
      'An acknowledgement after the subscription was deleted is refused with 410, and leaves the message with its new consumer.',
    'ack.unknown': 'An acknowledgement of a message that a subscription never held is refused with 404.',
  }),
]
