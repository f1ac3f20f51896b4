import { clauses } from './clause.js'

/** Creating, naming and deleting queues. */
export const QUEUES = [
  ...clauses('1', 'stated', {
    'queues.hierarchy':
      'Queues are usually hierarchical, and those whose names begin alike are queues of their own.',
  }),
  ...clauses('1', 'optional', 'dotted-names', {
    'queues.dotted': 'A queue can be addressed by a dotted name.',
  }),
  ...clauses('2', 'stated', {
    'queues.collection':
      'The collection of queues, root of their hierarchy, is at `/queues` below the base URL.',
    'queues.address': 'A queue is at `/queues/` followed by its path.',
    'queues.path':
      'A queue can have a path of several segments separated by slashes, where its name is no dotted one.',
  }),
  ...clauses('2', 'chosen', {
    'queues.name.reserved':
      'A queue name with an empty segment, a control character, `*` or `>` is refused with 400.',
    'queues.name.escapes':
      'A queue path with a broken percent-escape or with bytes that are not UTF-8 is refused with 400.',
    'queues.name.length':
      'A queue name has at most 1024 bytes, and 255 in each segment; a longer one is refused with 400.',
    'queues.name.unicode':
      'A queue name may hold any other character of Unicode, markup characters and spaces included.',
  }),
  ...clauses('2', 'chosen', 'dotted-names', {
    'queues.dotted.path':
      'A dotted name and a slash path of the same segments name one queue, whose canonical name has slashes.',
  }),
  ...clauses('4.1', 'stated', {
    'queues.create.status': 'A POST to `/queues` that names a new queue is answered with 201.',
    'queues.create.location':
      "The answer to the creation of a queue carries the queue's address in `Location`.",
    'queues.create.posting': 'The address given for a new queue takes the posts by which messages are sent.',
    'queues.create.unique': 'Queues of different names get different addresses.',
    'queues.create.again.location': 'Creating a queue that exists gives the address it already has.',
    'queues.create.again.messages': 'Creating a queue that exists leaves its messages where they are.',
    'queues.create.again.held':
      'Creating a queue that exists leaves its messages with the consumers that hold them.',
    'queues.create.again.one': 'Creating a queue twice, one after the other or at once, makes one queue.',
    'queues.create.request': {
      text: 'How the request names the new queue is left to the server.',
      unchecked: "Nothing is asked of a server; a target's profile says how it is to be asked.",
    },
    'queues.delete.status': "A DELETE of a queue's address is answered with 200.",
    'queues.delete.unlisted': 'A deleted queue is gone from every listing.',
    'queues.delete.unreadable': 'The messages of a deleted queue can no longer be read at its address.',
    'queues.delete.consumers':
      'Deleting a queue leaves its consumers what they have of other queues, and lets them receive more.',
    'queues.delete.room':
      'A message that has left the feed of its consumer with its queue does not count as held any more.',
    'queues.delete.others': 'Deleting a queue leaves the other queues and their messages alone.',
  }),
  ...clauses('4.1', 'chosen', {
    'queues.create.again.status': 'Creating a queue that exists is answered with 201 like the first time.',
    'queues.create.at-once':
      'Creations at once, of one queue or of several, are answered as they are one after another, and none with a 5xx.',
    'queues.create.text': 'The name of a new queue can be the body of the request, as `text/plain`.',
    'queues.create.form': 'The name of a new queue can be the form field `name`.',
    'queues.create.json': 'The name of a new queue can be the member `name` of a JSON object.',
    'queues.create.slug': 'The name of a new queue can be given in a `Slug` header with an empty body.',
    'queues.create.media-type': 'Creating a queue with a body of any other media type is refused with 415.',
    'queues.create.nameless': 'Creating a queue without a name is refused with 400.',
    'queues.delete.messages':
      "A deleted queue's messages go with it, so that a queue created later under its name starts empty.",
    'queues.delete.held':
      'When a queue is deleted, the messages that consumers hold from it leave their feeds.',
    'queues.delete.again': 'Deleting a queue a second time is refused with 404.',
    'queues.delete.category': 'Deleting a category that is no queue is refused with 404.',
  }),
]
