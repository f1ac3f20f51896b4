import { answered } from '../../client/answered.js'
import { addressOf, fetchLocked, lock, urisIn } from '../../client/batch.js'
import { succeeded } from '../../client/exchange.js'
import type { CheckRecord } from '../../trial/check.js'
import { elapsePastEnd } from '../../trial/lease-time.js'
import { LockConsumer } from '../../trial/locking.js'
import { NextConsumer } from '../../trial/next-message.js'
import { judgeWoken, parked, waitFor } from '../../trial/prefer-wait.js'
import type { Trial } from '../../trial/trial.js'
import { found } from '../../trial/waiting.js'

/** How many messages are locked together: more than a server that keeps few may remember. */
const MANY = 60

/** The batch mapping where the document leaves it open, and each URL of a long lock call. */
export const BATCH_CHOICES: readonly CheckRecord[] = [
  {
    id: 'batch.fetches-each',
    stimulus: `Locks ${MANY} messages, or as many as it is given, and fetches each URL, the first one last.`,
    clauses: ['batch.fetch', 'batch.lock'],
    needs: ['batch.locks'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const consumer = await LockConsumer.of(trial, queue)
      await trial.sendMany(queue, MANY)
      const uris = await trial.eventually(async () => found((await consumer.lock(MANY)).uris))
      trial.precondition(uris !== undefined, 'batch.locks', 'lock calls that returned no URL')
      const fetched = await Promise.all(uris.toReversed().map((uri) => fetchLocked(trial, consumer.id, uri)))
      const refused = fetched.filter((answer) => !succeeded(answer))
      trial.expect(
        refused.length === 0,
        `success for each of ${uris.length} URLs`,
        () => `${answered(refused.at(-1)!)}, and so for ${refused.length} of ${uris.length}`,
      )
    },
  },
  {
    id: 'batch.consumers',
    title: 'The consumers of the batch mapping subscribe as those of one-at-a-time delivery.',
    stimulus: 'Subscribes a consumer to a queue by /subscribe, sends a message and locks.',
    clauses: ['batch.consumers'],
    needs: ['batch.locks'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const consumer = new NextConsumer(trial)
      const answer = await consumer.subscribe(queue.path)
      await trial.send(queue)
      const locks = succeeded(answer)
        ? await trial.eventually(async () => found((await lock(trial, consumer.id, 1)).uris))
        : undefined
      trial.choose('batch-consumer', locks ? 'by /subscribe' : 'by /subscriptions')
      trial.expect(succeeded(answer), 'success for /subscribe', answered(answer))
      trial.expect(locks !== undefined, 'its message from its lock calls', 'it did not come')
    },
  },
  {
    id: 'batch.default-max',
    stimulus: 'Locks without max when there are three messages.',
    clauses: ['batch.max.default'],
    needs: ['batch.locks'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const consumer = await LockConsumer.of(trial, queue)
      await trial.sendMany(queue, 3)
      const uris = await trial.eventually(async () => found((await consumer.lock(undefined)).uris))
      trial.choose('default-max', String(uris?.length ?? 'nothing'))
      trial.expect(uris?.length === 1, 'one URL', `${uris?.length ?? 'none'}`)
    },
  },
  {
    id: 'batch.lease',
    stimulus: 'A consumer with a short timeout locks a message and falls silent; another locks then.',
    clauses: ['batch.lease'],
    needs: ['batch.locks', 'batch.consumers'],
    passesTime: true,
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const { lease, leaseGrace } = trial.timing
      const id = trial.freshName()
      const subscribed = await new NextConsumer(trial, id).subscribe(queue.path, `?timeout=${lease / 1000}`)
      trial.expect(succeeded(subscribed), 'success for a consumer with a timeout', answered(subscribed))
      const sent = await trial.send(queue)
      const locked = await trial.eventually(async () => found((await lock(trial, id, 1)).uris))
      trial.precondition(locked !== undefined, 'batch.locks', 'no URL came')
      await elapsePastEnd(trial, trial.now() + lease)
      const other = await LockConsumer.of(trial, queue)
      const came = await trial.eventually(async () => found(await other.look(1, [sent])), leaseGrace)
      trial.choose('locks-of-a-silent-consumer', came ? 'are given up' : 'stay')
      trial.expect(came !== undefined, 'the message with another consumer', 'it did not come')
    },
  },
  {
    id: 'batch.wait',
    stimulus: 'Locks with Prefer: wait when there is no message, then sends one.',
    clauses: ['batch.wait'],
    needs: ['batch.locks'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const consumer = await LockConsumer.of(trial, queue)
      const waiting = waitFor(trial, 'POST', addressOf(trial, consumer.id, 1))
      await parked(trial)
      await trial.send(queue)
      const answer = await waiting
      judgeWoken(trial, answer, (await urisIn(trial, consumer.id, answer)).length > 0)
    },
  },
]
