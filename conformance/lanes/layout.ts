import type { Lane, LaneEvent, Moment } from './lanes.js'

/** A lane with its place in the picture. */
export interface PlacedLane {
  readonly lane: Lane
  /** How many rows messages take in it at once. */
  rows: number
  /** From which moment to which it was there; of one that is there at the end, the last is the number of moments. */
  readonly spans: Span[]
}

export interface Span {
  readonly from: number
  to: number
  how?: 'deleted' | 'expired'
}

/** A message in one lane, or several that always went together. */
export interface Stay {
  readonly lane: PlacedLane
  readonly from: number
  to: number
  row: number
}

/** The way of a message, or of several. */
export interface Thread {
  readonly names: string[]
  readonly producer: PlacedLane | undefined
  readonly stays: Stay[]
  /** How it ended, and at which moment; undefined while it is there. */
  readonly end: { readonly at: number; readonly how: 'acknowledged' | 'gone' } | undefined
}

/** A request that is marked in its lane. */
export interface Mark {
  readonly lane: PlacedLane
  readonly from: number
  readonly to: number
  readonly row: number
  readonly event: Extract<LaneEvent, { is: 'asked' }>
}

export interface Layout {
  readonly lanes: readonly PlacedLane[]
  readonly threads: readonly Thread[]
  readonly marks: readonly Mark[]
}

/** More messages than this are drawn as one line where they always went together. */
const MOST_ALONE = 12
/** More rows than this take the last one together. */
const MOST_ROWS = 12

const ORDER: Readonly<Record<Lane['kind'], number>> = { producer: 0, queue: 1, consumer: 2, client: 3 }

/** Where each message was when, and which lanes there are. */
export function layOut(moments: readonly Moment[]): Layout {
  const lanes = new Map<string, PlacedLane>()
  const threads = new Map<string, Writable<Thread>>()
  const marks: Mark[] = []
  const end = moments.length
  const place = (lane: Lane): PlacedLane => {
    const key = `${lane.kind} ${lane.name}`
    const known = lanes.get(key)
    if (known !== undefined) return known
    const made: PlacedLane = { lane, rows: 0, spans: [] }
    lanes.set(key, made)
    return made
  }
  const leave = (thread: Writable<Thread>, at: number) => {
    const last = thread.stays.at(-1)
    if (last !== undefined) last.to = at
  }
  moments.forEach(({ events }, at) => {
    for (const event of events) {
      if (event.is === 'moved') {
        const { message, name = message, to, by = 'producer' } = event
        let thread = threads.get(message)
        if (thread === undefined) {
          const producer = place({ kind: 'producer', name: by })
          thread = { names: [name], producer, stays: [], end: undefined }
          threads.set(message, thread)
        }
        leave(thread, at)
        if (typeof to === 'string') thread.end = { at, how: to }
        else thread.stays.push({ lane: place(to), from: at, to: end, row: 0 })
        continue
      }
      const lane = place(event.lane)
      const open = lane.spans.at(-1)
      if (event.is === 'begun') lane.spans.push({ from: at, to: end })
      if (event.is === 'asked') {
        const row = event.lane.kind === 'client' ? lane.rows++ : 0
        marks.push({ lane, from: at, to: event.until ?? at, row, event })
      }
      if (event.is === 'ended' && open !== undefined) {
        open.to = at
        open.how = event.how
        if (event.lane.kind !== 'queue') continue
        for (const thread of threads.values()) {
          if (thread.end !== undefined || thread.stays.at(-1)?.lane !== lane) continue
          leave(thread, at)
          thread.end = { at, how: 'gone' }
        }
      }
    }
  })
  const all = [...threads.values()]
  const drawn = all.length > MOST_ALONE ? together(all) : all
  const placed = [...lanes.values()].sort((one, other) => ORDER[one.lane.kind] - ORDER[other.lane.kind])
  for (const lane of placed) if (lane.lane.kind !== 'client') giveRows(lane, drawn)
  return { lanes: placed, threads: drawn, marks }
}

type Writable<T> = { -readonly [K in keyof T]: T[K] }

/** Messages that always went the same way, as one. */
function together(threads: readonly Thread[]): Thread[] {
  const groups = new Map<string, Thread>()
  for (const thread of threads) {
    const way = thread.stays.map(({ lane, from, to }) => [lane.lane.kind, lane.lane.name, from, to])
    const key = JSON.stringify([way, thread.end, thread.producer?.lane.name])
    const known = groups.get(key)
    if (known === undefined) groups.set(key, thread)
    else known.names.push(...thread.names)
  }
  return [...groups.values()]
}

/** Gives each stay in a lane a row of its own, the first that is free. */
function giveRows(lane: PlacedLane, threads: readonly Thread[]): void {
  const stays = threads.flatMap((thread) => thread.stays.filter((stay) => stay.lane === lane))
  const free: number[] = []
  for (const stay of stays.sort((one, other) => one.from - other.from)) {
    const found = free.findIndex((until) => until < stay.from)
    stay.row = Math.min(MOST_ROWS - 1, found < 0 ? free.length : found)
    free[stay.row] = Math.max(free[stay.row] ?? 0, stay.to)
  }
  lane.rows = free.length
}
