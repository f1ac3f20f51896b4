import { succeeded } from '../../client/exchange.js'
import { messagesIn } from '../../client/message-in.js'
import type { CheckRecord } from '../../trial/check.js'
import { labels, texts } from '../../trial/labels.js'
import { NextConsumer } from '../../trial/next-message.js'
import type { QueueHandle, Trial } from '../../trial/trial.js'

/** How often a consumer that must be given nothing else asks. */
const ASKS = 3

/** One-at-a-time delivery: what the model leaves open, and ids of consumers. */
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
]

/** A consumer of this id, or of any where such a one is refused. */
async function namedIfTaken(trial: Trial, id: string, { path }: QueueHandle): Promise<NextConsumer> {
  if (trial.profile.guid.form === 'uuid') return new NextConsumer(trial)
  const consumer = new NextConsumer(trial, id)
  return succeeded(await consumer.subscribe(path)) ? consumer : new NextConsumer(trial)
}
