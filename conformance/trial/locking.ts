import * as batch from '../client/batch.js'
import { type Exchange, succeeded } from '../client/exchange.js'
import { messagesIn } from '../client/message-in.js'
import { BatchConsumers } from '../client/tolerances/batch-consumers.js'
import { watchOwnLease } from './lease-watch.js'
import type { QueueHandle, Sent, Trial } from './trial.js'

/** A message that a consumer has locked. */
export interface Locked {
  readonly message: Sent
  /** The address that the lock call returned. */
  readonly uri: string
}

/** A consumer of the batch mapping. */
export class LockConsumer {
  /** Under which its last lock call was made. */
  id: string
  readonly #trial: Trial
  readonly #name: string
  readonly #consumers: BatchConsumers

  private constructor(trial: Trial) {
    this.#trial = trial
    this.#name = trial.freshGuid()
    this.id = this.#name
    this.#consumers = new BatchConsumers(trial.speaker)
  }

  /** A consumer of a queue, in whatever way that may become one: where it is refused, the lock calls are. */
  static async of(trial: Trial, queue: QueueHandle): Promise<LockConsumer> {
    const consumer = new LockConsumer(trial)
    const answer = await consumer.#consumers.join(consumer.#name, queue, {})
    if (succeeded(answer)) watchOwnLease(trial, answer)
    return consumer
  }

  /** A lock call, whatever comes. @param acks addresses of messages that it acknowledges */
  async lock(max: number | undefined, acks: readonly string[] = []): Promise<batch.LockCall> {
    const call = await this.#consumers.lock(this.#name, max, acks, {})
    this.id = call.id
    return call
  }

  /** Locks once. @returns those of `messages` to which the addresses lead that it gave */
  async look(max: number, messages: readonly Sent[], acks: readonly string[] = []): Promise<Locked[]> {
    const { uris } = await this.lock(max, acks)
    const answers = await Promise.all(uris.map((uri) => batch.fetchLocked(this.#trial, this.id, uri)))
    const held = await Promise.all(answers.map((answer) => messagesIn(this.#trial, answer, messages)))
    return uris.flatMap((uri, i) => held[i]!.map((message) => ({ message, uri })))
  }

  /** Locks until one of `messages` comes. Blocked by `batch.locks` where none does. */
  async take(messages: readonly Sent[]): Promise<Locked> {
    const locked = await this.#trial.eventually(async () => {
      const [found] = await this.look(1, messages)
      if (found === undefined) await this.#trial.sendMore(messages)
      return found
    })
    const seen = `POST /lockNextMessage led ${this.id} to none of ${messages.length} messages`
    this.#trial.precondition(locked !== undefined, 'batch.locks', seen)
    return locked
  }

  /** DELETE that acknowledges a locked message, whatever comes. */
  tryAck({ uri }: Locked): Promise<Exchange> {
    return batch.acknowledge(this.#trial, this.id, uri)
  }
}
