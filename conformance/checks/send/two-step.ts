import { countDifferent } from '../../trial/addresses.js'
import type { CheckRecord } from '../../trial/check.js'
import { expectStatus } from '../../trial/expectations.js'
import { quote } from '../../trial/labels.js'
import { expectPending, sentOnce, settledBodies, times, untilPending } from '../../trial/pending.js'
import { postTo } from '../../trial/sending.js'
import type { QueueHandle, Sent, Trial } from '../../trial/trial.js'
import { unlessBlocked, withRetries } from '../../trial/waiting.js'

const STEP_2 = '200 for step 2 of a send'

/** A message that waits at its address to be posted. */
async function messageWithAddress(
  trial: Trial,
  queue: QueueHandle,
  body?: Buffer,
): Promise<Sent & { readonly address: string }> {
  const message = body === undefined ? trial.freshMessage() : { body, text: body.toString() }
  return { ...message, address: await trial.newAddress(queue) }
}

/** Sends by an address of its own, whatever other ways there are. */
async function sendInTwoSteps(trial: Trial, queue: QueueHandle, body?: Buffer): Promise<Sent> {
  const message = await messageWithAddress(trial, queue, body)
  await postTo(trial, message)
  return message
}

/** Sending in two steps: section 4.1, "Send, step 1" and "Send, step 2". */
export const SEND: readonly CheckRecord[] = [
  {
    id: 'send.address',
    title: "A POST to a queue's address is answered with 201, and Location gives a new-message address.",
    stimulus: 'Creates a queue and posts to its address, without a body.',
    clauses: ['send.step-1.status', 'send.step-1.location', 'send.two-step.without-guid'],
    needs: ['queues.create'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const exchange = await expectStatus(trial, 201, '201 for step 1 of a send', () =>
        trial.target.request('POST', queue.uri),
      )
      trial.expect(
        trial.target.location(exchange) !== undefined,
        'the new-message address in Location of the answer to step 1',
        'no Location that is an address',
      )
    },
  },
  {
    id: 'send.post',
    title:
      'A POST of a message to its new-message address is answered with 200, and puts it into the queue once.',
    stimulus: 'Sends a message in two steps, and reads the queue’s feed.',
    clauses: ['send.step-2.status', 'send.step-2.one-message'],
    needs: ['send.address'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const message = await messageWithAddress(trial, queue)
      await expectStatus(trial, 200, STEP_2, () => trial.post(message.address, message.body))
      const seen = times(await settledBodies(trial, queue, [message]), message.text)
      if (seen !== 1) {
        // Where a consumer is given it once, it was sent, and it is the feed that does not tell so, or takes it away.
        const sent = await sentOnce(trial, queue, message, (other) => sendInTwoSteps(trial, other))
        trial.precondition(
          !sent,
          'browse.queue',
          `${seen} entries in the feed for a message that is there once`,
        )
      }
      trial.expect(
        seen === 1,
        `the message ${quote(message.text)} in the queue once`,
        `${seen} entries for it in the queue’s feed, and no consumer given it once either`,
      )
    },
  },
  {
    id: 'send.own-address',
    stimulus: 'Posts to a queue three times in turn and ten times at once, and compares the addresses.',
    clauses: ['send.address.own'],
    needs: ['send.address'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const addresses: string[] = []
      for (let turn = 0; turn < 3; turn++) addresses.push(await trial.newAddress(queue))
      addresses.push(...(await Promise.all(Array.from({ length: 10 }, () => trial.newAddress(queue)))))
      const different = countDifferent(addresses)
      trial.expect(different === 13, '13 times step 1 give 13 addresses.', `${different}`)
    },
  },
  {
    id: 'send.own-address-across-queues',
    title: 'Two queues never give the same new-message address.',
    stimulus: 'Posts to two queues by turns and at once, and sends a message by one address of each.',
    clauses: ['send.address.own', 'send.step-2.one-message'],
    needs: ['send.post', 'send.own-address', 'browse.queue'],
    async run(trial: Trial) {
      const queues = await Promise.all([trial.createQueue(), trial.createQueue()])
      const pairs = await Promise.all(
        [1, 2, 3].map(() => Promise.all(queues.map((queue) => messageWithAddress(trial, queue)))),
      )
      const different = countDifferent(pairs.flat().map(({ address }) => address))
      trial.expect(different === 6, 'six addresses for six posts to two queues', `${different}`)
      const [first, second] = pairs[1]!
      await postTo(trial, second!)
      await postTo(trial, first!)
      const expected = 'a message in the queue whose address it was posted to, and in no other'
      await Promise.all([
        expectPending(trial, queues[0], [first!], expected),
        expectPending(trial, queues[1], [second!], expected),
      ])
    },
  },
  {
    id: 'send.address-makes-no-message',
    stimulus:
      'Posts to a queue three times, reads its feed and that of a consumer, and then sends a message.',
    clauses: ['send.step-1.no-message'],
    needs: ['send.address'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const entries = async () => (await trial.browse(queue)).entries.length
      trial.precondition(
        (await withRetries(trial, entries)) === 0,
        'browse.queue',
        'entries in the feed of a new queue',
      )
      await Promise.all([1, 2, 3].map(() => trial.newAddress(queue)))
      const made = await trial.never(async () => (await entries()) || undefined)
      trial.expect(made === undefined, 'no message in the queue after step 1', `${made} entries in its feed`)
      // The feed could be blind: a message that was sent is seen in it.
      const message = await trial.send(queue)
      await untilPending(trial, queue, [message])
      const consumer = await unlessBlocked(() => trial.subscribe(queue))
      const given = await unlessBlocked(async () => {
        await consumer?.receive([message])
        return trial.bodies((await consumer?.read()) ?? [])
      })
      if (consumer) await consumer.endIfActive()
      const others = (given ?? []).filter((text) => text !== message.text)
      trial.expect(others.length === 0, 'with a consumer what was posted alone', () =>
        others.map(quote).join(', '),
      )
    },
  },
  {
    id: 'send.address-looked-at',
    title: 'A message can be posted to its new-message address after somebody has looked at that.',
    stimulus:
      'Asks for a new-message address by GET, HEAD and OPTIONS, before a message is posted there and after, and reads the queue’s feed.',
    clauses: ['send.step-2.one-message'],
    needs: ['send.post', 'browse.queue'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const message = await messageWithAddress(trial, queue)
      const look = async () => {
        // How these are answered is left open.
        for (const method of ['GET', 'HEAD', 'OPTIONS']) await trial.target.request(method, message.address)
      }
      await look()
      await postTo(trial, message)
      const expected = 'the message in the queue once'
      await expectPending(trial, queue, [message], expected)
      await look()
      await expectPending(trial, queue, [message], expected)
    },
  },
  {
    id: 'send.same-body',
    stimulus: 'Posts one body to two addresses in turn and to two more at once, and counts the messages.',
    clauses: ['send.two-step.same-body'],
    needs: ['send.post', 'browse.queue'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const { body } = trial.freshMessage()
      const messages = [await sendInTwoSteps(trial, queue, body), await sendInTwoSteps(trial, queue, body)]
      messages.push(...(await Promise.all([1, 2].map(() => sendInTwoSteps(trial, queue, body)))))
      await expectPending(trial, queue, messages, 'four messages for four sends of one body')
    },
  },
  {
    id: 'send.interleaved',
    title: 'New-message addresses can be used in any order, and some not at all.',
    stimulus:
      'Asks for four addresses, posts to the last, the first and the third, and reads the queue’s feed.',
    clauses: ['send.step-2.one-message', 'send.address.own'],
    needs: ['send.post', 'send.own-address', 'browse.queue'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const waiting = []
      for (let turn = 0; turn < 4; turn++) waiting.push(await messageWithAddress(trial, queue))
      const posted = [waiting[3]!, waiting[0]!, waiting[2]!]
      for (const message of posted) await postTo(trial, message)
      await expectPending(trial, queue, posted, 'each message that was posted in the queue once')
    },
  },
  {
    id: 'send.at-once',
    title: 'Messages sent side by side all arrive, each once.',
    stimulus: 'Sends ten messages to each of two queues side by side, and reads both feeds.',
    clauses: ['send.step-2.one-message'],
    needs: ['send.post', 'browse.queue'],
    async run(trial: Trial) {
      const queues = await Promise.all([trial.createQueue(), trial.createQueue()])
      const ten = (queue: QueueHandle) => Array.from({ length: 10 }, () => sendInTwoSteps(trial, queue))
      const sent = await Promise.all(queues.map((queue) => Promise.all(ten(queue))))
      await Promise.all(queues.map((queue, index) => untilPending(trial, queue, sent[index]!.slice(0, 1))))
      await Promise.all(
        queues.map((queue, index) => expectPending(trial, queue, sent[index]!, 'ten messages in each queue')),
      )
    },
  },
]
