import type { Entry } from '../client/feed.js'
import type { Consumer, QueueHandle, Sent, Trial } from './trial.js'

/** A message that a consumer holds, under a long lease, in a queue of its own. */
export interface HeldMessage {
  readonly queue: QueueHandle
  readonly sent: Sent
  readonly consumer: Consumer
  readonly entry: Entry
}

/** Sends a message, with these headers, to a queue of its own, and has a consumer hold it. */
export async function holdOne(trial: Trial, headers: Record<string, string> = {}): Promise<HeldMessage> {
  const { queue, messages, consumer, entries } = await holdAll(trial, async (to) => [
    await trial.send(to, undefined, headers),
  ])
  return { queue, sent: messages[0]!, consumer, entry: entries[0]! }
}

/** Messages that a consumer holds, under a long lease, in a queue of their own. */
export interface HeldMessages {
  readonly queue: QueueHandle
  readonly messages: readonly Sent[]
  readonly consumer: Consumer
  /** In the order of `messages`. */
  readonly entries: readonly Entry[]
}

/** Has a consumer hold messages that are sent to a queue of their own. */
export async function holdAll(
  trial: Trial,
  send: (queue: QueueHandle) => Promise<readonly Sent[]>,
): Promise<HeldMessages> {
  const queue = await trial.createQueue()
  const consumer = await trial.subscribe(queue)
  const messages = await send(queue)
  return { queue, messages, consumer, entries: await consumer.receive(messages) }
}
