import type { Cut } from '../client/cut-client.js'
import type { Exchange } from '../client/exchange.js'
import { readFeed } from '../client/read-feed.js'
import type { Request } from '../model/model.js'
import type { Answer, Entry, Lease } from '../model/world.js'
import type { CheckTrial } from '../trial/check-trial.js'
import { Blocked } from '../trial/findings.js'
import { LockConsumer } from '../trial/locking.js'
import { messagesIn } from '../trial/message-in.js'
import { type Handed, NextConsumer } from '../trial/next-message.js'
import type { QueueHandle, Sent } from '../trial/trial.js'
import type { Action, Came } from './action.js'
import { pathOf } from './queue-names.js'

export interface ConversationOptions {
  readonly trial: CheckTrial
  /** What every name at the target begins with. */
  readonly prefix: string
  /** That of subscriptions. */
  readonly lease: Lease
  /** That of consumers and sessions of section 4.2, which nobody is told: they live so long at least. */
  readonly untoldLease: Lease
  /** The target's time at which a request was sent at the earliest, and answered at the latest. */
  readonly time: (first: Exchange, last: Exchange) => { readonly from: number; readonly to: number }
  /** Cuts the next request. */
  readonly cutNext: (cut: Cut | undefined) => void
  /** Whether feeds of queues show what their messages are, which the document leaves open. */
  readonly queuesShowContents: () => Promise<boolean>
}

interface Message {
  readonly sent: Sent
  readonly queue: string
  readonly guid: string | undefined
  /** Whether a target may refuse its guid. */
  readonly isUnusual: boolean
  readonly colour: 'red' | 'blue'
  address: string | undefined
}

interface Consumer {
  uri: string | undefined
  /** What its last reading showed, without what it has acknowledged since. */
  holds: readonly Entry[]
  /** All that it was ever shown. */
  readonly shown: Map<string, Entry>
  readonly next: NextConsumer
  handed: (Handed & { readonly entry: Entry }) | undefined
  readonly locker: LockConsumer
  locked: readonly Entry[]
}

interface Shown {
  readonly entries?: readonly Entry[] | undefined
}

/** What a sequence calls queues, messages and consumers, and what the target has told of them. */
export class Conversation {
  readonly trial: CheckTrial
  readonly lease: Lease
  readonly untoldLease: Lease
  readonly cutNext: (cut: Cut | undefined) => void
  readonly prefix: string
  readonly queues = new Map<string, QueueHandle>()
  /** All that were asked for: one without an answer may be there too. */
  readonly asked = new Set<string>()
  readonly messages = new Map<string, Message>()
  /** What the messages are called, by their text. */
  readonly names = new Map<string, string>()
  readonly #consumers = new Map<string, Consumer>()
  readonly #time: ConversationOptions['time']
  readonly #queuesShowContents: () => Promise<boolean>

  constructor(options: ConversationOptions) {
    const { trial, prefix, lease, untoldLease, time, cutNext, queuesShowContents } = options
    this.trial = trial
    this.prefix = prefix
    this.lease = lease
    this.untoldLease = untoldLease
    this.cutNext = cutNext
    this.#time = time
    this.#queuesShowContents = queuesShowContents
  }

  get subscriptions(): readonly string[] {
    return [...this.#consumers.values()].flatMap(({ uri }) => uri ?? [])
  }

  path(queue: string): string {
    return pathOf(this.trial.profile, this.prefix, queue)
  }

  consumer(name: string): Consumer {
    const known = this.#consumers.get(name)
    if (known !== undefined) return known
    const id = `${this.prefix}-${name}`
    const made: Consumer = {
      ...{ uri: undefined, holds: [], shown: new Map(), handed: undefined, locked: [] },
      next: new NextConsumer(this.trial, id),
      locker: LockConsumer.named(this.trial, id),
    }
    this.#consumers.set(name, made)
    return made
  }

  nameOf(body: Buffer): string {
    const text = this.trial.messageText(body)
    return this.names.get(text) ?? `the body ${JSON.stringify(text.slice(0, 40))}`
  }

  /** The first message that an answer holds, with its name. */
  async messageIn(exchange: Exchange): Promise<{ readonly sent: Sent; readonly name: string } | undefined> {
    const [first] = await messagesIn(this.trial, exchange, this.sent)
    return first && { sent: first, name: this.names.get(first.text)! }
  }

  /** All that was sent, each body once. */
  get sent(): Sent[] {
    return [...new Set([...this.messages.values()].map((each) => each.sent))]
  }

  /** Header fields by which a selector picks a message or not. */
  headers(colour: 'red' | 'blue'): Record<string, string> {
    const { features, subscription } = this.trial.profile
    if (!features.selector) return {}
    return { ...(colour === 'red' ? subscription.selector.matching : subscription.selector.other) }
  }

  shown(consumer: Consumer, entries: readonly Entry[]): void {
    consumer.holds = entries
    for (const entry of entries) consumer.shown.set(entry.uri, entry)
  }

  answer(exchange: Exchange, shown: Shown = {}, last = exchange): Answer {
    const location = this.trial.target.location(exchange)
    return { status: exchange.status, location, ...shown, ...this.#time(exchange, last) }
  }

  action(request: Request, exchange: Exchange, who: string, what: string, shown: Shown = {}): Action {
    return { request, exchange, who, what, answer: this.answer(exchange, shown) }
  }

  /** A request that shows something, and can be asked again for it. */
  async showing(request: Request, who: string, what: string, ask: () => Promise<Came>): Promise<Action> {
    return { request, who, what, ...(await ask()), again: ask }
  }

  /** That of a queue: where such feeds only describe messages, nobody knows what was shown. */
  async queueFeed(uri: string): Promise<Came> {
    const seen = await this.feed(uri)
    const messages = new Set(this.names.values())
    const isUnknown = seen.answer.entries?.some(({ body }) => !messages.has(body)) === true
    if (!isUnknown || (await this.#queuesShowContents())) return seen
    return this.#lost(seen.exchange, 'the feed describes its messages')
  }

  /** A feed with all its pages, as far as it is one. */
  async feed(uri: string): Promise<Came> {
    const pages: Exchange[] = []
    const feed = await readFeed(uri, {
      messageUri: this.trial.profile.messageUri,
      linked: this.trial.linked,
      knowing: this.trial.knowing,
      get: async (address) => {
        pages.push(await this.trial.target.request('GET', address))
        return pages.at(-1)!
      },
      unreadable: (why) => {
        throw new Blocked('consume.feed', why)
      },
    })
    const first = pages[0]!
    if (typeof feed === 'string') return { exchange: first, answer: this.answer(first, { entries: [] }) }
    const bodies = await Promise.all(feed.entries.map((entry) => entry.body())).catch(unreadable)
    // The content of a message that was acknowledged meanwhile may be gone: then nobody knows what was shown.
    if (typeof bodies === 'string') return this.#lost(first, bodies, pages.at(-1))
    const entries = feed.entries.map(({ messageUri = '' }, index) => ({
      body: this.nameOf(bodies[index]!),
      uri: messageUri,
    }))
    return { exchange: first, answer: this.answer(first, { entries }, pages.at(-1)) }
  }

  /** An answer as good as none. */
  #lost(first: Exchange, error: string, last = first): Came {
    const exchange = { ...first, status: 0, error }
    return { exchange, answer: this.answer(exchange, {}, last) }
  }
}

function unreadable(error: unknown): string {
  if (error instanceof Blocked) return error.seen
  throw error
}
