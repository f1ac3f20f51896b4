import { succeeded } from '../../trial/answers.js'
import type { CheckRecord } from '../../trial/check.js'
import { endIfActive, expectStatus } from '../../trial/expectations.js'
import { consumeAndAcknowledge, expectNotDelivered, expectPending, times } from '../../trial/pending.js'
import { IGNORED, POSTED, sendWith, sentWith } from '../../trial/sending.js'
import type { Sent, Trial } from '../../trial/trial.js'
import { inRounds } from '../../trial/waiting.js'

const ONE = 'Sends with one guid make one message.'

/** Sending in one request with a guid: section 4.1, "Send, single request". */
export const DEDUP: readonly CheckRecord[] = [
  {
    id: 'dedup.send',
    title:
      'A POST of a message with a guid that was not seen before is answered with 200, and puts it into the queue once.',
    stimulus: 'Sends a message with a fresh guid, and counts it in the queue’s feed.',
    clauses: ['dedup.status', 'dedup.one-message'],
    needs: ['browse.queue'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const message = trial.freshMessage()
      const guid = trial.freshGuid()
      await expectStatus(trial, 200, POSTED, () => trial.postWithGuid(queue, guid, message.body))
      await expectPending(trial, queue, [message], 'The message is in the queue once.')
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
      const consumer = await trial.subscribe(queue)
      const [entry] = await consumer.receiveCount(1)
      const got = await entry!.body()
      await endIfActive(consumer)
      trial.expect(
        trial.isMessage(got, message),
        `The body is ${JSON.stringify(String(body))}.`,
        JSON.stringify(String(got)),
      )
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
    stimulus: 'Sends two messages with one guid, and reads the queue’s feed.',
    clauses: ['dedup.repeat.other-body', 'dedup.repeat.status'],
    needs: ['dedup.repeat'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const guid = trial.freshGuid()
      const message = await sentWith(trial, queue, guid)
      await sendWith(trial, queue, guid, trial.freshMessage(), IGNORED)
      await expectPending(
        trial,
        queue,
        [message],
        'The first message of a guid is in the queue as it was, and no other.',
      )
    },
  },
  {
    id: 'dedup.repeat-at-once',
    stimulus:
      'Three times sends a message with a guid of its own ten times at once, and counts them in the queue’s feed.',
    clauses: ['dedup.repeat.parallel', 'dedup.one-message'],
    needs: ['dedup.send'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const messages: Sent[] = []
      await inRounds(async () => {
        const guid = trial.freshGuid()
        const message = trial.freshMessage()
        messages.push(message)
        const posts = await Promise.all(
          Array.from({ length: 10 }, () => trial.postWithGuid(queue, guid, message.body)),
        )
        // While one is under way another may be turned away: the client repeats it, and then gets its 200.
        if (posts.some((each) => !succeeded(each))) await sendWith(trial, queue, guid, message)
      })
      await expectPending(trial, queue, messages, 'Ten sends at once with one guid make one message.')
    },
  },
  {
    id: 'dedup.repeat-held',
    stimulus: 'Has a consumer hold a message, sends it with its guid again, and counts it in both feeds.',
    clauses: ['dedup.repeat.held', 'dedup.repeat.status'],
    needs: ['dedup.repeat', 'browse.held', 'consume.delivers'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const guid = trial.freshGuid()
      const message = await sentWith(trial, queue, guid)
      const consumer = await trial.subscribe(queue)
      await consumer.receive([message])
      await sendWith(trial, queue, guid, message, IGNORED)
      const given = times(await trial.bodies(await consumer.read()), message.text)
      trial.expect(
        given < 2,
        'The consumer that holds the message is not given it twice.',
        `It is given ${given}.`,
      )
      await expectPending(trial, queue, [message], ONE)
      await endIfActive(consumer)
    },
  },
  {
    id: 'dedup.repeat-acknowledged',
    stimulus:
      'Has a consumer acknowledge a message, sends it with its guid again, and looks for it in the queue.',
    clauses: ['dedup.repeat.acknowledged', 'dedup.repeat.status'],
    needs: ['dedup.repeat', 'consume.delivers', 'ack.succeeds', 'browse.acknowledged-gone'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const guid = trial.freshGuid()
      const message = await sentWith(trial, queue, guid)
      await consumeAndAcknowledge(trial, queue, message)
      await sendWith(trial, queue, guid, message, IGNORED)
      const expected = 'An acknowledged message that is sent with its guid again does not come back.'
      await expectPending(trial, queue, [], expected)
      await expectNotDelivered(trial, queue, message.text, expected)
    },
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
      await expectPending(trial, other, [proof], 'A message whose guid was seen on another queue is ignored.')
      await expectPending(trial, queue, [message], 'The message of the first queue stays.')
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
      await expectPending(trial, queue, four, 'Four sends of one body with four guids make four messages.')
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
        'Three sends of one body make three messages.',
      )
    },
  },
  {
    id: 'dedup.remembered',
    title: 'A guid is still seen after many others.',
    stimulus:
      'Sends a message with a guid, 1,050 others with guids of their own to another queue, and the first again.',
    clauses: ['dedup.repeat'],
    needs: ['dedup.repeat'],
    async run(trial: Trial) {
      const [queue, other] = await Promise.all([trial.createQueue(), trial.createQueue()])
      const guid = trial.freshGuid()
      const message = await sentWith(trial, queue, guid)
      for (let batch = 0; batch < 21; batch++) {
        await Promise.all(
          Array.from({ length: 50 }, () => sendWith(trial, other, trial.freshGuid(), trial.freshMessage())),
        )
      }
      await sendWith(trial, queue, guid, message, IGNORED)
      await expectPending(trial, queue, [message], ONE)
    },
  },
]
