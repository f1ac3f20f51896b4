import { succeeded } from '../client/exchange.js'
import { carriers, type MakeCarrier } from '../trial/ack-carriers.js'
import { LockConsumer } from '../trial/locking.js'
import type { Prober } from './prober.js'

/** Whether lock calls return addresses of messages, whose DELETE acknowledges them. */
export async function findBatch(prober: Prober): Promise<void> {
  await using trial = prober.trial()
  const queue = await prober.queue(trial)
  const consumer = await LockConsumer.of(trial, queue)
  const sent = await trial.send(queue)
  const held = await trial.eventually(async () => (await consumer.look(2, [sent]))[0])
  const deleted = held && (await consumer.tryAck(held))
  prober.draft.features.batch = deleted !== undefined && succeeded(deleted)
  prober.note(
    'features.batch',
    deleted === undefined
      ? `POST /lockNextMessage gave ${(await consumer.lock(2)).answer.status}, and no address of a message.`
      : `POST /lockNextMessage gave the address of a message, and its DELETE gave ${deleted.status}.`,
  )
}

/** Whether acknowledgements are taken in the body of a POST: to a subscription, or in a lock call. */
export async function findAckInPost(prober: Prober): Promise<void> {
  const names = (await Promise.all(carriers(prober.trial()).map((make) => takesAcks(prober, make)))).flat()
  prober.draft.features['ack-in-post'] = names.length > 0
  prober.note(
    'features.ack-in-post',
    names.length === 0
      ? 'Acknowledgements as text/uri-list in the body of a POST had no effect.'
      : `Acknowledgements as text/uri-list are taken in ${names.join(' and in ')}.`,
  )
}

/** The name of the place, where it takes acknowledgements: the queue is then empty. */
async function takesAcks(prober: Prober, make: MakeCarrier): Promise<string[]> {
  await using trial = prober.trial()
  const queue = await prober.queue(trial)
  const found = await prober.attempt(async () => {
    const carrier = await make(trial, queue, 2)
    const answer = await carrier.acknowledge(await carrier.hold([await trial.send(queue)]))
    if (!succeeded(answer)) return undefined
    const isEmpty = async () => (await trial.browse(queue)).entries.length === 0
    return (await trial.eventually(async () => (await isEmpty()) || undefined)) && carrier.name
  })
  return found === undefined ? [] : [found]
}
