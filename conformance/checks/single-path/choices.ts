import { answered, kindOf } from '../../client/answered.js'
import { messagesIn } from '../../client/message-in.js'
import type { CheckRecord } from '../../trial/check.js'
import { judgeWoken, parked, waitFor } from '../../trial/prefer-wait.js'
import { SinglePath } from '../../trial/single-path-queue.js'
import type { Trial } from '../../trial/trial.js'

/** The lease of a session where the client cannot choose it: milliseconds. */
const SESSION_LEASE = 30_000

/** The single-path mapping where the document leaves it open. */
export const SINGLE_PATH_CHOICES: readonly CheckRecord[] = [
  {
    id: 'single-path.raw',
    title: 'A GET by the single path answers 200 with the message as it was sent, and its type.',
    stimulus: 'Posts a message of a type of its own and asks for it.',
    clauses: ['single-path.raw'],
    needs: ['single-path.delivers'],
    async run(trial: Trial) {
      const path = await SinglePath.fresh(trial)
      const message = trial.freshMessage()
      await path.post(message.body, { 'Content-Type': 'application/x-kit' })
      const answer = await trial.eventually(async () => {
        const given = await path.get()
        return (await messagesIn(trial, given, [message])).length > 0 ? given : undefined
      })
      trial.precondition(answer !== undefined, 'single-path.delivers', 'the message did not come')
      const raw = answer.status === 200 && answer.body.equals(message.body)
      trial.choose('single-path-message', raw ? 'as it was sent' : kindOf(answer))
      trial.expect(raw, '200 with the body as it was sent', answered(answer))
      const type = answer.headers['content-type']
      trial.expect(type === 'application/x-kit', 'the Content-Type of the message', type ?? 'none')
    },
  },
  {
    id: 'single-path.session-lost',
    stimulus: 'Takes a message as one session, lets its lease end, and asks as another.',
    clauses: ['single-path.session.lost'],
    needs: ['single-path.session-acknowledges'],
    passesTime: true,
    async run(trial: Trial) {
      if (trial.profile.clock === undefined) {
        return trial.observed("A session's lease is too long to wait for where the clock cannot be advanced.")
      }
      const path = await SinglePath.fresh(trial)
      const message = await path.send()
      await path.take([message], trial.freshName())
      await trial.elapse(SESSION_LEASE + trial.timing.leaseGrace)
      const successor = trial.freshName()
      const came = await trial.eventually(async () => (await path.look([message], successor))[0])
      trial.choose('message-of-a-silent-session', came ? 'goes to another' : 'is lost')
      trial.expect(came !== undefined, 'the message with another session', 'it did not come')
    },
  },
  {
    id: 'single-path.wait',
    stimulus: 'Asks an empty single path with Prefer: wait, then posts a message.',
    clauses: ['single-path.wait'],
    needs: ['single-path.delivers'],
    async run(trial: Trial) {
      const path = await SinglePath.fresh(trial)
      const waiting = waitFor(trial, 'GET', path.uri)
      await parked(trial)
      const sent = await path.send()
      const answer = await waiting
      judgeWoken(trial, answer, (await messagesIn(trial, answer, [sent])).length > 0)
    },
  },
]
