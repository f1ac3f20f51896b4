import type { Clause } from './clause.js'

/** Section 4.1: the end of a subscription and what becomes of its messages. */
export const LEASE = [
  {
    id: 'lease.delete.hands-over',
    section: '4.1',
    grade: 'stated',
    text: 'Deleting a subscription gives the messages it held to another consumer.',
  },
  {
    id: 'lease.delete.all',
    section: '4.1',
    grade: 'stated',
    text: 'Deleting a subscription gives up all the messages that were not acknowledged.',
  },
  {
    id: 'lease.delete.only',
    section: '4.1',
    grade: 'stated',
    text: 'Deleting a subscription gives up no message that was acknowledged.',
  },
  {
    id: 'lease.delete.waits',
    section: '4.1',
    grade: 'stated',
    text: 'Messages given up while no other consumer is there wait for the next one.',
  },
  {
    id: 'lease.delete.again-ackable',
    section: '4.1',
    grade: 'stated',
    text: 'A message that was given to another consumer can be acknowledged there, once and for all.',
  },
  {
    id: 'lease.expiry.ends',
    section: '4.1',
    grade: 'stated',
    text: 'A subscription that is not deleted ends by its timeout.',
  },
  {
    id: 'lease.expiry.hands-over',
    section: '4.1',
    grade: 'stated',
    text: 'The end of a lease gives the messages it held to another consumer.',
  },
  {
    id: 'lease.expiry.all',
    section: '4.1',
    grade: 'stated',
    text: 'The end of a lease gives up all the messages that were not acknowledged.',
  },
  {
    id: 'lease.expiry.only',
    section: '4.1',
    grade: 'stated',
    text: 'The end of a lease gives up no message that was acknowledged.',
  },
  {
    id: 'lease.expiry.no-request',
    section: '4.1',
    grade: 'stated',
    text: 'The end of a lease takes effect without any request to the subscription that ended.',
  },
  {
    id: 'lease.expiry.unreadable',
    section: '4.1',
    grade: 'stated',
    text: 'The feed of a subscription whose lease has ended can no longer be read.',
  },
  {
    id: 'lease.expiry.not-early',
    section: '4.1',
    grade: 'stated',
    text: 'The messages of a subscription go to no other consumer before its lease has ended.',
  },
  {
    id: 'lease.asked',
    section: '4.1',
    grade: 'chosen',
    text: 'A lease is as many seconds long as `timeout` says, or 30.',
  },
  {
    id: 'lease.renew.read',
    section: '4.1',
    grade: 'chosen',
    text: "A GET of its feed renews a subscription's lease.",
  },
  {
    id: 'lease.renew.ack',
    section: '4.1',
    grade: 'chosen',
    text: 'An acknowledgement renews the lease of its subscription.',
  },
  {
    id: 'lease.shown',
    section: '4.1',
    grade: 'chosen',
    text: "A subscription's feed tells when its lease ends.",
  },
  {
    id: 'lease.gone',
    section: '4.1',
    grade: 'chosen',
    text: 'A subscription whose lease has ended, or that was deleted, answers 410.',
  },
  {
    id: 'lease.unknown',
    section: '4.1',
    grade: 'chosen',
    text: 'A subscription that never was is answered with 404.',
  },
  {
    id: 'lease.forgotten',
    section: '4.1',
    grade: 'chosen',
    text: 'The last 10,000 ended subscriptions are remembered, and older ones answer 404.',
    unchecked: 'An outsider would have to end ten thousand subscriptions.',
  },
] as const satisfies readonly Clause[]
