import { type Exchange, succeeded } from '../client/exchange.js'
import { messagesIn } from '../client/message-in.js'
import { addressOf } from '../client/single-path.js'
import { statusOf } from './answers.js'
import { type LeaseWatch, watchOwnLease } from './lease-watch.js'
import type { Sent, Trial } from './trial.js'

/** A queue as the single-path mapping has it. */
export class SinglePath {
  readonly uri: string
  readonly #trial: Trial
  /** By the name of the session. */
  readonly #watches = new Map<string, LeaseWatch | undefined>()

  constructor(trial: Trial, path: string) {
    this.#trial = trial
    this.uri = addressOf(trial, path)
  }

  /** The single path of a fresh queue. */
  static async fresh(trial: Trial): Promise<SinglePath> {
    return new SinglePath(trial, (await trial.createQueue()).path)
  }

  /** POST of a message, whatever comes. */
  post(body: string | Uint8Array, headers: Record<string, string> = {}): Promise<Exchange> {
    return this.#trial.post(this.uri, body, headers)
  }

  /** Sends a fresh message. Blocked by `single-path.delivers` unless that succeeds. */
  async send(): Promise<Sent> {
    const message = this.#trial.freshMessage()
    const answer = await this.post(message.body)
    const seen = `POST ${this.uri} gave ${statusOf(answer)}`
    this.#trial.precondition(succeeded(answer), 'single-path.delivers', seen)
    return message
  }

  /** GET, whatever comes. */
  async get(session?: string): Promise<Exchange> {
    if (session === undefined) return this.#trial.target.request('GET', this.uri)
    const answer = await this.#trial.target.request(
      'GET',
      `${this.uri}?jsessionId=${encodeURIComponent(session)}`,
    )
    const watch = this.#watches.get(session)
    if (watch === undefined) this.#watches.set(session, watchOwnLease(this.#trial, answer))
    watch?.used()
    if (this.#trial.profile.subscription.renewedBy.includes('read')) watch?.renewed(answer.sentAt)
    return answer
  }

  /** GETs once. @returns which of `messages` came */
  async look(messages: readonly Sent[], session?: string): Promise<readonly Sent[]> {
    return messagesIn(this.#trial, await this.get(session), messages)
  }

  /** GETs until one of `messages` comes. Blocked by `single-path.delivers` where none does. */
  async take(messages: readonly Sent[], session?: string): Promise<Sent> {
    const came = await this.#trial.eventually(async () => (await this.look(messages, session))[0])
    const seen = `GET ${this.uri} gave none of ${messages.length} messages`
    this.#trial.precondition(came !== undefined, 'single-path.delivers', seen)
    return came
  }
}
