import { answered } from '../../client/answered.js'
import { refused, succeeded } from '../../client/exchange.js'
import { createdAt, deleteMade } from '../../trial/addresses.js'
import type { CheckRecord } from '../../trial/check.js'
import { expectDelivered, expectGone, expectNothingLacking } from '../../trial/deliveries.js'
import { drain } from '../../trial/drain.js'
import { never, readBodies, repeated } from '../../trial/reading.js'
import { addressed } from '../../trial/sending.js'
import { expectNoPages, furtherPages, subscribeToSeveralPages } from '../../trial/several-pages.js'
import type { Trial } from '../../trial/trial.js'
import { found, once, unlessBlocked } from '../../trial/waiting.js'

/** Judges data of the same pairs, each in another form that a client may give them. */
async function judgeForms(trial: Trial): Promise<void> {
  const { profile, target } = trial
  if (!Object.values(profile.subscription.headers).some((value) => value.includes('form-urlencoded')))
    return trial.observed('The profile has subscription data in another form.')
  const escaped = (text: string) =>
    [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
  const forms: Readonly<Record<string, (pairs: [string, string][]) => string>> = {
    'with its fields the other way round': (pairs) => new URLSearchParams(pairs.toReversed()).toString(),
    'with each character escaped': (pairs) => pairs.map((pair) => pair.map(escaped).join('=')).join('&'),
    'with slashes as they are': (pairs) => new URLSearchParams(pairs).toString().replaceAll('%2F', '/'),
  }
  for (const [what, write] of Object.entries(forms)) {
    const queue = await trial.createQueue(trial.freshName(2))
    const message = await trial.send(queue)
    const answer = await trial.trySubscribe(queue, { prefetch: 1, write })
    const uri = createdAt(trial, answer)
    trial.expect(uri !== undefined, `success for data ${what}`, answered(answer))
    const came = await trial.eventually(async () => {
      const { entries } = await trial.readFeed(uri, 'consume.feed')
      return found((await trial.bodies(entries)).filter((text) => text === message.text))
    })
    trial.expect(came !== undefined, `the message, by data ${what}`, 'it did not come')
    await target.request('DELETE', uri)
  }
}

/** Subscriptions: made, told apart, deleted. What their destinations cover by wildcard or selector is elsewhere. */
export const SUBSCRIBE: readonly CheckRecord[] = [
  {
    id: 'subscribe.create',
    title: 'Creating a subscription is answered with 201 and its address in Location.',
    stimulus: 'Posts the form-encoded data of a subscription to a fresh queue.',
    clauses: ['subscribe.status', 'subscribe.location', 'subscribe.form'],
    needs: ['queues.create'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const answer = await trial.trySubscribe(queue)
      trial.expect(answer.status === 201, '201', answered(answer))
      trial.expect(
        trial.target.location(answer) !== undefined,
        'a Location that holds the address of the subscription',
        answer.headers.location === undefined ? 'no Location' : `Location: ${answer.headers.location}`,
      )
    },
  },
  {
    id: 'subscribe.own-address',
    stimulus: 'Posts the same data twice and reads the feed at both addresses.',
    clauses: ['subscribe.own-address', 'subscribe.own-feed'],
    needs: ['subscribe.create', 'consume.feed'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const [one, other] = await Promise.all([trial.subscribe(queue), trial.subscribe(queue)])
      trial.expect(one.uri !== other.uri, 'two addresses', `twice ${one.uri}`)
      for (const answer of await Promise.all([one.get(), other.get()])) {
        const readable = succeeded(answer)
        trial.expect(readable, '200 at both addresses', answered(answer))
      }
    },
  },
  {
    id: 'subscribe.form',
    title: 'Subscription data is the pairs that it holds, however a client orders and escapes them.',
    stimulus:
      'Posts the data of a subscription to a queue with a message with its fields the other way round, with each character escaped, and with slashes as they are, and reads each feed.',
    clauses: ['subscribe.form'],
    needs: ['consume.delivers', 'queues.several-segments'],
    run: judgeForms,
  },
  {
    id: 'subscribe.several-destinations',
    title: 'One subscription receives the messages of all the queues it was made for.',
    stimulus:
      'Subscribes to three queues at once, with a message waiting in each and one sent to each afterwards.',
    clauses: ['subscribe.several', 'subscribe.destinations'],
    needs: ['consume.delivers'],
    async run(trial: Trial) {
      const queues = await Promise.all([1, 2, 3].map(() => trial.createQueue()))
      const before = await Promise.all(queues.map((queue) => trial.send(queue)))
      const consumer = await trial.subscribe(queues)
      const after = await Promise.all(queues.map((queue) => trial.send(queue)))
      // Where no consumer is given what waited for it, what it was made for shows in what comes later.
      const messages = trial.isBroken('consume.delivers') ? after : [...before, ...after]
      await expectDelivered(
        trial,
        [consumer],
        messages,
        'all six messages (1 and 4 of the first queue, 2 and 5 of the second, 3 and 6 of the third)',
      )
    },
  },
  {
    id: 'subscribe.twelve-destinations',
    title: 'One subscription receives the messages of all of many queues that it was made for.',
    stimulus:
      'Subscribes to twelve queues, or to six where twelve are refused, and reads and acknowledges a message of each.',
    clauses: ['subscribe.several'],
    needs: ['subscribe.several-destinations', 'ack.leaves-feed'],
    async run(trial: Trial) {
      const queues = await Promise.all(Array.from({ length: 12 }, () => trial.createQueue()))
      const sent = await Promise.all(queues.map((queue) => trial.send(queue)))
      // How many destinations a subscription may have is left open.
      const made = async (most: number) =>
        unlessBlocked(async () => ({ most, consumer: await trial.subscribe(queues.slice(0, most)) }))
      const taken = (await made(12)) ?? (await made(6))
      if (taken === undefined) return trial.observed('The target takes fewer than six destinations.')
      const { most, consumer } = taken
      const messages = sent.slice(0, most)
      const { missing } = await drain(trial, [consumer], messages)
      await consumer.endIfActive()
      expectNothingLacking(trial, messages, missing, `the message of each of ${most} queues`)
    },
  },
  {
    id: 'subscribe.same-destination-twice',
    title: 'A queue that is named twice in one subscription gives each message once.',
    stimulus:
      'Subscribes to one queue named twice; unless that is refused, reads, acknowledges and reads again.',
    clauses: ['consume.entries', 'subscribe.destinations.overlap'],
    needs: ['subscribe.deleted-unreadable', 'ack.leaves-feed'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const attempt = await trial.trySubscribe([queue, queue])
      const accepted = succeeded(attempt)
      trial.choose('same-destination-twice', accepted ? 'accepted' : `refused with ${attempt.status}`)
      if (refused(attempt)) return
      await deleteMade(trial, attempt)
      const consumer = await trial.subscribe([queue, queue])
      const sent = await trial.send(queue)
      const [entry] = await consumer.receive([sent])
      const twice = await never(trial, consumer, async () =>
        found(repeated(await readBodies(trial, consumer))),
      )
      trial.expect(twice === undefined, 'one entry for the message', 'two entries for it')
      await consumer.ack(entry!)
      await expectGone(trial, consumer, [sent], 'the message gone after its ack')
    },
  },
  {
    id: 'subscribe.delete',
    title: 'Deleting a subscription is answered with 200.',
    stimulus: 'Deletes a fresh subscription.',
    clauses: ['subscribe.delete.status'],
    needs: ['subscribe.create'],
    async run(trial: Trial) {
      const consumer = await trial.subscribe(await trial.createQueue())
      const answer = await trial.target.request('DELETE', consumer.uri)
      trial.expect(answer.status === 200, '200', answered(answer))
    },
  },
  {
    id: 'subscribe.deleted-unreadable',
    stimulus:
      'Reads the feed of a subscription with twelve messages, or as many as there may be, deletes the subscription and asks for its feed again, and for its further pages, where it has such.',
    clauses: ['subscribe.delete.unreadable'],
    needs: ['subscribe.delete', 'consume.feed'],
    async run(trial: Trial) {
      const consumer = await subscribeToSeveralPages(trial)
      const further = await furtherPages(trial, consumer)
      await consumer.end()
      let answer = await consumer.get()
      await trial.eventually(async () => {
        answer = await consumer.get()
        return once(answer.status >= 300)
      })
      trial.expect(answer.status >= 300, 'a refusal, such as 404 or 410', answered(answer))
      trial.choose('deleted-subscription', String(answer.status))
      await expectNoPages(trial, further)
    },
  },
  {
    id: 'subscribe.delete-spares-others',
    stimulus:
      'Of two subscriptions with the same data, and one that has a queue in common with them, deletes one and reads the others, deletes the second and reads the third.',
    clauses: ['subscribe.delete.others'],
    needs: ['subscribe.delete', 'subscribe.several-destinations', 'consume.repeat'],
    async run(trial: Trial) {
      const [common, own, ended] = await Promise.all([
        trial.createQueue(),
        trial.createQueue(),
        trial.createQueue(),
      ])
      const messages = await trial.sendMany(own, 2)
      const [post] = await addressed(trial, common, 1)
      const [stays, twin, goes] = await Promise.all([
        trial.subscribe([own, common]),
        trial.subscribe([ended, common]),
        trial.subscribe([ended, common]),
      ])
      await stays.receive(messages)
      await goes.end()
      for (const other of [stays, twin]) {
        const answer = await other.get()
        trial.expect(succeeded(answer), '200 for the other subscriptions', answered(answer))
      }
      await twin.end()
      messages.push(await post!())
      await expectDelivered(
        trial,
        [stays],
        messages,
        'messages 1 and 2, which the other subscription held, and 3, sent afterwards, in its feed',
      )
    },
  },
]
