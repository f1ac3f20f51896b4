import type { Cut } from '../client/cut-client.js'
import type { Exchange } from '../client/exchange.js'
import type { Profile } from '../client/profile.js'
import { allowedSegment, namePrefix, nameProblem } from '../client/queue-names.js'
import { readFeed } from '../client/read-feed.js'
import { wildcardBelow } from '../client/subscription-request.js'
import { essence } from '../client/xml.js'
import type { Request } from '../model/model.js'
import type { Answer, Entry, Lease } from '../model/world.js'
import { succeeded } from '../trial/answers.js'
import type { CheckTrial } from '../trial/check-trial.js'
import { Blocked } from '../trial/findings.js'
import { walkTo } from '../trial/listings.js'
import { LockConsumer } from '../trial/locking.js'
import { entriesIn, messagesIn } from '../trial/message-in.js'
import { type Handed, messageIds, NextConsumer } from '../trial/next-message.js'
import type { QueueHandle, Sent } from '../trial/trial.js'
import type { Command } from './command.js'

/** A request as it went, in the model's words and in people's. */
export interface Deed {
  readonly request: Request
  readonly answer: Answer
  readonly exchange: Exchange
  readonly who: string
  readonly what: string
  /** Asks the same again, where what it shows may come late. */
  readonly again?: () => Promise<Answer>
}

/** Sends one request; undefined where it makes no sense any more. */
export type Start = () => Promise<Deed | undefined>

export interface SpeakerOptions {
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
}

interface Message {
  readonly sent: Sent
  readonly queue: string
  readonly guid: string | undefined
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

/** Speaks to a target in the names of a sequence, and keeps what the target calls them. */
export class Speaker {
  readonly #options: SpeakerOptions
  readonly #trial: CheckTrial
  readonly #queues = new Map<string, QueueHandle>()
  readonly #messages = new Map<string, Message>()
  readonly #consumers = new Map<string, Consumer>()
  /** What the messages are called, by their text. */
  readonly #names = new Map<string, string>()
  #taken = 0

  constructor(options: SpeakerOptions) {
    this.#options = options
    this.#trial = options.trial
  }

  /** The queues that a sequence has made, as far as the target told their addresses. */
  get queues(): readonly QueueHandle[] {
    return [...this.#queues.values()]
  }

  get subscriptions(): readonly string[] {
    return [...this.#consumers.values()].flatMap(({ uri }) => uri ?? [])
  }

  /** The requests that a command is, to be sent one after another. */
  starts(command: Command): Start[] {
    switch (command.do) {
      case 'create':
        return [() => this.#create(command.queue, command.cut)]
      case 'delete':
        return [() => this.#delete(command.queue, command.cut)]
      case 'browse':
        return [() => this.#browse(command.queue)]
      case 'list':
        return [() => this.#list()]
      case 'send':
        return this.#send(command)
      case 'repeat':
        return [() => this.#repeat(command.message, command.queue)]
      case 'subscribe':
        return [() => this.#subscribe(command)]
      case 'end':
        return [() => this.#end(command.consumer, command.cut)]
      case 'read':
        return [() => this.#read(command.consumer)]
      case 'acknowledge':
        return [() => this.#acknowledge(command.consumer, command.nth, command.cut)]
      case 'acknowledge again':
        return [() => this.#acknowledgeAgain(command.consumer, command.nth)]
      case 'acknowledge in a post':
        return [() => this.#acknowledgeInPost(command.consumer, command.count)]
      case 'join':
      case 'leave':
        return [() => this.#join(command.do, command.consumer, command.queue)]
      case 'next':
        return [() => this.#next(command.consumer)]
      case 'acknowledge next':
        return [() => this.#acknowledgeNext(command.consumer)]
      case 'lock':
        return [() => this.#lock(command.consumer, command.max)]
      case 'acknowledge locked':
        return [() => this.#acknowledgeLocked(command.consumer, command.nth)]
      case 'take':
        return [() => this.#take(command.queue, command.session)]
      case 'wait':
      case 'together':
        return []
    }
  }

  async #create(queue: string, cut?: Cut): Promise<Deed> {
    const path = this.#path(queue)
    this.#options.cutNext(cut)
    const exchange = await this.#trial.tryCreateQueue(path)
    const uri = this.#trial.target.location(exchange)
    if (uri !== undefined) this.#queues.set(queue, { path, uri })
    return this.#deed({ do: 'createQueue', queue }, exchange, 'Somebody', `creates the queue ${queue}`)
  }

  async #delete(queue: string, cut?: Cut): Promise<Deed | undefined> {
    const handle = this.#queues.get(queue)
    if (handle === undefined) return undefined
    this.#options.cutNext(cut)
    const exchange = await this.#trial.target.request('DELETE', handle.uri)
    return this.#deed({ do: 'deleteQueue', queue }, exchange, 'Somebody', `deletes the queue ${queue}`)
  }

  async #browse(queue: string): Promise<Deed | undefined> {
    const handle = this.#queues.get(queue)
    if (handle === undefined) return undefined
    const ask = () => this.#feed(handle.uri)
    const { exchange, answer } = await ask()
    const again = async () => (await ask()).answer
    const request = { do: 'browseQueue', queue } as const
    return { request, answer, exchange, who: 'Somebody', what: `browses the queue ${queue}`, again }
  }

  async #list(): Promise<Deed | undefined> {
    const known = [...this.#queues].filter(([name]) => !name.includes('/'))
    if (known.length === 0) return undefined
    const ask = async () => {
      const root = await this.#trial.target.request('GET', this.#trial.target.at('/queues'))
      const walks =
        root.status === 200
          ? await walkTo(
              this.#trial,
              known.map(([, handle]) => handle),
            )
          : []
      const found = known.filter((_, index) => walks[index]?.entry !== undefined)
      return {
        exchange: root,
        answer: this.#answer(root, { entries: found.map(([body]) => ({ body, uri: '' })) }),
      }
    }
    const { exchange, answer } = await ask()
    const again = async () => (await ask()).answer
    const request = { do: 'listQueues', queues: known.map(([name]) => name) } as const
    return { request, answer, exchange, who: 'Somebody', what: 'follows the listings from the root', again }
  }

  #send(command: Extract<Command, { do: 'send' }>): Start[] {
    const { queue, message: name, by, like, cut, colour = 'red' } = command
    const handle = this.#queues.get(queue)
    if (handle === undefined) return []
    const fresh = this.#trial.freshMessage(`${name} `)
    const sent = (like === undefined ? undefined : this.#messages.get(like)?.sent) ?? fresh
    if (!this.#names.has(sent.text)) this.#names.set(sent.text, name)
    const body = this.#names.get(sent.text)!
    const guid = by === 'guid' ? this.#trial.freshGuid() : undefined
    const message: Message = { sent, queue, guid, colour, address: undefined }
    this.#messages.set(name, message)
    const twin = body === name ? '' : `, with the body of ${body}`
    if (by === 'guid') return [() => this.#postOnce(name, queue, cut, twin)]
    if (by === 'single-path') {
      const url = this.#trial.target.at(`/queue/${encodePath(handle.path)}`)
      return [
        async () => {
          this.#options.cutNext(cut)
          const exchange = await this.#trial.post(url, sent.body, this.#headers(colour))
          const what = `sends ${name} to ${queue} by the single path${twin}`
          return this.#deed({ do: 'sendBySinglePath', queue, body, colour }, exchange, 'A producer', what)
        },
      ]
    }
    return [
      async () => {
        const exchange = await this.#trial.target.request('POST', handle.uri)
        message.address = this.#trial.target.location(exchange)
        const what = `asks ${queue} for an address for ${name}`
        return this.#deed({ do: 'newAddress', queue }, exchange, 'A producer', what)
      },
      () => this.#post(name, cut, `posts ${name}${twin}`),
    ]
  }

  #repeat(name: string, queue?: string): Promise<Deed | undefined> {
    const message = this.#messages.get(name)
    if (message === undefined) return Promise.resolve(undefined)
    if (message.guid === undefined) return this.#post(name, undefined, `posts ${name} again`)
    const elsewhere = queue !== undefined && this.#queues.has(queue) ? queue : message.queue
    return this.#postOnce(name, elsewhere, undefined, ', again with the same guid')
  }

  async #post(name: string, cut: Cut | undefined, what: string): Promise<Deed | undefined> {
    const { address, sent, colour } = this.#messages.get(name)!
    if (address === undefined) return undefined
    this.#options.cutNext(cut)
    const exchange = await this.#trial.post(address, sent.body, this.#headers(colour))
    const body = this.#names.get(sent.text)!
    return this.#deed({ do: 'postMessage', address, body, colour }, exchange, 'A producer', what)
  }

  async #postOnce(name: string, queue: string, cut: Cut | undefined, how: string): Promise<Deed> {
    const { sent, guid = '', colour } = this.#messages.get(name)!
    this.#options.cutNext(cut)
    const exchange = await this.#trial.postWithGuid(
      this.#queues.get(queue)!,
      guid,
      sent.body,
      this.#headers(colour),
    )
    const request = { do: 'sendOnce', queue, guid, body: this.#names.get(sent.text)!, colour } as const
    return this.#deed(request, exchange, 'A producer', `sends ${name} to ${queue} with a guid${how}`)
  }

  async #subscribe(command: Extract<Command, { do: 'subscribe' }>): Promise<Deed | undefined> {
    const { consumer: name, to, below, prefetch, selector = false, cut } = command
    const { profile } = this.#trial
    const handles = to.flatMap((queue) => this.#queues.get(queue) ?? [])
    if (handles.length < to.length) return undefined
    const wildcard = below === undefined ? [] : [wildcardBelow(profile, this.#path(below))]
    this.#options.cutNext(cut)
    const exchange = await this.#trial.trySubscribe([...handles, ...wildcard], {
      prefetch,
      lease: 'short',
      ...(selector ? { selector: profile.subscription.selector.expression } : {}),
    })
    const uri = this.#trial.target.location(exchange)
    const consumer = this.#consumer(name)
    if (uri !== undefined && exchange.status < 300) Object.assign(consumer, { uri, holds: [] })
    const request = {
      ...({ do: 'subscribe', prefetch, lease: this.#options.lease } as const),
      destinations: [...to.map((queue) => ({ queue })), ...(below === undefined ? [] : [{ below }])],
      selector: selector ? 'red' : undefined,
    }
    const all = [...to, ...(below === undefined ? [] : [`all below ${below}`])].join(' and ')
    const picks = selector ? ', for red messages' : ''
    return this.#deed(
      request,
      exchange,
      `Consumer ${name}`,
      `subscribes to ${all} with prefetch ${prefetch}${picks}`,
    )
  }

  async #end(name: string, cut?: Cut): Promise<Deed | undefined> {
    const { uri } = this.#consumer(name)
    if (uri === undefined) return undefined
    this.#options.cutNext(cut)
    const exchange = await this.#trial.target.request('DELETE', uri)
    return this.#deed(
      { do: 'unsubscribe', consumer: uri },
      exchange,
      `Consumer ${name}`,
      'deletes its subscription',
    )
  }

  async #read(name: string): Promise<Deed | undefined> {
    const consumer = this.#consumer(name)
    const { uri } = consumer
    if (uri === undefined) return undefined
    const ask = async () => {
      const read = await this.#feed(uri)
      if (read.exchange.status === 200) this.#shown(consumer, read.answer.entries ?? [])
      return read
    }
    const { exchange, answer } = await ask()
    const again = async () => (await ask()).answer
    const request = { do: 'consume', consumer: uri } as const
    return { request, answer, exchange, who: `Consumer ${name}`, what: 'reads its feed', again }
  }

  async #acknowledge(name: string, nth: number, cut?: Cut): Promise<Deed | undefined> {
    const consumer = this.#consumer(name)
    const entry = consumer.holds[nth % consumer.holds.length]
    if (entry === undefined) return undefined
    this.#options.cutNext(cut)
    const exchange = await this.#trial.target.request('DELETE', entry.uri)
    consumer.holds = consumer.holds.filter((each) => each !== entry)
    const request = { do: 'acknowledge', uri: entry.uri } as const
    return this.#deed(request, exchange, `Consumer ${name}`, `acknowledges ${entry.body}`)
  }

  async #acknowledgeAgain(name: string, nth: number): Promise<Deed | undefined> {
    const all = [...this.#consumer(name).shown.values()]
    const entry = all[nth % all.length]
    if (entry === undefined) return undefined
    const exchange = await this.#trial.target.request('DELETE', entry.uri)
    const what = `acknowledges ${entry.body} by the address that it was once shown`
    return this.#deed({ do: 'acknowledge', uri: entry.uri }, exchange, `Consumer ${name}`, what)
  }

  async #acknowledgeInPost(name: string, count: number): Promise<Deed | undefined> {
    const consumer = this.#consumer(name)
    const { uri } = consumer
    const acknowledged = consumer.holds.slice(0, count)
    if (uri === undefined || acknowledged.length === 0) return undefined
    const exchange = await this.#trial.target.request('POST', uri, {
      headers: { 'Content-Type': 'text/uri-list' },
      body: acknowledged.map((each) => `${each.uri}\r\n`).join(''),
    })
    const isFeed = succeeded(exchange) && essence(exchange.headers['content-type']) === 'application/atom+xml'
    const entries = isFeed
      ? await Promise.all(
          entriesIn(this.#trial, exchange).map(async (entry) => ({
            body: this.#nameOf(await entry.body()),
            uri: entry.messageUri ?? '',
          })),
        )
      : undefined
    consumer.holds = consumer.holds.filter((each) => !acknowledged.includes(each))
    if (entries !== undefined) this.#shown(consumer, entries)
    const uris = acknowledged.map((each) => each.uri)
    const what = `acknowledges ${acknowledged.map(({ body }) => body).join(', ')} in a POST`
    return this.#deed({ do: 'acknowledgeInPost', consumer: uri, uris }, exchange, `Consumer ${name}`, what, {
      entries,
    })
  }

  async #join(how: 'join' | 'leave', name: string, queue: string): Promise<Deed | undefined> {
    const { next } = this.#consumer(name)
    const handle = this.#queues.get(queue)
    if (handle === undefined) return undefined
    const exchange = await (how === 'join' ? next.subscribe(handle.path) : next.unsubscribe(handle.path))
    const { untoldLease: lease } = this.#options
    const request =
      how === 'join'
        ? ({ do: 'join', consumer: next.id, queue, lease, prefetch: MANY } as const)
        : ({ do: 'leave', consumer: next.id, queue } as const)
    return this.#deed(request, exchange, `Consumer ${name}`, `${how}s the destination ${queue}`)
  }

  async #next(name: string): Promise<Deed> {
    const consumer = this.#consumer(name)
    const ask = async () => {
      const exchange = await consumer.next.ask()
      const message = await this.#messageIn(exchange)
      const id = message && messageIds(this.#trial, exchange)[0]
      if (!message || id === undefined) return { exchange, answer: this.#answer(exchange, { entries: [] }) }
      const entry = { body: message.name, uri: `/ack/${consumer.next.id}/${id}` }
      consumer.handed = { message: message.sent, answer: exchange, entry }
      return { exchange, answer: this.#answer(exchange, { entries: [entry] }) }
    }
    const { exchange, answer } = await ask()
    const again = async () => (await ask()).answer
    const request = { do: 'nextMessage', consumer: consumer.next.id } as const
    return { request, answer, exchange, who: `Consumer ${name}`, what: 'asks for its next message', again }
  }

  async #acknowledgeNext(name: string): Promise<Deed | undefined> {
    const { next, handed } = this.#consumer(name)
    if (handed === undefined) return undefined
    const exchange = await next.tryAck(handed)
    const { body, uri } = handed.entry
    return this.#deed(
      { do: 'acknowledgeForConsumer', uri },
      exchange,
      `Consumer ${name}`,
      `acknowledges ${body}`,
    )
  }

  async #lock(name: string, max: number): Promise<Deed> {
    const consumer = this.#consumer(name)
    const ask = async () => {
      const { answer: exchange, uris } = await consumer.locker.lock(max)
      const sent = [...new Set([...this.#messages.values()].map((each) => each.sent))]
      const locked = await consumer.locker.fetchAll(uris, sent)
      const entries = locked.map(({ uri, message }) => ({ uri, body: this.#names.get(message.text)! }))
      const before = new Map(consumer.locked.map((each) => [each.uri, each]))
      consumer.locked = [
        ...new Map([...before, ...entries.map((each) => [each.uri, each] as const)]).values(),
      ]
      return { exchange, answer: this.#answer(exchange, { entries }) }
    }
    const { exchange, answer } = await ask()
    const again = async () => (await ask()).answer
    const request = { do: 'lockNextMessages', consumer: consumer.next.id, max } as const
    return { request, answer, exchange, who: `Consumer ${name}`, what: `locks up to ${max} messages`, again }
  }

  async #acknowledgeLocked(name: string, nth: number): Promise<Deed | undefined> {
    const consumer = this.#consumer(name)
    const entry = consumer.locked[nth % consumer.locked.length]
    if (entry === undefined) return undefined
    const exchange = await consumer.locker.tryAck(entry)
    consumer.locked = consumer.locked.filter((each) => each !== entry)
    const request = { do: 'acknowledgeForConsumer', uri: entry.uri } as const
    return this.#deed(
      request,
      exchange,
      `Consumer ${name}`,
      `acknowledges ${entry.body}, which it has locked`,
    )
  }

  async #take(queue: string, session?: string): Promise<Deed | undefined> {
    const handle = this.#queues.get(queue)
    if (handle === undefined) return undefined
    const id = session === undefined ? undefined : `${this.#options.prefix}-${session}`
    const query = id === undefined ? '' : `?jsessionId=${id}`
    const ask = async () => {
      const url = this.#trial.target.at(`/queue/${encodePath(handle.path)}${query}`)
      const exchange = await this.#trial.target.request('GET', url)
      const message = await this.#messageIn(exchange)
      const entries = message === undefined ? [] : [{ body: message.name, uri: `taken ${++this.#taken}` }]
      return { exchange, answer: this.#answer(exchange, { entries }) }
    }
    const { exchange, answer } = await ask()
    const again = async () => (await ask()).answer
    const request = { do: 'takeBySinglePath', queue, session: id, lease: this.#options.untoldLease } as const
    const who = session === undefined ? 'Somebody' : `The session ${session}`
    return { request, answer, exchange, who, what: `takes a message of ${queue} by the single path`, again }
  }

  /** A feed with all its pages, as far as it is one. */
  async #feed(uri: string): Promise<{ exchange: Exchange; answer: Answer }> {
    const pages: Exchange[] = []
    const feed = await readFeed(uri, {
      messageUri: this.#trial.profile.messageUri,
      linked: this.#trial.linked,
      get: async (address) => {
        pages.push(await this.#trial.target.request('GET', address))
        return pages.at(-1)!
      },
      unreadable: (why) => {
        throw new Blocked('consume.feed', why)
      },
    })
    const first = pages[0]!
    if (typeof feed === 'string') return { exchange: first, answer: this.#answer(first, { entries: [] }) }
    const bodies = await Promise.all(feed.entries.map((entry) => entry.body())).catch(unreadable)
    // The content of a message that was acknowledged meanwhile may be gone: then nobody knows what was shown.
    if (typeof bodies === 'string') {
      const lost = { ...first, status: 0, error: bodies }
      return { exchange: lost, answer: this.#answer(lost, {}, pages.at(-1)) }
    }
    const entries = feed.entries.map(({ messageUri = '' }, index) => ({
      body: this.#nameOf(bodies[index]!),
      uri: messageUri,
    }))
    return { exchange: first, answer: this.#answer(first, { entries }, pages.at(-1)) }
  }

  #shown(consumer: Consumer, entries: readonly Entry[]): void {
    consumer.holds = entries
    for (const entry of entries) consumer.shown.set(entry.uri, entry)
  }

  async #messageIn(exchange: Exchange): Promise<{ readonly sent: Sent; readonly name: string } | undefined> {
    const sent = [...this.#messages.values()].map((each) => each.sent)
    const [first] = await messagesIn(this.#trial, exchange, sent)
    return first && { sent: first, name: this.#names.get(first.text)! }
  }

  #nameOf(body: Buffer): string {
    const text = this.#trial.messageText(body)
    return this.#names.get(text) ?? `the body ${JSON.stringify(text.slice(0, 40))}`
  }

  #consumer(name: string): Consumer {
    const known = this.#consumers.get(name)
    if (known !== undefined) return known
    const id = `${this.#options.prefix}-${name}`
    const made: Consumer = {
      ...{ uri: undefined, holds: [], shown: new Map(), handed: undefined, locked: [] },
      next: new NextConsumer(this.#trial, id),
      locker: LockConsumer.named(this.#trial, id),
    }
    this.#consumers.set(name, made)
    return made
  }

  #path(queue: string): string {
    return pathOf(this.#trial.profile, this.#options.prefix, queue)
  }

  #headers(colour: 'red' | 'blue'): Record<string, string> {
    const { features, subscription } = this.#trial.profile
    if (!features.selector) return {}
    return { ...(colour === 'red' ? subscription.selector.matching : subscription.selector.other) }
  }

  #answer(
    exchange: Exchange,
    shown: { entries?: readonly Entry[] | undefined } = {},
    last = exchange,
  ): Answer {
    const location = this.#trial.target.location(exchange)
    return { status: exchange.status, location, ...shown, ...this.#options.time(exchange, last) }
  }

  #deed(
    request: Request,
    exchange: Exchange,
    who: string,
    what: string,
    shown: { entries?: readonly Entry[] | undefined } = {},
  ): Deed {
    return { request, exchange, who, what, answer: this.#answer(exchange, shown) }
  }
}

function unreadable(error: unknown): string {
  if (error instanceof Blocked) return error.seen
  throw error
}

/** The names of queues that a target takes. */
export function queuesFor(profile: Profile): readonly string[] {
  const names = ['a', 'ab', 'b', 'a/b'].filter(
    (name) => nameProblem(profile, pathOf(profile, 'kit-0123456789', name)) === undefined,
  )
  return names.length > 0 ? names : ['a']
}

/** A queue's name at a target: `a` and `ab` begin alike, and `a/b` is below `a`. */
function pathOf(profile: Profile, prefix: string, queue: string): string {
  const number = queue.startsWith('a') ? 1 : 2
  const segments = `${prefix}-${number}${queue.slice(1)}`.split('/')
  return namePrefix(profile) + segments.map((segment) => allowedSegment(profile, segment)).join('/')
}

/** More than any sequence sends. */
const MANY = 1000

function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}
