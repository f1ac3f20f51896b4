import type { Request } from '../model/model.js'
import type { Answer, Content, Destination, Entry } from '../model/world.js'
import { postUris } from './ack-in-post.js'
import { addressTold } from './addresses.js'
import { answered, beginningOf, kindOf, quotedBody } from './answered.js'
import * as batch from './batch.js'
import { Buffer } from './bytes.js'
import { type Exchange, refused, succeeded } from './exchange.js'
import type { Feed } from './feed.js'
import { Blocked, Inconclusive } from './findings.js'
import { jsonTexts } from './forms.js'
import { isChild, readCategory, walkTo } from './listings.js'
import { entriesIn } from './message-in.js'
import * as oneAtATime from './one-at-a-time.js'
import { isFeed, lacksContents } from './queue-contents.js'
import { categoriesAbove } from './queue-names.js'
import { readFeed } from './read-feed.js'
import type { QueueHandle } from './sent.js'
import * as singlePath from './single-path.js'
import type { Manner, Speaker } from './speaker.js'
import { wildcardBelow } from './subscription-request.js'
import { headerOf } from './template.js'
import { BatchConsumers } from './tolerances/batch-consumers.js'
import { byBodies } from './tolerances/by-bodies.js'
import { essence } from './xml.js'

/** What came of a request: as it went, and in the model's words. */
export interface Came {
  readonly exchange: Exchange
  readonly answer: Answer
  /** Of a feed: how many of its entries stand on each page. */
  readonly sizes?: readonly number[]
  /** Of a success that is no feed, or holds no message, where one is expected, so that it shows nothing: what it is. */
  readonly unread?: string
}

/** What the names in requests stand for at the target. */
export interface Names {
  /** The name of a queue, or of what is above some, as a slash path. */
  path(name: string): string
  /** A queue whose creation was answered. */
  queue(name: string): QueueHandle
  /** What is posted as a message. */
  body(message: string): Uint8Array
  /** What a body that arrived is called; undefined where it is no message that was sent. */
  nameOf(body: Buffer): string | undefined
  /** What a body that arrived is, where it is no message that was sent; left out where that is told by its text. */
  tell?(body: Buffer): string | undefined
  /** Whether it is a message that was sent under other names than these; left out where all are the same. */
  isOthers?(body: Buffer): boolean
  /** What the first message is called that an answer holds, in whatever form; undefined where it holds none. */
  messageIn(exchange: Exchange, how: Manner): Promise<string | undefined>
  /** The target's time at which a request was sent at the earliest, and answered at the latest. */
  time(first: Exchange, last: Exchange): { readonly from: number; readonly to: number }
  /** Whether messages that have no addresses of their own are known by their bodies; left out where those are judged. */
  readonly knowsByBodies?: boolean
  /** Whether feeds of queues show what their messages are, which the document leaves open. */
  queuesShowContents(): Promise<boolean>
}

/** A message that was given to a consumer of section 4.2. */
interface Given {
  readonly consumer: string
  /** What may be its id, where it was handed out as the next. */
  readonly ids?: readonly string[]
}

/** Types that any message may have. */
const TYPES = ['application/octet-stream', 'text/x-other'] as const
/** How often what is locked is fetched until that is answered. */
const MOST_TRIES = 10
/** So many of them are remembered: more than are held at once. */
const MOST_GIVEN = 10_000

/** Asks a target what the model judges: a request and its answer in the model's words. */
export class Client {
  readonly speaker: Speaker
  readonly #names: Names
  /** Addresses of the queues that were made, as their creations told them. */
  readonly #queues = new Map<string, string | undefined>()
  /** Addresses of the pages after the first of a consumer's feed, as it was read last. */
  readonly #furtherPages = new Map<string, readonly string[]>()
  /** By the address that each is known by. */
  readonly #given = new Map<string, Given>()
  readonly #consumers: BatchConsumers

  constructor(speaker: Speaker, names: Names) {
    this.speaker = speaker
    this.#consumers = new BatchConsumers(speaker)
    this.#names = names
  }

  /**
   * Makes a request.
   *
   * @throws {NotApplicable} where the profile does not allow it
   * @throws {Inconclusive} where an answer is longer than the kit reads, or a message has no id where the profile says
   */
  async ask(request: Request, how: Manner = {}): Promise<Came> {
    const { target, profile } = this.speaker
    const names = this.#names
    switch (request.do) {
      case 'createQueue':
        return this.#createQueue(request.queue, how)
      case 'deleteQueue':
        return this.#came(await target.request('DELETE', this.#queue(request.queue, how).uri, how))
      case 'listQueues':
        return this.#list(request.queues, request.below, how)
      case 'browseQueue':
        return this.#feed(this.#queue(request.queue, how).uri, how, request.queue)
      case 'newAddress':
        return this.#made(await target.request('POST', this.#queue(request.queue, how).uri, how))
      case 'postMessage':
        return this.#post(request.address, request, how)
      case 'sendOnce': {
        const { uri } = this.#queue(request.queue, how)
        const body = names.body(request.body)
        return this.#came(
          await this.speaker.sendOnce(uri, request.guid, body, this.#headers(request, how), how),
        )
      }
      case 'subscribe': {
        const { prefetch, selector, lease } = request
        const { expression } = profile.subscription.selector
        const terms = { prefetch, lease: lease.length, selector: selector && expression }
        const destinations = request.destinations.map((each) => this.#destination(each, how))
        return this.#made(await this.speaker.subscribe(destinations, terms, how))
      }
      case 'unsubscribe':
        return this.#came(await target.request('DELETE', request.consumer, how))
      case 'consume':
        return this.#consume(request.consumer, how)
      case 'acknowledge':
        return this.#came(await target.request('DELETE', request.uri, how))
      case 'look': {
        const exchange = await target.request(request.head ? 'HEAD' : 'GET', request.uri, how)
        return this.#holding(exchange, request.uri, how)
      }
      case 'sendBySinglePath': {
        const { path } = this.#queue(request.queue, how)
        return this.#post(singlePath.addressOf(this.speaker, path), request, how)
      }
      case 'takeBySinglePath': {
        const { path } = names.queue(request.queue)
        const exchange = await singlePath.take(this.speaker, path, request.session, how)
        return this.#holding(exchange, `taken at ${exchange.sentAt}`, how)
      }
      case 'join':
        return this.#came(await this.#consumers.join(request.consumer, names.queue(request.queue), how))
      case 'leave':
        return this.#came(await this.#consumers.leave(request.consumer, names.queue(request.queue), how))
      case 'nextMessage':
        return this.#next(request.consumer, how)
      case 'lockNextMessages':
        return this.#lock(request.consumer, request.max, how)
      case 'fetchLocked': {
        const { consumer } = this.#givenAt(request.uri)
        return this.#came(await batch.fetchLocked(this.speaker, consumer, request.uri, how))
      }
      case 'acknowledgeForConsumer':
        return this.#acknowledge(request.uri, how)
      case 'acknowledgeInPost':
        return request.max === undefined
          ? this.#acknowledgeInPost(request.consumer, request.uris, how)
          : this.#lock(request.consumer, request.max, how, request.uris)
    }
  }

  async #post(address: string, content: Content, how: Manner): Promise<Came> {
    const body = this.#names.body(content.body)
    return this.#came(await this.speaker.post(address, body, this.#headers(content, how), how))
  }

  /** Header fields of a message: its own, those by which a selector picks it or not, and the type of one that is typed otherwise. */
  #headers({ colour }: Partial<Content>, { retyped, fields }: Manner): Readonly<Record<string, string>> {
    const { features, subscription, message } = this.speaker.profile
    const type = retyped && {
      'Content-Type': TYPES.find((each) => each !== headerOf(message.headers, 'content-type'))!,
    }
    const { matching, other } = subscription.selector
    const picked = features.selector && colour !== undefined ? (colour === 'red' ? matching : other) : {}
    return { ...picked, ...fields, ...type }
  }

  #destination(destination: Destination, how: Manner): QueueHandle | string {
    return 'below' in destination
      ? wildcardBelow(this.speaker.profile, this.#names.path(destination.below))
      : this.#queue(destination.queue, how)
  }

  #queue(name: string, how: Manner): QueueHandle {
    if (how.at === undefined) return this.#names.queue(name)
    const path = this.#path(name, how)
    return { path, uri: this.speaker.target.queueUri(path) }
  }

  #path(name: string, { at }: Manner): string {
    const path = this.#names.path(name)
    return at === 'dots' ? path.replaceAll('/', '.') : path
  }

  async #list(queues: readonly string[], below: string | undefined, how: Manner): Promise<Came> {
    const { target } = this.speaker
    const handles = queues.map((name) => this.#names.queue(name))
    const uri = below === undefined ? target.at('/queues') : target.queueUri(this.#names.path(below))
    const exchange = await target.request('GET', uri, how)
    const asEntries = (isFound: readonly boolean[]) =>
      queues.filter((_, at) => isFound[at]).map((body): Entry => ({ body, uri: '' }))
    if (exchange.status !== 200) return this.#came(exchange, { entries: [] })
    const reader = { profile: this.speaker.profile, target, readFeed: this.#readFeedAs(how) }
    if (below === undefined) {
      const walks = await walkTo(reader, handles)
      return this.#came(exchange, { entries: asEntries(walks.map(({ entry }) => entry !== undefined)) })
    }
    const { entries } = await readCategory(reader, this.#names.path(below))
    const isFound = handles.map((handle) => entries.some((entry) => isChild(reader, entry, handle)))
    return this.#came(exchange, { entries: asEntries(isFound) })
  }

  #readFeedAs({ as }: Manner): (uri: string, blockedBy: string) => Promise<Feed> {
    return async (uri, blockedBy) => {
      const get = (at: string) => this.speaker.target.request('GET', at, { as })
      const feed = await readFeed(uri, this.speaker.feedContext(uri, blockedBy, get))
      if (typeof feed === 'string') throw new Blocked(blockedBy, feed)
      return feed
    }
  }

  /** A consumer's feed. Of one that is refused, any of its pages may still be there. */
  async #consume(uri: string, how: Manner): Promise<Came> {
    const came = await this.#feed(uri, how)
    const known = this.#furtherPages.get(uri) ?? []
    if (!refused(came.exchange) || how.as !== undefined) return came
    const pages = await Promise.all(known.map((each) => this.#feed(each, {})))
    return pages.find(({ answer }) => (answer.entries ?? []).length > 0) ?? came
  }

  /**
   * A feed with all its pages, as far as it is one.
   *
   * @param queue whose it is: it may only describe messages, and list the queues below beside them
   */
  async #feed(uri: string, { as, cut }: Manner, queue?: string): Promise<Came> {
    const isQueue = queue !== undefined
    const pages: Exchange[] = []
    const get = async (address: string) => {
      // Who has gone away reads no further.
      const how = pages.length > 0 ? { as } : { as, cut }
      pages.push(await this.speaker.target.request('GET', address, how))
      return pages.at(-1)!
    }
    const context = this.speaker.feedContext(uri, isQueue ? 'browse.queue' : 'consume.feed', get)
    const feed = await readFeed(uri, context)
    const first = pages[0]!
    const inPages = pages.length > 1
    // A page after the first may have gone with what it showed.
    if (typeof feed === 'string' && inPages && succeeded(first)) return this.#lost(first, feed, pages.at(-1))
    if (typeof feed === 'string')
      return { ...this.#came(first, { entries: [] }), ...(succeeded(first) ? { unread: feed } : {}) }
    const further = pages.slice(1).map(({ url }) => url)
    if (inPages && !isQueue) this.#furtherPages.set(uri, further)
    const sizes = feed.sizes.map(() => 0)
    const pageOf = feed.sizes.flatMap((size, page) => Array.from({ length: size }, () => page))
    const repeated = inPages ? onPagesBefore(feed, pageOf) : NONE
    const listed = new Set(isQueue ? await this.#queuesAmong(feed, queue) : NONE)
    const isLeftOut = (index: number) => repeated.has(index) || listed.has(index)
    const untold = () => {
      const count = feed.entries.filter((_, index) => !isLeftOut(index)).length
      return this.#came(first, { count, inPages }, pages.at(-1))
    }
    const read = feed.entries.map((entry, index) => (listed.has(index) ? NOTHING : entry.body()))
    const bodies = await Promise.all(read).catch((error) =>
      isQueue && lacksContents(error) ? undefined : unreadable(error),
    )
    if (bodies === undefined) return untold()
    // The content of a message that was acknowledged meanwhile may be gone: then nobody knows what was shown.
    if (typeof bodies === 'string') return this.#lost(first, bodies, pages.at(-1))
    // Beside those that are known, a queue may be there that a request has made without a word.
    if (isQueue)
      for (const [index, body] of bodies.entries())
        if (isFeed(beginningOf({ body })) && this.#names.nameOf(body) === undefined) listed.add(index)
    // An empty one may be a message, or no content at all.
    const isUnclear = (body: Buffer) => body.length === 0 || this.#names.nameOf(body) === undefined
    const isUnknown = isQueue && bodies.some((body, index) => !listed.has(index) && isUnclear(body))
    if (isUnknown && !(await this.#names.queuesShowContents())) return untold()
    const entries = feed.entries.flatMap((entry, index) => {
      if (isLeftOut(index)) return []
      sizes[pageOf[index]!]! += 1
      return this.#entry(bodies[index]!, entry.messageUri)
    })
    const known = isQueue || !this.#names.knowsByBodies ? entries : byBodies(entries, uri)
    return { ...this.#came(first, { entries: known, inPages }, pages.at(-1)), sizes }
  }

  /** Which entries of a queue's feed, as indices, stand for queues and categories below it, and show no message. */
  async #queuesAmong({ entries }: Feed, queue: string): Promise<ReadonlySet<number>> {
    const { profile, target } = this.speaker
    const above = `${queue}/`
    const queues = [...this.#queues.keys()].filter((name) => name.startsWith(above))
    const all = queues.flatMap((name) => [...categoriesAbove(name), name])
    const below = new Set(all.filter((name) => name.startsWith(above)))
    const handles = [...below].map((name) => {
      const path = this.#names.path(name)
      return { path, uri: this.#queues.get(name) ?? target.queueUri(path) }
    })
    const reader = { profile, target, readFeed: this.#readFeedAs({}) }
    const found = entries.map(async (entry, index) => {
      if (!handles.some((handle) => isChild(reader, entry, handle))) return []
      // At the address of a queue is its feed, in which its messages are.
      const body = await entry.body().catch(() => undefined)
      const isMessage = body && !isFeed(beginningOf({ body })) && this.#names.nameOf(body) !== undefined
      return isMessage ? [] : index
    })
    return new Set((await Promise.all(found)).flat())
  }

  #entry(body: Buffer, uri = ''): Entry {
    const name = this.#names.nameOf(body)
    if (name !== undefined) return { body: name, uri }
    const told = this.#names.tell?.(body)
    const unknown = {
      body: told ?? `the body ${JSON.stringify(this.speaker.messageText(body).slice(0, 40))}`,
      uri,
    }
    return this.#names.isOthers?.(body) ? { ...unknown, isOthers: true } : unknown
  }

  /** What an answer of section 4.2 holds. */
  async #holding(exchange: Exchange, uri: string, how: Manner): Promise<Came> {
    const body = await this.#names.messageIn(exchange, how)
    if (body === undefined) return { ...this.#came(exchange, { entries: [] }), ...unknownIn(exchange) }
    return this.#came(exchange, { entries: [{ body, uri }] })
  }

  async #next(consumer: string, how: Manner): Promise<Came> {
    const exchange = await oneAtATime.next(this.speaker, consumer, how)
    const body = await this.#names.messageIn(exchange, how)
    const ids = oneAtATime.messageIds(this.speaker.readerFor(how), exchange)
    // Of what has no byte its id alone says that it is a message.
    if (body === undefined || (exchange.body.length === 0 && ids.length === 0))
      return { ...this.#came(exchange, { entries: [] }), ...unknownIn(exchange) }
    const { messageId } = this.speaker.profile.oneAtATime
    if (ids.length === 0)
      throw new Inconclusive(
        `the next message has no id where the profile says (oneAtATime.messageId: ${messageId}): is the profile right?`,
        'profile',
      )
    const uri = `/ack/${consumer}/${ids[0]}`
    this.#remember(uri, { consumer, ids })
    return this.#came(exchange, { entries: [{ body, uri }] })
  }

  /** @param acks addresses of messages that the lock call acknowledges */
  async #lock(consumer: string, max: number, how: Manner, acks: readonly string[] = []): Promise<Came> {
    const { speaker } = this
    const { answer, uris, id } = await this.#consumers.lock(consumer, max, acks, how)
    // What lists the acknowledged messages alone says that it has done so.
    if (uris.length > 0 && uris.every((uri) => acks.includes(uri))) return this.#came(answer)
    const { as } = how
    const fetched = await Promise.all(
      uris.map((uri) => answeredAtLast(() => batch.fetchLocked(speaker, id, uri, { as }))),
    )
    const bodies = await Promise.all(fetched.map((each) => this.#names.messageIn(each, how)))
    const entries = uris.flatMap((uri, at) => (bodies[at] === undefined ? [] : { uri, body: bodies[at] }))
    for (const { uri } of entries) this.#remember(uri, { consumer: id })
    const came = this.#came(answer, { entries })
    if (entries.length > 0 || !succeeded(answer) || isEmpty(answer)) return came
    const [first] = fetched
    const what = first === undefined ? quotedBody(answer) : `${uris[0]}, and there ${answered(first)}`
    return { ...came, unread: `${kindOf(answer)}, in which no message is found: ${what}` }
  }

  async #acknowledge(uri: string, how: Manner): Promise<Came> {
    const { consumer, ids } = this.#givenAt(uri)
    return this.#came(
      ids === undefined
        ? await batch.acknowledge(this.speaker, consumer, uri, how)
        : await oneAtATime.acknowledge(this.speaker, consumer, ids, how),
    )
  }

  async #acknowledgeInPost(consumer: string, uris: readonly string[], how: Manner): Promise<Came> {
    const exchange = await postUris(this.speaker, consumer, uris, how)
    const isFeed = succeeded(exchange) && essence(exchange.headers['content-type']) === 'application/atom+xml'
    if (!isFeed) return this.#came(exchange)
    const shown = entriesIn(this.speaker.readerFor(how), exchange).map(async (entry) =>
      this.#entry(await entry.body(), entry.messageUri),
    )
    const entries = await Promise.all(shown).catch(unreadable)
    return this.#came(exchange, typeof entries === 'string' ? {} : { entries })
  }

  /**
   * What was given at an address; at one that nobody was given, what might have been: as at the one most like it.
   *
   * @throws {Error} of what was given to nobody, or so long ago that it is forgotten
   */
  #givenAt(uri: string): Given {
    const given = this.#given.get(uri)
    if (given !== undefined) return given
    const parts = uri.split('/').length
    const [nearest] = [...this.#given]
      .filter(([other]) => other.split('/').length === parts && partsShared(other, uri) > parts / 2)
      .sort(([one], [other]) => partsShared(other, uri) - partsShared(one, uri))
    if (nearest === undefined) throw new Error(`nobody was given what is acknowledged at ${uri}`)
    const [, beside] = nearest
    return beside.ids === undefined ? beside : { ...beside, ids: [uri.slice(uri.lastIndexOf('/') + 1)] }
  }

  #remember(uri: string, given: Given): void {
    const [oldest] = this.#given.keys()
    if (this.#given.size >= MOST_GIVEN) this.#given.delete(oldest!)
    this.#given.set(uri, given)
  }

  #came(
    exchange: Exchange,
    shown: Pick<Answer, 'entries' | 'count' | 'inPages'> = {},
    last = exchange,
  ): Came {
    const location = this.speaker.target.location(exchange)
    const answer = { status: exchange.status, location, ...shown, ...this.#names.time(exchange, last) }
    return { exchange, answer }
  }

  async #createQueue(queue: string, how: Manner): Promise<Came> {
    const path = this.#path(queue, how)
    const exchange = await this.speaker.createQueue(path, how)
    const made = this.#made(exchange)
    if (succeeded(exchange)) this.#queues.set(queue, made.answer.location)
    const isUntold = succeeded(exchange) && (made.answer.location ?? made.answer.told) === undefined
    if (!isUntold) return made
    // A queue of which nobody tells the address is where the document has it.
    const { target } = this.speaker
    const stated = target.queueUri(path)
    const isThere = succeeded(await target.request('GET', stated))
    return isThere ? { ...made, answer: { ...made.answer, told: stated } } : made
  }

  /** Of what says that it was made, and has no Location, the body may tell where it is. */
  #made(exchange: Exchange): Came {
    const came = this.#came(exchange)
    if (came.answer.location !== undefined || !succeeded(exchange)) return came
    const told = addressTold(this.speaker.target, exchange)
    return told === undefined ? came : { ...came, answer: { ...came.answer, told } }
  }

  /** An answer as good as none. */
  #lost(first: Exchange, why: string, last = first): Came {
    const error = `the client cannot tell what is shown: ${why}`
    return this.#came({ ...first, status: 0, error }, {}, last)
  }
}

const NONE: ReadonlySet<number> = new Set()
const NOTHING = Buffer.alloc(0)

/** Which entries, as indices, stand on a page before their own too, as what moves while pages are read may. */
function onPagesBefore({ entries }: Feed, pageOf: readonly number[]): ReadonlySet<number> {
  const first = new Map<string, number>()
  const repeated = entries.flatMap(({ id }, index) => {
    const page = first.get(id) ?? pageOf[index]!
    first.set(id, page)
    return id !== '' && page < pageOf[index]! ? index : []
  })
  return new Set(repeated)
}

/** What is locked comes to its consumer by no other way. */
async function answeredAtLast(fetch: () => Promise<Exchange>): Promise<Exchange> {
  let fetched = await fetch()
  for (let tries = 1; tries < MOST_TRIES && hasNoAnswer(fetched); tries++) fetched = await fetch()
  return fetched
}

/** Whether nobody knows what came of a request: it had no answer, or one that says no more. */
function hasNoAnswer({ status }: Pick<Exchange, 'status'>): boolean {
  return status === 0 || status >= 500 || status === 429
}

/** In how many places of their paths two addresses are the same. */
function partsShared(one: string, other: string): number {
  const parts = other.split('/')
  return one.split('/').filter((part, place) => part === parts[place]).length
}

/** Whether an answer lists nothing: it has no body, or one of JSON without any text. */
function isEmpty({ body }: Exchange): boolean {
  if (body.length === 0) return true
  try {
    JSON.parse(body.toString())
    return jsonTexts({ body }).length === 0
  } catch {
    return false
  }
}

/** What an answer says that holds no message that was sent. */
function unknownIn(exchange: Exchange): Pick<Came, 'unread'> {
  return succeeded(exchange) && exchange.body.length > 0 ? { unread: answered(exchange) } : {}
}

function unreadable(error: unknown): string {
  if (error instanceof Blocked) return error.seen
  throw error
}
