import { answered } from '../client/answered.js'
import { type Exchange, succeeded } from '../client/exchange.js'
import type { Entry } from '../client/feed.js'
import { Blocked } from '../client/findings.js'
import type { LeaseWatch } from './lease-watch.js'
import { needRoom } from './reading.js'
import type { Consumer, Sent, Trial } from './trial.js'
import { once, shownForGood, whileMoreCome } from './waiting.js'

/** What a subscription is made of. */
export interface MadeConsumer {
  readonly prefetch: number
  readonly created: Exchange
  readonly watch: LeaseWatch
  /**
   * Where delivering is broken, sends messages again that do not come, so that what needs them can be asked: all that were
   * sent before it subscribed, unless it is told which.
   */
  readonly sendAgain: (messages?: readonly Sent[]) => Promise<void>
}

/** A subscription of one trial. */
export class CheckConsumer implements Consumer {
  readonly uri: string
  readonly prefetch: number
  readonly lease: number
  readonly createdAt: number
  lastUsedAt: number
  readonly #trial: Trial
  readonly #watch: LeaseWatch
  readonly #sendAgain: MadeConsumer['sendAgain']

  constructor(trial: Trial, made: MadeConsumer) {
    this.#trial = trial
    this.#watch = made.watch
    this.#sendAgain = made.sendAgain
    this.uri = made.watch.of
    this.prefetch = made.prefetch
    this.lease = made.watch.length
    this.createdAt = made.created.sentAt
    this.lastUsedAt = made.created.receivedAt
  }

  async read(): Promise<Entry[]> {
    const isOdd = this.#trial.isBroken('consume.feed') && !this.#trial.isBroken('consume.delivers')
    // Where messages do come, a feed that is not there has none.
    if (isOdd && (await this.get()).status === 404) return []
    const { pages, entries } = await this.#trial.readFeed(this.uri, 'consume.feed')
    for (const page of pages) this.#used('read', page)
    // And what cannot be acknowledged is none.
    const areMessages = isOdd && !this.#trial.isBroken('consume.message-uri')
    return entries.filter(({ messageUri }) => !areMessages || messageUri !== undefined)
  }

  async get(): Promise<Exchange> {
    return this.#used('read', await this.#trial.target.request('GET', this.uri))
  }

  async receive(messages: readonly Sent[]): Promise<Entry[]> {
    needRoom(this.#trial, [this], messages.length)
    let missing: readonly Sent[] = messages
    let count = 0
    const find = async (entries: readonly Entry[]) => {
      const bodies = await Promise.all(entries.map((entry) => entry.body()))
      count = entries.length
      const matches = messages.map(
        (message) => entries[bodies.findIndex((body) => this.#trial.isMessage(body, message))],
      )
      missing = messages.filter((_, index) => matches[index] === undefined)
      return missing.length === 0 ? (matches as Entry[]) : undefined
    }
    const found = await this.#readUntil(find, () => this.#sendAgain(missing))
    if (found) return found
    const wanting = missing.map(({ text }) => JSON.stringify(text.slice(0, 80))).join(', ')
    throw new Blocked('consume.delivers', `the feed has ${count} entries, and none is ${wanting}`)
  }

  async receiveCount(count: number): Promise<Entry[]> {
    needRoom(this.#trial, [this], count)
    let seen = 0
    const enough = async (entries: Entry[]) => {
      seen = entries.length
      return seen >= count ? entries : undefined
    }
    const found = await this.#readUntil(enough, () => this.#sendAgain())
    if (found) return found
    throw new Blocked('consume.delivers', `the feed has ${seen} entries instead of ${count}`)
  }

  /** Reads until `find` gives what it looks for, as long as more comes; after the first reading does what may help. */
  async #readUntil(
    find: (entries: Entry[]) => Promise<Entry[] | undefined>,
    help: () => Promise<void>,
  ): Promise<Entry[] | undefined> {
    let found: Entry[] | undefined
    let most = 0
    let isFirst = true
    const look = async () => {
      const entries = await this.read()
      // It may hold no more, so that a feed that never stops growing is read so often at most.
      most = Math.max(most, Math.min(entries.length, this.prefetch))
      found = await find(entries)
      if (found === undefined && isFirst) await help()
      isFirst = false
      return once(found !== undefined)
    }
    await whileMoreCome(this.#trial, () => most, look)
    if (found !== undefined) await shownForGood(this.#trial, [this])
    return found
  }

  async ack(entry: Entry): Promise<void> {
    const answer = await this.tryAck(entry)
    if (succeeded(answer)) return
    throw new Blocked('ack.succeeds', `DELETE ${answer.url} gave ${answered(answer)} instead of 200`)
  }

  async tryAck(entry: Entry): Promise<Exchange> {
    if (entry.messageUri === undefined) {
      const where = this.#trial.profile.messageUri
      throw new Blocked(
        'consume.message-uri',
        `the entry ${entry.id} has no message address where the profile says (${where})`,
      )
    }
    return this.#used('ack', await this.#trial.target.request('DELETE', entry.messageUri))
  }

  async end(): Promise<void> {
    const answer = await this.#trial.target.request('DELETE', this.uri)
    // A refusal may be due to a lease that was over before: only what was deleted is relied on no more.
    if (succeeded(answer)) return this.#watch.end()
    throw new Blocked('subscribe.delete', `DELETE ${this.uri} gave ${answered(answer)} instead of 200`)
  }

  async endIfActive(): Promise<void> {
    await this.#trial.target.request('DELETE', this.uri)
    this.#watch.end()
  }

  #used(how: 'read' | 'ack', answer: Exchange): Exchange {
    this.#watch.used()
    this.lastUsedAt = Math.max(this.lastUsedAt, answer.receivedAt)
    const renews = this.#trial.profile.subscription.renewedBy.includes(how)
    if (renews && succeeded(answer)) this.#watch.renewed(answer.sentAt)
    return answer
  }
}
