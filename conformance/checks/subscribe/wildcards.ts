import { answered } from '../../client/answered.js'
import { succeeded } from '../../client/exchange.js'
import type { CheckRecord } from '../../trial/check.js'
import { expectDelivered, expectEachWithOne, expectGone, expectWithheld } from '../../trial/deliveries.js'
import { expectPending } from '../../trial/pending.js'
import { deleteForGood, queuesBelowOne } from '../../trial/queues.js'
import { missing, never, readBodies, repeated } from '../../trial/reading.js'
import { sendWithGuidIfTaken } from '../../trial/sending.js'
import { eachAnswersWith } from '../../trial/status-check.js'
import { mixesDestinations, wildcard } from '../../trial/subscription-form.js'
import type { Trial } from '../../trial/trial.js'
import { found, unlessNotApplicable } from '../../trial/waiting.js'

/** Destinations that are wildcards, where a target has them. */
export const SUBSCRIBE_WILDCARDS: readonly CheckRecord[] = [
  {
    id: 'subscribe.wildcard',
    title: 'A wildcard covers every queue that matches it.',
    stimulus:
      'Subscribes by wildcard to three queues below one prefix, with messages sent before and, where the target takes it with a guid, after.',
    clauses: ['subscribe.wildcard'],
    needs: ['subscribe.several-destinations'],
    async run(trial: Trial) {
      const { prefix, queues } = await queuesBelowOne(trial, ['one', 'two', 'three'])
      const before = await Promise.all(queues.map((queue) => trial.send(queue)))
      const consumer = await trial.subscribe(wildcard(trial, prefix))
      const messages = [...before, await sendWithGuidIfTaken(trial, queues[1]!)]
      await expectDelivered(
        trial,
        [consumer],
        messages,
        'all four messages (1 of the first queue, 2 and 4 of the second, 3 of the third)',
      )
    },
  },
  {
    id: 'subscribe.wildcard-acknowledged',
    title: 'What comes by a wildcard alone can be acknowledged, once and for all.',
    stimulus:
      'Subscribes by wildcard to two queues of one message each, acknowledges both, and reads its feed and those of the queues, these also when the subscription is deleted.',
    clauses: ['subscribe.wildcard', 'ack.status', 'ack.leaves-feed', 'ack.leaves-queue'],
    needs: ['subscribe.wildcard', 'ack.leaves-queue'],
    async run(trial: Trial) {
      const { prefix, queues } = await queuesBelowOne(trial, ['one', 'two'])
      const messages = await Promise.all(queues.map((queue) => trial.send(queue)))
      const consumer = await trial.subscribe(wildcard(trial, prefix))
      for (const entry of await consumer.receive(messages)) {
        const answer = await consumer.tryAck(entry)
        trial.expect(succeeded(answer), '200 for the ack of what a wildcard brought', answered(answer))
      }
      await expectGone(trial, consumer, messages, 'both messages gone from the feed')
      const expected = 'no message in a queue whose message was acknowledged'
      for (const queue of queues) await expectPending(trial, queue, [], expected)
      await consumer.endIfActive()
      for (const queue of queues) await expectPending(trial, queue, [], `${expected}, after the subscription`)
    },
  },
  {
    id: 'subscribe.wildcard-later-queue',
    title: 'A wildcard covers every matching queue that is created after the subscription.',
    stimulus:
      'Subscribes by wildcard, then creates three more queues that match, one after another, deletes one and creates it again, and sends to each.',
    clauses: ['subscribe.wildcard', 'subscribe.wildcard.later'],
    needs: ['subscribe.wildcard', 'consume.repeat', 'queues.created-after-delete'],
    async run(trial: Trial) {
      const prefix = trial.freshName()
      await trial.createQueue(`${prefix}/one`)
      const consumer = await trial.subscribe(wildcard(trial, prefix))
      for (const name of ['two', 'three', 'four']) {
        const sent = await trial.send(await trial.createQueue(`${prefix}/${name}`))
        await expectDelivered(trial, [consumer], [sent], 'the message of each later queue')
        const [entry] = await consumer.receive([sent])
        await consumer.tryAck(entry!)
      }
      const again = await trial.createQueue(`${prefix}/two`)
      const isDeleted = await unlessNotApplicable(async () => {
        await deleteForGood(trial, again)
        return true
      })
      // A queue that a subscription covers need not be deleted.
      if (!isDeleted) return
      const sent = await trial.send(await trial.createQueue(again.path))
      await expectDelivered(
        trial,
        [consumer],
        [sent],
        'the message of a queue that was deleted and made again',
      )
    },
  },
  {
    id: 'subscribe.wildcard-only-matching',
    stimulus:
      'Subscribes by wildcard to what is below a prefix. Sends to a queue below it, and to queues below a longer name that begins alike, below another prefix, and below the same words deeper down.',
    clauses: ['subscribe.wildcard.only'],
    needs: ['subscribe.wildcard'],
    async run(trial: Trial) {
      const prefix = trial.freshName()
      const other = trial.freshName()
      const queues = await Promise.all(
        [`${prefix}/one`, `${prefix}x/one`, `${other}/one`, `${other}x/${prefix}/one`].map((path) =>
          trial.createQueue(path),
        ),
      )
      const others = await Promise.all(queues.slice(1).map((queue) => trial.send(queue)))
      const consumer = await trial.subscribe(wildcard(trial, prefix))
      others.push(...(await Promise.all(queues.slice(1).map((queue) => trial.send(queue)))))
      await consumer.receive([await trial.send(queues[0]!)])
      await expectWithheld(trial, consumer, others, 'only the message of the queue below the prefix')
    },
  },
  {
    id: 'subscribe.wildcard-beside-names',
    title: 'Each message goes to exactly one of several consumers, be they there by name or by wildcard.',
    stimulus:
      'One consumer subscribes to a queue by name, one by wildcard; messages are sent in two ways, before and after; both read until every message has been seen.',
    clauses: ['subscribe.wildcard', 'consume.exactly-one'],
    needs: ['subscribe.wildcard', 'consume.exactly-one'],
    async run(trial: Trial) {
      const prefix = trial.freshName()
      const queue = await trial.createQueue(`${prefix}/one`)
      const waiting = await trial.send(queue)
      const consumers = [await trial.subscribe(wildcard(trial, prefix)), await trial.subscribe(queue)]
      const messages = [waiting, ...(await trial.sendInOrder(queue, 4))]
      for (let sent = 0; sent < 2; sent++) messages.push(await sendWithGuidIfTaken(trial, queue))
      await expectEachWithOne(trial, consumers, messages)
    },
  },
  {
    id: 'subscribe.wildcards-together',
    title: 'Several wildcards of several consumers each cover all that is created after them.',
    stimulus:
      'Two consumers subscribe, each by two wildcards, below which there are four queues each; two more are created below each and a message is sent to each of these; both read, and the first is deleted.',
    clauses: ['subscribe.wildcard.later', 'subscribe.wildcard', 'lease.reassign'],
    needs: ['subscribe.wildcard-later-queue', 'subscribe.wildcard-beside-names', 'lease.deletion-hands-over'],
    async run(trial: Trial) {
      const prefixes = [trial.freshName(), trial.freshName()]
      const destinations = prefixes.map((prefix) => wildcard(trial, prefix))
      const create = (names: readonly string[]) =>
        Promise.all(prefixes.flatMap((prefix) => names.map((name) => trial.createQueue(`${prefix}/${name}`))))
      await create(['a', 'b', 'c', 'd'])
      const [first, second] = await Promise.all([
        trial.subscribe(destinations),
        trial.subscribe(destinations),
      ])
      // At once, so that no lease ends underneath.
      const later = await create(['e', 'f'])
      const messages = await Promise.all(later.map((queue) => trial.send(queue)))
      await Promise.all([first.read(), second.read()])
      await first.end()
      await expectDelivered(trial, [second], messages, 'all four messages with the consumer that is left')
    },
  },
  {
    id: 'subscribe.wildcard-overlap',
    title: 'A queue that a subscription covers by name and by wildcard gives each message once.',
    stimulus: 'Subscribes to a queue by name and by wildcard, reads, acknowledges and reads again.',
    clauses: ['subscribe.wildcard', 'consume.entries', 'subscribe.destinations.overlap'],
    needs: ['subscribe.wildcard', 'ack.leaves-feed'],
    async run(trial: Trial) {
      if (!(await mixesDestinations(trial)))
        return trial.observed('A subscription is by names or by wildcards, and not by both.')
      const prefix = trial.freshName()
      const queue = await trial.createQueue(`${prefix}/one`)
      const waiting = await trial.send(queue)
      const consumer = await trial.subscribe([queue, wildcard(trial, prefix)])
      const messages = [waiting, await trial.send(queue)]
      const entries = await consumer.receive(messages)
      const twice = await never(trial, consumer, async () =>
        found(repeated(await readBodies(trial, consumer))),
      )
      trial.expect(twice === undefined, 'one entry for each message', 'two entries for one message')
      await Promise.all(entries.map((entry) => consumer.ack(entry)))
      await expectGone(trial, consumer, messages, 'both messages gone after their acks')
    },
  },
  {
    id: 'subscribe.wildcard-segment',
    title: 'A `*` stands for exactly one segment, wherever it stands.',
    stimulus:
      'Subscribes with `*` in the middle and at the end; sends to queues that match and to shallower and deeper ones.',
    clauses: ['subscribe.wildcard.segment'],
    needs: ['subscribe.wildcard'],
    async run(trial: Trial) {
      const prefix = trial.freshName()
      await judgeCoverage(trial, `${prefix}/*`, [`${prefix}/a`, `${prefix}/b`], [`${prefix}/a/b`, prefix])
      const inner = trial.freshName()
      await judgeCoverage(
        trial,
        `${inner}/*/x`,
        [`${inner}/a/x`, `${inner}/b/x`],
        [`${inner}/a/y`, `${inner}/x`],
      )
    },
  },
  {
    id: 'subscribe.wildcard-tail',
    stimulus:
      'Subscribes with `>` at the end; sends to queues one and two segments below the prefix, to the prefix itself, and to one below a longer name.',
    clauses: ['subscribe.wildcard.tail'],
    needs: ['subscribe.wildcard'],
    async run(trial: Trial) {
      const prefix = trial.freshName()
      await judgeCoverage(trial, `${prefix}/>`, [`${prefix}/a`, `${prefix}/a/b`], [prefix, `${prefix}x/a`])
    },
  },
  {
    id: 'subscribe.wildcard-dots',
    title: 'A wildcard can be written with dots.',
    stimulus:
      'Subscribes to `prefix.*`, and sends to a queue below the prefix and to one below a longer name.',
    clauses: ['subscribe.wildcard.dots'],
    needs: ['subscribe.wildcard'],
    async run(trial: Trial) {
      const prefix = trial.freshName()
      await judgeCoverage(trial, `${prefix}.*`, [`${prefix}/a`], [`${prefix}x/a`])
    },
  },
  {
    id: 'subscribe.wildcard-refused',
    title: 'A `>` that is not last, and a wildcard within a segment, are refused with 400.',
    stimulus: 'Posts subscriptions to such destinations.',
    clauses: ['subscribe.wildcard.refused'],
    needs: ['subscribe.wildcard'],
    run: eachAnswersWith(400, 'misplaced-wildcard-', ['>/a', 'a*', 'a>'], async (trial) => {
      const prefix = trial.freshName()
      return (misplaced) => trial.trySubscribe(`${prefix}/${misplaced}`)
    }),
  },
]

/** Judges that a destination covers the queues `inside` and none of `outside`. */
async function judgeCoverage(
  trial: Trial,
  destination: string,
  inside: string[],
  outside: string[],
): Promise<void> {
  const paths = [...inside, ...outside]
  const queues = []
  for (const path of paths) queues.push(await trial.createQueue(path))
  const messages = await Promise.all(queues.map((queue) => trial.send(queue)))
  const consumer = await trial.subscribe(destination)
  const expected = messages.slice(0, inside.length)
  await missing(trial, [consumer], expected)
  const bodies = await readBodies(trial, consumer)
  const seen = paths.filter((_, i) => bodies.includes(messages[i]!.text))
  trial.expect(
    seen.join() === inside.join(),
    `${destination} to cover ${inside.join(' and ')} only`,
    `it covers ${seen.join(', ') || 'none of the queues'}`,
  )
}
