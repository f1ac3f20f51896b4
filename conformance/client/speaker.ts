import { withGuid } from './addresses.js'
import { Buffer } from './bytes.js'
import { type Exchange, refused, succeeded } from './exchange.js'
import { Blocked, Inconclusive, NotApplicable } from './findings.js'
import { guidProblem } from './guids.js'
import type { HttpTarget } from './http-target.js'
import type { Leftovers } from './leftovers.js'
import { make } from './making.js'
import type { Reader } from './message-in.js'
import type { KnowingMessages, LinkedContents } from './parse-entry.js'
import type { FeedContext, KnownFeeds } from './parse-feed.js'
import type { Profile } from './profile.js'
import { nameProblem } from './queue-names.js'
import type { RunMemory } from './run-memory.js'
import { type Destination, notGranted, subscriptionRequest } from './subscription-request.js'
import type { RequestOptions } from './target.js'
import { headerOf, queueDefinition, takesAnyBody } from './template.js'
import { subscribeAsJson } from './tolerances/as-json.js'
import { readByPath } from './tolerances/posts-alone.js'

/** Who makes a request, and where its client goes away. */
export interface Manner extends Pick<RequestOptions, 'as' | 'cut'> {
  /** How its queue is written, in place of the address that its creation told: `/queues/` and its path, or that with dots. */
  readonly at?: 'path' | 'dots' | undefined
  /** Whether a message has another content type than that of the profile. */
  readonly retyped?: true | undefined
  /** Header fields of a message, in place of those of the profile. */
  readonly fields?: Readonly<Record<string, string>> | undefined
}

/** Knows the messages that are sent, however a target shows them. */
export interface Messages {
  /** @param proven relations of links that have led to messages in this run */
  knowing(proven: Set<string>): KnowingMessages
  /** The text that was sent, where a target may show it as another. */
  textOf(body: Buffer): string
  /** Notes what is posted. */
  post(body: Buffer): void
  /** Whether a text was made as the profile says. */
  has(text: string): boolean
}

interface SpeakerOptions {
  readonly profile: Profile
  readonly target: HttpTarget
  readonly messages: Messages
  /** What is found out once of the target as a whole. */
  readonly memory: RunMemory
  /** How long an effect may take to show: milliseconds. */
  readonly settle: number
  /** What the checks of the run have made. */
  readonly leftovers?: Leftovers | undefined
  /** Whether it goes on for hours: then nothing is remembered, or counted, that a run bounds. */
  readonly isLong?: boolean
  /** Whether the Locations of new queues cannot be built on: then a queue is used at its path. */
  readonly needsPaths?: () => boolean
  /** Whether the collection of queues may be there with a slash at the end alone. */
  readonly triesSlash?: () => boolean
  /** Whether the data of a subscription may be taken as JSON, where they are refused as a form. */
  readonly triesJson?: () => boolean
  /** Carries out a wait that the target asks for. */
  readonly idle?: <T>(wait: () => Promise<T>) => Promise<T>
}

/** What a subscription asks for; its lease in milliseconds. */
interface Terms {
  readonly prefetch: number
  readonly lease: number
  readonly selector?: string | undefined
  /** Another way to write the pairs of its form data. */
  readonly write?: ((pairs: [string, string][]) => string) | undefined
  /** Header fields besides. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** Whether an answer says that what was asked for may be at another address. */
function isElsewhere({ status }: Exchange): boolean {
  return status === 404 || status === 405 || (status >= 301 && status <= 308)
}

/**
 * Speaks section 4.1 to a target, as its profile says: each operation is a request, and gives what came of it, whatever that is. What
 * the profile does not allow is not asked. What section 4.2 has stands beside it, a file for each mapping.
 */
export class Speaker implements Reader {
  readonly profile: Profile
  readonly target: HttpTarget
  readonly linked: LinkedContents | undefined
  readonly knowing: KnowingMessages
  readonly #options: SpeakerOptions
  readonly #known: KnownFeeds = new Map()
  /** The addresses of queues by their paths, as their creations told. */
  readonly #created = new Map<string, string | undefined>()

  constructor(options: SpeakerOptions) {
    this.#options = options
    this.profile = options.profile
    this.target = options.target
    this.linked = options.settle > 0 ? new Map() : undefined
    this.knowing = options.messages.knowing(options.memory.proven)
  }

  messageText(body: Buffer): string {
    return this.#options.messages.textOf(body)
  }

  /** What reads an answer as one party may: what it links to is asked for by them, too. */
  readerFor({ as }: Manner): Reader {
    if (as === undefined) return this
    const { profile, target, linked, knowing } = this
    return {
      ...{ profile, linked, knowing },
      target: {
        baseUrl: target.baseUrl,
        exchanges: target.exchanges,
        request: (method, uri, options) => target.request(method, uri, { ...options, as }),
        location: (exchange) => target.location(exchange),
      },
      messageText: (body) => this.messageText(body),
    }
  }

  /** What `ask` finds out of the target as a whole, which is asked once; `question` names it. */
  onceInRun(question: string, ask: () => Promise<boolean>): Promise<boolean> {
    return this.#options.memory.once(question, ask)
  }

  /** @throws {NotApplicable} where the profile does not allow the name */
  async createQueue(path: string, how: Manner = {}): Promise<Exchange> {
    const problem = nameProblem(this.profile, path)
    if (problem !== undefined) throw new NotApplicable(`the profile's queueNames do not allow it: ${problem}`)
    const definition = { ...queueDefinition(this.profile, path), ...how }
    const { leftovers } = this.#options
    const first = await this.#make(
      '/queues',
      definition,
      () => leftovers?.has(this.#created.get(path)) === true,
    )
    const slashed =
      isElsewhere(first) && this.#options.triesSlash?.() === true
        ? await this.target.request('POST', this.target.at('/queues/'), definition)
        : first
    const answer = succeeded(slashed) ? slashed : first
    await readByPath(this, path, answer)
    if (succeeded(answer)) this.#created.set(path, this.target.location(answer))
    if (!succeeded(answer) || this.#options.needsPaths?.() !== true) return answer
    const stated = this.target.queueUri(path)
    const isThere = succeeded(await this.target.request('GET', stated))
    return isThere ? { ...answer, headers: { ...answer.headers, location: stated } } : answer
  }

  /**
   * Posts a message to an address.
   *
   * @param headers beside those of the profile; a content type is in place of its own
   * @throws {NotApplicable} where it is refused, and is not made as the profile says
   */
  async post(
    address: string,
    body: string | Uint8Array,
    headers: Readonly<Record<string, string>> = {},
    how: Manner = {},
  ): Promise<Exchange> {
    const { message } = this.profile
    const typed = headerOf(headers, 'content-type') !== undefined
    const own = Object.entries(message.headers).filter(
      ([name]) => !typed || name.toLowerCase() !== 'content-type',
    )
    const { messages } = this.#options
    messages.post(Buffer.from(body as Uint8Array))
    const answer = await this.target.request('POST', address, {
      ...{ body, headers: { ...Object.fromEntries(own), ...headers }, ...how },
    })
    const made = !typed && messages.has(String(body))
    const tooLong = message.maxBytes !== null && Buffer.byteLength(body as Uint8Array) > message.maxBytes
    if (refused(answer) && (tooLong || !(made || takesAnyBody(this.profile)))) {
      const what = tooLong ? `has more than ${message.maxBytes} bytes` : 'is not made as the profile says'
      throw new NotApplicable(`a message that ${what} is refused with ${answer.status}`)
    }
    return answer
  }

  /** Posts a message to a queue with a guid. @throws {NotApplicable} where the profile does not allow the guid */
  sendOnce(
    queueUri: string,
    guid: string,
    body: string | Uint8Array,
    headers: Readonly<Record<string, string>> = {},
    how: Manner = {},
  ): Promise<Exchange> {
    const problem = guidProblem(this.profile, guid)
    if (problem !== undefined) throw new NotApplicable(`the profile does not allow the guid: ${problem}`)
    return this.post(withGuid(queueUri, guid), body, headers, how)
  }

  /** @throws {NotApplicable} where the target grants no such prefetch */
  async subscribe(destinations: readonly Destination[], terms: Terms, how: Manner = {}): Promise<Exchange> {
    const lacking = notGranted(this.profile, terms.prefetch)
    if (lacking !== undefined) throw lacking
    const request = subscriptionRequest(this.profile, destinations, terms)
    const body = terms.write?.([...new URLSearchParams(request.body)]) ?? request.body
    const headers = { ...request.headers, ...terms.headers }
    const first = await this.#make('/subscriptions', { ...request, headers, body, ...how })
    const isRefused = first.status === 415 && this.#options.triesJson?.() === true
    return isRefused ? subscribeAsJson(this.target, first) : first
  }

  #make(
    collection: '/queues' | '/subscriptions',
    request: RequestOptions,
    isThere?: () => boolean,
  ): Promise<Exchange> {
    const { target, leftovers, idle = (wait) => wait() } = this.#options
    return make({ target, leftovers, idle, isThere }, collection, request)
  }

  /**
   * How a feed is read, with all that strangers may put into one.
   *
   * @param blockedBy the check that asks whether it can be read
   * @param get gives its pages, and what its entries link to
   */
  feedContext(uri: string, blockedBy: string, get: (uri: string) => Promise<Exchange>): FeedContext {
    const { target } = this
    const isListing = uri.replace(/\/?(?:\?.*)?$/, '') === target.at('/queues')
    const context: FeedContext = {
      ...{ knowing: this.knowing, messageUri: this.profile.messageUri, linked: this.linked, get },
      mayOnlyTell: blockedBy === 'browse.queue',
      isHarmful: () => target.isHarmful,
      onExcess: (limit) => target.noteExcess(limit),
      unreadable: (why, isNowhere) => {
        // The document does not say what an entry shows; only a consumer needs its body.
        if (isNowhere && blockedBy === 'browse.queue')
          throw new Inconclusive(
            `the feed of ${uri} does not show its messages' contents: ${why}`,
            'contents',
          )
        throw new Blocked(blockedBy, why)
      },
    }
    if (this.#options.isLong) return context
    const { foreign, notPages, markup } = target.reading
    return {
      ...context,
      ...{ known: this.#known, foreign, notPages },
      // A listing has the queues of others, too, of which there may be any number on one page.
      onLong: (what) => {
        if (isListing) throw new Inconclusive(`GET ${uri}: ${what}`, 'limit')
      },
      onMarkup: (pieces) => {
        const refused = markup.count(pieces)
        if (refused !== undefined) throw new Inconclusive(refused, 'limit')
      },
      onParsed: (pieces, ids) => isListing && markup.takeOffKnown(pieces, ids),
      onEndless: (what) => {
        throw new Inconclusive(what, 'limit')
      },
    }
  }
}
