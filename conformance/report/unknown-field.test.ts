import t from 'tap'
import { DEFAULT_PROFILE } from '../client/parse-profile.js'
import type { ClauseId } from '../requirements/index.js'
import { unknownFieldOf } from './rules.js'

t.test('a field plays a part in some clauses, and not in others', (t) => {
  const cases: readonly (readonly [path: string, clause: ClauseId, isPart: boolean])[] = [
    ['subscription.parameters.prefetch', 'prefetch.cap', true],
    ['subscription.parameters.prefetch', 'ack.final.same', false],
    ['subscription.leaseSeconds', 'lease.active', true],
    ['subscription.maxLeaseSeconds', 'consume.all', true],
    ['subscription.leaseSeconds', 'prefetch.cap', false],
    ['subscription.leaseSeconds', 'consume.entries', false],
    ['subscription.renewedBy', 'lease.active', false],
    ['subscription.selector', 'subscribe.selector.only', true],
    ['subscription.parameters.selector', 'subscribe.selector.only', true],
    ['subscription.wildcard', 'subscribe.destinations.only', true],
    ['subscription.destination', 'consume.all', true],
    ['messageUri', 'ack.status', true],
    ['message', 'send.body.text', true],
    ['message.body', 'ack.status', false],
    ['guid', 'dedup.repeat.status', true],
    ['oneAtATime.messageId', 'one-at-a-time.ack', true],
    ['createQueue', 'queues.create.status', true],
    ['settleSeconds', 'queues.delete.unreadable', true],
    ['features.batch', 'batch.ack', false],
  ]
  for (const [path, clause, isPart] of cases) {
    const profile = { ...DEFAULT_PROFILE, unknown: ['name', path] }
    t.equal(unknownFieldOf(profile, clause), isPart ? path : undefined, `${path}, ${clause}`)
  }
  t.end()
})
