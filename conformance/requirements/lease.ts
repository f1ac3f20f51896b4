import { clauses } from './clause.js'

/** The lease of a subscription: renewal and end. */
export const LEASE = [
  ...clauses('1', 'stated', {
    'lease.reassign': 'When a consumer goes away, the messages it held are given to another consumer.',
  }),
  ...clauses('2', 'stated', {
    'lease.active': 'A subscription remains active until its timeout.',
    'lease.redelivered-as-one':
      'A message that goes from one consumer to the next stays one message, however often.',
  }),
  ...clauses('3', 'stated', {
    'lease.from-creation': 'A subscription is active from the moment it is created.',
    'lease.pending-however-often':
      'A message that was not acknowledged stays pending however many consumers have held it.',
  }),
  ...clauses('4.1', 'stated', {
    'lease.delete.hands-over': 'Deleting a subscription gives the messages it held to another consumer.',
    'lease.delete.all': 'Deleting a subscription gives up all the messages that were not acknowledged.',
    'lease.delete.only': 'Deleting a subscription gives up no message that was acknowledged.',
    'lease.delete.waits': 'Messages given up while no other consumer is there wait for the next one.',
    'lease.delete.again-ackable':
      'A message that was given to another consumer can be acknowledged there, once and for all.',
    'lease.expiry.ends': 'A subscription that is not deleted ends by its timeout.',
    'lease.expiry.hands-over': 'The end of a lease gives the messages it held to another consumer.',
    'lease.expiry.all': 'The end of a lease gives up all the messages that were not acknowledged.',
    'lease.expiry.only': 'The end of a lease gives up no message that was acknowledged.',
    'lease.expiry.no-request':
      'The end of a lease takes effect without any request to the subscription that ended.',
    'lease.expiry.in-silence':
      'The end of a lease takes effect for a consumer that waits though nobody subscribes or sends anywhere.',
    'lease.expiry.despite-others':
      'A lease ends in its time whatever others send to its queues, read of them or subscribe to them.',
    'lease.ended-gives-nothing-more':
      'A request to a subscription that has ended takes no message from the consumer that has it now.',
    'lease.expiry.unreadable': 'The feed of a subscription whose lease has ended can no longer be read.',
    'lease.expiry.not-early':
      'The messages of a subscription go to no other consumer before its lease has ended.',
  }),
  ...clauses('4.1', 'chosen', {
    'lease.redelivered-often':
      'A message that was not acknowledged is given to another consumer however many have held it before.',
    'lease.asked': 'A lease is as many seconds long as `timeout` says, or 30.',
    'lease.renew.read': "A GET of its feed renews a subscription's lease.",
    'lease.renew.ack': 'An acknowledgement renews the lease of its subscription.',
    'lease.shown': "A subscription's feed tells when its lease ends.",
    'lease.gone': 'A subscription whose lease has ended, or that was deleted, answers 410.',
    'lease.unknown': 'A subscription that never was is answered with 404.',
    'lease.forgotten': {
      text: 'The last 10,000 ended subscriptions are remembered, and older ones answer 404.',
      unchecked: 'An outsider would have to end ten thousand subscriptions.',
    },
  }),
  ...clauses('8', 'stated', {
    'lease.expires': 'A subscription expires after a timeout, so that it acts as a lease.',
  }),
]
