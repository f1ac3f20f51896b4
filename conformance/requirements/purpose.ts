import type { Clause } from './clause.js'

/** Section 1: what the service does. */
export const PURPOSE = [
  {
    id: 'purpose.queue-over-http',
    section: '1',
    grade: 'stated',
    text: 'The service is a message queue offered over HTTP as resources with addresses.',
    unchecked: 'It describes the whole; each resource is checked by its own clauses.',
  },
  {
    id: 'consume.delivered',
    section: '1',
    grade: 'stated',
    text: 'A message that a producer sends to a queue reaches a consumer of that queue.',
  },
  {
    id: 'purpose.atompub-style',
    section: '1',
    grade: 'stated',
    text: 'Collections are offered in the style of the Atom Publishing Protocol.',
    unchecked: 'A style is no behaviour; what follows from it is checked clause by clause.',
  },
  {
    id: 'browse.atom',
    section: '1',
    grade: 'stated',
    text: 'Every listing is an Atom feed.',
  },
  {
    id: 'consume.exactly-one',
    section: '1',
    grade: 'stated',
    text: 'Each message goes to exactly one of the consumers of its queue.',
  },
  {
    id: 'consume.own-view',
    section: '1',
    grade: 'stated',
    text: 'Each consumer sees a view of its own of the queue, without the messages that other consumers hold.',
  },
  {
    id: 'lease.reassign',
    section: '1',
    grade: 'stated',
    text: 'When a consumer goes away, the messages it held are given to another consumer.',
  },
  {
    id: 'subscribe.own-feed',
    section: '1',
    grade: 'stated',
    text: 'Each subscription has a feed of its own, which tells its consumer what it may consume.',
  },
  {
    id: 'queues.hierarchy',
    section: '1',
    grade: 'stated',
    text: 'Queues whose paths begin alike are queues of their own below a common category.',
  },
  {
    id: 'queues.dotted',
    section: '1',
    grade: 'optional',
    text: 'A queue can be addressed by a dotted name.',
    feature: 'dotted-names',
  },
  {
    id: 'purpose.two-ways-to-send-once',
    section: '1',
    grade: 'stated',
    text: 'Duplicate sends are avoided by repeating the post to an address that the server issued, or by a unique id that the client makes up.',
    unchecked: 'It announces the two exchanges, which the clauses of send and dedup check.',
  },
] as const satisfies readonly Clause[]
