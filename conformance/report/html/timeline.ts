import { lanesPicture, type Moment } from '../../lanes/picture.js'
import type { TimelineEvent } from '../result.js'
import { html, Markup } from './markup.js'

const ANSWERS = { yes: 'done', no: 'refused', unknown: 'lost' } as const
const WORDS = { yes: '', no: ', refused', unknown: ', no answer' } as const

/**
 * A history as a picture: a lane for each client, a bar for each request, from when it was sent to when it was answered. Requests
 * whose outcome nobody knows are hollow.
 */
export function timelinePicture(events: readonly TimelineEvent[]): Markup {
  const sorted = events.toSorted((one, other) => one.from - other.from)
  const lanes = new Set(sorted.map(({ who }) => who))
  const moments = sorted.map(({ who, what, from, to, outcome }): Moment => {
    const words = `${what}${WORDS[outcome]}`
    const label = `${who} ${words}: from ${from.toFixed(3)} s to ${to.toFixed(3)} s`
    const lane = { kind: 'client', name: who } as const
    const until = placeOf(to, sorted)
    return {
      label,
      time: 1000 * from,
      events: [{ is: 'asked', lane, what: words, answer: ANSWERS[outcome], until }],
    }
  })
  const label = `${events.length} requests of ${lanes.size} clients, in the order in which they were sent`
  return html`<h4>Who did what when</h4>
${new Markup(lanesPicture(moments, { label }))}`
}

/** Between which requests something happened, by when they were sent. */
function placeOf(moment: number, sorted: readonly TimelineEvent[]): number {
  const at = sorted.findLastIndex(({ from }) => from <= moment)
  const [begun, next] = [sorted[at]!.from, sorted[at + 1]?.from]
  return at + (next === undefined ? 0.4 : (moment - begun) / (next - begun))
}
