import type { ClauseId } from '../requirements/index.js'
import type { Event, Terms } from './history.js'
import { type Holding, keep, Memory, never, type Subscription, type Violation } from './memory.js'

const SENT = { send: 'send.step-2.status', dedup: 'dedup.status' } as const
const REFUSED = { primary: 'ack.status', 'one-at-a-time': 'one-at-a-time.ack', batch: 'batch.ack' } as const
const REPEATED = { send: 'send.two-step.repeat.status', dedup: 'dedup.repeat.status' } as const

/** So many are remembered, the latest. */
const MANY_ADDRESSES = 50_000

/**
 * Judges a history as it is made. Each event is told twice: when it begins, since from then on it may take effect, and
 * when it is over.
 */
export class Judge {
  readonly #memory = new Memory()
  /** The deletions of queues that are gone for sure, since nobody has created them again. */
  readonly #deleted = new Map<string, Event>()
  /** Queues with messages that may have been locked by a request without an answer, so that nobody has them. */
  readonly #doubtful = new Set<string>()
  readonly #addresses = new Map<string, Event>()
  readonly #settle: number

  /** @param settle how long an effect may take to show: milliseconds */
  constructor(settle = 0) {
    this.#settle = settle
  }

  /** How many messages were accepted and not acknowledged. */
  get open(): number {
    let count = 0
    for (const { accepted, tried } of this.#memory.messages.values())
      if (accepted && tried === never) count += 1
    return count
  }

  begin(event: Event): void {
    if (event.do === 'acknowledge') {
      const message = this.#memory.known(event.message!)
      if (message !== undefined) {
        message.tried = Math.min(message.tried, event.from)
        message.tries += 1
      }
    }
    const sent = event.do === 'send' ? this.#memory.known(event.message!) : undefined
    if (sent !== undefined) sent.sending ??= event.sending
    if (event.do === 'create') this.#deleted.delete(event.queue!)
    if (event.do === 'delete') this.#mayGo(event)
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
        return event.outcome === 'no' ? this.#alone(event, 'queues.create.status', 'created') : undefined
      case 'delete':
        if (event.outcome === 'yes') this.#deleted.set(event.queue!, event)
        return event.outcome === 'no' ? this.#alone(event, 'queues.delete.status', 'deleted') : undefined
      case 'address':
        return this.#addressed(event)
    }
  }

  /** A new-message address is given whenever one is asked for, and none twice. */
  #addressed(event: Event): Violation | undefined {
    const { outcome, address = '', queue } = event
    if (outcome === 'no') {
      return { clause: 'send.step-1.status', seen: `${queue} gave no new-message address`, events: [event] }
    }
    const before = this.#addresses.get(address)
    if (before !== undefined) {
      const seen = `the new-message address ${address} was given twice`
      return { clause: 'send.address.own', seen, events: [before, event] }
    }
    if (address !== '') this.#addresses.set(address, event)
    if (this.#addresses.size > MANY_ADDRESSES) this.#addresses.delete(this.#addresses.keys().next().value!)
    return undefined
  }

  /** What a queue has when its deletion begins may be gone from then on. */
  #mayGo({ queue, from }: Event): void {
    for (const [number, message] of this.#memory.messages) {
      if (message.sending?.queue !== queue || message.mayGo < never) continue
      message.mayGo = from
      message.tried = Math.min(message.tried, from)
      if (message.acknowledged === never) this.#memory.over(number, from)
    }
  }

  #alone(event: Event, clause: ClauseId, what: string): Violation {
    return { clause, seen: `the queue ${event.queue} could not be ${what}`, events: [event] }
  }

  /** At the end of all, what was accepted and is not acknowledged should have come to a last consumer. */
  lost(last: readonly Event[]): Violation | undefined {
    const listed = new Set(last.flatMap((event) => event.shown ?? []))
    for (const [message, { sending, accepted, tried, holdings, events }] of this.#memory.messages) {
      if (!accepted || tried !== never || this.#doubtful.has(sending?.queue ?? '')) continue
      const clause = holdings.size > 0 ? 'lease.reassign' : 'consume.all'
      const where = listed.has(message) ? 'it is listed, but comes to nobody' : 'it is not there any more'
      const seen = `m${message} was accepted, nobody acknowledged it, and ${where}`
      return { clause, seen, message, events: [...events, ...last.slice(-1)] }
    }
    return undefined
  }

  #sent(event: Event): Violation | undefined {
    const message = this.#memory.known(event.message!)
    if (message !== undefined) keep(message.events, event)
    if (event.outcome === 'no') {
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

  /** Judges what a reading shows. */
  #showing(event: Event, subscription: Subscription): Violation | undefined {
    const shown = event.shown!
    let held = 0
    for (const number of shown) {
      if (number < 0)
        return { clause: 'send.body.text', seen: 'a body was shown that nobody sent', events: [event] }
      if (shown.indexOf(number) !== shown.lastIndexOf(number)) {
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
      keep(message.events, event)
      const seen = `m${number} was shown to this consumer, which did not acknowledge it, and is not shown again`
      return { ...this.#memory.story(event, number), clause: 'consume.repeat', seen }
    }
    return undefined
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
    const deletion = this.#deleted.get(event.queue!)
    const isShown = (event.shown ?? []).length > 0
    if (deletion !== undefined && isShown && event.from > deletion.to) {
      const seen = `the queue ${event.queue} was read after its deletion`
      return { clause: 'queues.delete.unreadable', seen, events: [deletion, event] }
    }
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

/** The earliest that a target's clock can have shown when it came to this. */
function since({ since, from }: Event): number {
  return since ?? from
}

/** Judges a whole history. */
export function judgeHistory(events: readonly Event[], settle = 0): Violation | undefined {
  const judge = new Judge(settle)
  const points = events.flatMap((event) => [
    { at: event.from, event, tell: () => judge.begin(event) },
    { at: event.to, event, tell: () => judge.end(event) },
  ])
  for (const { tell } of points.sort((one, other) => one.at - other.at)) {
    const violation = tell()
    if (violation !== undefined) return violation
  }
  return judge.lost(events.filter((event) => event.do === 'browse'))
}
