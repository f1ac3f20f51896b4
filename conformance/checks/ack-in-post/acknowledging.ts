import { answered } from '../../client/answered.js'
import { succeeded } from '../../client/exchange.js'
import { acknowledgeAt, isWithoutEffect, judgeCarriers, type MakeCarrier } from '../../trial/ack-carriers.js'
import { messageUriOf } from '../../trial/addresses.js'
import type { CheckRecord } from '../../trial/check.js'
import { labels, texts } from '../../trial/labels.js'
import { coverInEveryWay, sendOfEveryKind } from '../../trial/of-every-kind.js'
import { expectPending, pendingBodies } from '../../trial/pending.js'
import type { Sent, Trial } from '../../trial/trial.js'
import { found, once } from '../../trial/waiting.js'

/** How many messages a consumer is given at a time. */
const BATCH_SIZE = 2

/** Acknowledgements in the body of a POST. */
export const ACK_IN_POST: readonly CheckRecord[] = [
  {
    id: 'ack-in-post.acknowledges',
    title: 'Acknowledgements in the body of a POST acknowledge their messages, and no other.',
    stimulus:
      'A consumer holds twelve messages, or as many as it may, and acknowledges all but one in one POST, as text/uri-list; then the queue’s feed is read, the POST is repeated, and the consumer reads on.',
    clauses: ['ack-in-post.acknowledges', 'ack-in-post.only', 'ack-in-post.final'],
    needs: ['ack.succeeds', 'browse.queue', 'browse.takes-nothing', 'browse.changes-nothing'],
    run: (trial: Trial) =>
      judgeCarriers(trial, async (make) => {
        const queue = await trial.createQueue()
        const count = Math.max(3, Math.min(12, trial.profile.subscription.maxPrefetch))
        const carrier = await make(trial, queue, count)
        const messages = await trial.sendMany(queue, count)
        const held = await carrier.hold(messages)
        const [done, rest] = [messages.toSpliced(1, 1), held.toSpliced(1, 1)]
        const { answer } = await carrier.acknowledge(rest, [])
        if (!succeeded(answer)) return { name: carrier.name, answer }
        if (await isWithoutEffect(trial, [queue], messages.length))
          return { name: carrier.name, answer, isIgnored: true }
        const pending = async () => pendingBodies(trial, queue, [messages[1]!, messages[0]!, messages[2]!])
        const wanted = messages[1]!.text
        let left: string[] = []
        await trial.eventually(async () => {
          left = await pending()
          return once(left.length === 1 && left[0] === wanted)
        })
        const seen = () => `${carrier.name} left ${labels(messages, left)}`
        trial.expect(left.length === 1 && left[0] === wanted, 'only message 2 still pending', seen)
        // A POST whose answer is lost is sent again; it may be refused then.
        await carrier.acknowledge(rest, [])
        left = await pending()
        trial.expect(left.includes(wanted), 'message 2 still pending after the POST was repeated', seen)
        const again = await trial.never(async () => found(await carrier.take(done)))
        trial.expect(again === undefined, 'no acknowledged message again', () =>
          labels(messages, texts(again!.map(({ message }) => message))),
        )
        return { name: carrier.name, answer }
      }),
  },
  {
    id: 'ack-in-post.of-every-kind',
    title:
      'A message acknowledged in a POST leaves its queue, however it was sent and whatever destination covers it.',
    stimulus:
      'One subscription covers two queues, of which one was made again, and, where the target offers it, a third by a wildcard and by its name; all that is sent to them, in every way, is acknowledged in one POST; the subscription is deleted, and the queues’ feeds are read.',
    clauses: ['ack-in-post.acknowledges', 'ack-in-post.final'],
    needs: [
      'ack-in-post.acknowledges',
      'ack.leaves-queue',
      'subscribe.several-destinations',
      'prefetch.fills',
    ],
    async run(trial: Trial) {
      const covered = await coverInEveryWay(trial)
      const messages = await sendOfEveryKind(trial, covered)
      const { destinations, prefetch, queues } = covered
      const consumer = await trial.subscribe(destinations, { prefetch })
      const uris = (await consumer.receive(messages)).map(messageUriOf)
      const answer = await acknowledgeAt(trial, consumer.uri, uris)
      if (!succeeded(answer)) return trial.observed(`A subscription takes none: ${answered(answer)}`)
      // A target that takes them in lock calls may take no notice of the body here.
      if (await isWithoutEffect(trial, queues, messages.length))
        return trial.observed(`A subscription takes none: ${answered(answer)}, and all are still pending`)
      await consumer.endIfActive()
      const expected = 'no message in a queue whose messages were all acknowledged in a POST'
      for (const queue of queues) await expectPending(trial, queue, [], expected)
    },
  },
  {
    id: 'ack-in-post.final',
    title: 'A message acknowledged in a POST comes to no other consumer.',
    stimulus:
      'A consumer acknowledges the messages that it holds in one POST; another subscribes and receives what is sent then.',
    clauses: ['ack-in-post.final'],
    needs: ['ack-in-post.acknowledges', 'consume.delivers'],
    run: (trial: Trial) =>
      judgeCarriers(trial, async (make) => {
        const queue = await trial.createQueue()
        const carrier = await make(trial, queue, BATCH_SIZE)
        const messages = await trial.sendMany(queue, BATCH_SIZE)
        const { answer } = await carrier.acknowledge(await carrier.hold(messages), [])
        if (!succeeded(answer)) return { name: carrier.name, answer }
        if (await isWithoutEffect(trial, [queue], messages.length))
          return { name: carrier.name, answer, isIgnored: true }
        const other = await trial.subscribe(queue)
        const later = await trial.send(queue)
        const read = async () => trial.bodies(await other.read())
        await trial.eventually(async () => {
          const came = (await read()).includes(later.text) || (await carrier.take([later])).length > 0
          return once(came)
        })
        const again = await trial.never(async () => {
          const bodies = await read()
          return found(messages.filter(({ text }) => bodies.includes(text)))
        })
        trial.expect(again === undefined, 'no acknowledged message with the other consumer', () =>
          labels(messages, texts(again!)),
        )
        return { name: carrier.name, answer }
      }),
  },
  {
    id: 'ack-in-post.next-batch',
    title: 'Where the POST that carries acknowledgements returns messages, it is the next batch.',
    stimulus:
      'Of six messages a consumer that is given two at a time acknowledges each two in a POST, and looks at the answers.',
    clauses: ['ack-in-post.next-batch', 'prefetch.cap'],
    needs: ['ack-in-post.acknowledges', 'browse.takes-nothing'],
    run: (trial: Trial) => judgeCarriers(trial, (make) => judgeNextBatch(trial, make)),
  },
]

async function judgeNextBatch(trial: Trial, make: MakeCarrier) {
  const queue = await trial.createQueue()
  const carrier = await make(trial, queue, BATCH_SIZE)
  const messages = await trial.sendMany(queue, 3 * BATCH_SIZE)
  const done = new Set<Sent>()
  const rest = () => messages.filter((message) => !done.has(message))
  const take = async () => {
    const given = await trial.eventually(async () => found(await carrier.take(rest())))
    const seen = () => `${labels(messages, texts(rest()))} not given after acks by ${carrier.name}`
    trial.expect(given !== undefined, 'the further messages after the acknowledgements', seen)
    return given
  }
  const returned: (number | undefined)[] = []
  let held = await take()
  for (;;) {
    const { answer, next } = await carrier.acknowledge(held, messages)
    if (!succeeded(answer)) return { name: carrier.name, answer }
    if (done.size === 0 && (await isWithoutEffect(trial, [queue], messages.length)))
      return { name: carrier.name, answer, isIgnored: true }
    for (const { message } of held) done.add(message)
    const fresh = next?.filter(({ message }) => !done.has(message))
    const wrong = (next ?? []).map(({ message }) => message).filter((message) => done.has(message))
    // Where effects take their time to show, what was acknowledged just now may still be there.
    trial.expect(
      wrong.length === 0 || trial.timing.settle > 0,
      'none of the messages that were acknowledged',
      () => labels(messages, texts(wrong)),
    )
    const count = fresh?.length ?? 0
    const bound = `at most ${carrier.most} messages in the answer by ${carrier.name}`
    trial.expect(count <= carrier.most, bound, `${count}`)
    if (rest().length === 0) {
      const some = returned.some((count) => count !== undefined && count > 0)
      trial.choose('next-batch-with-acks', some ? 'returned' : 'not returned')
      return { name: carrier.name, answer }
    }
    returned.push(fresh?.length)
    held = fresh !== undefined && fresh.length > 0 ? fresh : await take()
  }
}
