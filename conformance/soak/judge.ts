import { judge, type Request, type State } from '../model/model.js'
import { type Rejection, rejection } from '../model/rejection.js'
import type { Answer, Consumer, Entry, Message, Subscribing, World } from '../model/world.js'
import type { ClauseId } from '../requirements/index.js'
import { listed } from '../scenario/words.js'
import { DoneSet } from './done-set.js'
import { type Broken, Fold } from './fold.js'
import {
  type Asking,
  type Event,
  nameOf,
  never,
  numberOf,
  outcomeOf,
  shownBy,
  type Violation,
} from './history.js'

/** Events of one part that are kept for its story, at each end. */
const KEPT = 30
/** Milliseconds after which what is over is forgotten but for its number. */
const REMEMBERED = 20_000
/** So many before those that are over are looked for. */
const MANY_CONSUMERS = 500
/** So many new-message addresses are remembered, the latest. */
const MANY_ADDRESSES = 50_000

const EMPTY: World = { queues: {}, addresses: {}, guids: {}, messages: [], consumers: {}, deliveries: {} }
const THERE = { exists: true, mayCome: false, mayGo: false, born: 1 } as const

/** A part of the history that is judged by itself: what happened to one message, one consumer or one queue. */
interface Part {
  readonly fold: Fold
  readonly project: (state: State, event: Event) => Projected
  /** The first and the last that happened. */
  readonly events: Event[]
  /** When something was done here last, other than looking at it. */
  changed: number
}

interface Sent extends Part {
  readonly number: number
  readonly queue: string
  readonly sends: Event[]
  /** How often somebody has tried to acknowledge it, and whether its queue may have gone. */
  tries: number
  mayGo: boolean
}

interface Known extends Part {
  /** The number of its subscription. */
  readonly number: number
  readonly terms: Subscribing
  /** What it was shown, and has not acknowledged. */
  readonly shown: Set<number>
  /** Its lease runs until then at least, and at most; and it may be deleted from then on. */
  endsFrom: number
  endsBy: number
  mayEndFrom: number
  /** When its deletion was first tried, and when it was answered. */
  ending: number
  ended: number
  /** Its last reading that was answered. */
  read: Event | undefined
}

/**
 * Judges a history as it is made, by the model: for each message, consumer and queue there is a world that holds little else, through
 * which go the events that are about it. An event is judged when all that began before it was over have been answered.
 */
export class Judge {
  /** Messages that were accepted and that nobody has tried to acknowledge, with their queues. */
  readonly #open = new Map<number, string>()
  readonly #messages = new Map<number, Sent>()
  readonly #consumers = new Map<string, Known>()
  readonly #queues = new Map<string, Part>()
  /** Queues whose deletion was tried. */
  readonly #shortLived = new Set<string>()
  /** New-message addresses, with the queue that gave each, and when it was asked. */
  readonly #addresses = new Map<string, { readonly queue: string; readonly from: number }>()
  /** Queues with messages that may have been locked by a request without an answer, so that nobody has them. */
  readonly #doubtful = new Set<string>()
  /** Messages that were acknowledged long ago, and those of which nobody knows. */
  readonly #done = new DoneSet()
  readonly #gone = new DoneSet()
  /** Messages that are over or may be, with when they were, oldest first. */
  readonly #finished: { readonly at: number; readonly sent: Sent }[] = []
  readonly #underWay = new Set<Asking>()
  readonly #answered: { readonly event: Event; readonly parts: readonly Part[] }[] = []
  readonly #settle: number
  readonly #late: number

  /**
   * @param settle how long an effect may take to show: milliseconds
   * @param late how long a target may be at a request that has lost its client: milliseconds
   */
  constructor(settle = 0, late = 0) {
    this.#settle = settle
    this.#late = late
  }

  /** How many messages were accepted, and nobody has tried to acknowledge them. */
  get open(): number {
    return this.#open.size
  }

  /** How many of these are of such queues. */
  leftIn(isOf: (queue: string) => boolean): number {
    return [...this.#open.values()].filter(isOf).length
  }

  /** From now on it may take effect. */
  begin(asking: Asking): void {
    this.#underWay.add(asking)
    const { request, from, messages = [] } = asking
    if (isSend(request)) this.#beginSend(messages[0]!, request)
    for (const number of isAck(request) ? messages : []) {
      this.#open.delete(number)
      const sent = this.#messages.get(number)
      if (sent !== undefined) sent.tries += 1
    }
    if (request.do === 'deleteQueue') {
      this.#shortLived.add(request.queue)
      for (const sent of this.#of(request.queue)) {
        sent.mayGo = true
        this.#open.delete(sent.number)
      }
    }
    if (request.do !== 'unsubscribe') return
    const known = this.#consumers.get(request.consumer)
    if (known !== undefined) known.ending = Math.min(known.ending, from)
  }

  /** @returns what was seen by now that must not be */
  end(asking: Asking, came: Pick<Event, 'to' | 'answer' | 'exchange'>): Violation | undefined {
    this.#underWay.delete(asking)
    const event: Event = { ...asking, ...came }
    this.#forget(event.to)
    const wrong = this.#begun(event) ?? this.#shownLongAfter(event)
    if (wrong !== undefined) return wrong
    this.#note(event)
    const parts = this.#partsOf(event)
    for (const part of parts) {
      // Queues are browsed all the time.
      if (event.request.do !== 'browseQueue') keep(part.events, event)
      part.fold.waiting.push(event)
    }
    this.#answered.push({ event, parts })
    return this.#judgeAnswered()
  }

  /**
   * At the end of all: what was accepted should have come to a last consumer. Of queues from which none could consume nothing is
   * said.
   *
   * @param consumed such queues, each with the consumer's subscription URI
   */
  lost(consumed: ReadonlyMap<string, string>): Violation | undefined {
    for (const [number, queue] of this.#open) {
      const sent = this.#messages.get(number)
      const read = this.#consumers.get(consumed.get(queue) ?? '')?.read
      if (sent === undefined || read === undefined || this.#doubtful.has(queue)) continue
      const last = { ...read, answer: { ...read.answer, settled: true } }
      sent.fold.waiting.push(last)
      const broken = sent.fold.next()
      if (broken !== undefined) return this.#violation(sent, last, broken)
    }
    return undefined
  }

  /** Nothing may come any more before what was over when the oldest began that is under way. */
  #judgeAnswered(): Violation | undefined {
    const [oldest] = this.#underWay
    const from = oldest?.from ?? never
    while (this.#answered.length > 0 && this.#answered[0]!.event.to < from) {
      const { event, parts } = this.#answered.shift()!
      for (const part of parts) {
        const broken = part.fold.next()
        if (broken !== undefined) return this.#violation(part, event, broken)
        if (!isReading(event.request)) part.changed = Math.max(part.changed, event.to)
      }
    }
    return undefined
  }

  #part(start: World, project: Part['project']): Part {
    const fold = new Fold([start], (state, event) => judge(...project(state, event)))
    return { fold, project, events: [], changed: Number.NEGATIVE_INFINITY }
  }

  #beginSend(number: number, request: Request): void {
    const given = 'address' in request ? this.#addresses.get(request.address) : undefined
    const queue = given?.queue ?? ('queue' in request ? request.queue : undefined)
    const isKnown = this.#messages.has(number) || this.#done.has(number) || this.#gone.has(number)
    if (queue === undefined || isKnown) return
    const addresses = 'address' in request ? { [request.address]: { queue, born: 1 } } : {}
    const start = { ...EMPTY, queues: { [queue]: THERE }, addresses }
    const sent: Sent = {
      ...this.#part(start, (state, event) => this.#ofMessage(sent, state, event)),
      ...{ number, queue, sends: [], tries: 0, mayGo: false },
    }
    this.#messages.set(number, sent)
  }

  /** A subscription that begins is judged at once: it is about nothing that was before. */
  #begun(event: Event): Violation | undefined {
    const { request, answer, subscription: number = 0, granted } = event
    if (request.do !== 'subscribe' && request.do !== 'join') return undefined
    const isJoin = request.do === 'join'
    const destinations = isJoin ? [{ queue: request.queue }] : request.destinations
    const key = isJoin ? request.consumer : answer.location
    const before = this.#consumers.get(key ?? '')
    const queues = destinations.flatMap((each) =>
      'queue' in each ? [[each.queue, { ...THERE, mayGo: this.#shortLived.has(each.queue) }] as const] : [],
    )
    const consumers = before === undefined ? {} : { [key!]: this.#consumerOf(before) }
    const start = [{ ...EMPTY, queues: Object.fromEntries(queues), consumers }]
    // How many destinations one subscription may have is open.
    if (outcomeOf(answer) === 'no' && destinations.length > 1) return undefined
    const next = judge(start, request, answer)
    if (typeof next === 'string') return { ...this.#why([start, request, answer], next), events: [event] }
    if (outcomeOf(answer) !== 'yes' || key === undefined) return undefined
    const lease = { ...request.lease, length: granted ?? request.lease.length }
    const { prefetch, selector } = { selector: undefined, ...request }
    const known: Known = {
      ...this.#part(EMPTY, (state, each) => this.#ofConsumer(known, state, each)),
      ...{ number, terms: { destinations, prefetch, selector, lease }, shown: new Set() },
      endsFrom: answer.from + lease.length,
      endsBy: answer.to + lease.length + lease.grace,
      ...{ mayEndFrom: never, ending: never, ended: never, read: undefined },
    }
    keep(known.events, event)
    this.#consumers.set(key, known)
    return undefined
  }

  /** Of what was acknowledged long ago only the number is known. */
  #shownLongAfter(event: Event): Violation | undefined {
    const { request, answer } = event
    if (!isReading(request) || outcomeOf(answer) !== 'yes') return undefined
    const message = shownBy(answer).find((number) => this.#done.has(number))
    if (message === undefined) return undefined
    const clause = request.do === 'browseQueue' ? 'browse.pending.acknowledged' : 'ack.final.other'
    const seen = `${nameOf(message)} is shown, which was acknowledged long ago`
    return { clause, expected: `not ${nameOf(message)}`, seen, events: [event] }
  }

  /** Takes note of what an event leaves behind, before it is judged. */
  #note(event: Event): void {
    const { request, answer, from, to, messages = [] } = event
    const outcome = outcomeOf(answer)
    if (request.do === 'newAddress' && outcome === 'yes' && !this.#addresses.has(answer.location ?? '')) {
      this.#addresses.set(answer.location ?? '', { queue: request.queue, from })
      if (this.#addresses.size > MANY_ADDRESSES) this.#addresses.delete(this.#addresses.keys().next().value!)
    }
    const sent = isSend(request) ? this.#messages.get(messages[0]!) : undefined
    if (sent !== undefined) {
      keep(sent.sends, event)
      if (outcome === 'yes') this.#reopen(sent)
    }
    if (isAck(request) && outcome !== 'no') for (const each of messages) this.#finish(each, to)
    if (request.do === 'deleteQueue') {
      for (const each of this.#of(request.queue)) {
        // It may be refused for the messages that the queue has: then they stay.
        each.mayGo = outcome !== 'no'
        if (each.mayGo) this.#finish(each.number, to)
        else if (each.sends.some(({ answer }) => outcomeOf(answer) === 'yes')) this.#reopen(each)
      }
    }
    this.#use(event)
  }

  #reopen({ number, queue, tries, mayGo }: Sent): void {
    if (tries === 0 && !mayGo) this.#open.set(number, queue)
  }

  /** How long a consumer is there, by what it asks for. */
  #use(event: Event): void {
    const { request, answer, to, messages = [] } = event
    const known = this.#consumers.get(event.consumer ?? '')
    const outcome = outcomeOf(answer)
    if (known === undefined) return
    const { length, grace, renewedBy } = known.terms.lease
    if (request.do === 'unsubscribe') {
      if (outcome === 'yes') known.ended = Math.min(known.ended, to)
      if (outcome === 'unknown') known.mayEndFrom = Math.min(known.mayEndFrom, answer.from)
      return
    }
    if (request.do === 'lockNextMessages' && outcome === 'unknown')
      for (const each of known.terms.destinations) if ('queue' in each) this.#doubtful.add(each.queue)
    // Nothing brings one back that has ended.
    if (outcome === 'no' || answer.from > known.endsBy) return
    known.endsBy = Math.max(known.endsBy, answer.to + length + grace)
    if (outcome === 'unknown') return
    const use = isAck(request) ? 'ack' : 'read'
    if (use === 'ack') for (const each of messages) known.shown.delete(each)
    else known.read = event
    // One that comes too late may be answered like any other.
    if (renewedBy.includes(use) && answer.from < known.endsFrom)
      known.endsFrom = Math.max(known.endsFrom, answer.from + length)
  }

  /** What an event is about. */
  #partsOf(event: Event): Part[] {
    const { request, answer, from, consumer = '', messages = [] } = event
    const isYes = outcomeOf(answer) === 'yes'
    const shown = isYes && isReading(request) ? shownBy(answer) : []
    const parts: (Part | undefined)[] = [...messages, ...shown].map((each) => this.#messages.get(each))
    if ('queue' in request && OF_QUEUES.has(request.do)) {
      parts.unshift(this.#queue(request.queue))
      const isAboutAll =
        request.do === 'browseQueue' ? isYes : request.do === 'deleteQueue' && outcomeOf(answer) !== 'no'
      if (isAboutAll) parts.push(...this.#of(request.queue))
    }
    const known = this.#consumers.get(consumer)
    if (known !== undefined && 'consumer' in request && request.do !== 'leave') {
      // Where effects take their time, what was deleted may be read for a moment as it was.
      if (this.#settle > 0 && from > known.ending && from <= known.ended + this.#settle) return []
      parts.unshift(known)
      for (const each of known.shown) parts.push(this.#messages.get(each))
      for (const each of shown) known.shown.add(each)
    }
    return [...new Set(parts)].filter((each) => each !== undefined)
  }

  #queue(name: string): Part {
    const before = this.#queues.get(name)
    if (before !== undefined) return before
    const part: Part = this.#part(EMPTY, (state, event) => this.#ofQueue(part, name, state, event))
    this.#queues.set(name, part)
    return part
  }

  #of(queue: string): Sent[] {
    return [...this.#messages.values()].filter((each) => each.queue === queue)
  }

  /** Whether what was done before has had the time to show. */
  #isCalm({ changed }: Part, { from }: Event): boolean {
    return this.#settle === 0 || changed + this.#settle < from
  }

  /** A world in which a request is judged of one message: all that others have is left out. */
  #ofMessage(sent: Sent, state: State, event: Event): Projected {
    const { request, answer } = event
    const all = (answer.entries ?? []).filter(({ body }) => body === nameOf(sent.number))
    // What moves from one page to the next while they are read is on both.
    const isOld = request.do === 'browseQueue' && !this.#isCalm(sent, event)
    const entries = answer.entries && (isOld ? [] : answer.inPages ? all.slice(0, 1) : all)
    const isFull = isSend(request)
      ? !this.#hasTwin(sent, event)
      : request.do === 'browseQueue'
        ? !answer.inPages
        : all.length > 0
    const settled = answer.settled === true || (isFull && this.#isCalm(sent, event))
    const worlds = state.map((world) => this.#with(world, event))
    return [worlds, aboutOne(request, state), { ...answer, entries, settled }]
  }

  /** A world with its consumers as they are known now, and with the queue and the consumer that a request names. */
  #with(world: World, { request, consumer = '' }: Event): World {
    const consumers: Record<string, Consumer> = { ...world.consumers }
    for (const key of new Set([...Object.keys(consumers), consumer])) {
      const known = this.#consumers.get(key)
      // Acknowledgements are only sent in a POST where the target claims to take them.
      if (known !== undefined)
        consumers[key] = { ...this.#consumerOf(known), over: consumers[key]?.over, acksInPost: 'taken' }
    }
    const named = 'queue' in request ? { [request.queue]: THERE } : {}
    return { ...world, consumers, queues: { ...named, ...world.queues } }
  }

  /** One for a queue that comes and goes may be for that which is there now, or for one before it. */
  #consumerOf(known: Known): Consumer {
    const destinations = known.terms.destinations.map((each) =>
      'queue' in each && !this.#shortLived.has(each.queue) ? { ...each, born: 1 } : each,
    )
    const { endsFrom, endsBy, mayEndFrom } = known
    return { ...known.terms, destinations, endsFrom: Math.min(endsFrom, mayEndFrom), endsBy }
  }

  /** Of a consumer: its lease, and its prefetch, for which count the messages that nobody has tried to acknowledge. */
  #ofConsumer(known: Known, state: State, { request, answer, consumer: key = '' }: Event): Projected {
    const held = (answer.entries ?? []).filter(({ body }) => {
      const number = numberOf(body)
      return number < 0 || this.#messages.get(number)?.tries === 0
    })
    // What moves from one page to the next while they are read is on both.
    const entries = answer.entries && [...new Map(held.map((each) => [each.body, each])).values()]
    const sent = held.filter(({ body }) => numberOf(body) >= 0)
    const consumer = {
      ...this.#consumerOf(known),
      destinations: [{ queue: 'any', born: 1 }],
      selector: undefined,
    }
    const worlds = state.map((world) => ({
      ...EMPTY,
      messages: messagesOf(sent, 'any'),
      consumers: { [key]: { ...consumer, over: world.consumers[key]?.over } },
    }))
    return [worlds, request, { ...answer, entries, settled: false }]
  }

  /** Of a queue: how it comes and goes, and the addresses that it gives. */
  #ofQueue(part: Part, name: string, state: State, event: Event): Projected {
    const { request, answer } = event
    const others = [...this.#queues.keys()].filter((other) => other !== name && !this.#shortLived.has(other))
    const before = this.#addresses.get(answer.location ?? '')
    const isGiven = request.do === 'newAddress' && before !== undefined && before.from !== event.from
    const isLeft = request.do === 'deleteQueue' && this.#of(name).some((each) => this.#isLeft(each, event))
    // Of one that has just gone it may be shown what it was.
    const isCalm = this.#isCalm(part, event)
    const entries =
      answer.entries && (isCalm ? [...new Map(answer.entries.map((each) => [each.body, each])).values()] : [])
    const worlds = state.map((world) => ({
      ...EMPTY,
      queues: { ...Object.fromEntries(others.map((other) => [other, THERE])), ...world.queues },
      addresses: isGiven ? { [answer.location!]: { queue: before.queue, born: 1 } } : {},
      messages: messagesOf([...(entries ?? []), ...(isLeft ? [{ body: 'what is left' }] : [])], name),
    }))
    return [worlds, request, { ...answer, entries, settled: false }]
  }

  /** Whether a message may still have been there when an event began. */
  #isLeft({ fold, changed }: Sent, { from }: Event): boolean {
    const isDone = fold.state.every(({ messages }) => messages.every(({ life }) => life === 'done'))
    return !isDone || fold.waiting.length > 0 || changed + this.#settle >= from
  }

  /** Whether another send of a message may have been under way meanwhile: then one may be turned away, to be sent again. */
  #hasTwin({ sends }: Sent, event: Event): boolean {
    const until = ({ to, answer }: Event) => (outcomeOf(answer) === 'unknown' ? to + this.#late : to)
    return sends.some((each) => each !== event && each.from <= event.to && until(each) >= event.from)
  }

  #violation(part: Part, event: Event, { clause, state }: Broken): Violation {
    const [worlds, request, answer] = part.project(state, event)
    const all = new Set([...part.events, event])
    for (const key of new Set([...all].map(({ consumer }) => consumer))) {
      for (const each of this.#consumers.get(key ?? '')?.events ?? [])
        if (each.request.do === 'subscribe' || each.request.do === 'unsubscribe') all.add(each)
    }
    const events = [...all].sort((one, other) => one.from - other.from)
    return { ...this.#why([worlds, request, answer], clause), events }
  }

  #why([worlds, request, answer]: Projected, clause: ClauseId): Rejection {
    return rejection(worlds, request, answer, clause, {
      consumer: (key) => `subscription ${this.#consumers.get(key)?.number ?? key}`,
      listed,
    })
  }

  #finish(number: number, at: number): void {
    const sent = this.#messages.get(number)
    if (sent !== undefined) this.#finished.push({ at, sent })
  }

  /** What is over for long is forgotten but for a bit, so that memory stays bounded. */
  #forget(now: number): void {
    while (this.#finished.length > 0 && this.#finished[0]!.at < now - REMEMBERED) {
      const { sent } = this.#finished.shift()!
      if (this.#messages.get(sent.number) !== sent || (sent.tries === 0 && !sent.mayGo)) continue
      const isDone = sent.fold.state.every(({ messages }) => messages.every(({ life }) => life === 'done'))
      // Where nobody knows whether its acknowledgement took effect, it is over when it has not been seen any more.
      const at = isDone ? sent.changed : (sent.events.at(-1)?.to ?? 0)
      if (at >= now - REMEMBERED || sent.fold.waiting.length > 0) this.#finished.push({ at: now, sent })
      else {
        this.#messages.delete(sent.number)
        const numbers = isDone ? this.#done : this.#gone
        numbers.add(sent.number)
      }
    }
    if (this.#consumers.size < MANY_CONSUMERS) return
    for (const [key, { ended, endsBy }] of this.#consumers)
      if (Math.min(ended, endsBy) < now - REMEMBERED) this.#consumers.delete(key)
  }
}

/** By what a part is judged: what may be so there, the request and its answer as far as they are about it. */
type Projected = readonly [worlds: State, request: Request, answer: Answer]

type Doing = Request['do']
const SENDS: ReadonlySet<Doing> = new Set(['postMessage', 'sendOnce'])
const ACKS: ReadonlySet<Doing> = new Set(['acknowledge', 'acknowledgeForConsumer', 'acknowledgeInPost'])
const READINGS: ReadonlySet<Doing> = new Set(['consume', 'nextMessage', 'lockNextMessages', 'browseQueue'])
const OF_QUEUES: ReadonlySet<Doing> = new Set(['createQueue', 'deleteQueue', 'newAddress', 'browseQueue'])

const isSend = (request: Request) => SENDS.has(request.do)
const isAck = (request: Request) => ACKS.has(request.do)
const isReading = (request: Request) => READINGS.has(request.do)

/** A request as far as it is about one message. */
function aboutOne(request: Request, state: State): Request {
  if (request.do !== 'acknowledgeInPost') return request
  const uris = request.uris.filter((uri) => state.some(({ deliveries }) => deliveries[uri] !== undefined))
  return { ...request, uris }
}

function messagesOf(entries: readonly Pick<Entry, 'body'>[], queue: string): Message[] {
  return [...new Set(entries.map(({ body }) => body))].map((body) => ({
    ...{ body, queue, colour: '', born: 1, life: 'pending' },
  }))
}

/** Keeps the first and the last of many. */
function keep(events: Event[], event: Event): void {
  events.push(event)
  if (events.length > 2 * KEPT) events.splice(KEPT, 1)
}
