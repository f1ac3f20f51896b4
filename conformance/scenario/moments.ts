import { refused } from '../client/exchange.js'
import type { Lane, LaneEvent, Moment } from '../lanes/picture.js'
import type { Whereabout, Whereabouts } from '../model/whereabouts.js'
import type { Outcome } from './carry-out.js'
import type { Action } from './conversation.js'
import { printStep } from './print.js'
import type { Told } from './walk.js'

/**
 * The steps of a scenario as moments of a picture of lanes.
 *
 * @param eventsOf what happened at the target in a step, where somebody has seen it; default: what the answers tell of it
 */
export function momentsOf(
  { told, broken }: Pick<Outcome, 'told' | 'broken'>,
  eventsOf?: (told: Told) => readonly LaneEvent[],
): Moment[] {
  let before: Whereabouts = { queues: [], consumers: [], messages: [] }
  return told.map((each, at) => {
    const now = each.whereabouts()
    const events = eventsOf?.(each) ?? changes(before, now, each.nameOf)
    before = now
    return {
      label: printStep(each.step),
      time: each.time,
      events: [...events, ...marksOf(each)],
      isBroken: broken.some(({ step }) => step === at),
    }
  })
}

/** What became otherwise from one step to the next, as far as the answers tell. */
function changes(before: Whereabouts, now: Whereabouts, nameOf: (key: string) => string): LaneEvent[] {
  const consumer = (key: string): Lane => ({ kind: 'consumer', name: nameOf(key) })
  const queue = (name: string): Lane => ({ kind: 'queue', name })
  const placeOf = ({ place }: Whereabout) =>
    typeof place === 'string' ? place : 'queue' in place ? queue(place.queue) : consumer(place.consumer)
  const known = new Map(before.messages.map((each) => [each.message, JSON.stringify(each.place)]))
  const moved = now.messages.filter((each) => known.get(each.message) !== JSON.stringify(each.place))
  const begun = (lane: Lane): LaneEvent => ({ is: 'begun', lane })
  const ended = (lane: Lane): LaneEvent => ({ is: 'ended', lane, how: 'deleted' })
  return [
    ...added(before.queues, now.queues).map(queue).map(begun),
    ...added(before.consumers, now.consumers).map(consumer).map(begun),
    ...moved.map(
      (each): LaneEvent => ({ is: 'moved', message: each.message, name: each.body, to: placeOf(each) }),
    ),
    ...added(now.consumers, before.consumers).map(consumer).map(ended),
    ...added(now.queues, before.queues).map(queue).map(ended),
  ]
}

function added(before: readonly string[], now: readonly string[]): string[] {
  return now.filter((each) => !before.includes(each))
}

/** Requests that nobody sees by what they moved: those that look or repeat, and those that were refused or not answered. */
function marksOf({ step, actions }: Told): LaneEvent[] {
  if ('steps' in step)
    return actions.flatMap((each) => {
      const { request } = each
      return 'queue' in request ? markOf(each, { kind: 'queue', name: request.queue }, request.do) : []
    })
  const lane: Lane =
    'consumer' in step && step.consumer !== undefined
      ? { kind: 'consumer', name: step.consumer }
      : step.do === 'create' || step.do === 'delete' || step.do === 'browse'
        ? { kind: 'queue', name: step.queue }
        : { kind: 'producer', name: 'producer' }
  return actions.flatMap((each) => markOf(each, lane, step.do))
}

function markOf({ exchange }: Action, lane: Lane, what: string): LaneEvent[] {
  if (exchange.status === 0) return [{ is: 'asked', lane, what: 'no answer', answer: 'lost' }]
  if (refused(exchange) || exchange.status >= 500)
    return [{ is: 'asked', lane, what: String(exchange.status), answer: 'refused' }]
  return TOLD.has(what) ? [{ is: 'asked', lane, what, answer: 'done' }] : []
}

const TOLD: ReadonlySet<string> = new Set(['browse', 'read', 'look', 'fetch', 'next', 'lock', 'repeat'])
