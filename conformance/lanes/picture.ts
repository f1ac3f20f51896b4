import type { Lane, Moment, PictureOptions } from './lanes.js'
import { type Layout, layOut, type Mark, type PlacedLane, type Stay, type Thread } from './layout.js'

export type { Lane, LaneEvent, Moment, PictureOptions } from './lanes.js'

/** All in pixels. */
const NAMES = 92
const HEAD = 52
const ROW = 22
const PAD = 9
/** Below the messages of a queue or a consumer, for what is said of it. */
const FOOT = 9
const LEAST_COLUMN = 40
const MOST_COLUMN = 132
/** From this width on, a moment's words stand above it, in so many lines at most. */
const WORDS_FROM = 58
const LINES = 2
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
  /** Below what stands above the moments. */
  readonly head: number
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
  const head = column >= WORDS_FROM ? HEAD : HEAD - 12 * LINES + 6
  let y = head
  for (const lane of lanes) {
    top.set(lane, y)
    y += heightOf(lane) + 6
  }
  const left = (moment: number) => round(MARGIN + moment * column)
  return { column, head, left, top, width: round(2 * MARGIN + count * column), height: y + 4 }
}

function heightOf({ lane, rows }: PlacedLane): number {
  if (lane.kind === 'producer') return 30
  return 2 * PAD + Math.max(1, rows) * ROW + (lane.kind === 'client' ? 0 : FOOT)
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

/** What stands above a moment: its number, how much time passed, and its words where there is room. */
function momentOf({ label, time, isBroken }: Moment, at: number, before: number, places: Places): string {
  const { left, column, head, height } = places
  const middle = round(left(at) + column / 2)
  const start = left(at) + 6
  const hasWords = column >= WORDS_FROM
  const band = isBroken
    ? `<rect class="broken" x="${left(at)}" y="2" width="${round(column)}" height="${height - 4}" rx="5"/>`
    : ''
  const beside = hasWords
    ? `x="${start + String(at + 1).length * 7 + 4}" y="14"`
    : `x="${middle}" y="28" text-anchor="middle"`
  const passed =
    time > before
      ? `<line class="passed" x1="${middle}" x2="${middle}" y1="${head - 6}" y2="${height - 4}"/><text class="time" ${beside}>+${duration(time - before)}</text>`
      : ''
  const number = `<text class="number" ${hasWords ? `x="${start}"` : `x="${middle}" text-anchor="middle"`} y="14">${at + 1}</text>`
  const words = hasWords
    ? lines(label, Math.floor((column - 8) / CHARACTER)).map(
        (line, index) => `<text class="words" x="${start}" y="${28 + 12 * index}">${text(line)}</text>`,
      )
    : []
  return `<g class="moment${isBroken ? ' is-broken' : ''}">${band}${passed}${number}${words.join('')}</g>\n`
}

/** Words in as many lines as there may be; what has no room is cut. */
function lines(words: string, most: number): string[] {
  const [first = '', ...rest] = words.split(' ')
  const found = [first]
  for (const word of rest) {
    const line = `${found.at(-1)} ${word}`
    if (line.length <= most || found.length === LINES) found[found.length - 1] = line
    else found.push(word)
  }
  return found.map((line) => cut(line, most))
}

/** What is clicked, over all that is drawn. */
function handleOf({ label }: Moment, at: number, { left, column, height }: Places): string {
  return `<rect class="handle" data-moment="${at}" x="${left(at)}" y="0" width="${round(column)}" height="${height}"><title>${text(`${at + 1}. ${label}`)}</title></rect>`
}

/** Messages that move at the same moment turn beside each other, and no line crosses a name. */
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
  const drawn = threads.map((thread, index) => threadOf(thread, index, places, turn))
  return [...drawn.map(({ ways }) => ways), ...drawn.map(({ names }) => names)].join('')
}

function threadOf(
  thread: Thread,
  index: number,
  places: Places,
  turn: (thread: Thread, at: number, part: number) => number,
): { readonly ways: string; readonly names: string } {
  const { names, producer, stays, end } = thread
  const y = ({ lane, row }: Stay) => places.top.get(lane)! + PAD + ROW * row + ROW / 2
  // What comes and goes again in one moment, does so in its two halves.
  const xs = stays.map(({ from }, at) =>
    turn(thread, from, at > 0 && stays[at - 1]!.from === from ? 0.72 : 0.38),
  )
  const name = names.length === 1 ? names[0]! : `${names[0]} … ${names.at(-1)}`
  const ways: string[] = []
  const above: string[] = []
  const [first] = stays
  if (first !== undefined && producer !== undefined) {
    const from = places.top.get(producer)! + 15
    above.push(`<circle class="sent" cx="${xs[0]}" cy="${from}" r="3.5"/>`)
    ways.push(`<path class="move" d="M${xs[0]} ${from}V${y(first) - CURVE}q0 ${CURVE} ${CURVE} ${CURVE}"/>`)
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
    ways.push(`<path class="${kind}" d="M${start} ${y(stay)}H${Math.max(start, until)}"/>`)
    if (next !== undefined) ways.push(bend(xs[at + 1]!, y(stay), y(next)))
    if (isLast && end !== undefined) above.push(endOf(end.how, Math.max(start, until), y(stay)))
    const room = Math.max(start, until) - start
    // Where a name has no room, it stands at the next stay.
    if (isLast || name.length * CHARACTER + 10 <= room) above.push(chip(name, start + 3, y(stay), room))
  })
  const told = names.length === 1 ? name : `${names.length} messages: ${name}`
  const wide = names.length > 1 ? ' many' : ''
  const colour = `m${index % COLOURS}`
  return {
    ways: `<g class="message ${colour}${wide}"><title>${text(told)}</title>${ways.join('')}</g>\n`,
    names: `<g class="called ${colour}"><title>${text(told)}</title>${above.join('')}</g>\n`,
  }
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
  const width = words.length * 6.6 + 8
  return `<rect class="chip" x="${x}" y="${y - 8}" width="${round(width)}" height="16" rx="4"/><text x="${round(x + width / 2)}" y="${y + 3.8}" text-anchor="middle">${text(words)}</text>`
}

function markOf({ lane, from, to, row, event }: Mark, { top, left, column, width }: Places): string {
  const { what, answer } = event
  const low = answer === 'done' ? heightOf(lane) - 9.5 : 10
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
  const words = cut(what, Math.floor((column - 8) / CHARACTER))
  const isSaid = column >= WORDS_FROM || (answer !== 'done' && words === what)
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
