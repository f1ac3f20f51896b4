import type { Buffer } from '../client/bytes.js'
import { type Came, Client, type Names } from '../client/client.js'
import { type Exchange, succeeded } from '../client/exchange.js'
import type { FreshMessages } from '../client/fresh-messages.js'
import { messagesIn } from '../client/message-in.js'
import type { Profile } from '../client/profile.js'
import type { QueueHandle } from '../client/sent.js'
import type { Manner, Speaker } from '../client/speaker.js'
import { isNowhere } from '../client/tolerances/by-bodies.js'
import type { Request } from '../model/model.js'
import type { Entry, Lease } from '../model/world.js'
import { Bodies } from './bodies.js'
import { pathOf } from './queue-names.js'
import type { Colour, Deed, Of, Way } from './step.js'
import { ordinal } from './words.js'

/** A request as it went, and in the model's words. */
export interface Action extends Came {
  readonly request: Request
  /** Asks the same again, where what it shows may come late, or where it may have been refused as too early. */
  readonly again?: () => Promise<Came>
}

/** What was answered, and is no question to the model. */
export interface Aside {
  readonly exchange: Exchange
  /** Why its step is passed over; undefined of a request as it is written. */
  readonly why?: string
}

/** Sends one request; why not, as a sentence, where there is nothing to be asked. */
export type Start = (how: Manner) => Promise<Action | Aside | string>

/** How steps of these verbs send the one request that they are. */
export type Speaking<Verb extends Deed['do']> = {
  readonly [V in Verb]: (talk: Conversation, step: Of<V>, how: Manner) => ReturnType<Start>
}

export interface ConversationOptions {
  readonly speaker: Speaker
  readonly messages: FreshMessages
  /** What every name at the target begins with. */
  readonly prefix: string
  /** How is sent where a step does not say it. */
  readonly usualWay: Exclude<Way, 'each'>
  /** That of subscriptions, and that of those whose lease no step waits for. */
  readonly lease: Lease
  readonly longLease: Lease
  /** Consumers whose leases steps wait for; undefined where they may be anybody's. */
  readonly awaited?: ReadonlySet<string> | undefined
  /** That of consumers and sessions of section 4.2, which nobody is told: they live so long at least. */
  readonly untoldLease: Lease
  readonly time: Names['time']
  readonly queuesShowContents: Names['queuesShowContents']
  readonly knowsByBodies?: Names['knowsByBodies'] | undefined
}

interface Message {
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
}

interface Consumer {
  /** That of section 4.2. */
  readonly id: string
  uri: string | undefined
  /** What it was shown last, without what it has acknowledged since. */
  held: readonly Held[]
  /** All that it was ever shown. */
  readonly shown: Map<string, Held>
}

/** What the bodies of messages end with where nobody else sends any. */
const ALONE = 'message'
/** What begins each name that a check makes, and stands in each of its messages. */
const OWNER = /\bkit-[\da-f]{10}\b/

/** What a scenario calls queues, messages and consumers, and what the target has told of them. */
export class Conversation implements Names {
  readonly speaker: Speaker
  readonly time: Names['time']
  readonly queuesShowContents: Names['queuesShowContents']
  readonly knowsByBodies: boolean
  readonly queues = new Map<string, QueueHandle>()
  /** All that were asked for: one without an answer may be there too. */
  readonly asked = new Set<string>()
  readonly messages = new Map<string, Message>()
  /** Messages of which a send was answered with a success. */
  readonly taken = new Set<string>()
  /** The last request as it was written. */
  requested: Exchange | undefined
  readonly #client: Client
  readonly bodies: Bodies
  readonly #consumers = new Map<string, Consumer>()
  #made = 0

  constructor(readonly options: ConversationOptions) {
    const { speaker, messages, time, queuesShowContents, knowsByBodies = false } = options
    this.speaker = speaker
    this.bodies = new Bodies(speaker, messages, () => this.unique())
    this.time = time
    this.queuesShowContents = queuesShowContents
    this.knowsByBodies = knowsByBodies
    this.#client = new Client(speaker, this)
  }

  get profile(): Profile {
    return this.speaker.profile
  }

  get subscriptions(): readonly string[] {
    return [...this.#consumers.values()].flatMap(({ uri }) => uri ?? [])
  }

  /** That of a consumer's subscription, where it asks for none. */
  leaseOf(consumer: string): Lease {
    const { awaited, lease, longLease } = this.options
    return awaited?.has(consumer) === false ? longLease : lease
  }

  path(queue: string): string {
    const name = queue.replace(/\{([1-9]\d{0,5})\}/g, (_, length) => this.ofLength(Number(length)))
    return pathOf(this.profile, this.options.prefix, name)
  }

  /** A text of so many characters that nobody else has. */
  ofLength(length: number): string {
    return (this.options.prefix || ALONE).padEnd(length, 'x').slice(0, length)
  }

  queue(name: string): QueueHandle {
    return this.queues.get(name)!
  }

  body(message: string): Uint8Array {
    return this.bodies.get(message).body
  }

  nameOf(body: Buffer): string | undefined {
    return this.bodies.nameOf(body)
  }

  tell(body: Buffer): string | undefined {
    return this.bodies.tell(body)
  }

  isOthers(body: Buffer): boolean {
    const [owner] = OWNER.exec(body.toString()) ?? []
    return owner !== undefined && owner !== this.options.prefix
  }

  async messageIn(exchange: Exchange, how: Manner): Promise<string | undefined> {
    // What has no byte is found in any answer.
    const sent = this.bodies.all().sort((one, other) => other.body.length - one.body.length)
    const [first] = await messagesIn(this.speaker.readerFor(how), exchange, sent)
    if (first === undefined && succeeded(exchange) && exchange.body.length > 0) this.bodies.needReadable()
    return first && this.bodies.nameOf(first.body)
  }

  /** A text that nobody else has. */
  unique(): string {
    this.#made += 1
    return `${this.options.prefix || ALONE}-${this.#made}`
  }

  consumer(name: string): Consumer {
    const known = this.#consumers.get(name)
    if (known !== undefined) return known
    const id = this.options.prefix === '' ? name : `${this.options.prefix}-${name}`
    const made = { id, uri: undefined, held: [], shown: new Map() }
    this.#consumers.set(name, made)
    return made
  }

  /** What a consumer is called by its subscription's URI, or by its id. */
  consumerAt(key: string): string {
    const found = [...this.#consumers].find(([, { uri, id }]) => uri === key || id === key)
    return found?.[0] ?? key
  }

  /**
   * Notes what a consumer is shown: all that it holds, or some more of it. What has no address can be neither looked at nor
   * acknowledged.
   */
  shown(name: string, entries: readonly Entry[], by: Held['by'], isMore = false): void {
    const consumer = this.consumer(name)
    const held = entries
      .filter(({ uri }) => uri !== '' && !isNowhere(uri))
      .map((entry): Held => ({ entry, by }))
    const all = isMore ? [...consumer.held, ...held] : held
    consumer.held = [...new Map(all.map((each) => [each.entry.uri, each])).values()]
    for (const each of held) consumer.shown.set(each.entry.uri, each)
  }

  /** A message that a consumer holds, by its place or its name, or, by its name, that it was once shown; why not, where there is none. */
  held(name: string, message: string): Held | string {
    const { held, shown } = this.consumer(name)
    if (message === 'unknown') return this.#unknownBeside([...shown.values()], name)
    const place = message === 'last' ? held.length : ordinal(message)
    if (place !== undefined) return held[place - 1] ?? `${name} holds ${held.length} messages`
    const body = this.bodies.called(message)
    const isIt = ({ entry }: Held) => entry.body === body
    return held.find(isIt) ?? [...shown.values()].findLast(isIt) ?? `${name} was not shown ${message}`
  }

  /**
   * What nobody was shown, at an address like that of another. It differs where those of two messages do, since what stands behind
   * it may be ignored, as a title for people is.
   */
  #unknownBeside(others: readonly Held[], name: string): Held | string {
    const [other, another] = others.toReversed()
    if (other === undefined) return `${name} was shown nothing`
    const parts = other.entry.uri.split('/')
    const differs = another?.entry.uri.split('/').map((part, place) => part !== parts[place])
    const isAlike = differs?.length === parts.length && differs.includes(true)
    const madeUp = this.unique()
    const uri = parts.map((part, place) =>
      (isAlike ? differs[place] : place === parts.length - 1) ? madeUp : part,
    )
    return { entry: { body: 'unknown', uri: uri.join('/') }, by: other.by }
  }

  /** A consumer holds it no longer. */
  drop(name: string, { entry }: Held): void {
    const consumer = this.consumer(name)
    consumer.held = consumer.held.filter((each) => each.entry.uri !== entry.uri)
  }

  /** Asks once. */
  async ask(request: Request, how: Manner): Promise<Action> {
    return { request, ...(await this.#client.ask(request, how)) }
  }

  /** Asks what shows something, and can be asked again for it. @param note takes note of what came, each time */
  async askFor(request: Request, how: Manner, note: (came: Came) => void = () => {}): Promise<Action> {
    const { as, at } = how
    const ask = async (each: Manner) => {
      const came = await this.#client.ask(request, each)
      note(came)
      return came
    }
    return { request, ...(await ask(how)), again: () => ask({ as, at }) }
  }
}
