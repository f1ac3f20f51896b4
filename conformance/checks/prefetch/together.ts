import type { CheckRecord } from '../../trial/check.js'
import { expectAtMost, expectDelivered } from '../../trial/deliveries.js'
import { ASK_AT, elapsePast, holdForAShortLease, whileActive } from '../../trial/lease-time.js'
import { countUpTo } from '../../trial/reading.js'
import { addressed, sendMatching, sendOther } from '../../trial/sending.js'
import { expression } from '../../trial/subscription-form.js'
import type { Trial } from '../../trial/trial.js'
import { found } from '../../trial/waiting.js'

/** Several consumers, each with a prefetch of its own; and messages that change hands. */
export const PREFETCH_TOGETHER: readonly CheckRecord[] = [
  {
    id: 'prefetch.per-consumer',
    stimulus:
      'Two consumers of one queue, with a prefetch of 2 and of 4, are full; the second acknowledges a message, and both read.',
    clauses: ['prefetch.per-consumer', 'prefetch.cap'],
    needs: ['prefetch.backlog', 'prefetch.fills', 'ack.final-for-others'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      await trial.sendMany(queue, 9)
      const one = await trial.subscribe(queue, { prefetch: 2 })
      const held = await one.receiveCount(2)
      const more = Math.min(4, trial.profile.subscription.maxPrefetch)
      const other = await trial.subscribe(queue, { prefetch: more })
      const seen = await countUpTo(trial, other, more)
      const expected = `${more} messages with the second consumer beside the full first`
      trial.expect(seen >= more, expected, `${seen} with it`)
      const [first] = await other.receiveCount(1)
      const acknowledged = await trial.bodies([first!])
      await other.ack(first!)
      await Promise.all([
        expectAtMost(trial, one, 2, held),
        expectAtMost(trial, other, more, [], acknowledged),
      ])
    },
  },
  {
    id: 'prefetch.full-does-not-starve',
    stimulus:
      'A consumer with a prefetch of 2 is full and falls silent; another subscribes and reads the rest.',
    clauses: ['prefetch.full.others', 'prefetch.per-consumer'],
    needs: ['prefetch.backlog', 'prefetch.fills'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const messages = await trial.sendMany(queue, 5)
      const posts = await addressed(trial, queue, 1)
      const full = await trial.subscribe(queue, { prefetch: 2 })
      const held = await trial.bodies(await full.receiveCount(2))
      const other = await trial.subscribe(queue)
      const rest = [...messages.filter((message) => !held.includes(message.text)), await posts[0]!()]
      await expectDelivered(
        trial,
        [other],
        rest,
        'all that the full consumer does not hold, the last sent while it was full',
      )
    },
  },
  {
    id: 'prefetch.idle-does-not-starve',
    title: 'A consumer that never reads keeps no more messages from another than its prefetch.',
    stimulus:
      'Of two consumers, one with a prefetch of 2 never reads; the other reads six messages that come.',
    clauses: ['prefetch.full.others'],
    needs: ['prefetch.fills'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      await trial.subscribe(queue, { prefetch: 2 })
      const reader = await trial.subscribe(queue)
      await trial.sendMany(queue, 6)
      const seen = await countUpTo(trial, reader, 4)
      trial.expect(seen >= 4, '4 messages or more of 6 with the consumer that reads', `${seen} with it`)
    },
  },
  {
    id: 'prefetch.released-messages',
    title: 'Messages that a deleted subscription gives up do not exceed the prefetch of the next consumer.',
    stimulus:
      'A consumer that holds four messages is deleted beside one with a prefetch of 2, which reads several times.',
    clauses: ['prefetch.cap', 'lease.reassign'],
    needs: ['prefetch.backlog', 'lease.deletion-hands-over-to-waiting'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const messages = await trial.sendMany(queue, 4)
      const holder = await trial.subscribe(queue)
      await holder.receive(messages)
      const next = await trial.subscribe(queue, { prefetch: 2 })
      await holder.end()
      await expectAtMost(trial, next, 2, await next.receiveCount(1))
    },
  },
  {
    id: 'prefetch.messages-of-ended-leases',
    title: 'Messages whose lease has ended do not exceed the prefetch of the next consumer.',
    stimulus:
      'A consumer that holds four messages falls silent; after its lease one with a prefetch of 2 subscribes, and reads several times.',
    clauses: ['prefetch.cap', 'lease.reassign'],
    needs: ['prefetch.backlog', 'lease.expiry-hands-over'],
    passesTime: true,
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const { end } = await holdForAShortLease(trial, queue, 4)
      for (const part of ASK_AT) {
        await elapsePast(trial, end + part * trial.timing.leaseGrace)
        const next = await trial.subscribe(queue, { prefetch: 2 })
        // A target may need a moment to give a new consumer anything.
        const patience = part === ASK_AT.at(-1) ? trial.timing.timeout : 0
        const come = () => trial.eventually(async () => found(await next.read()), patience)
        const entries = await whileActive(trial, next, come)
        if (entries !== undefined) return expectAtMost(trial, next, 2, entries)
        await next.endIfActive()
      }
      trial.precondition(false, 'lease.expiry-hands-over', 'no message came after the lease')
    },
  },
  {
    id: 'prefetch.fills-again',
    title: 'A consumer that has acknowledged all it could hold can hold as many again, every time.',
    stimulus: 'Four times sends a consumer with a prefetch of 2 two messages, both of which it acknowledges.',
    clauses: ['prefetch.refill', 'prefetch.fills'],
    needs: ['prefetch.refill'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const consumer = await trial.subscribe(queue, { prefetch: 2 })
      for (let round = 1; round <= 4; round++) {
        const messages = await trial.sendMany(queue, 2)
        const expected = `both messages of round ${round} at the same time, since all before were acknowledged`
        await expectDelivered(trial, [consumer], messages, expected)
        for (const entry of await consumer.receive(messages)) await consumer.ack(entry)
      }
    },
  },
  {
    id: 'prefetch.selector',
    title: "What a selector passes over takes no place of the consumer's prefetch.",
    stimulus:
      'Lets three messages that do not match wait before one that does, and subscribes with a prefetch of 1.',
    clauses: ['subscribe.selector', 'prefetch.fills'],
    needs: ['subscribe.selector', 'prefetch.fills'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      for (let i = 0; i < 3; i++) await sendOther(trial, queue)
      const matching = await sendMatching(trial, queue)
      const consumer = await trial.subscribe(queue, { prefetch: 1, selector: expression(trial) })
      await expectDelivered(
        trial,
        [consumer],
        [matching],
        'the message that matches, behind three that do not',
      )
    },
  },
]
