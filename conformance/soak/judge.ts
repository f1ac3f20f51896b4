import type { ClauseId } from '../requirements/index.js'
import { Departures } from './departures.js'
import type { Event, Terms } from './history.js'
import { type Holding, keep, Memory, never, type Subscription, type Violation } from './memory.js'
import { QueueJudge } from './queue-judge.js'
import { type Shown, wrongSuccess } from './successes.js'
import { Twins } from './twins.js'

const SENT = { send: 'send.step-2.status', dedup: 'dedup.status' } as const
const REFUSED = { primary: 'ack.status', 'one-at-a-time': 'one-at-a-time.ack', batch: 'batch.ack' } as const
const REPEATED = { send: 'send.two-step.repeat.status', dedup: 'dedup.repeat.status' } as const

/** What came of consuming all that was left. */
export interface Last {
  /** What the queues' feeds showed then. */
  readonly browsed: readonly Event[]
  /** The queues from which a last consumer could consume, each with its subscription's number. Default: all could be consumed. */
  readonly consumed?: ReadonlyMap<string, number>
}

/**
 * Judges a history as it is made. Each event is told twice: when it begins, since from then on it may take effect, and
 * when it is over.
 */
export class Judge {
  readonly #memory = new Memory()
  /** Queues with messages that may have been locked by a request without an answer, so that nobody has them. */
  readonly #doubtful = new Set<string>()
  readonly #settle: number
  readonly #twins: Twins
  readonly #queues: QueueJudge
  readonly #departures: Departures

  /**
   * @param settle how long an effect may take to show: milliseconds
   * @param late how long a target may be at a request that has lost its client: milliseconds
   */
  constructor(settle = 0, late = 0) {
    this.#settle = settle
    this.#twins = new Twins(late)
    this.#queues = new QueueJudge(this.#memory, settle)
    this.#departures = new Departures(settle, late)
  }

  /** How many messages were accepted and not acknowledged. */
  get open(): number {
    return this.leftIn(() => true)
  }

  /** How many of these are of such queues. */
  leftIn(isOf: (queue: string) => boolean): number {
    let count = 0
    for (const { accepted, tried, sending } of this.#memory.messages.values())
      if (accepted && tried === never && isOf(sending?.queue ?? '')) count += 1
    return count
  }

  begin(event: Event): void {
    if (event.do === 'acknowledge' || event.do === 'delete') this.#departures.begin(event)
    if (event.do === 'acknowledge') {
      const message = this.#memory.known(event.message!)
      if (message !== undefined) {
        message.tried = Math.min(message.tried, event.from)
        message.tries += 1
      }
    }
    if (event.do === 'send') this.#twins.begin(event)
    const sent = event.do === 'send' ? this.#memory.known(event.message!) : undefined
    if (sent !== undefined) sent.sending ??= event.sending
    if (event.do === 'create' || event.do === 'delete') this.#queues.begin(event)
    const subscription = this.#memory.subscriptions.get(event.subscription ?? -1)
    if (subscription === undefined) return
    if (event.do === 'end') {
      subscription.ending = Math.min(subscription.ending, event.from)
      subscription.ends += 1
    }
    if (since(event) > subscription.mayLastUntil) return
    const { lease, grace } = subscription.terms
    subscription.mayLastUntil = Math.max(subscription.mayLastUntil, event.from + lease + grace)
  }

  /** @returns what is shown by an event that is over, where it must not be */
  end(event: Event): Violation | undefined {
    this.#memory.forget(event.to)
    if (event.do === 'acknowledge' || event.do === 'delete') this.#departures.end(event)
    // By what was so until then: afterwards the subscription may be over.
    const shown = this.#shownFor(event)
    return this.#over(event) ?? (shown && wrongSuccess(event, shown))
  }

  /** What the document shows for its success, where nothing else can be right: neither late nor a repeat, nor an operation of section 4.2. */
  #shownFor(event: Event): Shown | undefined {
    const { sending, terms, queue, exchange } = event
    const message = this.#memory.messages.get(event.message ?? -1)
    const isThere = message === undefined || message.mayGo === never
    const subscription = this.#memory.subscriptions.get(event.subscription ?? -1)
    const isHeld =
      subscription !== undefined &&
      subscription.terms.mapping === undefined &&
      event.to < subscription.sureUntil
    switch (event.do) {
      case 'send': {
        const step = sending!.by === 'guid' ? 'dedup' : 'send'
        return isThere ? { clause: (sending!.isRepeat ? REPEATED : SENT)[step], status: 200 } : undefined
      }
      case 'subscribe':
        return terms!.mapping === undefined ? { clause: 'subscribe.status', status: 201 } : undefined
      case 'read':
        return isHeld && subscription.ends === 0 ? { clause: 'consume.status', status: 200 } : undefined
      case 'acknowledge': {
        const isFirst = isThere && message?.tries === 1 && exchange?.method === 'DELETE'
        return isHeld && isFirst && subscription.ends === 0
          ? { clause: 'ack.status', status: 200 }
          : undefined
      }
      case 'end':
        return isHeld && subscription.ends === 1
          ? { clause: 'subscribe.delete.status', status: 200 }
          : undefined
      case 'browse':
        return this.#queues.isKept(queue) ? { clause: 'browse.queue.status', status: 200 } : undefined
      case 'create':
      case 'delete':
      case 'address':
        return this.#queues.shownFor(event)
    }
  }

  #over(event: Event): Violation | undefined {
    switch (event.do) {
      case 'send':
        return this.#sent(event)
      case 'subscribe':
        return this.#subscribed(event)
      case 'read':
        return this.#read(event)
      case 'acknowledge':
        return this.#acknowledged(event)
      case 'end':
        return this.#ended(event)
      case 'browse':
        return this.#browsed(event)
      case 'create':
      case 'delete':
      case 'address':
        return this.#queues.end(event)
    }
  }

  /**
   * At the end of all, what was accepted and is not acknowledged should have come to a last consumer. Where none could
   * consume, nothing is said.
   */
  lost({ browsed, consumed }: Last): Violation | undefined {
    for (const [message, { sending, accepted, tried, holdings, events }] of this.#memory.messages) {
      const queue = sending?.queue ?? ''
      if (!accepted || tried !== never || this.#doubtful.has(queue)) continue
      if (consumed !== undefined && !consumed.has(queue)) continue
      const clause = holdings.size > 0 ? 'lease.reassign' : 'consume.all'
      const feeds = browsed.filter((event) => event.queue === undefined || event.queue === queue)
      const seen = `m${message} was accepted, nobody acknowledged it, and ${whereabouts(message, feeds)}`
      const consumer = this.#memory.subscriptions.get(consumed?.get(queue) ?? -1)?.events ?? []
      const readings = consumer.filter((event) => event.do === 'read')
      const last = [...consumer.slice(0, 1), ...readings.slice(-1)]
      return { clause, seen, message, events: [...events, ...last, ...feeds] }
    }
    return undefined
  }

  #sent(event: Event): Violation | undefined {
    const message = this.#memory.known(event.message!)
    if (message !== undefined) keep(message.events, event)
    const hasTwin = this.#twins.end(event)
    // While one is under way another may be turned away, to be sent again.
    if (event.outcome === 'no' && !hasTwin) {
      const { by, isRepeat } = event.sending!
      const step = by === 'guid' ? 'dedup' : 'send'
      const clause = isRepeat ? REPEATED[step] : SENT[step]
      return { ...this.#memory.story(event), clause, seen: `the send of m${event.message} was refused` }
    }
    if (event.outcome === 'yes' && message !== undefined) message.accepted = true
    return undefined
  }

  #subscribed(event: Event): undefined {
    if (event.outcome !== 'yes') return
    const terms = event.terms!
    this.#memory.subscriptions.set(event.subscription!, {
      ...{ terms, held: new Set(), events: [event], ending: never, ended: never, ends: 0 },
      sureUntil: since(event) + terms.lease,
      mayLastUntil: event.to + terms.lease + terms.grace,
    })
  }

  #read(event: Event): Violation | undefined {
    const subscription = this.#memory.subscriptions.get(event.subscription!)
    if (subscription === undefined) return undefined
    keep(subscription.events, event)
    const isSure = this.#isSure(subscription, event.to)
    const { mapping, queues } = subscription.terms
    if (event.outcome === 'unknown' && mapping === 'batch')
      for (const queue of queues) this.#doubtful.add(queue)
    if (event.outcome === 'no' && isSure) {
      return this.#about(
        subscription,
        'lease.active',
        'the feed of a subscription was refused within its lease',
        event,
      )
    }
    if (event.outcome === 'yes' && this.#isOld(event, subscription)) return undefined
    if (event.outcome === 'yes' && event.from > subscription.ended) {
      return this.#about(
        subscription,
        'subscribe.delete.unreadable',
        'a deleted subscription was read',
        event,
      )
    }
    if (event.outcome === 'yes' && since(event) > subscription.mayLastUntil) {
      return this.#about(
        subscription,
        'lease.expiry.unreadable',
        'a subscription was read after its lease',
        event,
      )
    }
    if (event.outcome === 'yes') {
      const wrong = this.#showing(event, subscription) ?? this.#lacking(event, subscription, isSure)
      if (wrong !== undefined) return wrong
    }
    this.#renew(subscription, event, 'read')
    return undefined
  }

  /** Whether a reading may show what was so before its subscription was deleted, where effects take their time. */
  #isOld({ from }: Event, { ending, ended }: Subscription): boolean {
    return this.#settle > 0 && from > ending && from <= ended + this.#settle
  }

  /** Judges what a reading shows. */
  #showing(event: Event, subscription: Subscription): Violation | undefined {
    const twice = pagesOf(event).flatMap((page) => page.filter((each, at) => page.indexOf(each) !== at))
    let held = 0
    for (const number of new Set(event.shown)) {
      if (number < 0)
        return { clause: 'send.body.text', seen: 'a body was shown that nobody sent', events: [event] }
      if (twice.includes(number)) {
        return {
          ...this.#memory.story(event, number),
          clause: 'consume.entries',
          seen: `m${number} is shown twice at once`,
        }
      }
      const wrong = this.#shows(event, number, subscription.terms)
      if (wrong !== undefined) return wrong
      subscription.held.add(number)
      if (this.#memory.messages.get(number)?.tried === never) held += 1
    }
    if (held <= subscription.terms.prefetch) return undefined
    const seen = `${held} messages are shown that nobody has tried to acknowledge, and the prefetch is ${subscription.terms.prefetch}`
    return this.#about(subscription, 'prefetch.cap', seen, event)
  }

  #shows(event: Event, number: number, terms: Terms): Violation | undefined {
    const key = event.subscription!
    if (this.#memory.gone.has(number)) return undefined
    const message = this.#memory.known(number)
    const acknowledged = message?.acknowledged ?? 0
    // What a consumer has just acknowledged may be shown to it for a moment more, where effects take their time.
    const late = message?.by === key ? this.#settle : 0
    if (event.from > acknowledged + late || (acknowledged < event.from && message?.by !== key)) {
      const clause = message?.by === key ? 'ack.final.same' : 'ack.final.other'
      if (message) keep(message.events, event)
      return {
        ...this.#memory.story(event, number),
        clause,
        seen: `m${number} is shown after its acknowledgement was answered`,
      }
    }
    if (message === undefined) return undefined
    keep(message.events, event)
    const { queue, colour } = message.sending ?? {}
    if (queue !== undefined && !terms.queues.includes(queue)) {
      const seen = `m${number}, which was sent to ${queue}, is shown to a consumer of ${terms.queues.join(' and ')}`
      return { ...this.#memory.story(event, number), clause: 'subscribe.destinations.only', seen }
    }
    if (terms.selector !== undefined && colour !== terms.selector) {
      const seen = `m${number} is ${colour}, and is shown to a consumer whose selector picks ${terms.selector}`
      return { ...this.#memory.story(event, number), clause: 'subscribe.selector.only', seen }
    }
    const holding = message.holdings.get(key)
    if (holding === undefined) message.holdings.set(key, { first: event, last: event })
    else holding.last = event
    const mine = message.holdings.get(key)!
    for (const [other, theirs] of message.holdings) {
      if (other === key || this.#canFollow(number, mine, key, theirs, other)) continue
      const seen = `m${number} is held by two consumers, and neither has given it up`
      return { ...this.#memory.story(event, number), clause: 'consume.exactly-one', seen }
    }
    return undefined
  }

  /** Whether one holding may have come after the other, in either order. */
  #canFollow(number: number, one: Holding, oneKey: number, other: Holding, otherKey: number): boolean {
    const oneFirst = this.#freeFrom(number, oneKey) <= other.first.to && one.last.from <= other.last.to
    const otherFirst = this.#freeFrom(number, otherKey) <= one.first.to && other.last.from <= one.last.to
    return oneFirst || otherFirst
  }

  /** From when on a consumer may no longer have a message. */
  #freeFrom(number: number, key: number): number {
    const subscription = this.#memory.subscriptions.get(key)
    const tried = this.#memory.messages.get(number)?.tried ?? 0
    return subscription === undefined ? 0 : Math.min(subscription.ending, subscription.sureUntil, tried)
  }

  /** What was shown before is shown again, until somebody tries to acknowledge it or the lease may be over. */
  #lacking(event: Event, subscription: Subscription, isSure: boolean): Violation | undefined {
    if (!isSure || subscription.terms.mapping !== undefined) return undefined
    for (const number of subscription.held) {
      const message = this.#memory.messages.get(number)
      const holding = message?.holdings.get(event.subscription!)
      if (message === undefined || holding === undefined) {
        subscription.held.delete(number)
        continue
      }
      if (holding.first.to >= event.from || message.tried <= event.to || event.shown!.includes(number))
        continue
      if (this.#mayHaveShifted(event, subscription)) return undefined
      keep(message.events, event)
      const seen = `m${number} was shown to this consumer, which did not acknowledge it, and is not shown again`
      return { ...this.#memory.story(event, number), clause: 'consume.repeat', seen }
    }
    return undefined
  }

  /**
   * Whether entries may have moved from one page of a reading to another while it was under way, so that it may have passed some
   * over: where one came, or one may have gone.
   */
  #mayHaveShifted(event: Event, { terms }: Subscription): boolean {
    if (pagesOf(event).length === 1) return false
    const mine = event.subscription!
    const isNew = (number: number) => this.#memory.messages.get(number)?.holdings.get(mine)?.first === event
    if (event.shown!.some(isNew)) return true
    return this.#departures.within(event, ({ subscription: other, queue, message: number }) => {
      if (queue !== undefined) return terms.queues.includes(queue)
      if (other === mine) return true
      // One that is too late may take from a consumer that has the message since.
      const message = this.#memory.known(number!)
      const theirs = this.#memory.subscriptions.get(other!)
      const isTheirs = message?.holdings.has(other!) && theirs !== undefined && this.#isSure(theirs, event.to)
      return !isTheirs && terms.queues.includes(message?.sending?.queue ?? '')
    })
  }

  #acknowledged(event: Event): Violation | undefined {
    const subscription = this.#memory.subscriptions.get(event.subscription!)
    const message = this.#memory.known(event.message!)
    if (message === undefined || subscription === undefined) return undefined
    keep(message.events, event)
    if (event.outcome !== 'no') this.#memory.over(event.message!, event.to)
    const isHolder = message.holdings.has(event.subscription!) && this.#isSure(subscription, event.to)
    if (event.outcome === 'yes') {
      // Too late, a target may say yes to it, whatever then becomes of the message.
      if (isHolder && message.acknowledged === never)
        Object.assign(message, { acknowledged: event.to, by: event.subscription })
      subscription.held.delete(event.message!)
      this.#renew(subscription, event, 'ack')
      return undefined
    }
    // One of several may be refused: another, before it or beside it, may have taken effect.
    const isOnly = message.tries === 1 && message.mayGo > event.to
    if (event.outcome === 'unknown' || !isHolder || !isOnly) return undefined
    return {
      ...this.#memory.story(event),
      clause: REFUSED[subscription.terms.mapping ?? 'primary'],
      seen: `the acknowledgement of m${event.message} was refused to its holder`,
    }
  }

  #ended(event: Event): Violation | undefined {
    const subscription = this.#memory.subscriptions.get(event.subscription!)
    if (subscription === undefined) return undefined
    keep(subscription.events, event)
    if (event.outcome === 'no' && subscription.ends === 1 && event.to < subscription.sureUntil) {
      return this.#about(
        subscription,
        'subscribe.delete.status',
        'the deletion of a subscription was refused',
        event,
      )
    }
    if (event.outcome === 'yes') subscription.ended = Math.min(subscription.ended, event.to)
    return undefined
  }

  /** A queue's feed: nothing that was acknowledged before. */
  #browsed(event: Event): Violation | undefined {
    const wrong = this.#queues.browsed(event)
    if (wrong !== undefined) return wrong
    for (const number of event.shown ?? []) {
      const acknowledged = this.#memory.done.has(number)
        ? 0
        : (this.#memory.messages.get(number)?.acknowledged ?? never)
      if (acknowledged + this.#settle >= event.from) continue
      const seen = `m${number} is listed in its queue after its acknowledgement was answered`
      return { ...this.#memory.story(event, number), clause: 'browse.pending.acknowledged', seen }
    }
    return undefined
  }

  #isSure(subscription: Subscription, to: number): boolean {
    return to < Math.min(subscription.sureUntil, subscription.ending)
  }

  #renew(subscription: Subscription, event: Event, by: 'read' | 'ack'): void {
    const { terms } = subscription
    if (event.outcome === 'no') return
    subscription.mayLastUntil = Math.max(subscription.mayLastUntil, event.to + terms.lease + terms.grace)
    if (event.outcome !== 'yes' || !terms.renewedBy.includes(by) || event.from > subscription.sureUntil)
      return
    subscription.sureUntil = Math.max(subscription.sureUntil, since(event) + terms.lease)
  }

  #about(subscription: Subscription, clause: ClauseId, seen: string, event: Event): Violation {
    return { clause, seen, events: [...new Set([...subscription.events, event])] }
  }
}

/** What each page of a reading showed. */
function pagesOf({ shown = [], sizes = [shown.length] }: Event): (readonly number[])[] {
  let from = 0
  return sizes.map((size) => {
    from += size
    return shown.slice(from - size, from)
  })
}

/** The earliest that a target's clock can have shown when it came to this. */
function since({ since, from }: Event): number {
  return since ?? from
}

/** Where a message is that came to nobody, as the feed of its queue shows it. */
function whereabouts(message: number, feeds: readonly Event[]): string {
  const shown = feeds.flatMap((event) => (event.outcome === 'yes' ? (event.shown ?? []) : [-1]))
  if (shown.includes(message)) return 'it is listed, but comes to nobody'
  // A feed need not have contents.
  return shown.includes(-1) ? 'it comes to nobody' : 'it is not there any more'
}

/** Judges a whole history. */
export function judgeHistory(
  events: readonly Event[],
  { settle = 0, late = 0, consumed }: Pick<Last, 'consumed'> & { settle?: number; late?: number } = {},
): Violation | undefined {
  const judge = new Judge(settle, late)
  const points = events.flatMap((event) => [
    { at: event.from, event, tell: () => judge.begin(event) },
    { at: event.to, event, tell: () => judge.end(event) },
  ])
  for (const { tell } of points.sort((one, other) => one.at - other.at)) {
    const violation = tell()
    if (violation !== undefined) return violation
  }
  const browsed = events.filter((event) => event.do === 'browse')
  return judge.lost({ browsed, ...(consumed === undefined ? {} : { consumed }) })
}
