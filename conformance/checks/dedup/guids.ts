import { answered } from '../../client/answered.js'
import { type Exchange, refused, succeeded } from '../../client/exchange.js'
import { withQuery } from '../../trial/addresses.js'
import { inBursts } from '../../trial/bursts.js'
import type { CheckRecord } from '../../trial/check.js'
import { expectStatus } from '../../trial/expectations.js'
import { onlyBody } from '../../trial/held.js'
import { expectPending } from '../../trial/pending.js'
import {
  judgeAfterAck,
  judgeFirstAtOnce,
  judgeHandedOver,
  judgeHoweverTaken,
  judgeInstead,
  judgeLate,
  judgeOddBodies,
  judgeOutlivesQueue,
  judgeWhileHeld,
  withAGuid,
} from '../../trial/repeats.js'
import { IGNORED, POSTED, sendManyWithGuids, sendWith, sentWith } from '../../trial/sending.js'
import type { Trial } from '../../trial/trial.js'
import { once, unlessBlocked } from '../../trial/waiting.js'

const ONE = 'one message for all sends with one guid'

/** Sending in one request with a guid: section 4.1, "Send, single request". */
export const DEDUP: readonly CheckRecord[] = [
  {
    id: 'dedup.send',
    title:
      'A POST of a message with a guid that was not seen before is answered with 200, and puts it into the queue once.',
    stimulus: 'Sends a message with a fresh guid, and counts it in the queue’s feed.',
    clauses: ['dedup.status', 'dedup.one-message'],
    needs: ['browse.queue', 'queues.takes-messages'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const message = trial.freshMessage()
      const guid = trial.freshGuid()
      await expectStatus(trial, 200, POSTED, () => trial.postWithGuid(queue, guid, message.body))
      await expectPending(trial, queue, [message], 'the message in the queue once')
    },
  },
  {
    id: 'dedup.body',
    stimulus:
      'Sends a text with CRLF, space around it and markup with a guid, and compares what a consumer is given.',
    clauses: ['dedup.body'],
    needs: ['dedup.send', 'consume.delivers'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const message = trial.freshMessage(' \r\n<a b="c">&amp; é漢🦊</a>\t\r\n')
      const { body } = message
      await sendWith(trial, queue, trial.freshGuid(), message)
      const got = await onlyBody(trial, queue)
      trial.expect(
        trial.isMessage(got, message),
        `the body ${JSON.stringify(String(body))}`,
        JSON.stringify(String(got)),
      )
    },
  },
  {
    id: 'dedup.refused-then-created',
    title:
      'A message that was refused, since its queue was not there, is stored when it is sent with its guid again and answered with 200.',
    stimulus:
      'Sends a message with a guid to a queue that is not there; where that is refused, creates the queue, sends it with its guid again, and counts it in the queue’s feed.',
    clauses: ['dedup.one-message'],
    needs: ['dedup.send'],
    async run(trial: Trial) {
      const path = trial.freshName()
      const guid = trial.freshGuid()
      const message = trial.freshMessage()
      const post = (uri: string) => trial.postWithGuid({ path, uri }, guid, message.body)
      const first = await post(trial.target.queueUri(path))
      if (!refused(first))
        return trial.observed(`A send to a queue that is not there is answered with ${answered(first)}.`)
      const { uri } = await trial.createQueue(path)
      let last!: Exchange
      await trial.eventually(async () => {
        last = await post(uri)
        return once(succeeded(last))
      })
      // Whose client is told so loses nothing: the answer may be kept with the guid.
      if (refused(last)) return trial.observed(`A message that was refused stays so: ${answered(last)}.`)
      trial.expect(succeeded(last), POSTED, answered(last))
      await expectPending(trial, { path, uri }, [message], 'the message in the queue once')
    },
  },
  {
    id: 'dedup.repeat',
    stimulus: 'Sends one message with one guid four times in turn, and counts it in the queue’s feed.',
    clauses: ['dedup.repeat', 'dedup.repeat.status'],
    needs: ['dedup.send'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const guid = trial.freshGuid()
      const message = await sentWith(trial, queue, guid)
      for (let turn = 0; turn < 3; turn++) await sendWith(trial, queue, guid, message, IGNORED)
      await expectPending(trial, queue, [message], ONE)
    },
  },
  {
    id: 'dedup.repeat-other-body',
    stimulus:
      'Sends three messages with one guid, once with each of its characters percent-encoded, and reads the queue’s feed.',
    clauses: ['dedup.repeat.other-body', 'dedup.repeat.status'],
    needs: ['dedup.repeat'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const guid = trial.freshGuid()
      const message = await sentWith(trial, queue, guid)
      await sendWith(trial, queue, guid, trial.freshMessage(), IGNORED)
      const encoded = [...Buffer.from(guid)].map((byte) => `%${byte.toString(16)}`).join('')
      await trial.post(withQuery(queue.uri, `guid=${encoded}`), trial.freshMessage().body)
      await expectPending(
        trial,
        queue,
        [message],
        'the first message of a guid in the queue as it was, and no other',
      )
    },
  },
  {
    id: 'dedup.guid-takes-one-message',
    title: 'The message of a guid stays as it was, whatever is sent with that guid again.',
    stimulus:
      'Sends five messages with guids, and then with the guid of each what is another, longer, shorter, empty, or of another type, and reads the queue’s feed.',
    clauses: ['dedup.repeat.other-body'],
    needs: ['dedup.repeat'],
    run: (trial: Trial) => judgeInstead(trial, withAGuid),
  },
  {
    id: 'dedup.outlives-queue',
    stimulus:
      'Has two messages acknowledged, deletes their queue, sends one with its guid again, creates the queue again, and sends the other with its guid again.',
    clauses: ['dedup.outlives-queue', 'dedup.repeat.status'],
    needs: ['dedup.repeat-acknowledged', 'queues.delete-unreadable', 'queues.created-after-delete'],
    run: (trial: Trial) => judgeOutlivesQueue(trial, withAGuid, 'guid-after-its-queue-was-deleted'),
  },
  {
    id: 'dedup.repeat-at-once',
    stimulus:
      'Three times sends a message with a guid of its own ten times at once, and counts them in the queue’s feed.',
    clauses: ['dedup.repeat.parallel', 'dedup.one-message'],
    needs: ['dedup.send'],
    run: (trial: Trial) =>
      judgeFirstAtOnce(trial, withAGuid, 'one message for ten sends at once with one guid'),
  },
  {
    id: 'dedup.repeat-of-odd-bodies',
    title: 'A message whose guid was seen is ignored, however short or long it is.',
    stimulus:
      'Sends no byte, the character 0 and 100 KiB with a guid each, three times, and counts them in the queues’ feeds.',
    clauses: ['dedup.repeat'],
    needs: ['dedup.repeat'],
    run: (trial: Trial) => judgeOddBodies(trial, withAGuid),
  },
  {
    id: 'dedup.repeat-held',
    stimulus:
      'Has a consumer hold a message and another wait, sends it with its guid again, counts it in their feeds and the queue’s, and has it acknowledged.',
    clauses: ['dedup.repeat.held', 'dedup.repeat.status'],
    needs: ['dedup.repeat', 'browse.held', 'consume.delivers'],
    run: (trial: Trial) => judgeWhileHeld(trial, withAGuid),
  },
  {
    id: 'dedup.repeat-handed-over',
    title: 'A guid is still known when its message came back from its consumers.',
    stimulus:
      'Has a message go back from two consumers, one after the other, and sends it with its guid again.',
    clauses: ['dedup.repeat.held'],
    needs: ['dedup.repeat-held', 'lease.deletion-of-guid-sends', 'lease.handed-over-is-pending'],
    run: (trial: Trial) => judgeHandedOver(trial, withAGuid),
  },
  {
    id: 'dedup.repeat-acknowledged',
    stimulus:
      'Has a consumer acknowledge a message, sends it with its guid again, and looks for it in the queue.',
    clauses: ['dedup.repeat.acknowledged', 'dedup.repeat.status'],
    needs: ['dedup.repeat', 'consume.delivers', 'ack.succeeds', 'browse.acknowledged-gone'],
    run: (trial: Trial) => judgeAfterAck(trial, withAGuid),
  },
  {
    id: 'dedup.repeat-however-taken',
    title: 'A guid is still known when its message was taken, by whatever mapping.',
    stimulus:
      'Has a message taken and acknowledged by each other mapping that the target claims, and in a POST, sends each with its guid again, and reads the queues’ feeds.',
    clauses: ['dedup.repeat.acknowledged'],
    needs: ['dedup.repeat-acknowledged'],
    run: (trial: Trial) => judgeHoweverTaken(trial, withAGuid),
  },
  {
    id: 'dedup.repeat-late',
    stimulus: 'Sends a message with a guid, and with it again when longer than a lease has passed.',
    clauses: ['dedup.repeat.late'],
    needs: ['dedup.repeat'],
    passesTime: true,
    run: (trial: Trial) => judgeLate(trial, withAGuid),
  },
  {
    id: 'dedup.system-wide',
    stimulus:
      'Sends a message with one guid to one queue and another with it to a second, and reads both feeds.',
    clauses: ['dedup.system-wide', 'dedup.repeat.status'],
    needs: ['dedup.repeat', 'send.post'],
    async run(trial: Trial) {
      const [queue, other] = await Promise.all([trial.createQueue(), trial.createQueue()])
      const guid = trial.freshGuid()
      const message = await sentWith(trial, queue, guid)
      await sendWith(trial, other, guid, trial.freshMessage(), IGNORED)
      const proof = await trial.send(other)
      await expectPending(trial, other, [proof], 'no message whose guid was seen on another queue')
      await expectPending(trial, queue, [message], 'the message of the first queue still there')
    },
  },
  {
    id: 'dedup.same-body',
    stimulus: 'Sends one body with two guids in turn and with two more at once, and counts the messages.',
    clauses: ['dedup.distinct'],
    needs: ['dedup.send'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const message = trial.freshMessage()
      await sendWith(trial, queue, trial.freshGuid(), message)
      await sendWith(trial, queue, trial.freshGuid(), message)
      await Promise.all([1, 2].map(() => sendWith(trial, queue, trial.freshGuid(), message)))
      const four = [message, message, message, message]
      await expectPending(trial, queue, four, 'four messages for four sends of one body with four guids')
    },
  },
  {
    id: 'dedup.beside-two-steps',
    title:
      'A send with a guid does not make a send of the same body in two steps a duplicate, nor the other way round.',
    stimulus: 'Sends one body with a guid, in two steps, and with another guid, and counts the messages.',
    clauses: ['dedup.distinct', 'send.two-step.same-body'],
    needs: ['dedup.send', 'send.post'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const message = await sentWith(trial, queue, trial.freshGuid())
      await trial.send(queue, message.body)
      await sendWith(trial, queue, trial.freshGuid(), message)
      await expectPending(
        trial,
        queue,
        [message, message, message],
        'three messages for three sends of one body',
      )
    },
  },
  {
    id: 'dedup.remembered',
    title: 'A guid is still seen after many others.',
    stimulus:
      'Sends a message with a guid, with guids of their own 70 others to its queue and 1,080 to other queues, fewer where answers take long or the target takes no more, and the first again.',
    clauses: ['dedup.repeat'],
    needs: ['dedup.repeat'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      // How many messages a queue may hold is left open: few at once go to each of some.
      const someQueues = () => Promise.all(Array.from({ length: 3 }, () => trial.createQueue()))
      let others = await someQueues()
      const guid = trial.freshGuid()
      const message = await sentWith(trial, queue, guid)
      const near = await sendManyWithGuids(trial, queue, 70)
      let sent = 0
      const send = async () => {
        const queue = others[sent++ % others.length]!
        return [await trial.postWithGuid(queue, trial.freshGuid(), trial.freshMessage().body)]
      }
      await inBursts(1080, send, async () => {
        others = (await unlessBlocked(someQueues)) ?? others
      })
      await sendWith(trial, queue, guid, message, IGNORED)
      await expectPending(trial, queue, [message, ...near], ONE)
    },
  },
]
