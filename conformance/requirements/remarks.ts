import { clauses } from './clause.js'

/** What the document says of itself and of the interface as a whole; no check is filed under these topics. */
export const REMARKS = [
  ...clauses('1', 'stated', {
    'purpose.queue-over-http': {
      text: 'The service is a message queue offered over HTTP as resources with addresses.',
      unchecked: 'It describes the whole; each resource is checked by its own clauses.',
    },
    'purpose.atompub-style': {
      text: 'Collections are offered in the style of the Atom Publishing Protocol.',
      unchecked: 'A style is no behaviour; what follows from it is checked clause by clause.',
    },
    'purpose.two-ways-to-send-once': {
      text: 'Duplicate sends are avoided by repeating the post to an address that the server issued, or by a unique id that the client makes up.',
      unchecked: 'It announces the two exchanges, which the clauses of send and dedup check.',
    },
  }),
  ...clauses('3', 'stated', {
    'states.names': {
      text: 'The interface names no states and gives no table of transitions.',
      unchecked: 'It is a remark on the interface, and asks nothing of a server.',
    },
  }),
  ...clauses('4.2', 'stated', {
    'purpose.alternatives': {
      text: 'The alternative mappings are listed beside the primary one, and are not the primary mapping.',
      unchecked: 'It is a remark on the interface, and asks nothing of a server.',
    },
  }),
  ...clauses('6', 'stated', {
    'events.none': {
      text: 'No notification and no callback is part of the interface.',
      unchecked: 'An absence cannot be shown from outside.',
    },
  }),
  ...clauses('7', 'stated', {
    'errors.open': {
      text: 'Error statuses, error payloads and the conditions that cause them are left open.',
      unchecked: 'Nothing is asked of a server; its refusals are observed.',
    },
  }),
  ...clauses('8', 'stated', {
    'limits.open': {
      text: 'Default and largest prefetch, the length of the timeout, size limits and rate limits are left open.',
      unchecked: 'Nothing is asked of a server; its limits are observed.',
    },
  }),
  ...clauses('8', 'chosen', {
    'limits.memory': {
      text: 'Messages above 256 MiB in all, or three eighths of the heap where that is less, are refused with 507.',
      unchecked: 'An outsider would have to fill the memory of the target.',
    },
    'limits.subscriptions': {
      text: 'Subscriptions above 10,000 at once are refused with 429.',
      unchecked: 'An outsider would have to create ten thousand subscriptions.',
    },
  }),
  ...clauses('9', 'stated', {
    'versioning.open': {
      text: 'The interface shows no versioning.',
      unchecked: 'It is a remark on the interface, and asks nothing of a server.',
    },
  }),
]
