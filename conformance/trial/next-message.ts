import { type Exchange, succeeded } from '../client/exchange.js'
import { messagesIn } from '../client/message-in.js'
import * as oneAtATime from '../client/one-at-a-time.js'
import { statusOf } from './answers.js'
import { type LeaseWatch, watchOwnLease } from './lease-watch.js'
import type { QueueHandle, Sent, Trial } from './trial.js'

/** A message that a consumer holds. */
export interface Handed {
  readonly message: Sent
  readonly answer: Exchange
}

/** A consumer of one-at-a-time delivery, by an id of its own. */
export class NextConsumer {
  readonly id: string
  readonly #trial: Trial
  #watch: LeaseWatch | undefined

  constructor(trial: Trial, id: string = trial.freshGuid()) {
    this.#trial = trial
    this.id = id
  }

  /** POST of a subscription to a destination, whatever comes. */
  async subscribe(path: string, query = ''): Promise<Exchange> {
    const answer = await oneAtATime.subscribe(this.#trial, 'subscribe', this.id, path, {}, query)
    if (succeeded(answer)) this.#watch ??= watchOwnLease(this.#trial, answer)
    return answer
  }

  /** Subscribes to queues. Blocked by `one-at-a-time.delivers` unless that succeeds. */
  async join(...queues: readonly QueueHandle[]): Promise<this> {
    for (const { path } of queues) {
      const answer = await this.subscribe(path)
      const seen = `POST ${answer.url} gave ${statusOf(answer)}`
      this.#trial.precondition(succeeded(answer), 'one-at-a-time.delivers', seen)
    }
    return this
  }

  /** POST for the next message, whatever comes. */
  ask(): Promise<Exchange> {
    return oneAtATime.next(this.#trial, this.id)
  }

  /** Asks once. @returns which of `messages` the answer holds, and it */
  async look(messages: readonly Sent[]): Promise<Handed | undefined> {
    const answer = await this.ask()
    const [message] = await messagesIn(this.#trial, answer, messages)
    return message && { message, answer }
  }

  /** Asks until one of `messages` comes. Blocked by `one-at-a-time.delivers` where none does. */
  async take(messages: readonly Sent[]): Promise<Handed> {
    const handed = await this.#trial.eventually(async () => {
      const found = await this.look(messages)
      if (found === undefined) await this.#trial.sendMore(messages)
      return found
    })
    const seen = `POST /nextMessageForMe gave ${this.id} none of ${messages.length} messages`
    this.#trial.precondition(handed !== undefined, 'one-at-a-time.delivers', seen)
    return handed
  }

  /** POST of an acknowledgement, whatever comes; `by` is who sends it. */
  async tryAck(handed: Handed, by: NextConsumer = this): Promise<Exchange> {
    const ids = oneAtATime.messageIds(this.#trial, handed.answer)
    const where = this.#trial.profile.oneAtATime.messageId
    this.#trial.precondition(
      ids.length > 0,
      'one-at-a-time.acknowledges',
      `the answer has no message id where the profile says (${where}): is the profile right?`,
    )
    return oneAtATime.acknowledge(this.#trial, by.id, ids)
  }

  /** Acknowledges. Blocked by `one-at-a-time.acknowledges` unless that succeeds. */
  async ack(handed: Handed): Promise<void> {
    const answer = await this.tryAck(handed)
    const seen = `POST ${answer.url} gave ${statusOf(answer)}`
    this.#trial.precondition(succeeded(answer), 'one-at-a-time.acknowledges', seen)
  }
}
