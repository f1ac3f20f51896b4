import type { Exchange } from '../client/exchange.js'
import type { Feed } from '../client/feed.js'
import { readFeed } from '../client/read-feed.js'
import type { Request } from '../model/model.js'
import type { Answer, Entry, Lease } from '../model/world.js'
import { succeeded } from '../trial/answers.js'
import type { CheckTrial } from '../trial/check-trial.js'
import { Blocked } from '../trial/findings.js'
import { LockConsumer } from '../trial/locking.js'
import { messagesIn } from '../trial/message-in.js'
import { type Handed, NextConsumer } from '../trial/next-message.js'
import type { QueueHandle, Sent } from '../trial/trial.js'
import type { Action, Came } from './action.js'
import { pathOf } from './queue-names.js'
import type { Colour, Way } from './step.js'
import { ordinal } from './words.js'

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
  /** Whether feeds of queues show what their messages are, which the document leaves open. */
  readonly queuesShowContents: () => Promise<boolean>
}

interface Message {
  sent: Sent
  readonly queue: string
  readonly by: Exclude<Way, 'each'>
  readonly guid: string | undefined
  /** Whether a target may refuse its guid. */
  readonly isUnusual: boolean
  colour: Colour
  address: string | undefined
}

/** A message as it was shown to a consumer, and by what. */
export interface Held {
  readonly entry: Entry
  readonly by: 'feed' | 'next' | 'lock'
  /** What `next` was answered. */
  readonly handed?: Handed
}

interface Consumer {
  uri: string | undefined
  /** What it was shown last, without what it has acknowledged since. */
  held: readonly Held[]
  /** All that it was ever shown. */
  readonly shown: Map<string, Held>
  readonly next: NextConsumer
  readonly locker: LockConsumer
}

type Shown = Pick<Answer, 'entries' | 'inPages'>

/** What a scenario calls queues, messages and consumers, and what the target has told of them. */
export class Conversation {
  readonly trial: CheckTrial
  readonly lease: Lease
  readonly untoldLease: Lease
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
    const { trial, prefix, lease, untoldLease, time, queuesShowContents } = options
    this.trial = trial
    this.prefix = prefix
    this.lease = lease
    this.untoldLease = untoldLease
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
      ...{ uri: undefined, held: [], shown: new Map() },
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

  /** What its body is called: of messages with one body, the first. */
  bodyOf(message: string): string {
    return this.names.get(this.messages.get(message)?.sent.text ?? '') ?? message
  }

  /** What a consumer is called by its subscription's URI, or by its id. */
  consumerAt(key: string): string {
    const found = [...this.#consumers].find(([, { uri, next }]) => uri === key || next.id === key)
    return found?.[0] ?? key
  }

  /** Header fields by which a selector picks a message or not. */
  headers(colour: Colour): Record<string, string> {
    const { features, subscription } = this.trial.profile
    if (!features.selector) return {}
    return { ...(colour === 'red' ? subscription.selector.matching : subscription.selector.other) }
  }

  /**
   * Notes what a consumer is shown: all that it holds, or some more of it. What has no address can be neither looked at nor
   * acknowledged.
   */
  shown(consumer: Consumer, shown: readonly Held[], isMore = false): void {
    const held = shown.filter(({ entry }) => entry.uri !== '')
    const all = isMore ? [...consumer.held, ...held] : held
    consumer.held = [...new Map(all.map((each) => [each.entry.uri, each])).values()]
    for (const each of held) consumer.shown.set(each.entry.uri, each)
  }

  /** A message that a consumer holds, by its place or its name, or, by its name, that it was once shown; why not, where there is none. */
  held(name: string, message: string): Held | string {
    const { held, shown } = this.consumer(name)
    const place = message === 'last' ? held.length : ordinal(message)
    if (place !== undefined) return held[place - 1] ?? `${name} holds ${held.length} messages`
    const body = this.bodyOf(message)
    const isIt = ({ entry }: Held) => entry.body === body
    return held.find(isIt) ?? [...shown.values()].findLast(isIt) ?? `${name} was not shown ${message}`
  }

  /** A consumer holds it no longer. */
  drop(name: string, { entry }: Held): void {
    const consumer = this.consumer(name)
    consumer.held = consumer.held.filter((each) => each.entry.uri !== entry.uri)
  }

  answer(exchange: Exchange, shown: Shown = {}, last = exchange): Answer {
    const location = this.trial.target.location(exchange)
    return { status: exchange.status, location, ...shown, ...this.#time(exchange, last) }
  }

  action(request: Request, exchange: Exchange, shown: Shown = {}): Action {
    return { request, exchange, answer: this.answer(exchange, shown) }
  }

  /** A request that shows something, and can be asked again for it. */
  async showing(request: Request, ask: () => Promise<Came>): Promise<Action> {
    return { request, ...(await ask()), again: ask }
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
    const inPages = pages.length > 1
    // A page after the first may have gone with what it showed.
    if (typeof feed === 'string' && inPages && succeeded(first)) return this.#lost(first, feed, pages.at(-1))
    if (typeof feed === 'string') return { exchange: first, answer: this.answer(first, { entries: [] }) }
    const bodies = await Promise.all(feed.entries.map((entry) => entry.body())).catch(unreadable)
    // The content of a message that was acknowledged meanwhile may be gone: then nobody knows what was shown.
    if (typeof bodies === 'string') return this.#lost(first, bodies, pages.at(-1))
    const entries = feed.entries.flatMap(({ messageUri = '', id }, index) => {
      const isMoved = inPages && id !== '' && isOnPageBefore(feed, index)
      return isMoved ? [] : { body: this.nameOf(bodies[index]!), uri: messageUri }
    })
    return { exchange: first, answer: this.answer(first, { entries, inPages }, pages.at(-1)) }
  }

  /** An answer as good as none. */
  #lost(first: Exchange, error: string, last = first): Came {
    const exchange = { ...first, status: 0, error }
    return { exchange, answer: this.answer(exchange, {}, last) }
  }
}

/** Whether an entry stands on a page before its own too, as what moves while pages are read may. */
function isOnPageBefore({ entries, sizes }: Feed, index: number): boolean {
  let start = 0
  for (const size of sizes) {
    if (start + size > index) break
    start += size
  }
  return entries.slice(0, start).some(({ id }) => id === entries[index]!.id)
}

function unreadable(error: unknown): string {
  if (error instanceof Blocked) return error.seen
  throw error
}
