import type { CheckRecord } from '../../trial/check.js'
import { expectDelivered } from '../../trial/deliveries.js'
import { labels, texts } from '../../trial/labels.js'
import { readBodies } from '../../trial/reading.js'
import { SinglePath } from '../../trial/single-path-queue.js'
import {
  batchTaker,
  judgeTakers,
  nextMessageTaker,
  subscriptionTaker,
  type Taker,
} from '../../trial/takers.js'
import type { Sent, Trial } from '../../trial/trial.js'
import { found, once } from '../../trial/waiting.js'

/** Mappings beside one another: whatever mapping sent a message or took it, exactly one consumer has it. */
export const SINGLE_PATH_ACROSS: readonly CheckRecord[] = [
  {
    id: 'single-path.to-primary',
    title: 'A message sent by the single path can be consumed by a subscription, and acknowledged there.',
    stimulus: 'Posts a message to the single path of a queue, and reads it by a subscription.',
    clauses: ['consume.any-mapping'],
    feature: 'single-path',
    needs: ['single-path.delivers', 'ack.leaves-feed'],
    async run(trial: Trial) {
      const path = await SinglePath.fresh(trial)
      const sent = await path.send()
      const consumer = await trial.subscribe(path.queue)
      await expectDelivered(trial, [consumer], [sent], 'the message with the subscription')
      const [entry] = await consumer.receive([sent])
      await consumer.ack(entry!)
      const again = await trial.never(async () => found(await path.look([sent])))
      trial.expect(again === undefined, 'the acknowledged message gone from the single path', 'it came')
    },
  },
  {
    id: 'single-path.from-primary',
    title: 'A message sent in two steps can be taken by the single path, once.',
    stimulus: 'Sends two messages in two steps and takes them by the single path.',
    clauses: ['consume.any-mapping'],
    feature: 'single-path',
    needs: ['single-path.another', 'send.post'],
    async run(trial: Trial) {
      const path = await SinglePath.fresh(trial)
      const messages = await trial.sendInOrder(path.queue, 2)
      const had: Sent[] = []
      await trial.eventually(async () => {
        had.push(...(await path.look(messages)))
        return once(new Set(had).size === messages.length)
      })
      trial.choose('mappings', new Set(had).size === messages.length ? 'one queue' : 'queues of their own')
      const seen = () => labels(messages, texts(had))
      trial.expect(
        texts(had).toSorted().join() === texts(messages).toSorted().join(),
        'both, once each',
        seen,
      )
    },
  },
  {
    id: 'single-path.beside-subscription',
    title: 'What a subscription holds is not given by the single path, nor the other way round.',
    stimulus:
      'A subscription holds two messages; a GET of the single path asks; it takes a third; another subscription reads.',
    clauses: ['consume.exactly-one', 'single-path.exactly-one'],
    grade: 'optional',
    feature: 'single-path',
    needs: ['single-path.delivers', 'consume.delivers'],
    async run(trial: Trial) {
      const path = await SinglePath.fresh(trial)
      const held = await trial.sendInOrder(path.queue, 2)
      const holder = await trial.subscribe(path.queue, { prefetch: 2 })
      await holder.receive(held)
      const wrong = await trial.never(async () => found(await path.look(held)))
      trial.expect(wrong === undefined, 'no message that the subscription holds by a GET', 'one came')
      const other = await SinglePath.fresh(trial)
      const taken = await other.take([await other.send()])
      const reader = await trial.subscribe(other.queue)
      const twice = await trial.never(async () =>
        once((await readBodies(trial, reader)).includes(taken.text)),
      )
      trial.expect(twice === undefined, 'no message that a GET has taken with a subscription', 'it came')
    },
  },
  {
    id: 'single-path.beside-all',
    title: 'A message is with one consumer only, whatever mapping it is taken by, also at the same time.',
    stimulus:
      'Consumers of every mapping that the target claims take twelve messages of one queue, all at the same time.',
    clauses: ['consume.exactly-one', 'single-path.exactly-one'],
    grade: 'optional',
    feature: 'single-path',
    needs: ['single-path.another', 'ack.leaves-feed', 'one-at-a-time.acknowledges', 'batch.acknowledges'],
    async run(trial: Trial) {
      const path = await SinglePath.fresh(trial)
      const takers: Taker[] = [(messages) => path.look(messages), await subscriptionTaker(trial, path.queue)]
      const { features } = trial.profile
      if (features['one-at-a-time']) takers.push(await nextMessageTaker(trial, path.queue))
      if (features.batch) takers.push(await batchTaker(trial, path.queue))
      await judgeTakers(trial, takers, await trial.sendMany(path.queue, 12))
    },
  },
]
