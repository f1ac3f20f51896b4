import { Buffer } from '../client/bytes.js'
import { type Exchange, succeeded } from '../client/exchange.js'
import { messagesIn } from '../client/message-in.js'
import { addressOf } from '../client/single-path.js'
import { statusOf } from './answers.js'
import { type LeaseWatch, watchOwnLease } from './lease-watch.js'
import type { QueueHandle, Sent, Trial } from './trial.js'

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
  static async fresh(trial: Trial): Promise<SinglePath & { readonly queue: QueueHandle }> {
    const queue = await trial.createQueue()
    return Object.assign(new SinglePath(trial, queue.path), { queue })
  }

  /** POST of a message, whatever comes. */
  post(body: string | Uint8Array, headers: Record<string, string> = {}): Promise<Exchange> {
    return this.#trial.post(this.uri, body, headers)
  }

  /** Sends a message. Blocked by `single-path.delivers` unless that succeeds. */
  async send(
    body: string | Uint8Array = this.#trial.freshMessage().body,
    headers: Record<string, string> = {},
  ): Promise<Sent> {
    const answer = await this.post(body, headers)
    const seen = `POST ${this.uri} gave ${statusOf(answer)}`
    this.#trial.precondition(succeeded(answer), 'single-path.delivers', seen)
    const bytes = Buffer.from(body as Uint8Array)
    return { body: bytes, text: bytes.toString(), address: undefined }
  }

  /** Sends `count` fresh messages, one after another. */
  async sendInOrder(count: number): Promise<Sent[]> {
    const sent: Sent[] = []
    while (sent.length < count) sent.push(await this.send())
    return sent
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
