import type { Entry } from '../../client/entry.js'
import { answered } from '../../trial/answers.js'
import type { CheckRecord } from '../../trial/check.js'
import { holdOne } from '../../trial/held.js'
import { holdForAShortLease, successorAfter, takeOver, whileActive } from '../../trial/lease-time.js'
import { readBodies } from '../../trial/reading.js'
import { answersWith } from '../../trial/status-check.js'
import type { Consumer, Sent, Trial } from '../../trial/trial.js'
import { once } from '../../trial/waiting.js'

/** Acknowledgements where the document leaves them open: repeated, late, unknown, and their addresses. */
export const ACK_CHOICES: readonly CheckRecord[] = [
  {
    id: 'ack.repeat',
    stimulus: 'Deletes one message twice.',
    clauses: ['ack.repeat'],
    needs: ['ack.succeeds'],
    run: answersWith(200, 'repeated-ack', async (trial: Trial) => {
      const { consumer, entry } = await holdOne(trial)
      await consumer.ack(entry)
      return consumer.tryAck(entry)
    }),
  },
  {
    id: 'ack.below-subscription',
    title:
      "A message's address is below that of the subscription that holds it, and fresh for each delivery.",
    stimulus:
      'Compares the address of a message with that of its subscription, and with the one that the next consumer is given.',
    clauses: ['ack.below-subscription', 'ack.fresh'],
    needs: ['lease.deletion-hands-over'],
    async run(trial: Trial) {
      const { queue, sent, consumer, entry: first } = await holdOne(trial)
      await consumer.end()
      const successor = await trial.subscribe(queue)
      const [second] = await successor.receive([sent])
      const fresh = first.messageUri !== second!.messageUri
      trial.choose('message-address-per-delivery', fresh ? 'fresh' : 'the same')
      const below = first.messageUri?.startsWith(`${consumer.uri}/`) === true
      trial.expect(below, `an address below ${consumer.uri}`, String(first.messageUri))
      trial.expect(fresh, 'another address with the next consumer', String(second!.messageUri))
    },
  },
  {
    id: 'ack.late',
    stimulus: 'A consumer falls silent; another takes its message over; the first acknowledges it then.',
    clauses: ['ack.late'],
    needs: ['lease.expiry-hands-over', 'ack.succeeds'],
    passesTime: true,
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const { holder, messages, entries, end } = await holdForAShortLease(trial, queue, 1)
      const successor = await successorAfter(trial, queue, end)
      const lacking = await takeOver(trial, successor, messages, end)
      trial.precondition(lacking.length === 0, 'lease.expiry-hands-over', 'the message did not come')
      await whileActive(trial, successor.consumer, () =>
        judgeLate(trial, holder, entries[0]!, successor.consumer, messages[0]!, 'late-ack'),
      )
    },
  },
  {
    id: 'ack.after-deletion',
    stimulus: 'A consumer is deleted; another takes its message over; the first acknowledges it then.',
    clauses: ['ack.late.deleted'],
    needs: ['lease.deletion-hands-over'],
    async run(trial: Trial) {
      const { queue, sent, consumer, entry } = await holdOne(trial)
      await consumer.end()
      const successor = await trial.subscribe(queue)
      await successor.receive([sent])
      await judgeLate(trial, consumer, entry, successor, sent, 'ack-after-deletion')
    },
  },
  {
    id: 'ack.unknown',
    stimulus: "Sends a DELETE to a made-up address beside a message's.",
    clauses: ['ack.unknown'],
    needs: ['ack.succeeds'],
    run: answersWith(404, 'unknown-ack', async (trial: Trial) => {
      const { entry } = await holdOne(trial)
      trial.precondition(entry.messageUri !== undefined, 'consume.message-uri', 'an entry without an address')
      return trial.target.request('DELETE', new URL('f'.repeat(32), entry.messageUri).href)
    }),
  },
]

async function judgeLate(
  trial: Trial,
  from: Consumer,
  entry: Entry,
  successor: Consumer,
  message: Sent,
  point: string,
): Promise<void> {
  const answer = await from.tryAck(entry)
  const lost = await trial.never(async () =>
    once(!(await readBodies(trial, successor)).includes(message.text)),
  )
  const effect = lost === undefined ? 'the message stays with its new consumer' : 'the message is gone'
  trial.choose(point, `${answer.status}, ${effect}`)
  trial.expect(answer.status === 410, '410', answered(answer))
  trial.expect(lost === undefined, 'the message still with its new consumer', 'it left the feed')
}
