import type { ClauseId } from '../requirements/index.js'
import { DoneSet } from './done-set.js'
import type { Event, Sending, Terms } from './history.js'

/** What a history shows that must not be, with the events that show it. */
export interface Violation {
  readonly clause: ClauseId
  /** What was seen, as a sentence. */
  readonly seen: string
  readonly message?: number
  readonly events: readonly Event[]
}

/** A message that somebody holds: when it was first and last shown there. */
export interface Holding {
  readonly first: Event
  last: Event
}

export interface Message {
  sending: Sending | undefined
  /** Whether its send has been answered with success. */
  accepted: boolean
  /** When somebody first tried to acknowledge it. */
  tried: number
  /** How often it was tried so far. */
  tries: number
  /** When an acknowledgement by its holder was answered with success. */
  acknowledged: number
  by: number | undefined
  /** When a deletion of its queue began: it may be gone since then. */
  mayGo: number
  /** Whether it is over, or may be. */
  isOver: boolean
  readonly holdings: Map<number, Holding>
  readonly events: Event[]
}

export interface Subscription {
  readonly terms: Terms
  readonly held: Set<number>
  readonly events: Event[]
  /** Its lease runs until then at least, and at most. */
  sureUntil: number
  mayLastUntil: number
  /** When its deletion was first tried, and when it was answered. */
  ending: number
  ended: number
  /** How often it was tried so far. */
  ends: number
}

/** Events of one message that are kept for its story, at each end. */
const KEPT = 30
/** Milliseconds after which what is over is forgotten but for its number. */
const REMEMBERED = 20_000
/** So many before those that are over are looked for. */
const MANY_SUBSCRIPTIONS = 500

export const never = Number.POSITIVE_INFINITY

/** What is remembered of a history. What is over for long is forgotten but for a bit, so that memory stays bounded. */
export class Memory {
  readonly messages = new Map<number, Message>()
  readonly subscriptions = new Map<number, Subscription>()
  /** Messages that were acknowledged long ago, and those whose queue was deleted long ago. */
  readonly done = new DoneSet()
  readonly gone = new DoneSet()
  /** Messages that are over or may be, with when they were, oldest first. */
  readonly #over: { readonly at: number; readonly message: number }[] = []

  message(number: number): Message {
    const known = this.messages.get(number)
    if (known !== undefined) return known
    const made: Message = {
      sending: undefined,
      accepted: false,
      tried: never,
      tries: 0,
      acknowledged: never,
      by: undefined,
      mayGo: never,
      isOver: false,
      holdings: new Map(),
      events: [],
    }
    this.messages.set(number, made)
    return made
  }

  /** A message as far as it is not over for long. */
  known(number: number): Message | undefined {
    return this.done.has(number) || this.gone.has(number) ? undefined : this.message(number)
  }

  /** Takes note that a message is over, or may be for all that anybody knows. */
  over(number: number, at: number): void {
    const message = this.messages.get(number)
    if (message === undefined || message.isOver) return
    message.isOver = true
    this.#over.push({ at, message: number })
  }

  /** The events of a message, with those by which its holders came and went. */
  story(event: Event, message = event.message): Pick<Violation, 'message' | 'events'> {
    const all = new Set([...(this.messages.get(message ?? -1)?.events ?? []), event])
    const holders = new Set([...all].map((each) => each.subscription))
    for (const key of holders) {
      for (const each of this.subscriptions.get(key ?? -1)?.events ?? []) {
        if (each.do === 'subscribe' || each.do === 'end') all.add(each)
      }
    }
    const events = [...all].sort((one, other) => one.from - other.from)
    return { ...(message === undefined ? {} : { message }), events }
  }

  forget(now: number): void {
    for (let [first] = this.#over; first !== undefined && first.at < now - REMEMBERED; [first] = this.#over) {
      this.#over.shift()
      const message = this.messages.get(first.message)
      // It may have come back, since the deletion of its queue was refused.
      if (!message?.isOver) continue
      const { acknowledged, mayGo, events } = message
      const isDone = acknowledged !== never
      // Where nobody knows whether its acknowledgement took effect, it is over when it has not been seen any more.
      const at = isDone ? acknowledged : mayGo === never ? Math.max(first.at, events.at(-1)?.to ?? 0) : mayGo
      if (at >= now - REMEMBERED) this.#over.push({ at, message: first.message })
      else {
        this.messages.delete(first.message)
        if (isDone) this.done.add(first.message)
        else this.gone.add(first.message)
      }
    }
    if (this.subscriptions.size < MANY_SUBSCRIPTIONS) return
    for (const [key, each] of this.subscriptions) {
      if (Math.min(each.ended, each.mayLastUntil) < now - REMEMBERED) this.subscriptions.delete(key)
    }
  }
}

/** Keeps the first and the last of many. */
export function keep(events: Event[], event: Event): void {
  if (events.at(-1) === event) return
  events.push(event)
  if (events.length > 2 * KEPT) events.splice(KEPT, 1)
}
