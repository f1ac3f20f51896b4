import type { Subscription } from '../broker/entities.js'
import type { BrokerEvent } from '../broker/events.js'
import { ownText } from '../broker/storing.js'
import { shortened } from './client/asked.js'
import type { Seen } from './journal/exchange-record.js'
import { type Lane, type LaneEvent, type LaneNames, laneEventOf } from './lane-events.js'
import { nameOfLease } from './leases/lease-name.js'

/** How many moments are kept, and how many events of one. */
const MOST_MOMENTS = 200
const MOST_EVENTS = 50
/** How many characters of a name are kept. */
const LONGEST = 100

type Row = Lane | { readonly kind: 'producer'; readonly name: string }

type ShownEvent =
  | LaneEvent
  | { readonly is: 'asked'; readonly lane: Row; readonly what: string; readonly answer: 'refused' | 'lost' }

/** What happened in the course of one request, or without one. */
export interface LaneMoment {
  readonly label: string
  /** Milliseconds since the epoch. */
  readonly time: number
  readonly events: readonly ShownEvent[]
}

/** What no request has caused, but the clock, or the test itself. */
const OUTSIDE = 'without a request'

const SENDER: Row = { kind: 'producer', name: 'sends' }

/** A fold over what happens: who sent, who held and until when, and whose requests were refused or lost; the last 200 moments. */
export class Lanes {
  #moments: LaneMoment[] = []
  /** What has happened since the moment that was kept last. */
  #events: ShownEvent[] = []
  #names = new Map<string, Lane>()
  readonly #called: LaneNames = {
    queue: ({ name }) => shortened(name, LONGEST),
    consumer: (lease) => this.#consumer(lease).name,
    message: ({ sequence }) => `${sequence}`,
    producer: () => SENDER.name,
  }

  list(): readonly LaneMoment[] {
    return this.#moments
  }

  /** What happens in the broker. @param handling whether a request is the reason, of which {@link exchanged} will tell */
  see(event: BrokerEvent, handling: boolean): void {
    if (event.kind === 'reset') {
      this.#moments = []
      this.#events = []
      this.#names.clear()
      return
    }
    const moved = laneEventOf(event, this.#called)
    if (event.kind === 'lease-ended') this.#names.delete(event.lease.id)
    if (moved === undefined || this.#events.length >= MOST_EVENTS) return
    this.#events.push(moved)
    if (!handling) this.#keepOutside(event.time)
  }

  exchanged({ request, reply, at, duration, faults }: Seen): void {
    const { method, path, segments } = request
    const lost = reply === undefined || reply.cut !== undefined
    if (lost || reply.status >= 400 || faults.length > 0) {
      const lane = this.#names.get(segments[1] ?? '') ?? SENDER
      const what = ownText(faults[0]?.fault ?? `${method} ${reply?.status ?? ''}`)
      this.#events.push({ is: 'asked', lane, what, answer: lost ? 'lost' : 'refused' })
    }
    if (this.#events.length > 0) this.#keep(`${method} ${shortened(path, LONGEST)}`, at + duration)
  }

  /** What follows from one cause is one moment: a lease that ended, and where its messages went. */
  #keepOutside(time: number): void {
    const last = this.#moments.at(-1)
    if (last?.label !== OUTSIDE || last.time !== time || last.events.length >= MOST_EVENTS)
      this.#keep(OUTSIDE, time)
    else {
      this.#moments[this.#moments.length - 1] = { ...last, events: [...last.events, ...this.#events] }
      this.#events = []
    }
  }

  #keep(label: string, time: number): void {
    this.#moments.push({ label, time, events: this.#events })
    this.#events = []
    if (this.#moments.length > MOST_MOMENTS) this.#moments.shift()
  }

  #consumer(lease: Subscription): Lane {
    const known = this.#names.get(lease.id)
    if (known !== undefined) return known
    const lane: Lane = { kind: 'consumer', name: shortened(nameOfLease(lease), LONGEST) }
    this.#names.set(ownText(lease.id), lane)
    return lane
  }
}
