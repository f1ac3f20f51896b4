import type { Rule } from '../report/rules.js'

/** What the judge of a history can find broken; each clause that it names is in one of these. */
export const SOAK_RULES: readonly Rule[] = [
  {
    id: 'soak.queues',
    topic: 'queues',
    title: 'Queues come and go while others are used, and are not there when they have gone.',
    clauses: [
      'queues.create.status',
      'queues.delete.status',
      'queues.delete.unreadable',
      'browse.queue.status',
    ],
  },
  {
    id: 'soak.delivered',
    topic: 'consume',
    title: 'Every message that was accepted is acknowledged in the end, or still there.',
    clauses: ['consume.all', 'lease.reassign'],
  },
  {
    id: 'soak.exactly-one',
    topic: 'consume',
    title:
      'No message is held by two consumers at once, or shown twice, or goes away from the one who holds it.',
    clauses: ['consume.exactly-one', 'consume.entries', 'consume.repeat', 'consume.status'],
  },
  {
    id: 'soak.acknowledged',
    topic: 'ack',
    title: 'What was acknowledged comes to nobody again, however late it is sent once more.',
    clauses: ['ack.final.same', 'ack.final.other', 'ack.status', 'browse.pending.acknowledged'],
  },
  {
    id: 'soak.prefetch',
    topic: 'prefetch',
    title: 'No consumer is shown more than its prefetch, also where two work under one lease.',
    clauses: ['prefetch.cap'],
  },
  {
    id: 'soak.send',
    topic: 'send',
    title: 'A send is repeated until it is answered with 200, and its body arrives as it was sent.',
    clauses: [
      'send.step-1.status',
      'send.step-2.status',
      'send.two-step.repeat.status',
      'send.body.text',
      'send.address.own',
    ],
  },
  {
    id: 'soak.dedup',
    topic: 'dedup',
    title: 'A send with a guid is repeated until it is answered with 200.',
    clauses: ['dedup.status', 'dedup.repeat.status'],
  },
  {
    id: 'soak.subscribe',
    topic: 'subscribe',
    title: 'A consumer is shown what its subscription is for, until it is deleted.',
    clauses: [
      'subscribe.destinations.only',
      'subscribe.selector.only',
      'subscribe.status',
      'subscribe.delete.status',
      'subscribe.delete.unreadable',
    ],
  },
  {
    id: 'soak.lease',
    topic: 'lease',
    title: 'A subscription is there for its lease, and no longer.',
    clauses: ['lease.active', 'lease.expiry.unreadable'],
  },
  {
    id: 'soak.one-at-a-time',
    topic: 'one-at-a-time',
    title: 'Who was given the next message can acknowledge it.',
    clauses: ['one-at-a-time.ack'],
  },
  {
    id: 'soak.batch',
    topic: 'batch',
    title: 'Who has locked a message can acknowledge it.',
    clauses: ['batch.ack'],
  },
]
