import { succeeded } from '../../client/exchange.js'
import { countDifferent, createdAt } from '../../trial/addresses.js'
import { inBursts } from '../../trial/bursts.js'
import type { CheckRecord } from '../../trial/check.js'
import { expectStatus, expectSuccess } from '../../trial/expectations.js'
import { holdOne } from '../../trial/held.js'
import { quote } from '../../trial/labels.js'
import { expectPending, sentOnce, settledBodies, times, untilPending } from '../../trial/pending.js'
import { expectRaw } from '../../trial/raw-body.js'
import { type Addressed, REPEATED, sendAsMany, sendInTwoSteps } from '../../trial/sending.js'
import type { Trial } from '../../trial/trial.js'
import { framedChecks } from '../framed.js'

const ONE = 'a message that is posted again in the queue once'
/** Milliseconds: where answers take longer, a thousand requests are too many. */
const A_LONG_WAY = 100

/** Step 2 once more, of a message that was sent. */
async function repeatPost(trial: Trial, { address, body }: Addressed): Promise<void> {
  await expectSuccess(trial, REPEATED, () => trial.post(address, body))
}

/** Sending in two steps, again, and in parts: section 4.1, "Send, step 1" and "Send, step 2". */
export const SEND: readonly CheckRecord[] = [
  {
    id: 'send.post',
    title:
      'A POST of a message to its new-message address is answered with 200, and puts it into the queue once.',
    stimulus: 'Sends a message in two steps, and reads the queue’s feed.',
    clauses: ['send.step-2.status', 'send.step-2.one-message'],
    needs: ['send.address'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const message = { ...trial.freshMessage(), address: await trial.newAddress(queue) }
      await expectStatus(trial, 200, '200 for step 2 of a send', () =>
        trial.post(message.address, message.body),
      )
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
    id: 'send.repeat-remembered',
    stimulus:
      'Posts a message to its address in each of two queues, uses 45 other addresses of one and 1,010 of the other, fewer where answers take long or the target takes no more, posts the messages again, compares the addresses, and counts the messages.',
    clauses: [
      'send.two-step.repeat.remembered',
      'send.address.own',
      'send.step-2.one-message',
      'browse.queue.entries',
    ],
    needs: ['send.repeat', 'send.own-address'],
    async run(trial: Trial) {
      const [queue, other] = await Promise.all([trial.createQueue(), trial.createQueue()])
      const [message, first] = await Promise.all([sendInTwoSteps(trial, queue), sendInTwoSteps(trial, other)])
      await untilPending(trial, queue, [message])
      const isFar = trial.timing.latency > A_LONG_WAY
      const near = [
        ...(await sendAsMany(trial, queue, 45)),
        ...(isFar ? await sendAsMany(trial, queue, 45) : []),
      ]
      const addresses = [message, first, ...near].flatMap(({ address }) => address ?? [])
      let isEachStored = true
      let stored = 1
      await inBursts(isFar ? 270 : 1010, async () => {
        const made = await trial.target.request('POST', other.uri)
        if (!succeeded(made)) return [made]
        const address = createdAt(trial, made)
        trial.precondition(address !== undefined, 'send.address', 'no Location that is an address')
        addresses.push(address)
        const answer = await trial.post(address, trial.freshMessage().body)
        if (succeeded(answer)) stored += 1
        else isEachStored = false
        return [made, answer]
      })
      trial.choose('messages-that-wait-in-a-queue', String(stored))
      await Promise.all([repeatPost(trial, message), repeatPost(trial, first)])
      await expectPending(trial, queue, [message, ...near], ONE)
      // A feed of many pages takes long to read from far away.
      if (isEachStored && !isFar) {
        let shown = 0
        await trial.eventually(async () => {
          shown = (await trial.browse(other)).entries.length
          return shown >= stored || undefined
        })
        trial.expect(shown === stored, `${stored} entries, one for each message`, `${shown}`)
      }
      const different = countDifferent(addresses)
      const expected = `an address of its own for each of ${addresses.length} times step 1`
      trial.expect(different === addresses.length, expected, `${different} addresses`)
    },
  },
  ...framedChecks('send'),
  {
    id: 'send.content-type',
    stimulus: 'Sends a message with the three headers, and asks for the raw body that its entry links to.',
    clauses: ['send.content-type'],
    needs: ['send.post', 'consume.delivers'],
    async run(trial: Trial) {
      const headers = {
        'Content-Type': 'application/x-kit; v=1',
        'Content-Encoding': 'x-kit',
        'Content-Language': 'mi',
      }
      const { entry, sent } = await holdOne(trial, headers)
      await expectRaw(trial, entry, sent, headers)
    },
  },
]
