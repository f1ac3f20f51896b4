import { answered } from '../../client/answered.js'
import { succeeded } from '../../client/exchange.js'
import { type Walk, walkTo } from '../../client/listings.js'
import { categoryOf } from '../../client/queue-names.js'
import { createdAt } from '../../trial/addresses.js'
import { statusOf } from '../../trial/answers.js'
import type { CheckRecord } from '../../trial/check.js'
import { expectDelivered, expectKept, expectWithheld } from '../../trial/deliveries.js'
import { expectDone, expectReadable } from '../../trial/expectations.js'
import { expectPending, pendingBodies, untilPending } from '../../trial/pending.js'
import { deleteForGood, deleteQueue, untilGone } from '../../trial/queues.js'
import { readBodies } from '../../trial/reading.js'
import { amissIn } from '../../trial/shifting.js'
import type { QueueHandle, Sent, Trial } from '../../trial/trial.js'
import { withRetries } from '../../trial/waiting.js'

/** A queue with one message in it, which its feed shows. */
async function queueInUse(trial: Trial, path?: string): Promise<QueueHandle> {
  const queue = await trial.createQueue(path)
  await untilPending(trial, queue, [await trial.send(queue)])
  return queue
}

/** Two queues of which a consumer holds a message each: one of a queue that goes, and one of a queue that stays. */
async function holdOfBoth(trial: Trial) {
  const queues = await Promise.all([trial.createQueue(), trial.createQueue()])
  const [goes, stays] = await Promise.all([trial.send(queues[0]), trial.send(queues[1])])
  const consumer = await trial.subscribe(queues)
  await consumer.receive([goes, stays])
  return { queues, goes, stays, consumer }
}

/** Deleting queues: section 4.1, "Delete a queue". */
export const QUEUE_DELETION: readonly CheckRecord[] = [
  {
    id: 'queues.delete-by-path',
    title: 'A queue is deleted at /queues/ followed by its path.',
    stimulus: 'Deletes one queue of one segment and one of two by their paths, and reads both at Location.',
    clauses: ['queues.delete.status', 'queues.address'],
    needs: ['queues.delete-unreadable', 'queues.path-address', 'queues.several-segments'],
    async run(trial: Trial) {
      const queues = await Promise.all([1, 2].map((segments) => queueInUse(trial, trial.freshName(segments))))
      await Promise.all(
        queues.map(async (queue) => {
          await deleteQueue(trial, queue, trial.target.queueUri(queue.path))
          const { gone } = await untilGone(trial, queue)
          trial.expect(gone !== undefined, 'a queue deleted by its path gone', `${queue.uri} still readable`)
        }),
      )
    },
  },
  {
    id: 'queues.delete-unreadable',
    title: 'A deleted queue can no longer be read.',
    stimulus:
      'Reads the feed of a queue with a message in it, deletes the queue, and asks for the feed again.',
    clauses: ['queues.delete.unreadable'],
    needs: ['queues.delete', 'send.post', 'browse.queue'],
    async run(trial: Trial) {
      const queue = await queueInUse(trial)
      await deleteQueue(trial, queue)
      const { gone, last } = await untilGone(trial, queue)
      trial.expect(gone !== undefined, 'a 4xx, or no message, for GET of a deleted queue', () =>
        answered(last),
      )
    },
  },
  {
    id: 'queues.delete-unlisted',
    stimulus:
      'Finds a queue of one segment and one of two by following the listings, deletes both, and looks again.',
    clauses: ['queues.delete.unlisted'],
    needs: ['queues.delete', 'queues.several-segments', 'browse.root', 'browse.reachable'],
    readsRoot: true,
    async run(trial: Trial) {
      const deep = trial.freshName(2)
      const sibling = `${categoryOf(trial.profile, deep)}/sibling`
      const paths = [trial.freshName(), deep, sibling]
      const [one, two] = await Promise.all(paths.map((path) => trial.createQueue(path)))
      // Below a category only a target with subtree listings is bound to show a queue.
      const isShown = trial.profile.features.subtree && !trial.isBroken('browse.reachable')
      const listed = isShown ? [one!, two!] : [one!]
      let walks: readonly Walk[] = []
      await withRetries(trial, async () => {
        walks = await walkTo(trial, listed)
        return walks.every(({ entry }) => entry) || undefined
      })
      const [ofOne, ofTwo] = walks
      trial.precondition(ofOne?.entry !== undefined, 'browse.root', `no listing with ${one!.path}`)
      trial.precondition(
        !ofTwo || ofTwo.entry !== undefined,
        'browse.reachable',
        `no listing with ${two!.path}`,
      )
      await Promise.all(listed.map((queue) => deleteQueue(trial, queue)))
      await trial.eventually(async () => {
        walks = await walkTo(trial, listed)
        return walks.every(({ entry }) => entry === undefined) || undefined
      })
      const still = walks.findIndex(({ entry }) => entry !== undefined)
      trial.expect(
        still < 0,
        `no listing with the deleted queue ${listed[still]?.path}`,
        () => walks[still]!.way,
      )
    },
  },
  {
    id: 'queues.delete-leaves-others',
    stimulus:
      'Sends messages to a/b, a/bc, a/c and another queue, deletes a/b, and reads and lists the others.',
    clauses: ['queues.delete.others'],
    needs: ['queues.delete', 'queues.several-segments', 'browse.root'],
    readsRoot: true,
    async run(trial: Trial) {
      const a = trial.freshName()
      const paths = [`${a}/b`, `${a}/bc`, `${a}/c`, trial.freshName()]
      const queues = await Promise.all(paths.map((path) => trial.createQueue(path)))
      const messages = await Promise.all(queues.map((queue) => trial.send(queue)))
      await Promise.all(queues.map((queue, index) => untilPending(trial, queue, [messages[index]!])))
      await deleteQueue(trial, queues[0]!)
      await Promise.all(
        queues.map(async (queue, index) => {
          if (index === 0) return
          const expected = `${queue.path} and its message left when ${paths[0]} is deleted`
          await expectReadable(trial, queue, expected)
          await expectPending(trial, queue, [messages[index]!], expected)
        }),
      )
      if (trial.isBroken('browse.root')) return
      const missed = await amissIn(trial, async () => {
        const [walk] = await walkTo(trial, [queues[3]!])
        const { entry, way, feeds } = walk!
        return { feeds, amiss: entry === undefined ? way : undefined }
      })
      trial.expect(missed === undefined, `${paths[3]} still listed`, missed ?? '')
    },
  },
  {
    id: 'queues.delete-leaves-below',
    title: 'Deleting a queue leaves the queues alone that are above it and below it.',
    stimulus:
      'Creates the queues a, a/b and a/b/c, sends a message to each, deletes a/b, reads a/b/c and a, deletes a, and reads a/b/c.',
    clauses: ['queues.delete.others'],
    needs: ['queues.delete', 'queues.several-segments'],
    async run(trial: Trial) {
      const upper = await trial.createQueue()
      const exchange = await trial.tryCreateQueue(`${upper.path}/b`)
      const uri = createdAt(trial, exchange)
      if (uri === undefined) {
        trial.choose('queue-below-queue', statusOf(exchange))
        return trial.observed(`A queue below a queue is refused: ${answered(exchange)}`)
      }
      trial.choose('queue-below-queue', 'allowed')
      const middle: QueueHandle = { path: `${upper.path}/b`, uri }
      const lower = await trial.createQueue(`${middle.path}/c`)
      const [above, below] = [await trial.send(upper), await trial.send(lower)]
      await untilPending(trial, upper, [above])
      await untilPending(trial, lower, [below])
      const isLeft = async (queue: QueueHandle, message: Sent, deleted: QueueHandle) => {
        const expected = `${queue.path} and its message left when ${deleted.path} is deleted`
        await expectReadable(trial, queue, expected)
        await expectPending(trial, queue, [message], expected)
      }
      await deleteQueue(trial, middle)
      await isLeft(lower, below, middle)
      await isLeft({ ...upper, below: [middle, lower] }, above, middle)
      await deleteQueue(trial, upper)
      await isLeft(lower, below, upper)
    },
  },
  {
    id: 'queues.created-after-delete',
    title: 'A queue created under the name of a deleted one takes messages again.',
    stimulus: 'Twice deletes a queue, creates it again, sends a message to it, and reads it.',
    clauses: ['queues.create.status', 'queues.create.posting'],
    needs: ['queues.delete-unreadable'],
    async run(trial: Trial) {
      const queue = await queueInUse(trial)
      for (let last = queue, time = 1; time <= 2; time++) {
        await deleteForGood(trial, last)
        const exchange = await trial.tryCreateQueue(queue.path)
        const uri = trial.target.location(exchange)
        trial.expect(
          succeeded(exchange) && uri !== undefined,
          '201 with a Location for a queue under the name of a deleted one',
          answered(exchange),
        )
        const again: QueueHandle = { path: queue.path, uri }
        await expectDone(trial, 'a message taken by a queue under the name of a deleted one', async () =>
          untilPending(trial, again, [await trial.send(again)]),
        )
        last = again
      }
    },
  },
  {
    id: 'queues.delete-messages',
    title: "A deleted queue's messages go with it.",
    stimulus:
      'Deletes a queue with a message in it, creates it again, sends another message, and reads the feed.',
    clauses: ['queues.delete.messages'],
    needs: ['queues.created-after-delete'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const old = await trial.send(queue)
      await untilPending(trial, queue, [old])
      await deleteForGood(trial, queue)
      const again = await trial.createQueue(queue.path)
      const message = await trial.send(again)
      await untilPending(trial, again, [message])
      const kept = (await pendingBodies(trial, again, [message, old])).includes(old.text)
      trial.choose('messages-of-a-deleted-queue', kept ? 'kept' : 'gone')
      await expectPending(trial, again, [message], 'no message in a queue created after a deletion')
    },
  },
  {
    id: 'queues.delete-spares-consumers',
    title: 'Deleting one of the queues of a consumer leaves it what it has of the others.',
    stimulus:
      'Has a consumer of two queues hold a message of each and another wait at the second, deletes the first, and reads; the other goes, and a message is sent.',
    clauses: ['queues.delete.consumers', 'queues.delete.unreadable'],
    needs: [
      'queues.delete-unreadable',
      'subscribe.several-destinations',
      'consume.own-view',
      'consume.repeat',
      'consume.later',
    ],
    async run(trial: Trial) {
      const { queues, stays, consumer } = await holdOfBoth(trial)
      const other = await trial.subscribe(queues[1])
      await deleteQueue(trial, queues[0])
      const { gone, last } = await untilGone(trial, queues[0])
      trial.expect(
        gone !== undefined,
        'a 4xx, or no message, for GET of a queue that is deleted while a message is held',
        () => answered(last),
      )
      const expected = 'the message of the other queue with the consumer that holds it, and with no other'
      await expectWithheld(trial, other, [stays], expected)
      await expectDone(trial, 'the feed of the consumer as before', () =>
        expectKept(trial, consumer, [stays], expected),
      )
      await other.endIfActive()
      const later = await trial.send(queues[1])
      await expectDelivered(trial, [consumer], [later], 'what is sent to the other queue later')
    },
  },
  {
    id: 'queues.delete-makes-room',
    stimulus:
      'A consumer of two queues with a prefetch of 1 holds a message, and one waits in the other; the queue of the first is deleted.',
    clauses: ['queues.delete.room'],
    needs: ['queues.delete-spares-consumers', 'prefetch.fills', 'prefetch.per-consumer'],
    async run(trial: Trial) {
      const queues = await Promise.all([trial.createQueue(), trial.createQueue()])
      const held = await trial.send(queues[0])
      const consumer = await trial.subscribe(queues, { prefetch: 1 })
      await consumer.receive([held])
      const waiting = await trial.send(queues[1])
      await deleteQueue(trial, queues[0])
      const left = await trial.eventually(async () =>
        (await readBodies(trial, consumer)).includes(held.text) ? undefined : true,
      )
      if (!left) return trial.observed('The message of a deleted queue stays with its consumer.')
      await expectDelivered(trial, [consumer], [waiting], 'the message that waited, since the feed is empty')
    },
  },
  {
    id: 'queues.delete-held',
    title: 'Messages that consumers hold from a deleted queue leave their feeds.',
    stimulus:
      'Has a consumer of two queues hold a message of each, deletes one queue, and reads the consumer’s feed.',
    clauses: ['queues.delete.held'],
    needs: ['queues.delete', 'consume.delivers'],
    async run(trial: Trial) {
      const { queues, goes, stays, consumer } = await holdOfBoth(trial)
      await deleteQueue(trial, queues[0])
      const bodies = await trial.eventually(async () => {
        const texts = await trial.bodies(await consumer.read())
        return texts.includes(goes.text) ? undefined : texts
      })
      await consumer.endIfActive()
      trial.choose('held-messages-of-a-deleted-queue', bodies === undefined ? 'stay' : 'leave')
      trial.expect(
        bodies !== undefined,
        'the message of the deleted queue gone from the feed',
        'the message still there',
      )
      trial.expect(
        bodies.includes(stays.text),
        'the message of the other queue still there',
        'neither message there',
      )
    },
  },
  {
    id: 'queues.delete-category',
    stimulus: 'Creates a queue of two segments, deletes its first segment, and reads the queue.',
    clauses: ['queues.delete.category'],
    needs: ['queues.delete', 'queues.several-segments'],
    async run(trial: Trial) {
      const queue = await queueInUse(trial, trial.freshName(2))
      const category = trial.target.queueUri(categoryOf(trial.profile, queue.path))
      const exchange = await trial.target.request('DELETE', category)
      trial.choose('delete-category', statusOf(exchange))
      trial.expect(exchange.status === 404, '404 for the deletion of a category', answered(exchange))
      await expectReadable(trial, queue, 'the queue below it still there')
    },
  },
]
