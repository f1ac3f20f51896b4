import { answered } from '../../client/answered.js'
import { type Exchange, succeeded } from '../../client/exchange.js'
import { Inconclusive } from '../../client/findings.js'
import { messagesIn } from '../../client/message-in.js'
import { untilTaken } from '../../client/tolerances/until-answered.js'
import { judgeAnyBodies, judgeNoByte } from '../../trial/any-bodies.js'
import type { CheckRecord } from '../../trial/check.js'
import { labels, texts } from '../../trial/labels.js'
import { messageIds, NextConsumer } from '../../trial/next-message.js'
import { expectPending } from '../../trial/pending.js'
import { sendWithGuidIfTaken } from '../../trial/sending.js'
import type { Sent, Trial } from '../../trial/trial.js'
import { settled } from '../../trial/waiting.js'

/** How often a consumer that must be given nothing else asks. */
const ASKS = 3

/** One-at-a-time delivery: subscribing, the next message, and its acknowledgement. */
export const ONE_AT_A_TIME: readonly CheckRecord[] = [
  {
    id: 'one-at-a-time.delivers',
    title: 'A consumer that subscribes to a destination is given its messages when it asks for the next one.',
    stimulus: 'Subscribes a consumer to a queue, sends a message and asks for the next one.',
    clauses: ['one-at-a-time.subscribe', 'one-at-a-time.next'],
    needs: ['send.post'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const consumer = await new NextConsumer(trial).join(queue)
      await consumer.take([await trial.send(queue)])
    },
  },
  {
    id: 'one-at-a-time.backlog',
    title: 'A consumer is also given the messages that were sent before it subscribed.',
    stimulus: 'Sends a message to a queue without consumers, subscribes one and asks for the next message.',
    clauses: ['one-at-a-time.subscribe', 'consume.backlog'],
    needs: ['one-at-a-time.delivers'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const sent = await trial.send(queue)
      const consumer = await new NextConsumer(trial).join(queue)
      const handed = await trial.eventually(() => consumer.look([sent]))
      trial.expect(handed !== undefined, 'the message that was waiting', 'it did not come')
    },
  },
  {
    id: 'one-at-a-time.slash-path',
    title: 'The destination of a consumer can be a path of several segments.',
    stimulus:
      'Subscribes a consumer to a queue of three segments, sends a message and asks for the next one.',
    clauses: ['one-at-a-time.subscribe', 'queues.path'],
    needs: ['one-at-a-time.delivers'],
    async run(trial: Trial) {
      const queue = await trial.createQueue(trial.freshName(3))
      const consumer = new NextConsumer(trial)
      const answer = await consumer.subscribe(queue.path)
      trial.expect(succeeded(answer), `success for ${queue.path}`, answered(answer))
      const sent = await trial.send(queue)
      const handed = await trial.eventually(() => consumer.look([sent]))
      trial.expect(handed !== undefined, 'the message of the queue', 'it did not come')
    },
  },
  {
    id: 'one-at-a-time.acknowledges',
    title: 'A consumer that acknowledges its message is given the next one.',
    stimulus:
      "Sends two messages to a consumer, which asks; posts the one that it is given to its address again; the consumer acknowledges, asks again, and acknowledges the first again and what never was; reads the queue's own feed before and after.",
    clauses: [
      'one-at-a-time.ack',
      'one-at-a-time.next',
      'browse.pending.held',
      'browse.pending.acknowledged',
    ],
    needs: ['one-at-a-time.delivers', 'browse.queue'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const consumer = await new NextConsumer(trial).join(queue)
      const messages = await trial.sendMany(queue, 2)
      const first = await consumer.take(messages)
      needId(trial, first.answer)
      // Where a queue's feed shows what is held or acknowledged wrongly, it tells nothing of this consumer.
      const tells = !trial.isBroken('browse.acknowledged-gone') && !trial.isBroken('browse.takes-nothing')
      const { address, body } = first.message
      // A send whose answer is lost is sent again, whoever holds the message.
      if (address !== undefined) await trial.post(address, body)
      if (tells) await expectPending(trial, queue, messages, 'both messages in the queue before the ack')
      const answer = await consumer.tryAck(first)
      trial.expect(succeeded(answer), 'success for the acknowledgement', answered(answer))
      const other = messages.filter((message) => message !== first.message)
      const second = await trial.eventually(() => consumer.look(other))
      trial.expect(second !== undefined, 'the other message after the ack of the first', 'it did not come')
      // An ack whose answer is lost is sent again.
      await consumer.tryAck(first)
      await consumer.tryAckOf(trial.freshGuid())
      if (tells) await expectPending(trial, queue, other, 'only the other message in the queue after the ack')
    },
  },
  {
    id: 'one-at-a-time.body',
    title: 'The next message comes as it was sent, where the target accepts it.',
    stimulus:
      'Sends messages with markup, other alphabets, line ends, of 66 kB, and bytes that are no text, and one without a byte, each to a consumer of its own.',
    clauses: ['one-at-a-time.next', 'send.body.text', 'send.body.empty'],
    needs: ['one-at-a-time.delivers'],
    async run(trial: Trial) {
      const open = async () => {
        const queue = await trial.createQueue()
        const consumer = await new NextConsumer(trial).join(queue)
        const address = await trial.newAddress(queue)
        return {
          send: (body: Uint8Array, headers: Record<string, string>) =>
            untilTaken(trial, () => trial.post(address, body, headers)),
          sendPlain: () => trial.send(queue),
          take: () => consumer.ask(),
        }
      }
      await judgeAnyBodies(trial, 'one-at-a-time', open)
      // A message without a byte is one for its id.
      if (trial.isBroken('one-at-a-time.acknowledges')) return
      const { send, take } = await open()
      const takeIfTold = async () => {
        const answer = await take()
        return messageIds(trial, answer).length > 0 ? answer : undefined
      }
      await judgeNoByte(trial, 'one-at-a-time', { send, take: takeIfTold })
    },
  },
  {
    id: 'one-at-a-time.all',
    title: 'A consumer that asks and acknowledges is given every message, each once.',
    stimulus:
      'Sends five messages to a consumer, one of them with a guid where the target takes it, which asks and acknowledges until it has had all.',
    clauses: ['one-at-a-time.next', 'one-at-a-time.ack', 'one-at-a-time.ack.final'],
    needs: ['one-at-a-time.acknowledges'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      let since = trial.now()
      let consumer = await new NextConsumer(trial).join(queue)
      const messages = await trial.sendMany(queue, 4)
      messages.push(await sendWithGuidIfTaken(trial, queue))
      const had: Sent[] = []
      consumer = await consumer.withRoomSince(since)
      while (had.length < messages.length) {
        since = trial.now()
        const handed = await trial.eventually(() => consumer.look(messages))
        trial.expect(handed !== undefined, 'all five messages', () => `only ${labels(messages, texts(had))}`)
        const again = had.includes(handed.message)
        trial.expect(!again, 'each message once', () => `${labels(messages, [handed.message.text])} again`)
        had.push(handed.message)
        await consumer.ack(handed)
        // Until the ack shows, the next message is the same.
        await settled(trial)
        consumer = await consumer.withRoomSince(since)
      }
      const again = await trial.never(() => consumer.look(messages))
      trial.expect(again === undefined, 'nothing after the last ack', () =>
        labels(messages, [again!.message.text]),
      )
    },
  },
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
    id: 'one-at-a-time.destinations',
    title: 'A consumer is given the messages of all its destinations, and of no other queue.',
    stimulus: 'Subscribes a consumer to two of three queues and sends a message to each.',
    clauses: ['one-at-a-time.subscribe'],
    needs: ['one-at-a-time.acknowledges'],
    async run(trial: Trial) {
      const queues = await Promise.all([trial.createQueue(), trial.createQueue(), trial.createQueue()])
      const consumer = await new NextConsumer(trial).join(queues[0]!, queues[1]!)
      const messages = await Promise.all(queues.toReversed().map((queue) => trial.send(queue)))
      const [foreign, ...own] = messages as [Sent, ...Sent[]]
      const had: Sent[] = []
      while (had.length < own.length) {
        const handed = await trial.eventually(() => consumer.look(messages))
        trial.expect(handed !== undefined, 'the messages of both destinations', () =>
          labels(messages, texts(had)),
        )
        trial.expect(handed.message !== foreign, 'no message of the third queue', 'it came')
        had.push(handed.message)
        await consumer.ack(handed)
      }
      const wrong = await trial.never(() => consumer.look([foreign]))
      trial.expect(wrong === undefined, 'no message of the third queue', 'it came')
    },
  },
  {
    id: 'one-at-a-time.unsubscribes',
    title: 'After unsubscribing from a destination a consumer is given no more of its messages.',
    stimulus:
      'Subscribes a consumer to two queues, has it take a message of each and unsubscribes it from one; then sends to both, and at last subscribes it again.',
    clauses: ['one-at-a-time.unsubscribe'],
    needs: ['one-at-a-time.acknowledges'],
    async run(trial: Trial) {
      const [left, kept] = await Promise.all([trial.createQueue(), trial.createQueue()])
      const consumer = await new NextConsumer(trial).join(left, kept)
      for (const queue of [left, kept]) await consumer.ack(await consumer.take([await trial.send(queue)]))
      const answer = await consumer.unsubscribe(left.path)
      trial.expect(succeeded(answer), 'success for unsubscribing', answered(answer))
      await settled(trial)
      const gone = await trial.send(left)
      const messages = [gone, await trial.send(kept)]
      const handed = await trial.eventually(() => consumer.look(messages))
      trial.expect(handed !== undefined, 'the message of the other destination', 'it did not come')
      trial.expect(handed.message !== gone, 'no message of the destination that it left', 'it came')
      await consumer.ack(handed)
      const wrong = await trial.never(() => consumer.look([gone]))
      trial.expect(wrong === undefined, 'no message of the destination that it left', 'it came')
      await consumer.join(left)
      const back = await trial.eventually(() => consumer.look([gone]))
      trial.expect(
        back !== undefined,
        'its message when the consumer has subscribed again',
        'it did not come',
      )
    },
  },
  {
    id: 'one-at-a-time.unsubscribes-from-last',
    title: 'After unsubscribing from its only destination a consumer is given nothing.',
    stimulus: 'A consumer unsubscribes from its only queue; what is sent then must come to another.',
    clauses: ['one-at-a-time.unsubscribe'],
    needs: ['one-at-a-time.unsubscribes', 'one-at-a-time.backlog'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const consumer = await new NextConsumer(trial).join(queue)
      await consumer.ack(await consumer.take([await trial.send(queue)]))
      await consumer.part(queue)
      await settled(trial)
      const messages = await trial.sendMany(queue, 2)
      const wrong = await trial.never(() => consumer.look(messages))
      trial.expect(wrong === undefined, 'nothing for the consumer that left', 'a message came')
      const other = await new NextConsumer(trial).join(queue)
      const had: Sent[] = []
      for (let i = 0; i < messages.length; i++) {
        const handed = await trial.eventually(() =>
          other.look(messages.filter((each) => !had.includes(each))),
        )
        trial.expect(handed !== undefined, 'both messages with the other consumer', () =>
          labels(messages, texts(had)),
        )
        had.push(handed.message)
        await other.ack(handed)
      }
    },
  },
]

/** The document shows no place for the id of a message: where the one of the profile has none, that may be another one. */
function needId(trial: Trial, answer: Exchange): void {
  const { messageId } = trial.profile.oneAtATime
  const why = `the next message has no id where the profile says (oneAtATime.messageId: ${messageId}): is the profile right?`
  if (messageIds(trial, answer).length === 0) throw new Inconclusive(why, 'profile')
}
