import type { Lane, Moment, PictureOptions } from './lanes.js'
import { type Layout, layOut, type Mark, type PlacedLane, type Stay, type Thread } from './layout.js'

export type { Lane, LaneEvent, Moment, PictureOptions } from './lanes.js'

/** All in pixels. */
const NAMES = 92
const HEAD = 46
const ROW = 22
const PAD = 9
const LEAST_COLUMN = 40
const MOST_COLUMN = 132
/** From this width on, a moment's words stand above it. */
const WORDS_FROM = 58
const CHARACTER = 6
/** What is drawn beside the beginning of the first moment, and behind the last. */
const MARGIN = 14
const CURVE = 6
/** Between two messages that move at the same moment. */
const BESIDE = 7
/** A bar is at least so wide. */
const LEAST_BAR = 8
/** How many colours messages have, in turn. */
const COLOURS = 7

/** Where things are in the picture. */
interface Places {
  readonly column: number
  /** The left edge of a moment, which may lie between two. */
  readonly left: (moment: number) => number
  readonly top: ReadonlyMap<PlacedLane, number>
  readonly width: number
  readonly height: number
}

/**
 * A picture of who sent, who held and until when: a lane for each producer, queue and consumer, and a line for each message,
 * dotted while it waits and whole while somebody holds it. HTML with SVG in it, for a page that has the style of `lanes.css`. Each
 * moment is a `[data-moment]`, which can be clicked.
 */
export function lanesPicture(moments: readonly Moment[], options: PictureOptions): string {
  const layout = layOut(moments)
  const places = placesOf(moments, layout, options.width ?? 720)
  const { width, height } = places
  const rows = layout.lanes.map((each) => laneOf(each, places))
  return `<div class="lanes" role="group" aria-label="${text(options.label)}">
<svg class="lane-names" width="${NAMES}" height="${height}" viewBox="0 0 ${NAMES} ${height}" aria-hidden="true">
${layout.lanes.map((each) => nameOf(each, places)).join('')}</svg>
<div class="scroll" role="region" aria-label="${text(options.label)}" tabindex="0">
<svg width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${text(summary(layout))}">
${rows.join('')}${moments.map((each, at) => momentOf(each, at, moments[at - 1]?.time ?? 0, places)).join('')}${threadsOf(layout.threads, places)}${layout.marks.map((each) => markOf(each, places)).join('')}<rect class="later" x="${width}" y="0" width="${width}" height="${height}"/>
${moments.map((each, at) => handleOf(each, at, places)).join('')}</svg>
</div>
</div>
`
}

function placesOf(moments: readonly Moment[], { lanes }: Layout, wanted: number): Places {
  const count = Math.max(1, moments.length)
  const column = Math.min(MOST_COLUMN, Math.max(LEAST_COLUMN, (wanted - 2 * MARGIN) / count))
  const top = new Map<PlacedLane, number>()
  let y = HEAD
  for (const lane of lanes) {
    top.set(lane, y)
    y += heightOf(lane) + 6
  }
  const left = (moment: number) => round(MARGIN + moment * column)
  return { column, left, top, width: round(2 * MARGIN + count * column), height: y + 4 }
}

function heightOf({ lane, rows }: PlacedLane): number {
  return lane.kind === 'producer' ? 30 : 2 * PAD + Math.max(1, rows) * ROW
}

const KINDS: Readonly<Record<Lane['kind'], string>> = {
  producer: 'sends',
  queue: 'queue',
  consumer: 'consumer',
  client: 'client',
}

function nameOf(lane: PlacedLane, { top }: Places): string {
  const { kind, name } = lane.lane
  const y = top.get(lane)! + heightOf(lane) / 2
  if (kind === 'producer') return `<text x="0" y="${y + 4}" class="name">${text(cut(name, 14))}</text>\n`
  return `<text x="0" y="${y - 3}" class="kind">${KINDS[kind]}</text><text x="0" y="${y + 12}" class="name"><title>${text(name)}</title>${text(cut(name, 13))}</text>\n`
}

/** The ground of a lane, and when its queue or lease was there. */
function laneOf(lane: PlacedLane, { top, left, column, width }: Places): string {
  const { kind } = lane.lane
  const y = top.get(lane)!
  const height = heightOf(lane)
  const ground = `<rect class="ground" x="0" y="${y}" width="${width}" height="${height}" rx="4"/>\n`
  if (kind === 'producer' || kind === 'client') return ground
  const bars = lane.spans.map(({ from, to, how }) => {
    const x = left(from) + 4
    const end = how === undefined ? width - 4 : left(to) + column / 2
    const wide = Math.max(LEAST_BAR, end - x)
    const bar = `<rect class="span ${kind}${how === undefined ? '' : ` ${how}`}" x="${x}" y="${y + 2}" width="${round(wide)}" height="${height - 4}" rx="7"/>`
    const lease =
      kind === 'consumer' && wide > WORDS_FROM
        ? `<text class="how" x="${x + 6}" y="${y + height - 6}">lease</text>`
        : ''
    if (how === undefined) return `${bar}${lease}\n`
    const words = kind === 'queue' ? 'deleted' : how === 'expired' ? 'lease ended' : 'ended'
    const hasRoom = end + words.length * CHARACTER + 8 < width
    const said = `<text class="how" x="${round(hasRoom ? end + 6 : end - 6)}" y="${y + height - 6}" text-anchor="${hasRoom ? 'start' : 'end'}">${words}</text>`
    return `${bar}${lease}<line class="end ${how}" x1="${round(end)}" x2="${round(end)}" y1="${y + 2}" y2="${y + height - 2}"/>${said}\n`
  })
  return ground + bars.join('')
}

/** What stands above a moment: its number, its words where there is room, and how much time passed. */
function momentOf({ label, time, isBroken }: Moment, at: number, before: number, places: Places): string {
  const { left, column, height } = places
  const x = left(at) + column / 2
  const words = cut(label, Math.floor((column - 26) / CHARACTER))
  const hasWords = column >= WORDS_FROM
  const band = isBroken
    ? `<rect class="broken" x="${left(at)}" y="2" width="${round(column)}" height="${height - 4}" rx="5"/>`
    : ''
  const passed =
    time > before
      ? `<line class="passed" x1="${round(x)}" x2="${round(x)}" y1="${HEAD - 4}" y2="${height - 4}"/><text class="time" x="${round(x)}" y="36" text-anchor="middle">+${duration(time - before)}</text>`
      : ''
  const number = hasWords
    ? `<text class="number" x="${left(at) + 6}" y="18">${at + 1}</text><text class="words" x="${left(at) + 8 + String(at + 1).length * 7}" y="18">${text(words)}</text>`
    : `<text class="number" x="${round(x)}" y="18" text-anchor="middle">${at + 1}</text>`
  return `<g class="moment${isBroken ? ' is-broken' : ''}">${band}${passed}${number}</g>\n`
}

/** What is clicked, over all that is drawn. */
function handleOf({ label }: Moment, at: number, { left, column, height }: Places): string {
  return `<rect class="handle" data-moment="${at}" x="${left(at)}" y="0" width="${round(column)}" height="${height}"><title>${text(`${at + 1}. ${label}`)}</title></rect>`
}

/** Messages that move at the same moment turn beside each other. */
function threadsOf(threads: readonly Thread[], places: Places): string {
  const moving = new Map<number, Thread[]>()
  for (const thread of threads)
    for (const at of new Set([
      ...thread.stays.map(({ from }) => from),
      ...(thread.end ? [thread.end.at] : []),
    ]))
      moving.set(at, [...(moving.get(at) ?? []), thread])
  const turn = (thread: Thread, at: number, part: number) => {
    const all = moving.get(at)!
    const beside = Math.min(BESIDE, (0.4 * places.column) / all.length)
    const offset = (all.indexOf(thread) - (all.length - 1) / 2) * beside
    return round(places.left(at) + places.column * part + offset)
  }
  return threads.map((thread, index) => threadOf(thread, index, places, turn)).join('')
}

function threadOf(
  thread: Thread,
  index: number,
  places: Places,
  turn: (thread: Thread, at: number, part: number) => number,
): string {
  const { names, producer, stays, end } = thread
  const y = ({ lane, row }: Stay) => places.top.get(lane)! + PAD + ROW * row + ROW / 2
  // What comes and goes again in one moment, does so in its two halves.
  const xs = stays.map(({ from }, at) =>
    turn(thread, from, at > 0 && stays[at - 1]!.from === from ? 0.72 : 0.38),
  )
  const name = names.length === 1 ? names[0]! : `${names[0]} … ${names.at(-1)}`
  const parts: string[] = []
  const [first] = stays
  if (first !== undefined && producer !== undefined) {
    const from = places.top.get(producer)! + 15
    parts.push(`<circle class="sent" cx="${xs[0]}" cy="${from}" r="3.5"/>`)
    parts.push(`<path class="move" d="M${xs[0]} ${from}V${y(first) - CURVE}q0 ${CURVE} ${CURVE} ${CURVE}"/>`)
  }
  stays.forEach((stay, at) => {
    const next = stays[at + 1]
    const isLast = next === undefined
    const start = xs[at]! + (at === 0 && producer === undefined ? 0 : CURVE)
    const until = isLast
      ? end === undefined
        ? places.width - 8
        : turn(thread, end.at, 0.62)
      : xs[at + 1]! - CURVE
    const kind = stay.lane.lane.kind === 'queue' ? 'waits' : 'held'
    parts.push(`<path class="${kind}" d="M${start} ${y(stay)}H${Math.max(start, until)}"/>`)
    if (next !== undefined) parts.push(bend(xs[at + 1]!, y(stay), y(next)))
    if (isLast && end !== undefined) parts.push(endOf(end.how, Math.max(start, until), y(stay)))
    const room = Math.max(start, until) - start
    parts.push(chip(name, start + 3, y(stay), room))
  })
  const told = names.length === 1 ? name : `${names.length} messages: ${name}`
  const wide = names.length > 1 ? ' many' : ''
  return `<g class="message m${index % COLOURS}${wide}"><title>${text(told)}</title>${parts.join('')}</g>\n`
}

/** The way from one row to another, around two corners. */
function bend(x: number, from: number, to: number): string {
  const down = to > from ? 1 : -1
  const curve = Math.min(CURVE, Math.abs(to - from) / 2)
  if (curve === 0) return `<path class="move" d="M${x - CURVE} ${from}h${2 * CURVE}"/>`
  return `<path class="move" d="M${x - CURVE} ${from}q${CURVE} 0 ${CURVE} ${down * curve}V${to - down * curve}q0 ${down * curve} ${CURVE} ${down * curve}"/>`
}

function endOf(how: 'acknowledged' | 'gone', x: number, y: number): string {
  const sign = how === 'acknowledged' ? 'm-3.2 .2l2.2 2.4l4.4 -5' : 'm-3 -3l6 6m0 -6l-6 6'
  return `<circle class="over ${how}" cx="${x}" cy="${y}" r="7"/><path class="sign" d="M${x} ${y}${sign}"/>`
}

/** A message's name on its line. */
function chip(name: string, x: number, y: number, room: number): string {
  const words = cut(name, Math.max(2, Math.floor((room - 10) / CHARACTER)))
  const width = words.length * 6.3 + 8
  return `<rect class="chip" x="${x}" y="${y - 8}" width="${round(width)}" height="16" rx="4"/><text class="called" x="${round(x + width / 2)}" y="${y + 3.8}" text-anchor="middle">${text(words)}</text>`
}

function markOf({ lane, from, to, row, event }: Mark, { top, left, column, width }: Places): string {
  const { what, answer } = event
  const low = answer === 'done' ? heightOf(lane) - 7 : 10
  const { kind } = lane.lane
  const y = top.get(lane)! + (kind === 'producer' ? 15 : kind === 'client' ? PAD + ROW * row + ROW / 2 : low)
  const x = left(from) + column / 2
  const title = `<title>${text(what)}</title>`
  if (to > from) {
    const end = left(to) + column / 2
    const hasRoom = end + what.length * CHARACTER + 10 < width
    const said = `<text class="said" x="${round(hasRoom ? end + 5 : x - 5)}" y="${y + 4}" text-anchor="${hasRoom ? 'start' : 'end'}">${text(what)}</text>`
    return `<g class="mark ${answer}">${title}<rect class="bar" x="${round(x)}" y="${y - 5}" width="${round(Math.max(LEAST_BAR, end - x))}" height="10" rx="5"/>${said}</g>\n`
  }
  const sign =
    answer === 'done'
      ? `<circle cx="${round(x)}" cy="${y}" r="2.5"/>`
      : `<path d="M${round(x)} ${y}m-3.5 -3.5l7 7m0 -7l-7 7"/>`
  const words = cut(what, Math.max(3, Math.floor(column / CHARACTER) - 1))
  const isSaid = answer !== 'done' || column >= WORDS_FROM
  const said = isSaid ? `<text class="said" x="${round(x + 7)}" y="${y + 3.5}">${text(words)}</text>` : ''
  return `<g class="mark ${answer}">${title}${sign}${said}</g>\n`
}

/** All of it in words. */
function summary({ lanes, threads }: Layout): string {
  const of = (kind: Lane['kind']) =>
    lanes.filter(({ lane }) => lane.kind === kind).map(({ lane }) => lane.name)
  const names = threads.flatMap((each) => each.names)
  const done = threads.filter(({ end }) => end?.how === 'acknowledged').flatMap((each) => each.names)
  return `Queues: ${of('queue').join(', ') || 'none'}. Consumers: ${of('consumer').join(', ') || 'none'}. Messages: ${names.length}, of which ${done.length} were acknowledged.`
}

function duration(ms: number): string {
  if (ms < 1000) return `${round(ms)} ms`
  return ms < 120_000 ? `${round(ms / 1000)} s` : `${round(ms / 60_000)} min`
}

function cut(words: string, most: number): string {
  return words.length <= most ? words : most < 2 ? '' : `${words.slice(0, most - 1).trimEnd()}…`
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}

/** Text in which nothing can become markup. */
function text(words: string): string {
  return words.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
