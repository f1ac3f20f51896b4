import type { Event } from './history.js'

/** What may leave feeds by one event, and until when: milliseconds. */
interface Departure {
  readonly event: Event
  readonly until: number
}

/** Milliseconds: no reading takes longer. */
const REMEMBERED = 60_000

/** Knows when messages may have left feeds: while they were acknowledged, and while their queue was deleted. */
export class Departures {
  readonly #late: number
  readonly #settle: number
  readonly #underWay = new Map<string, Event>()
  readonly #over: Departure[] = []

  /**
   * @param settle how long an effect may take to show: milliseconds
   * @param late how long a target may be at a request that has lost its client: milliseconds
   */
  constructor(settle: number, late: number) {
    this.#settle = settle
    this.#late = late
  }

  begin(event: Event): void {
    this.#underWay.set(keyOf(event), event)
  }

  end(event: Event): void {
    this.#underWay.delete(keyOf(event))
    const late = event.outcome === 'unknown' ? this.#late : 0
    this.#over.push({ event, until: event.to + late + this.#settle })
    while (this.#over[0]!.until < event.to - REMEMBERED) this.#over.shift()
  }

  /** Whether anything of that kind may have left while a reading was under way. */
  within({ from, to }: Event, isMeant: (event: Event) => boolean): boolean {
    const all: Departure[] = [...this.#underWay.values()].map((event) => ({ event, until: to }))
    return [...all, ...this.#over].some(
      ({ event, until }) => event.from <= to && until >= from && isMeant(event),
    )
  }
}

/** One client deletes one queue at a time, and acknowledges one message. */
function keyOf({ who, queue, message, subscription, from }: Event): string {
  return [who, queue, message, subscription, from].join()
}
