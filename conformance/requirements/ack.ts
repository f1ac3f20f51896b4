import type { Clause } from './clause.js'

/** Section 4.1: acknowledging a message. */
export const ACK = [
  {
    id: 'ack.status',
    section: '4.1',
    grade: 'stated',
    text: "A DELETE of a message's URI is answered with 200.",
  },
  {
    id: 'ack.leaves-feed',
    section: '4.1',
    grade: 'stated',
    text: "An acknowledged message is gone from its consumer's feed.",
  },
  {
    id: 'ack.leaves-queue',
    section: '4.1',
    grade: 'stated',
    text: 'An acknowledged message is gone from its queue.',
  },
  {
    id: 'ack.only-that',
    section: '4.1',
    grade: 'stated',
    text: 'An acknowledgement leaves every other message alone.',
  },
  {
    id: 'ack.any-order',
    section: '4.1',
    grade: 'stated',
    text: 'A consumer can acknowledge its messages in any order.',
  },
  {
    id: 'ack.final.same',
    section: '4.1',
    grade: 'stated',
    text: 'An acknowledged message does not come back to the consumer that acknowledged it.',
  },
  {
    id: 'ack.final.other',
    section: '4.1',
    grade: 'stated',
    text: 'An acknowledged message does not come to another consumer.',
  },
  {
    id: 'ack.final.deleted',
    section: '4.1',
    grade: 'stated',
    text: 'An acknowledged message does not come back when the subscription of its consumer is deleted.',
  },
  {
    id: 'ack.final.lease',
    section: '4.1',
    grade: 'stated',
    text: 'An acknowledged message does not come back when the lease of its consumer ends.',
  },
  {
    id: 'ack.repeat',
    section: '4.1',
    grade: 'chosen',
    text: 'Repeating an acknowledgement is answered with 200.',
  },
  {
    id: 'ack.below-subscription',
    section: '4.1',
    grade: 'chosen',
    text: "A message's URI is below the URI of the subscription that holds it.",
  },
  {
    id: 'ack.fresh',
    section: '4.1',
    grade: 'chosen',
    text: 'Each delivery of a message has a message URI of its own.',
  },
  {
    id: 'ack.late',
    section: '4.1',
    grade: 'chosen',
    text: 'An acknowledgement after the lease has ended is refused with 410, and leaves the message with its new consumer.',
  },
  {
    id: 'ack.late.deleted',
    section: '4.1',
    grade: 'chosen',
    text: 'An acknowledgement after the subscription was deleted is refused with 410, and leaves the message with its new consumer.',
  },
  {
    id: 'ack.unknown',
    section: '4.1',
    grade: 'chosen',
    text: 'An acknowledgement of a message that a subscription never held is refused with 404.',
  },
] as const satisfies readonly Clause[]
