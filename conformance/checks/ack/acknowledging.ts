import { answered } from '../../client/answered.js'
import { succeeded } from '../../client/exchange.js'
import { contentsOf, messageUriOf } from '../../trial/addresses.js'
import type { CheckRecord } from '../../trial/check.js'
import { expectKept, expectWithheld } from '../../trial/deliveries.js'
import { holdAll, holdOne } from '../../trial/held.js'
import { elapsePastEnd, elapseUntil, latestExpiry } from '../../trial/lease-time.js'
import { sureLength } from '../../trial/lease-watch.js'
import { expectPending } from '../../trial/pending.js'
import type { Trial } from '../../trial/trial.js'
import { unlessBlocked } from '../../trial/waiting.js'

/** Acknowledging: that message, no other, and once and for all. */
export const ACK: readonly CheckRecord[] = [
  {
    id: 'ack.only-by-deletion',
    title:
      'Looking at a message, its contents, its feed or its queue, by GET or by HEAD, acknowledges nothing.',
    stimulus:
      "Asks for a message's address, for the feed, for its queue, and for what entries of both link to as contents, by GET and by HEAD, beside another consumer, reads on, and acknowledges it.",
    clauses: ['consume.repeat', 'browse.pending.held', 'ack.status'],
    needs: ['consume.repeat', 'consume.message-uri', 'browse.held', 'consume.own-view', 'ack.succeeds'],
    async run(trial: Trial) {
      const { queue, messages, consumer, entries } = await holdAll(trial, (to) => trial.sendMany(to, 2))
      // Without another consumer what was given up would come back to the same one.
      const other = await trial.subscribe(queue)
      // Whether these are answered at all is left open.
      const listed = (await unlessBlocked(() => trial.browse(queue)))?.entries ?? []
      const message = [messageUriOf(entries[0]!), ...[entries[0]!, ...listed].flatMap(contentsOf)]
      // A reading of the feed would take back what was given up by looking at a message.
      for (const uris of [[consumer.uri, queue.uri], message])
        for (const method of ['HEAD', 'GET']) for (const uri of uris) await trial.target.request(method, uri)
      const none = 'none of the messages of the consumer that was looked at'
      await expectWithheld(trial, other, messages, none)
      await expectKept(trial, consumer, messages, 'both messages, of which none was acknowledged')
      await expectPending(trial, queue, messages, 'both messages in the feed of the queue')
      // What was given up, and taken back, has another address.
      const ack = await consumer.tryAck(entries[0]!)
      trial.expect(succeeded(ack), 'the acknowledgement of a message that was looked at', answered(ack))
    },
  },
  {
    id: 'ack.just-before-its-lease-ends',
    title: 'An acknowledgement just before the end of a lease is as final as any other.',
    stimulus:
      'Acknowledges a message as late as its lease surely lasts, lets that end, and looks for the message in its queue and with another consumer.',
    clauses: ['ack.until-end', 'ack.final.lease'],
    needs: ['ack.succeeds', 'consume.delivers'],
    passesTime: true,
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      // It is older, and read before: while it is there, the other is.
      const witness = await trial.subscribe(await trial.createQueue(), { lease: 'short' })
      const consumer = await trial.subscribe(queue, { lease: 'short' })
      const sent = await trial.send(queue)
      await witness.read()
      const reading = trial.now()
      const [entry] = await consumer.receive([sent])
      const isRenewed = trial.profile.subscription.renewedBy.includes('read')
      const began = isRenewed ? reading : witness.createdAt
      await elapseUntil(trial, began + sureLength(consumer.lease) - 2 * trial.timing.latency)
      const answer = await consumer.tryAck(entry!)
      // Of a lease that is kept in whole seconds nothing may be left.
      if (!succeeded(answer) || !succeeded(await witness.get()))
        trial.inconclusive(`the lease may have ended before its time: the DELETE gave ${answered(answer)}`)
      await elapsePastEnd(trial, latestExpiry(trial, consumer))
      const other = await trial.subscribe(queue)
      await expectWithheld(trial, other, [sent], 'nothing for another consumer once the lease has ended')
      await expectPending(trial, queue, [], 'no message in the feed of the queue')
    },
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
      const [of, again] = [messageUriOf(first), messageUriOf(second!)]
      const fresh = of !== again
      trial.choose('message-address-per-delivery', fresh ? 'fresh' : 'the same')
      const below = of.startsWith(`${consumer.uri}/`)
      trial.expect(below, `an address below ${consumer.uri}`, of)
      trial.expect(fresh, 'another address with the next consumer', again)
    },
  },
]
