import { clauses } from './clause.js'

/** Subscribing: destinations, wildcards and selectors. */
export const SUBSCRIBE = [
  ...clauses('1', 'stated', {
    'subscribe.own-feed':
      'Each subscription has a feed of its own, which tells its consumer what it may consume.',
  }),
  ...clauses('2', 'stated', {
    'subscribe.several': 'One subscription can cover several queues.',
    'subscribe.destinations':
      'A subscription receives the messages of the destinations given when it was created.',
    'subscribe.destinations.only':
      'A subscription receives no message of a queue that its destinations do not cover.',
    'subscribe.destinations.name':
      'A destination that is the name of a queue, and no wildcard, covers that queue and no other.',
    'subscribe.form': 'The data of a new subscription is sent as form-encoded key/value pairs.',
    'subscribe.names': {
      text: 'The names of the form fields are left open.',
      unchecked: "Nothing is asked of a server; a target's profile tells its names.",
    },
  }),
  ...clauses('2', 'optional', 'wildcards', {
    'subscribe.wildcard': 'A destination can be a wildcard, which covers every queue that matches it.',
    'subscribe.wildcard.only': 'A wildcard covers no queue that does not match it.',
  }),
  ...clauses('2', 'optional', 'selector', {
    'subscribe.selector': 'A subscription with a selector receives the messages that match the selector.',
    'subscribe.selector.only':
      'A subscription with a selector receives no message that does not match the selector.',
    'subscribe.selector.rest':
      "A message that one consumer's selector passes over reaches a consumer that takes it.",
  }),
  ...clauses('2', 'chosen', {
    'subscribe.parameters':
      'The form fields of a new subscription are `destination`, `prefetch`, `selector` and `timeout`.',
  }),
  ...clauses('4.1', 'stated', {
    'subscribe.status': 'A POST of subscription data to `/subscriptions` is answered with 201.',
    'subscribe.location':
      "The answer to the creation of a subscription carries the subscription's URI in `Location`.",
    'subscribe.own-address':
      'Each new subscription gets a URI of its own, even where its data is that of another.',
    'subscribe.delete.status': "A DELETE of a subscription's URI is answered with 200.",
    'subscribe.delete.unreadable': 'The feed of a deleted subscription can no longer be read.',
    'subscribe.delete.others':
      'Deleting a subscription leaves the other subscriptions and what they hold alone.',
    'subscribe.client-deletes': {
      text: 'A client should delete a subscription that it no longer needs, which otherwise ends by its timeout.',
      unchecked: 'It binds the client; a server is checked by what the deletion does.',
    },
  }),
  ...clauses('4.1', 'optional', 'wildcards', {
    'subscribe.wildcard.later': 'A wildcard also covers the queues that are created after the subscription.',
  }),
  ...clauses('4.1', 'chosen', {
    'subscribe.prefetch.default': 'A subscription that names no prefetch has a prefetch of 10.',
    'subscribe.prefetch.range': 'A prefetch is a whole number from 1 to 1000; another is refused with 400.',
    'subscribe.timeout.range':
      'A timeout is a number of seconds from 0.05 to 3600; another is refused with 400.',
    'subscribe.field.unknown': 'A subscription with an unknown form field is refused with 400.',
    'subscribe.field.destination': 'A subscription without a destination is refused with 400.',
    'subscribe.media-type': 'Subscription data of another media type is refused with 415.',
    'subscribe.destinations.limit':
      'A subscription has at most 100 destinations; one with more is refused with 400.',
    'subscribe.destinations.later': 'A destination without a queue waits until the queue is created.',
    'subscribe.destinations.made-again':
      'A subscription covers its queue again when that was deleted and is created anew.',
    'subscribe.destinations.overlap':
      'A queue that several destinations of one subscription cover counts once.',
  }),
  ...clauses('4.1', 'chosen', 'wildcards', {
    'subscribe.wildcard.segment': 'A `*` in a destination stands for exactly one segment.',
    'subscribe.wildcard.tail': 'A `>` at the end of a destination stands for one or more segments.',
    'subscribe.wildcard.dots': 'A wildcard can be written with dots or with slashes.',
    'subscribe.wildcard.refused':
      'A `>` that is not the last segment, or a wildcard within a segment, is refused with 400.',
  }),
  ...clauses('4.1', 'chosen', 'selector', {
    'subscribe.selector.comparison': 'A selector compares with `=`, `<>`, `<`, `<=`, `>` and `>=`.',
    'subscribe.selector.between': 'A selector tests a range with `BETWEEN` and `NOT BETWEEN`.',
    'subscribe.selector.in': 'A selector tests membership with `IN` and `NOT IN`.',
    'subscribe.selector.like':
      'A selector matches patterns with `LIKE` and `NOT LIKE`, where `%` and `_` are wild unless an `ESCAPE` character precedes them.',
    'subscribe.selector.null': 'A selector tests for a missing property with `IS NULL` and `IS NOT NULL`.',
    'subscribe.selector.logic':
      'A selector combines conditions with `NOT`, `AND` and `OR`, which bind in this order, and with parentheses.',
    'subscribe.selector.arithmetic': 'A selector calculates with `+`, `-`, `*` and `/`.',
    'subscribe.selector.unknown':
      'A condition on a missing property is unknown, and a message is taken only where the whole selector is true.',
    'subscribe.selector.identifiers':
      'An identifier of a selector is a property of the message, or one of `queue`, `content_type` and `deliveries`.',
    'subscribe.selector.types': 'A property is read as the type of the value it is compared with.',
    'subscribe.selector.syntax':
      'A selector that does not follow the grammar is refused with 400 and the column of the fault.',
  }),
]
