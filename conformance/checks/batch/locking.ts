import { answered } from '../../client/answered.js'
import { succeeded } from '../../client/exchange.js'
import { messagesIn } from '../../client/message-in.js'
import { untilTaken } from '../../client/tolerances/until-answered.js'
import { judgeAnyBodies, judgeNoByte } from '../../trial/any-bodies.js'
import type { CheckRecord } from '../../trial/check.js'
import { labels, texts } from '../../trial/labels.js'
import { LockConsumer, type Locked } from '../../trial/locking.js'
import { expectPending, pendingBodies } from '../../trial/pending.js'
import type { Sent, Trial } from '../../trial/trial.js'
import { found, once, settled, whileMoreCome } from '../../trial/waiting.js'

/** The batch mapping: lock calls, fetching, and acknowledging by DELETE. */
export const BATCH: readonly CheckRecord[] = [
  {
    id: 'batch.locks',
    title: 'A lock call answers with URLs of messages, and a GET of each gives its message.',
    stimulus: 'Subscribes a consumer, sends three messages, locks up to three and fetches what was returned.',
    clauses: ['batch.lock', 'batch.fetch'],
    needs: ['send.post'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const consumer = await LockConsumer.of(trial, queue)
      await consumer.lockAll(await trial.sendMany(queue, 3))
    },
  },
  {
    id: 'batch.fetch-again',
    title: 'A locked message can be fetched again, and is pending, until it is acknowledged.',
    stimulus:
      "Locks two messages, fetches each twice, posts each to its address again, and reads the queue's own feed.",
    clauses: ['batch.fetch', 'browse.pending.held'],
    needs: ['batch.locks', 'browse.queue'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const consumer = await LockConsumer.of(trial, queue)
      const messages = await trial.sendMany(queue, 2)
      const again = async ({ message, uri }: Locked) => {
        const answer = await consumer.fetch(uri)
        const held = await messagesIn(trial, answer, [message])
        trial.expect(held.length === 1, 'the message by a second GET', answered(answer))
      }
      await Promise.all((await consumer.lockAll(messages)).map(again))
      // A send whose answer is lost is sent again, whoever holds the message.
      const repeat = async ({ address, body }: Sent) => address && trial.post(address, body)
      await Promise.all(messages.map(repeat))
      await expectPending(trial, queue, messages, 'each locked message in the feed of its queue once')
    },
  },
  {
    id: 'batch.body',
    title: 'A locked message comes as it was sent, where the target accepts it.',
    stimulus:
      'Sends messages with markup, other alphabets, line ends, of 66 kB, and bytes that are no text, and one without a byte, and locks each.',
    clauses: ['batch.fetch', 'send.body.text', 'send.body.empty'],
    needs: ['batch.locks'],
    async run(trial: Trial) {
      const open = async () => {
        const queue = await trial.createQueue()
        const consumer = await LockConsumer.of(trial, queue)
        const address = await trial.newAddress(queue)
        return {
          send: (body: Uint8Array, headers: Record<string, string>) =>
            untilTaken(trial, () => trial.post(address, body, headers)),
          sendPlain: () => trial.send(queue),
          async take() {
            const [uri] = (await consumer.lock(1)).uris
            return uri === undefined ? undefined : consumer.fetch(uri)
          },
        }
      }
      await judgeAnyBodies(trial, 'batch', open)
      await judgeNoByte(trial, 'batch', await open())
    },
  },
  {
    id: 'batch.max',
    title: 'A lock call returns no more URLs than max says.',
    stimulus: 'Sends nineteen messages and locks with max of 1, 2, 3 and 11, several times.',
    clauses: ['batch.max', 'batch.max.per-call'],
    needs: ['batch.locks'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const consumer = await LockConsumer.of(trial, queue)
      const messages = await trial.sendMany(queue, 19)
      await settled(trial)
      let seen = 0
      for (const max of [1, 2, 3, 1, 11]) {
        const { uris } = await consumer.lock(max)
        trial.expect(uris.length <= max, `at most ${max} for max=${max}`, `${uris.length}`)
        seen += uris.length
      }
      if (seen === 0) await consumer.lockAll(messages)
    },
  },
  {
    id: 'batch.max-per-call',
    title: 'The bound holds for each call by itself, so that all messages come by and by.',
    stimulus:
      'Sends nine messages; locks two, five and two at a time and acknowledges them, until all have come.',
    clauses: ['batch.max.per-call', 'batch.max', 'batch.lock', 'batch.ack.final'],
    needs: ['batch.acknowledges'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      let since = trial.now()
      let consumer = await LockConsumer.of(trial, queue)
      const messages = [...(await trial.sendMany(queue, 5)), ...(await trial.sendMany(queue, 4))]
      const had = new Set<Sent>()
      consumer = await consumer.withRoomSince(since)
      let calls = 0
      await whileMoreCome(
        trial,
        () => had.size,
        async () => {
          while (had.size < messages.length) {
            since = trial.now()
            const max = calls++ % 3 === 1 ? 5 : 2
            const { uris } = await consumer.lock(max)
            trial.expect(uris.length <= max, `at most ${max} for max=${max}`, `${uris.length}`)
            const locked = await consumer.fetchAll(uris, messages)
            for (const each of locked) await judgeFresh(trial, consumer, messages, had, each)
            if (locked.length === 0) break
            await settled(trial)
            // A new consumer while messages come: one that is given none must wait, since its calls may count together.
            consumer = await consumer.withRoomSince(since)
          }
          return once(had.size === messages.length)
        },
      )
      const lacking = messages.filter((message) => !had.has(message))
      trial.expect(
        lacking.length === 0,
        'all nine messages',
        () => `without ${labels(messages, texts(lacking))}`,
      )
    },
  },
  {
    id: 'batch.acknowledges',
    title: 'A DELETE acknowledges a locked message, which is then pending and locked no more.',
    stimulus: "Locks three messages, acknowledges one, reads the queue's feed, and locks on.",
    clauses: ['batch.ack', 'batch.ack.final'],
    needs: ['batch.locks', 'browse.queue'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const consumer = await LockConsumer.of(trial, queue)
      const messages = await trial.sendMany(queue, 3)
      const locked = await consumer.lockAll(messages)
      const done = messages[1]!
      const listed = async () =>
        (await pendingBodies(trial, queue, [messages[0]!, messages[2]!, done])).includes(done.text)
      // Where a queue's feed leaves out what is locked, which is another fault, nothing can be seen in it.
      const before = await listed()
      const answer = await consumer.tryAck(locked[1]!)
      trial.expect(succeeded(answer), 'success for the acknowledgement', answered(answer))
      const isGone = async () => once(!before || !(await listed()))
      await trial.regardless(async () => {
        const expected = 'the acknowledged message pending no more'
        trial.expect((await trial.eventually(isGone)) === true, expected, "it is still in the queue's feed")
      })
      const again = await trial.never(async () => found(await consumer.look(3, [done])))
      trial.expect(again === undefined, 'the acknowledged message locked no more', 'a lock call returned it')
    },
  },
  {
    id: 'batch.ack-final',
    title: 'A message acknowledged by DELETE is given to nobody again.',
    stimulus:
      'A consumer locks and acknowledges a message; another subscribes; both lock on until a later message has come.',
    clauses: ['batch.ack.final'],
    needs: ['batch.acknowledges'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const consumer: LockConsumer = await LockConsumer.of(trial, queue)
      const done = await trial.send(queue)
      for (const locked of await consumer.lockAll([done])) await consumer.ack(locked)
      await settled(trial)
      const other = await LockConsumer.of(trial, queue)
      const later = await trial.send(queue)
      const look = async () => [
        ...(await consumer.look(3, [done, later])),
        ...(await other.look(3, [done, later])),
      ]
      const judge = (locked: readonly Locked[]) => {
        const again = locked.some(({ message }) => message === done)
        trial.expect(!again, 'only the later message', 'the one that was acknowledged')
        return found(locked)
      }
      const came = await trial.eventually(async () => judge(await look()))
      consumer.precondition(came !== undefined, 'the later message did not come')
      await trial.never(async () => {
        judge(await look())
        return undefined
      })
    },
  },
  {
    id: 'batch.ack-only',
    stimulus:
      'Locks three messages and acknowledges one, twice; fetches the others, has another consumer lock, and acknowledges them too.',
    clauses: ['batch.ack.only'],
    needs: ['batch.acknowledges'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const consumer = await LockConsumer.of(trial, queue)
      const messages = await trial.sendMany(queue, 3)
      const [first, ...others] = await consumer.lockAll(messages)
      const rest = others.map(({ message }) => message)
      await consumer.ack(first!)
      await consumer.tryAck(first!)
      const held = await consumer.fetchAll(
        others.map(({ uri }) => uri),
        rest,
      )
      trial.expect(held.length === 2, 'the two others still to be fetched', () =>
        labels(messages, texts(held.map(({ message }) => message))),
      )
      const other = await LockConsumer.of(trial, queue)
      const wrong = await trial.never(async () => found(await other.look(3, rest)))
      trial.expect(wrong === undefined, 'nothing for another consumer', 'it was given one of the others')
      for (const each of others) {
        const answer = await consumer.tryAck(each)
        trial.expect(succeeded(answer), 'success for the acks of the others', answered(answer))
      }
    },
  },
  {
    id: 'batch.exclusive',
    stimulus:
      'A consumer locks three messages; another subscribes and locks; then both lock new ones at once.',
    clauses: ['batch.exclusive', 'consume.exactly-one'],
    needs: ['batch.locks'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const one = await LockConsumer.of(trial, queue)
      const first = await trial.sendMany(queue, 3)
      await one.lockAll(first)
      const other = await LockConsumer.of(trial, queue)
      const wrong = await trial.never(async () => found(await other.look(3, first)))
      trial.expect(wrong === undefined, 'nothing for the other consumer', () =>
        labels(first, texts(wrong!.map(({ message }) => message))),
      )
      const messages = [...first, ...(await trial.sendMany(queue, 6))]
      const hands = new Map<Sent, LockConsumer>(first.map((message) => [message, one]))
      const calls = [one, other, one, other]
      await trial.eventually(async () => {
        const locked = await Promise.all(calls.map((consumer) => consumer.look(2, messages)))
        for (const [i, each] of locked.entries()) for (const { message } of each) note(message, calls[i]!)
        return once(hands.size === messages.length)
      })
      function note(message: Sent, by: LockConsumer): void {
        const holder = hands.get(message) ?? by
        const seen = () => `${labels(messages, [message.text])} with both`
        trial.expect(holder === by, 'each message with one consumer', seen)
        hands.set(message, by)
      }
    },
  },
]

async function judgeFresh(
  trial: Trial,
  consumer: LockConsumer,
  messages: readonly Sent[],
  had: Set<Sent>,
  locked: Locked,
): Promise<void> {
  const seen = () => `${labels(messages, [locked.message.text])} again`
  trial.expect(!had.has(locked.message), 'no message again after its ack', seen)
  had.add(locked.message)
  await consumer.ack(locked)
}
