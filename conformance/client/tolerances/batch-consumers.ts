import { lastSegment } from '../addresses.js'
import * as batch from '../batch.js'
import { type Exchange, refused, succeeded } from '../exchange.js'
import * as oneAtATime from '../one-at-a-time.js'
import type { QueueHandle } from '../sent.js'
import type { Manner, Speaker } from '../speaker.js'
import { prefetchUpTo } from '../subscription-request.js'
import { longestLease } from '../timing.js'

/** What one that is a subscription may hold, as far as the target grants it. */
const PREFETCH = 10

/**
 * Consumers of lock calls. The document does not say how one comes to its messages: it subscribes as in one-at-a-time delivery, and by
 * a subscription, whose id it then is, where that or its lock calls are refused. Nor does it say how large `max` may be: where one is
 * refused, smaller ones are asked for.
 */
export class BatchConsumers {
  readonly #speaker: Speaker
  /** What each has joined by `/subscribe`. */
  readonly #joined = new Map<string, QueueHandle[]>()
  /** The subscription that each is in place of that. */
  readonly #subscriptions = new Map<string, Promise<Exchange>>()
  /** Those whose lock calls the target has taken under their own id. */
  readonly #taken = new Set<string>()
  #most = Number.POSITIVE_INFINITY

  constructor(speaker: Speaker) {
    this.#speaker = speaker
  }

  async join(consumer: string, queue: QueueHandle, how: Manner): Promise<Exchange> {
    const answer = await oneAtATime.subscribe(this.#speaker, 'subscribe', consumer, queue.path, how)
    const { features } = this.#speaker.profile
    if (!features['one-at-a-time'] && refused(answer)) return this.#subscribe(consumer, [queue])
    this.#joined.set(consumer, [...(this.#joined.get(consumer) ?? []), queue])
    return answer
  }

  async leave(consumer: string, { path }: QueueHandle, how: Manner): Promise<Exchange> {
    const made = await this.#subscriptions.get(consumer)
    const uri = made && this.#speaker.target.location(made)
    if (uri !== undefined) return this.#speaker.target.request('DELETE', uri, how)
    return oneAtATime.subscribe(this.#speaker, 'unsubscribe', consumer, path, how)
  }

  /** A lock call, with the id under which the consumer made it. @param acks addresses of messages that it acknowledges */
  async lock(
    consumer: string,
    max: number | undefined,
    acks: readonly string[],
    how: Manner,
  ): Promise<batch.LockCall & { readonly id: string }> {
    const id = await this.#idOf(consumer)
    const call = await this.#lockUpTo(id, max, acks, how)
    if (succeeded(call.answer)) this.#taken.add(consumer)
    if (!refused(call.answer) || this.#taken.has(consumer) || !(await this.#becomeSubscription(consumer)))
      return { ...call, id }
    const other = await this.#idOf(consumer)
    return { ...(await this.#lockUpTo(other, max, acks, how)), id: other }
  }

  async #lockUpTo(
    id: string,
    max: number | undefined,
    acks: readonly string[],
    how: Manner,
  ): Promise<batch.LockCall> {
    if (max === undefined) return batch.lock(this.#speaker, id, max, acks, how)
    const asked = Math.min(max, this.#most)
    const call = await batch.lockUpTo(asked, (most) => batch.lock(this.#speaker, id, most, acks, how))
    if (call.max < asked && succeeded(call.answer)) this.#most = call.max
    return call
  }

  async #idOf(consumer: string): Promise<string> {
    const made = await this.#subscriptions.get(consumer)
    const uri = made && this.#speaker.target.location(made)
    return uri === undefined ? consumer : lastSegment(uri)
  }

  /** Where lock calls are refused of one that subscribed, and taken of a subscription, it becomes one. */
  async #becomeSubscription(consumer: string): Promise<boolean> {
    const joined = this.#joined.get(consumer)
    if (joined === undefined) return false
    const made = this.#subscriptions.get(consumer)
    const answer = await (made ?? this.#subscribe(consumer, joined))
    const uri = succeeded(answer) ? this.#speaker.target.location(answer) : undefined
    if (uri === undefined) return false
    if (made !== undefined) return true
    const { answer: call } = await batch.lock(this.#speaker, lastSegment(uri), 1)
    if (succeeded(call)) {
      for (const { path } of joined) await oneAtATime.subscribe(this.#speaker, 'unsubscribe', consumer, path)
      return true
    }
    this.#subscriptions.delete(consumer)
    await this.#speaker.target.request('DELETE', uri)
    return false
  }

  #subscribe(consumer: string, queues: readonly QueueHandle[]): Promise<Exchange> {
    const { profile } = this.#speaker
    const terms = { prefetch: prefetchUpTo(profile, PREFETCH), lease: longestLease(profile) }
    const made = this.#speaker.subscribe(queues, terms)
    this.#subscriptions.set(consumer, made)
    return made
  }
}
