import { answered } from '../../client/answered.js'
import { messageUriOf } from '../../trial/addresses.js'
import { statusOf } from '../../trial/answers.js'
import type { CheckRecord } from '../../trial/check.js'
import { expectKept } from '../../trial/deliveries.js'
import { holdOne } from '../../trial/held.js'
import { LockConsumer } from '../../trial/locking.js'
import type { Trial } from '../../trial/trial.js'

const URI_LIST = 'text/uri-list'

/** Acknowledgements in a POST where the document leaves them open. */
export const ACK_IN_POST_CHOICES: readonly CheckRecord[] = [
  {
    id: 'ack-in-post.all-or-none',
    title:
      'A list with a message that the subscription does not hold is refused with 422 and names it, and none is acknowledged.',
    stimulus: "Posts a list of a consumer's own message and of another consumer's.",
    clauses: ['ack-in-post.all-or-none', 'ack-in-post.refused'],
    needs: ['ack-in-post.subscription'],
    async run(trial: Trial) {
      const queues = await Promise.all([trial.createQueue(), trial.createQueue()])
      const [own, foreign] = await Promise.all(queues.map((queue) => trial.send(queue)))
      const [consumer, other] = await Promise.all(queues.map((queue) => trial.subscribe(queue)))
      const [entry] = await consumer!.receive([own!])
      const [wrong] = await other!.receive([foreign!])
      const foreignUri = messageUriOf(wrong!)
      const body = `${messageUriOf(entry!)}\r\n${foreignUri}\r\n`
      const headers = { 'Content-Type': URI_LIST }
      const answer = await trial.target.request('POST', consumer!.uri, { headers, body })
      trial.choose('acks-of-which-one-is-foreign', statusOf(answer))
      trial.expect(answer.status === 422, '422', answered(answer))
      await expectKept(trial, consumer!, [own!], "the consumer's own message kept")
      await expectKept(trial, other!, [foreign!], "the other consumer's message kept")
      const named = answer.body.includes(new URL(foreignUri).pathname)
      trial.expect(named, 'the URI that is not its own in the answer', answer.body.toString())
    },
  },
  {
    id: 'ack-in-post.media-type',
    stimulus: 'Posts a message URI as application/x-kit, and then as text/uri-list.',
    clauses: ['ack-in-post.media-type'],
    needs: ['ack-in-post.subscription'],
    async run(trial: Trial) {
      const { sent, consumer, entry } = await holdOne(trial)
      const post = (type: string) =>
        trial.target.request('POST', consumer.uri, {
          headers: { 'Content-Type': type },
          body: `${messageUriOf(entry)}\r\n`,
        })
      const answer = await post('application/x-kit')
      trial.choose('acks-of-another-type', statusOf(answer))
      trial.expect(answer.status === 415, '415', answered(answer))
      await expectKept(trial, consumer, [sent], 'the message kept')
      const right = await post(URI_LIST)
      trial.expect(right.status === 200, '200 for text/uri-list', answered(right))
    },
  },
  {
    id: 'ack-in-post.batch',
    title:
      'A list of message URIs in a lock call acknowledges them, all or none, before the next batch is locked.',
    stimulus: 'Locks one of two messages; acknowledges it and a made-up one in a lock call; then it alone.',
    clauses: ['ack-in-post.batch'],
    needs: ['ack-in-post.acknowledges'],
    async run(trial: Trial) {
      if (!trial.profile.features.batch) return trial.observed('The target does not claim the batch mapping.')
      const queue = await trial.createQueue()
      const consumer = await LockConsumer.of(trial, queue)
      const messages = await trial.sendMany(queue, 2)
      const held = await consumer.take(messages)
      const madeUp = held.uri.replace(/[^/]+$/, 'f'.repeat(32))
      const { answer: refused } = await consumer.lock(1, [held.uri, madeUp])
      trial.choose('lock-call-with-a-wrong-ack', statusOf(refused))
      trial.expect(refused.status === 422, '422 with a made-up one', answered(refused))
      const next = (await consumer.look(1, messages, [held.uri])).map(({ message }) => message)
      const right = next.length === 1 && next[0] !== held.message
      trial.expect(right, 'the other message in the answer', `${next.length} of the messages`)
    },
  },
]
