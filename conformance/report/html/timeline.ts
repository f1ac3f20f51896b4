import type { TimelineEvent } from '../result.js'
import { html, type Markup } from './markup.js'

/** Of the picture, in its own units: it is scaled to the page, and scrolls where the page is narrow. */
const WIDTH = 720
const NAMES = 120
const ROW = 30
const TOP = 24
/** A request is at least so wide, so that it can be seen. */
const LEAST = 6

/**
 * A history as a picture: a lane for each client, a bar for each request, from when it was sent to when it was
 * answered. Requests whose outcome nobody knows are hollow. Colours are those of the page.
 */
export function timelinePicture(events: readonly TimelineEvent[]): Markup {
  const lanes = [...new Set(events.map(({ who }) => who))]
  const end = Math.max(...events.map(({ to }) => to), 0.001)
  const at = placesOf(events, end)
  const height = TOP + events.length * ROW + 12
  const rows = events.map((event, index) => {
    const y = TOP + index * ROW
    const x = at(event.from)
    const width = Math.max(LEAST, at(event.to) - x)
    const words = `${event.what}${event.outcome === 'unknown' ? ', no answer' : event.outcome === 'no' ? ', refused' : ''}`
    const onLeft = x > NAMES + (WIDTH - NAMES) * 0.55
    const fill = event.outcome === 'yes' ? 'currentColor' : 'none'
    return html`<g>
<title>${event.who} ${words}: from ${event.from.toFixed(3)} s to ${event.to.toFixed(3)} s</title>
<line x1="${NAMES}" x2="${WIDTH}" y1="${y + 22}" y2="${y + 22}" stroke="currentColor" stroke-opacity="0.15"/>
<text x="0" y="${y + 14}" font-size="12" fill="currentColor">${event.who}</text>
<rect x="${x.toFixed(1)}" y="${y + 2}" width="${width.toFixed(1)}" height="16" rx="3" fill="${fill}" fill-opacity="0.55" stroke="currentColor"/>
<text x="${(onLeft ? x - 6 : x + width + 6).toFixed(1)}" y="${y + 14}" font-size="12" text-anchor="${onLeft ? 'end' : 'start'}" fill="currentColor">${words}</text>
</g>
`
  })
  const label = `${events.length} requests of ${lanes.length} clients, in the order in which they were sent`
  return html`<h4>Who did what when</h4>
<div class="scroll" role="region" aria-label="${label}" tabindex="0">
<svg viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="${label}">
<text x="${NAMES}" y="12" font-size="11" fill="currentColor">0 s</text>
<text x="${WIDTH}" y="12" font-size="11" text-anchor="end" fill="currentColor">${end.toFixed(2)} s</text>
${rows}</svg>
</div>
`
}

/** Places along the picture: to scale, but that a long time in which nothing happens takes no more than a short one. */
function placesOf(events: readonly TimelineEvent[], end: number): (moment: number) => number {
  const moments = [...new Set([0, ...events.flatMap(({ from, to }) => [from, to]), end])].sort(
    (a, b) => a - b,
  )
  const gaps = moments.slice(1).map((moment, index) => Math.sqrt(moment - moments[index]!))
  const all = gaps.reduce((sum, gap) => sum + gap, 0) || 1
  const places = new Map<number, number>([[moments[0]!, NAMES]])
  let sum = 0
  gaps.forEach((gap, index) => {
    sum += gap
    places.set(moments[index + 1]!, NAMES + ((WIDTH - LEAST - NAMES) * sum) / all)
  })
  return (moment) => places.get(moment) ?? NAMES
}
