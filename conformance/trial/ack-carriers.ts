import { postUris } from '../client/ack-in-post.js'
import type { Exchange } from '../client/exchange.js'
import { LockConsumer, type Locked } from './locking.js'
import type { QueueHandle, Sent, Trial } from './trial.js'

/**
 * A consumer that can put acknowledgements into the body of a POST. The document does not show where: it may be the
 * second lock call of a batch, or a POST to a subscription.
 */
export interface AckCarrier {
  /** For reports: "a lock call". */
  readonly name: string
  /** Holds each of `messages`, at most `max` more at a time; blocked where they do not come. */
  hold(messages: readonly Sent[]): Promise<Locked[]>
  /** POSTs acknowledgements, all in one body. */
  acknowledge(held: readonly Locked[]): Promise<Exchange>
}

/** Makes a carrier for a consumer of a queue that is given up to `max` messages at a time. */
export type MakeCarrier = (trial: Trial, queue: QueueHandle, max: number) => Promise<AckCarrier>

const lockCallCarrier: MakeCarrier = async (trial, queue, max) => {
  const consumer = await LockConsumer.of(trial, queue)
  const urisOf = (held: readonly Locked[]) => held.map(({ uri }) => uri)
  return {
    name: 'a lock call',
    hold: (messages) => consumer.lockAll(messages, max),
    acknowledge: async (held) => (await consumer.lock(max, urisOf(held))).answer,
  }
}

const subscriptionCarrier: MakeCarrier = async (trial: Trial, queue, max) => {
  const consumer = await trial.subscribe(queue, { prefetch: max })
  return {
    name: 'a POST to a subscription',
    async hold(messages) {
      const entries = await consumer.receive(messages)
      return messages.map((message, i) => {
        const uri = entries[i]!.messageUri
        trial.precondition(uri !== undefined, 'consume.message-uri', 'an entry without an address')
        return { message, uri }
      })
    },
    acknowledge: (held) =>
      postUris(
        trial,
        consumer.uri,
        held.map(({ uri }) => uri),
      ),
  }
}

/** The places where a target may take acknowledgements in a POST. */
export function carriers(trial: Trial): MakeCarrier[] {
  return [...(trial.profile.features.batch ? [lockCallCarrier] : []), subscriptionCarrier]
}
