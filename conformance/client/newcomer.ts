import { type Exchange, succeeded } from './exchange.js'
import { unlessNotApplicable } from './findings.js'
import { FreshMessages } from './fresh-messages.js'
import { HttpTarget, type HttpTargetOptions } from './http-target.js'
import { allowedSegment, namePrefix } from './queue-names.js'
import { randomDigits } from './random.js'
import { readFeed } from './read-feed.js'
import { RunMemory } from './run-memory.js'
import type { QueueHandle, Sent } from './sent.js'
import { Speaker } from './speaker.js'
import { prefetchUpTo } from './subscription-request.js'
import { longestLease } from './timing.js'

/** A target that is got to know, and who asks it. */
export type Meeting = Required<Pick<HttpTargetOptions, 'baseUrl' | 'profile' | 'client' | 'signal'>>

const MOST_HELD = 10

/** The answer to what asks for something, and its address where it succeeded; nothing where the profile does not allow it. */
interface Asked {
  readonly answer: Exchange | undefined
  readonly uri: string | undefined
}

/** Somebody who gets to know a target, under names of their own, and deletes at the end what they made. */
export class Newcomer {
  readonly speaker: Speaker
  readonly #messages: FreshMessages
  readonly #prefix = `kit-${randomDigits()}`
  readonly #made = new Set<string>()
  #count = 0

  /** @param answerTimeout milliseconds for one answer */
  constructor({ baseUrl, profile, client, signal }: Meeting, answerTimeout: number) {
    const target = new HttpTarget({ baseUrl, profile, client, answerTimeout, signal })
    this.#messages = new FreshMessages(profile)
    this.speaker = new Speaker({
      ...{ profile, messages: this.#messages, memory: new RunMemory(), settle: profile.settleSeconds * 1000 },
      target,
    })
  }

  get target(): HttpTarget {
    return this.speaker.target
  }

  /** A name that nobody else has. */
  freshName(): string {
    const { profile } = this.speaker
    return namePrefix(profile) + allowedSegment(profile, this.#unique())
  }

  freshMessage(): Sent {
    return this.#messages.make(this.#unique(), '')
  }

  isMessage(body: Buffer, message: Sent): boolean {
    return this.#messages.is(body, message)
  }

  freshGuid(): string {
    return this.speaker.profile.guid.form === 'uuid' ? crypto.randomUUID() : this.#unique()
  }

  /** Asks for a queue. */
  create(path: string): Promise<Asked> {
    return this.#make(() => this.speaker.createQueue(path))
  }

  /** Asks for a subscription to a queue. */
  subscribe(queue: QueueHandle): Promise<Asked> {
    const { profile } = this.speaker
    const terms = { prefetch: prefetchUpTo(profile, MOST_HELD), lease: longestLease(profile) }
    return this.#make(() => this.speaker.subscribe([queue], terms))
  }

  async #make(ask: () => Promise<Exchange>): Promise<Asked> {
    const answer = await unlessNotApplicable(ask)
    const uri = answer && succeeded(answer) ? this.target.location(answer) : undefined
    if (uri !== undefined) this.#made.add(uri)
    return { answer, uri }
  }

  /** Reads a feed with all its pages. @returns why there is none, where there is none */
  feed(uri: string, blockedBy: 'browse.queue' | 'consume.feed') {
    return readFeed(
      uri,
      this.speaker.feedContext(uri, blockedBy, (at) => this.target.request('GET', at)),
    )
  }

  /** Deletes what was made: a target may take only so much. */
  async end(): Promise<void> {
    await Promise.all([...this.#made].map((uri) => this.target.request('DELETE', uri)))
  }

  #unique(): string {
    this.#count += 1
    return `${this.#prefix}-${this.#count}`
  }
}
