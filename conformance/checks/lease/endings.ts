import { answered } from '../../client/answered.js'
import { Blocked, Failed } from '../../client/findings.js'
import { messagesIn } from '../../client/message-in.js'
import { leaseParameter, subscriptionRequest } from '../../client/subscription-request.js'
import { createdAt } from '../../trial/addresses.js'
import { extensions } from '../../trial/answers.js'
import type { CheckRecord } from '../../trial/check.js'
import { expectKept, expectWithheld } from '../../trial/deliveries.js'
import { elapsePast, elapsePastEnd, elapseUntil, latestExpiry } from '../../trial/lease-time.js'
import { expectPending } from '../../trial/pending.js'
import { needSocket, untilGone } from '../../trial/raw-request.js'
import { missing } from '../../trial/reading.js'
import { expectNoPages, furtherPages, subscribeToSeveralPages } from '../../trial/several-pages.js'
import { madeAt, parameter, postData } from '../../trial/subscription-form.js'
import type { Consumer, Trial } from '../../trial/trial.js'
import { once } from '../../trial/waiting.js'

/** Asks for a connection that ends behind the answer. */
const CLOSE = { Connection: 'close' }

/** Consumers that hold one message in turn: one more than many brokers deliver a message. */
const HOLDERS = 21

/** How long before the end of a lease messages begin to come, and how long after one another: milliseconds. */
const LAST_MOMENTS = 600
const MOMENT = 100

/** How many others subscribe to a queue: so many that a server may let an older one go. */
const OTHERS = 15

/** Ends of subscriptions, with the addresses of their pages, and with a message that need not be given to anybody; when they come. */
export const LEASE_ENDINGS: readonly CheckRecord[] = [
  {
    id: 'lease.pending-however-often',
    stimulus:
      'Twenty-one consumers in turn are given a message, or are not, and are deleted; then the queue’s feed is read.',
    clauses: ['lease.pending-however-often', 'lease.redelivered-as-one'],
    needs: ['queues.create'],
    steps: 3 * HOLDERS,
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const sent = await trial.send(queue)
      let holders = 0
      for (let isGiven = true; isGiven && holders < HOLDERS; ) {
        const consumer = await trial.subscribe(queue)
        // That each of them is given it, the document does not say.
        isGiven = (await missing(trial, [consumer], [sent])).length === 0
        if (isGiven) holders += 1
        await consumer.end()
      }
      try {
        await expectPending(trial, queue, [sent], 'the message in its queue once, whoever had held it')
      } catch (error) {
        // What takes the longest of all does not wait for the check of that; what it finds counts here.
        if (holders > 1 || !(error instanceof Failed)) throw error
        throw new Blocked('lease.deletion-hands-over', error.seen)
      }
    },
  },
  {
    id: 'lease.active-beside-many',
    stimulus: 'A consumer reads its empty feed three times, fifteen others subscribe, and it reads again.',
    clauses: ['lease.active', 'consume.status'],
    needs: ['consume.feed'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const consumer = await trial.subscribe(queue)
      for (let times = 0; times < 3; times++) await consumer.get()
      // How many there may be, the document does not say: one that is refused is not asked for again.
      const other = { ...subscriptionRequest(trial.profile, [queue], {}), patient: false }
      const subscribing = Array.from({ length: OTHERS }, () =>
        trial.target.request('POST', trial.target.at('/subscriptions'), other),
      )
      const others = await Promise.all(subscribing)
      await expectActive(trial, consumer)
      const made = others.flatMap((each) => createdAt(trial, each) ?? [])
      await Promise.all(made.map((uri) => trial.target.request('DELETE', uri)))
    },
  },
  {
    id: 'lease.outlives-connections',
    title:
      'A subscription stays active, and holds its messages, when the connections are closed that it was used on.',
    stimulus:
      'Subscribes and reads the feed, each with `Connection: close`, and lets another consumer ask for the message a moment later.',
    clauses: ['lease.active', 'lease.expiry.not-early'],
    needs: ['consume.delivers'],
    async run(trial: Trial) {
      needSocket(trial)
      const queue = await trial.createQueue()
      const sent = await trial.send(queue)
      const consumer = await trial.subscribe(queue, { headers: CLOSE })
      await untilGone(trial)
      await expectActive(trial, consumer)
      // The connection of the very reading that gives the message is closed.
      const isGiven = await trial.eventually(async () => {
        const answer = await trial.target.request('GET', consumer.uri, { headers: CLOSE })
        return once((await messagesIn(trial, answer, [sent])).length > 0)
      })
      trial.precondition(isGiven === true, 'consume.delivers', 'a feed without the message')
      await untilGone(trial)
      const held = 'the message with the consumer whose connections are closed, until its lease ends'
      await expectWithheld(trial, await trial.subscribe(queue), [sent], held)
      await expectActive(trial, consumer)
      await expectKept(trial, consumer, [sent], held)
    },
  },
  {
    id: 'lease.ended-unreadable',
    stimulus:
      'Reads a feed of twelve messages, or as many as there may be, lets the lease end without any request, and asks for the feed again, and for its further pages, where it has such.',
    clauses: ['lease.expiry.unreadable', 'lease.expiry.ends', 'lease.expires'],
    needs: ['consume.feed'],
    passesTime: true,
    async run(trial: Trial) {
      const consumer = await subscribeToSeveralPages(trial, { lease: 'short' })
      const further = await furtherPages(trial, consumer)
      await elapsePastEnd(trial, latestExpiry(trial, consumer))
      let answer = await consumer.get()
      if (answer.status < 300) {
        // The target may end leases late, and this reading may have renewed it: once more, with all its grace.
        await elapsePast(trial, latestExpiry(trial, consumer) + trial.timing.leaseGrace)
        answer = await consumer.get()
      }
      trial.expect(answer.status >= 300, 'a refusal, such as 404 or 410', answered(answer))
      trial.choose('ended-subscription', String(answer.status))
      await expectNoPages(trial, further)
    },
  },
  {
    id: 'lease.takes-what-comes-at-its-end',
    title: 'What is sent while a lease ends is pending after it.',
    stimulus:
      'Sends a message every tenth of a second in the last moments of a lease whose consumer reads nothing, lets it end, and reads the queue.',
    clauses: ['lease.expiry.all'],
    needs: ['browse.queue'],
    passesTime: true,
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const consumer = await trial.subscribe(queue, { lease: 'short' })
      const end = consumer.createdAt + consumer.lease
      await elapseUntil(trial, end - LAST_MOMENTS)
      const sent = []
      while (trial.now() < end + MOMENT) {
        sent.push(await trial.send(queue))
        await trial.elapse(MOMENT)
      }
      await elapsePastEnd(trial, latestExpiry(trial, consumer))
      await expectPending(trial, queue, sent, `the ${sent.length} messages that nobody has acknowledged`)
    },
  },
  {
    id: 'lease.asked',
    title: 'A lease is as many seconds long as timeout says, or 30, and the feed tells when it ends.',
    stimulus: 'Compares when the leases end of a subscription with a timeout of 10 and of one without.',
    clauses: ['lease.asked', 'lease.shown'],
    needs: ['consume.feed'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const ends = async (fields: Record<string, string>) => {
        const uri = madeAt(trial, await postData(trial, queue, fields))
        const answer = await trial.target.request('GET', uri)
        return Date.parse(extensions(answer, 'lease-ends')[0] ?? '')
      }
      const began = trial.now()
      const asked = await ends({ [parameter(trial, 'timeout')]: leaseParameter(trial.profile, 10_000) })
      trial.expect(Number.isFinite(asked), 'the end of the lease in the feed', 'none')
      const between = (await ends({})) - asked
      // The second may have begun as much later as all of this took; the target's own clock may stand still.
      const later = trial.now() - began
      const seen = `${(between / 1000).toFixed(1)} s`
      const isSo = between > 18_000 && between < 22_000 + later
      trial.expect(isSo, 'leases of 30 and 10 s, which end 20 s apart', seen)
    },
  },
]

/** Judges that a subscription is there, which only its reading tells. */
async function expectActive(trial: Trial, consumer: Consumer): Promise<void> {
  const answer = await consumer.get()
  trial.expect(answer.status === 200, '200 for a feed whose lease has not ended', answered(answer))
}
