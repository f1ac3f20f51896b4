import { clauses } from './clause.js'

/** Acknowledgements in the body of a POST. */
export const ACK_IN_POST = [
  ...clauses('4.2', 'optional', 'ack-in-post', {
    'ack-in-post.acknowledges': 'Acknowledgements carried in the body of a POST acknowledge their messages.',
    'ack-in-post.next-batch':
      'The POST that carries acknowledgements may also return the next batch of messages.',
    'ack-in-post.only': 'Acknowledgements in a POST leave the messages that they do not name alone.',
    'ack-in-post.final': 'A message acknowledged in a POST comes back to nobody.',
  }),
  ...clauses('4.2', 'chosen', 'ack-in-post', {
    'ack-in-post.subscription':
      "A POST of a `text/uri-list` of message URIs to a subscription's URI is answered with 200 and the subscription's feed.",
    'ack-in-post.all-or-none':
      'Where one message of the list is not held by the subscription, none is acknowledged.',
    'ack-in-post.refused':
      'A list with messages that the subscription does not hold is refused with 422, and the answer lists them.',
    'ack-in-post.media-type': 'Acknowledgements in a body of another media type are refused with 415.',
    'ack-in-post.batch':
      'A `text/uri-list` in the body of `/lockNextMessage` acknowledges those messages, all or none, before the next batch is locked.',
  }),
]
