import { clauses } from './clause.js'

/** Consuming: the feed of a subscription. */
export const CONSUME = [
  ...clauses('1', 'stated', {
    'consume.delivered': 'A message that a producer sends to a queue reaches a consumer of that queue.',
    'consume.exactly-one': 'Each message goes to exactly one of the consumers of its queue.',
    'consume.own-view':
      'Each consumer sees a view of its own of the queue, without the messages that other consumers hold.',
  }),
  ...clauses('2', 'stated', {
    'consume.message-uri': "Each entry of a subscription's feed gives the URI of its message.",
    'consume.message-uri.own': "No two entries of a subscription's feed give the same message URI.",
  }),
  ...clauses('4.1', 'stated', {
    'consume.status': "A GET of a subscription's URI is answered with 200 and a feed.",
    'consume.entries':
      "A subscription's feed has exactly one entry for each message associated with the subscription.",
    'consume.empty': 'The feed of a subscription without messages has no entry.',
    'consume.repeat':
      "Reading a subscription's feed takes nothing, so that a second reading shows the same messages until they are acknowledged.",
    'consume.backlog': 'Messages that were sent before a subscription was created reach it too.',
    'consume.after-idle':
      'A consumer receives what is sent for it however often it has read an empty feed before.',
    'consume.later': "Messages that are sent after a subscription's feed was read appear in it later.",
    'consume.validator':
      "A consumer's feed whose entries have changed is not answered as unchanged to a client that asks with the `ETag` or the `Last-Modified` of before.",
    'consume.all':
      'Every message of a queue is delivered in the end where its consumers read and acknowledge.',
    'consume.parallel': 'Consumers that read at the same time share no message.',
    'consume.client-way': {
      text: 'A consumer reads its feed and deletes each message when it has finished with it.',
      unchecked: 'It binds the client; a server is checked by what the reads and deletes do.',
    },
  }),
  ...clauses('4.1', 'chosen', {
    'consume.in-turn': 'Messages go in turn to the subscriptions that match and have room in their prefetch.',
    'consume.on-arrival':
      'A message is bound to a subscription when it arrives, and not when the feed is read.',
    'consume.order':
      "A subscription's feed lists the messages of a queue in the order in which they were sent.",
    'consume.old-place': 'A message that is given back returns to its old place in its queue.',
    'consume.one-page': "A subscription's feed is one page.",
    'consume.edit-link': 'A message\'s entry has exactly one link `rel="edit"`, which is the message\'s URI.',
    'consume.raw-link':
      'A message\'s entry links by `rel="enclosure"` to its raw body, with its type and length.',
    'consume.deliveries':
      "A message's entry tells how often the message was handed to a consumer, counted from 1.",
    'consume.properties': "A message's entry carries the message's properties.",
    'consume.message.entry': "A GET of a message's URI is answered with its entry as an Atom entry document.",
    'consume.message.raw':
      "A GET of a message's enclosure link gives the bytes as sent, with the headers they were sent with.",
    'consume.wait.early':
      "A GET of a subscription's feed with `Prefer: wait=N` ends as soon as there is an entry that no reading has shown.",
    'consume.wait.late':
      'A GET with `Prefer: wait=N` for which nothing comes ends after N seconds, or after 20 if N is more, with the feed as it is.',
    'consume.wait.applied': 'A GET whose `Prefer: wait` was heeded is answered with `Preference-Applied`.',
    'consume.wait.abandoned': 'A client that goes away while it waits takes no message with it.',
    'consume.wait.ended': 'A wait ends when its subscription does, with 410.',
    'consume.wait.queue': "A GET of a queue's feed can wait in the same way.",
  }),
  ...clauses('4.2', 'chosen', {
    'consume.any-mapping':
      'A message sent by one mapping can be consumed by any other, and has one holder whatever mapping took it.',
  }),
]
