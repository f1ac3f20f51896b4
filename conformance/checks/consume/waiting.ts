import { answered } from '../../client/answered.js'
import { extensions } from '../../trial/answers.js'
import type { CheckRecord } from '../../trial/check.js'
import { expectDelivered } from '../../trial/deliveries.js'
import { judgeWoken, LONG_WAIT, parked, waitFor } from '../../trial/prefer-wait.js'
import type { Trial } from '../../trial/trial.js'

/** Waiting for messages with `Prefer: wait` (RFC 7240), which the document does not know. */
export const CONSUME_WAIT: readonly CheckRecord[] = [
  {
    id: 'consume.wait-ends-early',
    title: 'A GET with Prefer: wait ends as soon as there is an entry, and says that it waited.',
    stimulus: 'Asks for an empty feed with Prefer: wait, then sends a message.',
    clauses: ['consume.wait.early', 'consume.wait.applied'],
    needs: ['consume.delivers'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const consumer = await trial.subscribe(queue)
      const waiting = waitFor(trial, 'GET', consumer.uri)
      await parked(trial)
      const sent = await trial.send(queue)
      const answer = await waiting
      judgeWoken(trial, answer, answer.body.toString().includes(sent.text))
    },
  },
  {
    id: 'consume.wait-ends-late',
    title: 'A GET with Prefer: wait for which nothing comes ends after its time with an empty feed.',
    stimulus: 'Asks for an empty feed with Prefer: wait=1.',
    clauses: ['consume.wait.late', 'consume.wait.applied'],
    needs: ['consume.feed'],
    passesTime: true,
    async run(trial: Trial) {
      const consumer = await trial.subscribe(await trial.createQueue())
      const before = trial.now()
      const waiting = waitFor(trial, 'GET', consumer.uri, 1)
      await parked(trial)
      const early = await Promise.race([waiting, undefined])
      await trial.elapse(1000)
      const answer = await waiting
      trial.expect(answer.status === 200, '200', answered(answer))
      // With a clock that the kit advances, the exchange's own times do not count what was advanced.
      const isByClock = trial.profile.clock !== undefined && early === undefined
      const waited = Math.round(isByClock ? trial.now() - before : answer.receivedAt - answer.sentAt)
      trial.choose('wait', waited >= 950 ? 'heeded' : 'not heeded')
      trial.expect(waited >= 950, 'an answer after 1000 ms', `after ${waited} ms`)
      const applied = answer.headers['preference-applied'] ?? 'none'
      trial.expect(/wait/.test(applied), 'Preference-Applied: wait=1', applied)
    },
  },
  {
    id: 'consume.wait-abandoned',
    stimulus: 'Goes away from a GET with Prefer: wait, sends a message and reads the feed.',
    clauses: ['consume.wait.abandoned'],
    needs: ['consume.wait-ends-early'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const consumer = await trial.subscribe(queue)
      await waitFor(trial, 'GET', consumer.uri, LONG_WAIT, 100)
      const sent = await trial.send(queue)
      await expectDelivered(trial, [consumer], [sent], 'the message in the next reading')
      const deliveries = extensions(await consumer.get(), 'deliveries').join()
      trial.expect(deliveries === '1', 'one delivery', deliveries || 'none')
    },
  },
  {
    id: 'consume.wait-ended',
    stimulus: 'Asks for an empty feed with Prefer: wait, then deletes the subscription.',
    clauses: ['consume.wait.ended'],
    needs: ['consume.wait-ends-early', 'subscribe.delete'],
    async run(trial: Trial) {
      const consumer = await trial.subscribe(await trial.createQueue())
      const waiting = waitFor(trial, 'GET', consumer.uri)
      await parked(trial)
      await consumer.end()
      const answer = await waiting
      trial.expect(answer.status === 410, '410 when the subscription is deleted', answered(answer))
    },
  },
  {
    id: 'consume.wait-at-queue',
    stimulus: "Asks for a queue's empty feed with Prefer: wait, then sends a message.",
    clauses: ['consume.wait.queue'],
    needs: ['browse.queue', 'send.post'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const waiting = waitFor(trial, 'GET', queue.uri)
      await parked(trial)
      const sent = await trial.send(queue)
      const answer = await waiting
      judgeWoken(trial, answer, answer.body.toString().includes(sent.text))
    },
  },
]
