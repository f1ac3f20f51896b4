import type { State } from '../model/model.js'
import type { ClauseId } from '../requirements/index.js'
import type { Event } from './history.js'

/** What may be so after some events. */
interface Way {
  readonly state: State
  /** Events that have taken effect already, although others were answered before them. */
  readonly early: readonly Event[]
}

/** An event that no order makes right, with what was so before it, in the order of the answers. */
export interface Broken {
  readonly clause: ClauseId
  readonly state: State
}

/** What an event makes of a state, or the clause that it breaks. */
export type Judging = (state: State, event: Event) => State | ClauseId

/** After so many events all orders are found, and what was before is forgotten. */
const LONG = 100
/** Of more ways than these nothing is said. */
const MOST_WAYS = 3000

/**
 * A part of a history: what happened to one message, one consumer or one queue. It is right where some order is, in which
 * no event comes before another that was answered before it began. The order in which answers came is tried first.
 */
export class Fold {
  /** Events that are answered, and not judged yet: in the order of their answers. */
  readonly waiting: Event[] = []
  readonly #judge: Judging
  #start: readonly Way[]
  /** Those judged since the start, and what may be so after them in the order of the answers. */
  #trail: Event[] = []
  #ways: readonly Way[]

  constructor(start: State, judge: Judging) {
    this.#judge = judge
    this.#start = [{ state: start, early: [] }]
    this.#ways = this.#start
  }

  /** What may be so by now. */
  get state(): State {
    return this.#ways.flatMap(({ state }) => state)
  }

  /** Judges the first that waits; all that may come before it are told. */
  next(): Broken | undefined {
    const event = this.waiting.shift()!
    const [first] = this.#ways
    if (first === undefined) return undefined
    const ways = this.#ways.flatMap((way) => this.#after(way, event))
    this.#trail.push(event)
    this.#ways = ways
    if (ways.length > 0 && this.#trail.length < LONG) return undefined
    const all = this.#inAnyOrder()
    this.#start = all ?? []
    this.#ways = this.#start
    this.#trail = []
    if (all === undefined || all.length > 0) return undefined
    const clause = this.#judge(first.state, event)
    return typeof clause === 'string' ? { clause, state: first.state } : undefined
  }

  #after(way: Way, event: Event): Way[] {
    if (way.early.includes(event)) return [{ ...way, early: way.early.filter((each) => each !== event) }]
    const state = this.#judge(way.state, event)
    return typeof state === 'string' ? [] : [{ ...way, state }]
  }

  /** All that may be so after the trail; undefined where that is too much. */
  #inAnyOrder(): Way[] | undefined {
    const all = [...this.#trail, ...this.waiting]
    let ways = this.#start
    for (const [at, event] of this.#trail.entries()) {
      const atOnce = all.slice(at + 1).filter(({ from }) => from <= event.to)
      const after = new Map<string, Way>()
      const before = new Map<string, Way>()
      const keyOf = ({ state, early }: Way) => JSON.stringify([state, early.map((each) => all.indexOf(each))])
      const visit = (way: Way) => {
        const key = keyOf(way)
        if (before.has(key) || before.size > MOST_WAYS) return
        before.set(key, way)
        for (const next of this.#after(way, event)) after.set(keyOf(next), next)
        for (const other of atOnce) {
          if (way.early.includes(other)) continue
          for (const { state } of this.#after(way, other)) visit({ state, early: [...way.early, other] })
        }
      }
      for (const way of ways) visit(way)
      if (before.size > MOST_WAYS) return undefined
      ways = [...after.values()]
    }
    return [...ways]
  }
}
