import { clauses } from './clause.js'

/** The mapping that gives one message at a time. */
export const ONE_AT_A_TIME = [
  ...clauses('4.2', 'optional', 'one-at-a-time', {
    'one-at-a-time.subscribe':
      'A POST to `/subscribe/<consumer_id>/<destination>` lets the consumer receive the messages of the destination.',
    'one-at-a-time.unsubscribe':
      'After a POST to `/unsubscribe/<consumer_id>/<destination>` the consumer receives no more messages of the destination.',
    'one-at-a-time.next': 'A POST to `/nextMessageForMe/<consumer_id>` gives the consumer its next message.',
    'one-at-a-time.exclusive': 'A message that one consumer has is given to no other.',
    'one-at-a-time.ack':
      'A POST to `/ack/<consumer_id>/<message_id>` acknowledges the message, and the next one can come.',
    'one-at-a-time.ack.final': 'An acknowledged message is given to nobody again.',
  }),
  ...clauses('4.2', 'chosen', 'one-at-a-time', {
    'one-at-a-time.statuses': 'Subscribing, unsubscribing and acknowledging are answered with 200.',
    'one-at-a-time.one': 'A consumer is handed no further message before it has acknowledged the one it has.',
    'one-at-a-time.same':
      'Asking for the next message again gives the same message until it is acknowledged.',
    'one-at-a-time.raw':
      'The next message is answered with 200 and the raw message, with its id in `Message-Id` and the address of its acknowledgement in `Location`.',
    'one-at-a-time.empty': 'Asking for the next message is answered with 204 when there is none.',
    'one-at-a-time.again': 'Subscribing a consumer to the same destination again changes nothing.',
    'one-at-a-time.releases': 'Unsubscribing gives back what the consumer held from the destination.',
    'one-at-a-time.wildcards': 'The destination of a consumer can be a wildcard.',
    'one-at-a-time.lease':
      'A consumer is a lease too, as long as `timeout` says when it subscribes, and its end gives its message to another.',
    'one-at-a-time.ack.refused': 'A consumer cannot acknowledge a message that it does not hold.',
    'one-at-a-time.no-body': 'A request of one-at-a-time delivery that has a body is refused with 400.',
    'one-at-a-time.wait':
      'Asking for the next message with `Prefer: wait` waits for one as a GET of a feed does.',
    'one-at-a-time.unknown': 'A consumer that never subscribed is answered with 404.',
    'one-at-a-time.consumer-id':
      'A consumer id has at most 255 characters, and is not the first word of a path of the interface; another is refused with 400.',
  }),
]
