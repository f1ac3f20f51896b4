import { answered } from '../../client/answered.js'
import { succeeded } from '../../client/exchange.js'
import { messagesIn } from '../../client/message-in.js'
import { encodePath } from '../../trial/addresses.js'
import { statusOf } from '../../trial/answers.js'
import type { CheckRecord } from '../../trial/check.js'
import { labels, texts } from '../../trial/labels.js'
import { elapsePastEnd } from '../../trial/lease-time.js'
import { NextConsumer } from '../../trial/next-message.js'
import { judgeWoken, parked, waitFor } from '../../trial/prefer-wait.js'
import { wildcard } from '../../trial/subscription-form.js'
import type { QueueHandle, Trial } from '../../trial/trial.js'

/** How often a consumer that must be given nothing else asks. */
const ASKS = 3

/** One-at-a-time delivery: what the model leaves open, ids of consumers, and what the document leaves open. */
export const ONE_AT_A_TIME: readonly CheckRecord[] = [
  {
    id: 'one-at-a-time.one',
    stimulus: 'Sends three messages to a consumer, which asks several times, alone and at once.',
    clauses: ['one-at-a-time.one'],
    needs: ['one-at-a-time.acknowledges'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const consumer = await new NextConsumer(trial).join(queue)
      const messages = await trial.sendMany(queue, 3)
      const first = await consumer.take(messages)
      const others = messages.filter((message) => message !== first.message)
      const inTurn = await trial.never(() => consumer.look(others))
      const answers = await Promise.all(Array.from({ length: ASKS }, () => consumer.ask()))
      const atOnce = await Promise.all(answers.map((answer) => messagesIn(trial, answer, others)))
      const further = [...(inTurn ? [inTurn.message] : []), ...atOnce.flat()]
      trial.expect(
        further.length === 0,
        `only message ${messages.indexOf(first.message) + 1}, or none, before its ack`,
        () => labels(messages, new Set(texts(further))),
      )
      await consumer.ack(first)
      await consumer.take(others)
    },
  },
  {
    id: 'one-at-a-time.one-at-once',
    title: 'A consumer that asks several times at once is given one message.',
    stimulus: 'Sends three messages to a consumer without a message, which then asks three times at once.',
    clauses: ['one-at-a-time.one'],
    needs: ['one-at-a-time.acknowledges'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const consumer = await new NextConsumer(trial).join(queue)
      const messages = await trial.sendMany(queue, 3)
      const answers = await Promise.all(Array.from({ length: ASKS }, () => consumer.ask()))
      const had = await Promise.all(answers.map((answer) => messagesIn(trial, answer, messages)))
      const different = new Set(texts(had.flat()))
      trial.expect(different.size <= 1, 'one message for all the answers', () => labels(messages, different))
      // Whether what it has is given again before the ack is left open; that it is given anything is not.
      if (different.size === 0) await consumer.take(messages)
    },
  },
  {
    id: 'one-at-a-time.held',
    stimulus:
      'A consumer takes a message and keeps it while it subscribes to another queue; another, whose long id differs in the case of its last letter where ids may be so, subscribes and asks.',
    clauses: ['one-at-a-time.exclusive'],
    needs: ['one-at-a-time.delivers'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const alike = trial.freshGuid().padEnd(48, 'x')
      const holder = await (await namedIfTaken(trial, `${alike}a`, queue)).join(queue)
      const sent = await trial.send(queue)
      await holder.take([sent])
      await holder.join(await trial.createQueue())
      const own = await trial.createQueue()
      const other = await (await namedIfTaken(trial, `${alike}A`, queue)).join(queue, own)
      const wrong = await trial.never(() => other.look([sent]))
      trial.expect(wrong === undefined, 'nothing for the other consumer', 'the message that the first has')
      await other.take([await trial.send(own)])
    },
  },
  {
    id: 'one-at-a-time.raw',
    stimulus: 'Sends a message of a type of its own and asks for it.',
    clauses: ['one-at-a-time.raw'],
    needs: ['one-at-a-time.delivers'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const consumer = await new NextConsumer(trial).join(queue)
      const sent = await trial.send(queue, undefined, { 'Content-Type': 'application/x-kit' })
      const { answer } = await consumer.take([sent])
      const { 'content-type': type, 'message-id': id } = answer.headers
      const raw = answer.body.equals(sent.body)
      trial.choose(
        'next-message',
        `${answered(answer)}, ${raw ? 'the message as it was sent' : 'in another form'}`,
      )
      trial.expect(answer.status === 200 && raw, '200 and the body as it was sent', answered(answer))
      trial.expect(type === 'application/x-kit', 'the Content-Type of the message', type ?? 'none')
      trial.expect(id !== undefined, 'a Message-Id', 'none')
      const location = trial.target.location(answer) ?? 'none'
      const ack = trial.target.at(`/ack/${encodePath(consumer.id)}/${id}`)
      trial.expect(location === ack, `a Location that is ${ack}`, location)
    },
  },
  {
    id: 'one-at-a-time.wildcards',
    stimulus: 'Subscribes a consumer by wildcard and sends to a queue that matches and to one that does not.',
    clauses: ['one-at-a-time.wildcards'],
    needs: ['one-at-a-time.acknowledges'],
    async run(trial: Trial) {
      if (!trial.profile.features.wildcards) return trial.observed('The target claims no wildcards.')
      const prefix = trial.freshName()
      const queue = await trial.createQueue(`${prefix}/one`)
      const outside = await trial.createQueue()
      const consumer = new NextConsumer(trial)
      const answer = await consumer.subscribe(wildcard(trial, prefix))
      trial.choose('consumer-with-a-wildcard', statusOf(answer))
      trial.expect(succeeded(answer), 'success for a wildcard', answered(answer))
      const messages = [await trial.send(outside), await trial.send(queue)]
      const handed = await trial.eventually(() => consumer.look(messages))
      trial.expect(
        handed?.message === messages[1],
        'the message of the queue that matches',
        'another, or none',
      )
      await consumer.ack(handed!)
      const wrong = await trial.never(() => consumer.look(messages))
      trial.expect(wrong === undefined, 'no message of a queue that does not match', 'it came')
    },
  },
  {
    id: 'one-at-a-time.lease',
    stimulus:
      'A consumer subscribes with a short timeout, takes a message and falls silent; another asks then.',
    clauses: ['one-at-a-time.lease'],
    needs: ['one-at-a-time.backlog'],
    passesTime: true,
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const sent = await trial.send(queue)
      const silent = new NextConsumer(trial)
      const lease = trial.timing.lease
      const answer = await silent.subscribe(queue.path, `?timeout=${lease / 1000}`)
      trial.expect(succeeded(answer), 'success for a consumer with a timeout', answered(answer))
      await silent.take([sent])
      await elapsePastEnd(trial, trial.now() + lease)
      const other = await new NextConsumer(trial).join(queue)
      const handed = await trial.eventually(() => other.look([sent]), trial.timing.leaseGrace)
      trial.choose('silent-consumer', handed ? 'loses its message' : 'keeps its message')
      trial.expect(handed !== undefined, 'the message with another consumer', 'it did not come')
    },
  },
  {
    id: 'one-at-a-time.foreign-ack',
    stimulus: 'A consumer takes a message, and another of the same queue acknowledges it.',
    clauses: ['one-at-a-time.ack.refused'],
    // Whether its consumer still has it shows where it is handed the same again.
    needs: ['one-at-a-time.acknowledges', 'one-at-a-time.same'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const holder = await new NextConsumer(trial).join(queue)
      const sent = await trial.send(queue)
      const handed = await holder.take([sent])
      const other = await new NextConsumer(trial).join(queue)
      const answer = await holder.tryAck(handed, other)
      const [still] = await messagesIn(trial, await holder.ask(), [sent])
      const effect = still === undefined ? 'the message is gone' : 'the message stays'
      trial.choose('ack-by-another', `${statusOf(answer)}, ${effect}`)
      trial.expect(answer.status >= 400, 'a refusal', answered(answer))
      trial.expect(still !== undefined, 'the message still with its consumer', 'it is gone')
    },
  },
  {
    id: 'one-at-a-time.wait',
    stimulus: 'Asks for the next message with Prefer: wait, then sends one.',
    clauses: ['one-at-a-time.wait'],
    needs: ['one-at-a-time.delivers'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const { id } = await new NextConsumer(trial).join(queue)
      const waiting = waitFor(trial, 'POST', trial.target.at(`/nextMessageForMe/${encodePath(id)}`))
      await parked(trial)
      const sent = await trial.send(queue)
      const answer = await waiting
      judgeWoken(trial, answer, (await messagesIn(trial, answer, [sent])).length > 0)
    },
  },
]

/** A consumer of this id, or of any where such a one is refused. */
async function namedIfTaken(trial: Trial, id: string, { path }: QueueHandle): Promise<NextConsumer> {
  if (trial.profile.guid.form === 'uuid') return new NextConsumer(trial)
  const consumer = new NextConsumer(trial, id)
  return succeeded(await consumer.subscribe(path)) ? consumer : new NextConsumer(trial)
}
