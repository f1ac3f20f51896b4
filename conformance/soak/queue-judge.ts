import type { ClauseId } from '../requirements/index.js'
import type { Event } from './history.js'
import { type Memory, never, type Violation } from './memory.js'
import type { Shown } from './successes.js'

/** So many are remembered, the latest. */
const MANY_ADDRESSES = 50_000

/** Judges how queues come and go, and the addresses that they give. */
export class QueueJudge {
  readonly #memory: Memory
  readonly #settle: number
  /** The deletions of queues that are gone for sure, since nobody has created them again. */
  readonly #deleted = new Map<string, Event>()
  readonly #addresses = new Map<string, Event>()
  /** Queues that come and go, and those of them that are there, or may be. */
  readonly #short = new Set<string>()
  readonly #there = new Set<string>()

  /** @param settle how long an effect may take to show: milliseconds */
  constructor(memory: Memory, settle: number) {
    this.#memory = memory
    this.#settle = settle
  }

  /** Whether a queue is there as long as the soak goes on. */
  isKept(queue: string | undefined): boolean {
    return queue !== undefined && !this.#short.has(queue)
  }

  /** What the document shows for the success of an event of a queue, where nothing else can be right. */
  shownFor({ do: done, queue = '' }: Event): Shown | undefined {
    switch (done) {
      case 'create':
        return this.#there.has(queue) ? undefined : { clause: 'queues.create.status', status: 201 }
      case 'delete':
        return this.#there.has(queue) ? { clause: 'queues.delete.status', status: 200 } : undefined
      default:
        return { clause: 'send.step-1.status', status: 201 }
    }
  }

  begin(event: Event): void {
    this.#short.add(event.queue!)
    if (event.do === 'create') this.#deleted.delete(event.queue!)
    else this.#mayGo(event)
  }

  end(event: Event): Violation | undefined {
    if (event.do === 'create' && event.outcome !== 'no') this.#there.add(event.queue!)
    if (event.do === 'delete' && event.outcome !== 'no') this.#there.delete(event.queue!)
    if (event.do === 'address') return this.#addressed(event)
    if (event.do === 'delete') return this.#deletedQueue(event)
    // A name may be that of a queue or of a directory, and not of both.
    return event.outcome === 'no' && !event.isNested
      ? this.#alone(event, 'queues.create.status', 'created')
      : undefined
  }

  /** A queue's feed: of one that is gone there may be an empty one. */
  browsed(event: Event): Violation | undefined {
    const deletion = this.#deleted.get(event.queue!)
    const isShown = (event.shown ?? []).length > 0
    if (deletion === undefined || !isShown || event.from <= deletion.to + this.#settle) return undefined
    const seen = `the queue ${event.queue} was read after its deletion`
    return { clause: 'queues.delete.unreadable', seen, events: [deletion, event] }
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

  /** A deletion may be refused for the messages that the queue has: then they stay. */
  #deletedQueue(event: Event): Violation | undefined {
    if (event.outcome === 'yes') this.#deleted.set(event.queue!, event)
    if (event.outcome !== 'no') return undefined
    let hasMessages = false
    for (const message of this.#memory.messages.values()) {
      if (message.sending?.queue !== event.queue || message.mayGo < event.from) continue
      hasMessages ||= message.acknowledged + this.#settle >= event.from
      message.mayGo = never
      // An acknowledgement that was tried meanwhile counts.
      if (message.tries > 0 || message.tried < event.from) continue
      message.tried = never
      message.isOver = false
    }
    return hasMessages ? undefined : this.#alone(event, 'queues.delete.status', 'deleted')
  }

  #alone(event: Event, clause: ClauseId, what: string): Violation {
    return { clause, seen: `the queue ${event.queue} could not be ${what}`, events: [event] }
  }
}
