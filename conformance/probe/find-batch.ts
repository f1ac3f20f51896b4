import { postUris } from '../client/ack-in-post.js'
import { type Exchange, succeeded } from '../client/exchange.js'
import { messageUriOf } from '../trial/addresses.js'
import { LockConsumer } from '../trial/locking.js'
import type { QueueHandle } from '../trial/trial.js'
import { once } from '../trial/waiting.js'
import type { ProbeTrial } from './probe-trials.js'
import type { Prober } from './prober.js'

/** Whether lock calls return addresses of messages, whose DELETE acknowledges them. */
export async function findBatch(prober: Prober): Promise<void> {
  await using trial = prober.trial()
  const queue = await prober.queue(trial)
  const consumer = await LockConsumer.of(trial, queue)
  const sent = await trial.send(queue)
  const held = await trial.eventually(async () => (await consumer.look(2, [sent]))[0])
  const deleted = held && (await consumer.tryAck(held))
  prober.claim(
    'batch',
    deleted !== undefined && succeeded(deleted),
    deleted === undefined
      ? `POST /lockNextMessage gave ${(await consumer.lock(2)).answer.status}, and no address of a message.`
      : `POST /lockNextMessage gave the address of a message, and its DELETE gave ${deleted.status}.`,
  )
}

/** Sends a message, has a consumer hold it, and acknowledges it in the body of a POST to one place. */
type AcknowledgeInPost = (trial: ProbeTrial, queue: QueueHandle) => Promise<Exchange>

const byLockCall: AcknowledgeInPost = async (trial, queue) => {
  const consumer = await LockConsumer.of(trial, queue)
  const { uri } = await consumer.take([await trial.send(queue)])
  return (await consumer.lock(2, [uri])).answer
}

const bySubscription: AcknowledgeInPost = async (trial, queue) => {
  const consumer = await trial.subscribe(queue, { prefetch: 2 })
  const entries = await consumer.receive([await trial.send(queue)])
  return postUris(trial, consumer.uri, entries.map(messageUriOf))
}

/** Whether acknowledgements are taken in the body of a POST: to a subscription, or in a lock call. */
export async function findAckInPost(prober: Prober): Promise<void> {
  const [inLockCalls, atSubscriptions] = await Promise.all([
    prober.draft.features.batch && takesAcks(prober, byLockCall),
    takesAcks(prober, bySubscription),
  ])
  const names = [
    ...(inLockCalls ? ['a lock call'] : []),
    ...(atSubscriptions ? ['a POST to a subscription'] : []),
  ]
  prober.claim(
    'ack-in-post',
    names.length > 0,
    names.length === 0
      ? 'Acknowledgements as text/uri-list in the body of a POST had no effect.'
      : `Acknowledgements as text/uri-list are taken in ${names.join(' and in ')}.`,
  )
}

/** Whether a place takes acknowledgements: the queue is then empty. */
async function takesAcks(prober: Prober, acknowledge: AcknowledgeInPost): Promise<boolean> {
  await using trial = prober.trial()
  const queue = await prober.queue(trial)
  const isTaken = await prober.attempt(async () => {
    if (!succeeded(await acknowledge(trial, queue))) return undefined
    return trial.eventually(async () => once((await trial.browse(queue)).entries.length === 0))
  })
  return isTaken === true
}
