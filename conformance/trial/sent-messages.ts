import type { QueueHandle, Sent, Trial } from './trial.js'

/** The messages that one check has sent, and how those come that do not come where delivering is broken. */
export class SentMessages {
  readonly #trial: Trial
  readonly #ways = new Map<Sent, { queue: QueueHandle; headers: Record<string, string> }>()
  /** Those for which another was sent. */
  readonly #urged = new Set<Sent>()

  constructor(trial: Trial) {
    this.#trial = trial
  }

  note(sent: Sent, queue: QueueHandle, headers: Record<string, string>): void {
    this.#ways.set(sent, { queue, headers })
  }

  all(): Sent[] {
    return [...this.#ways.keys()]
  }

  /** Where delivering is broken, has messages come that a check needs for its question: it sends them again, or others. */
  async sendAgain(messages: readonly Sent[]): Promise<void> {
    if (!this.#trial.isBroken('consume.delivers')) return
    // Where what is sent later does not come either, one more of the same would wait, too.
    if (this.#trial.isBroken('consume.later')) return this.sendMore(messages)
    for (const message of messages) {
      const way = this.#ways.get(message)
      if (way !== undefined) await this.#trial.send(way.queue, message.body, way.headers)
    }
  }

  /** As `Trial.sendMore` says. */
  async sendMore(messages: readonly Sent[]): Promise<void> {
    if (!this.#trial.isBroken('consume.delivers') || !this.#trial.isBroken('consume.later')) return
    const queues = new Set<QueueHandle>()
    for (const message of messages) {
      const way = this.#ways.get(message)
      if (way === undefined || this.#urged.has(message)) continue
      this.#urged.add(message)
      if (queues.has(way.queue)) continue
      queues.add(way.queue)
      await this.#trial.send(way.queue, undefined, way.headers)
    }
  }
}
