import type { CheckRecord } from '../../trial/check.js'
import { holdOne } from '../../trial/held.js'
import type { Trial } from '../../trial/trial.js'

/** Acknowledgements where the document leaves them open: repeated, late, unknown, and their addresses. */
export const ACK_CHOICES: readonly CheckRecord[] = [
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
]
