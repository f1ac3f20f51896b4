import { clauses } from './clause.js'

/** Looking at queues: listings, feeds, paging and Atom. */
export const BROWSE = [
  ...clauses('1', 'stated', {
    'browse.atom': 'Every listing is an Atom feed.',
  }),
  ...clauses('2', 'stated', {
    'browse.fields': {
      text: 'The fields of the queue record, and of an entry beyond what Atom asks for, are left open.',
      unchecked: 'Nothing is asked of a server; what its entries hold is observed.',
    },
  }),
  ...clauses('2', 'optional', 'subtree', {
    'browse.subtree.prefix': 'A prefix of queue names can be listed at `/queues/` followed by that prefix.',
  }),
  ...clauses('3', 'stated', {
    'browse.pending.held':
      "A message that a consumer holds is still pending, and so still listed in its queue's feed.",
    'browse.pending.acknowledged':
      "A message is no longer pending once its consumer has deleted it, and so is gone from its queue's feed.",
  }),
  ...clauses('4.1', 'stated', {
    'browse.root.status': 'A GET of `/queues` is answered with 200 and a feed.',
    'browse.root.entries':
      'The root listing has one entry for each directory, category or queue, where no entry of a category above stands for it.',
    'browse.root.nested':
      'The root listing shows a queue with a path of several segments by its own entry or by that of a category above it.',
    'browse.root.once': 'No listing has two entries for one queue.',
    'browse.queue.status': "A GET of a queue's address is answered with 200 and a feed.",
    'browse.queue.entries': "A queue's feed has exactly one entry for each pending message.",
    'browse.queue.empty': 'The feed of a queue without messages has no entry.',
    'browse.queue.own': "A queue's feed shows no message of another queue.",
    'browse.takes-nothing': 'Browsing a queue takes no message away from its consumers.',
    'browse.changes-nothing':
      'Browsing a queue again, with nothing done in between, shows the same messages.',
    'browse.validator':
      "A queue's feed whose entries have changed is not answered as unchanged to a client that asks with the `ETag` or the `Last-Modified` of before.",
    'browse.listing-validator':
      'A listing whose entries have changed is not answered as unchanged to a client that asks with the `ETag` or the `Last-Modified` of before.',
    'browse.atom.media-type': 'A feed is served as `application/atom+xml`.',
    'browse.atom.well-formed':
      'A feed is well-formed XML with the root element `feed` of the Atom namespace.',
    'browse.atom.feed': 'A feed has exactly one `id`, one `title` and one `updated`.',
    'browse.atom.entry': 'An entry has exactly one `id`, one `title` and one `updated`.',
    'browse.atom.author': 'A feed has an author, unless each of its entries has one.',
    'browse.atom.dates': 'Each date in a feed is a date and time of RFC 3339.',
    'browse.atom.id-iri': 'Each `id` in a feed is an absolute IRI.',
    'browse.atom.ids-unique': 'No two entries of one feed have the same `id`.',
    'browse.atom.ids-own':
      'Neither two feeds, nor two messages or queues wherever they are listed, have the same `id`.',
    'browse.atom.ids-stable': 'A feed and its entries keep their ids from one reading to the next.',
    'browse.atom.content':
      'An entry has at most one `content`, encoded as its type demands, and an alternate link where it has none.',
    'browse.atom.summary': 'An entry whose content is out of line or in Base64 has a summary.',
    'browse.atom.links': 'Neither a feed nor an entry has two alternate links of the same type and language.',
    'browse.atom.escaping':
      'Names and bodies with markup characters or characters beyond ASCII come through a feed unchanged.',
  }),
  ...clauses('4.1', 'optional', 'subtree', {
    'browse.subtree.status':
      "A GET of `/queues/` followed by a category's path is answered with 200 and a feed.",
    'browse.subtree.queues':
      'The listing of a subtree has one entry for each queue below its prefix, where no entry of a child category stands for it.',
    'browse.subtree.categories':
      'The listing of a subtree shows a queue further down by its own entry or by that of a child category.',
    'browse.subtree.only': 'The listing of a subtree shows nothing that is outside its prefix.',
    'browse.subtree.reach': 'Every queue can be found by following the listings down from the root.',
  }),
  ...clauses('4.1', 'chosen', 'subtree', {
    'browse.listing.kinds':
      'An entry of a listing says by `category term` whether it is a `queue` or a `category`.',
    'browse.listing.links':
      'An entry of a listing links to the address of its queue, or to the listing of its category.',
    'browse.listing.immediate': 'A listing shows the immediate children of its prefix and nothing deeper.',
    'browse.listing.both': 'A child that is a queue and a category at once has an entry as each.',
    'browse.listing.slash':
      'Where a path is a queue and a category at once, the path with a trailing slash is the listing of what is below.',
    'browse.listing.counts':
      "A queue's entry carries the number of its pending messages, of its held ones and of its subscriptions.",
  }),
  ...clauses('4.1', 'chosen', {
    'browse.unknown': 'A GET of a path that is neither a queue nor a category is refused with 404.',
    'browse.order': "A queue's feed lists its messages oldest first.",
    'browse.no-ack-links':
      "An entry of a queue's feed gives no message URI by which the message could be acknowledged.",
    'browse.message':
      "An entry of a queue's feed links to its message as it can be looked at, its raw body included.",
    'browse.paging.limit':
      "A listing or a queue's feed has at most 100 entries a page, or as many as `limit` says, up to 1000.",
    'browse.paging.next': 'A page that is not the last links to the following one by `rel="next"`.',
    'browse.paging.steady':
      'Following the pages while messages come and go neither skips nor repeats an entry that was there throughout.',
    'browse.paging.refused':
      'A `limit` is from 1 to 1000, and a cursor is one that the server issued; others are refused with 400.',
    'browse.html': 'A client that prefers `text/html` gets the same feed as a readable page.',
    'browse.atom.parameters':
      'The media type of a feed has the parameter `type=feed`, that of an entry `type=entry`, and both `charset=utf-8`.',
    'browse.content.text': 'A body of `text/*` that is UTF-8 and legal in XML is inline text in its entry.',
    'browse.content.base64': 'A body that is not text stands in its entry as Base64, up to 64 KiB.',
    'browse.content.large': 'A body that is not text and above 64 KiB is linked by `content src`.',
    'browse.content.linked':
      'A body of an XML type, in another charset, or of text that is illegal in XML is linked by `content src`.',
    'browse.entry.dates': "A message's entry tells by `published` when the message was sent.",
    'browse.caching': 'A feed carries an `ETag` and `Cache-Control: private, no-cache`.',
    'browse.conditional':
      'A GET of a feed with the current `ETag` in `If-None-Match` is answered with 304 and no body.',
  }),
]
