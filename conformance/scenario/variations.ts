import type { Feature } from '../client/profile.js'
import { type Deed, ENDS, type Step, WAYS, type Way } from './step.js'
import { ordinalOf } from './words.js'

/** Steps that stand for themselves alone, and in what they differ from others of the same scenario. */
export interface Variation {
  readonly name: string
  readonly steps: readonly Step[]
}

/**
 * The scenarios that `or` parts, and of each one for each way to send and each end that its `by each` stand for, of those that the
 * target has.
 *
 * @param sound the ways to send that are to be taken; default: all
 */
export function variationsOf(
  steps: readonly Step[],
  features: Readonly<Record<Feature, boolean>>,
  sound: readonly Way[] = WAYS,
): Variation[] {
  const all = partedBy(steps)
  if (all.length < 2) return resolutionsOf(steps, features, sound)
  return all.flatMap((each, at) =>
    resolutionsOf(each, features, sound).map(({ name, steps }) => {
      return { name: [`the ${ordinalOf(at + 1)} of ${all.length}`, name].filter(Boolean).join(', '), steps }
    }),
  )
}

/** The scenarios that `or` parts. */
function partedBy(steps: readonly Step[]): Step[][] {
  const all: Step[][] = [[]]
  for (const step of steps) {
    if (step.do === 'or') all.push([])
    else all.at(-1)!.push(step)
  }
  return all
}

function resolutionsOf(
  steps: readonly Step[],
  features: Readonly<Record<Feature, boolean>>,
  sound: readonly Way[],
): Variation[] {
  const all = flat(steps)
  const stands = (verb: Deed['do']) =>
    all.some((step) => step.do === verb && 'by' in step && step.by === 'each')
  const has = (way: Way) => way !== 'each' && (way === 'two-step' || features[way]) && sound.includes(way)
  const ways = stands('send') ? WAYS.filter(has) : [undefined]
  const ends = stands('end') ? ENDS.filter((end) => end !== 'each') : [undefined]
  return ways.flatMap((way) =>
    ends.map((end) => {
      const by = { ...(way ? { send: way } : {}), ...(end ? { end } : {}) }
      const name = [way && `sent by ${way}`, end && `ended by ${end}`].filter(Boolean).join(', ')
      return { name, steps: steps.map((step) => resolved(step, by)) }
    }),
  )
}

function resolved(step: Step, by: { readonly send?: string; readonly end?: string }): Step {
  if (step.do === 'together') return { ...step, steps: step.steps.map((each) => resolved(each, by)) }
  if ((step.do !== 'send' && step.do !== 'end') || step.by !== 'each') return step
  return { ...step, by: by[step.do] } as Step
}

/** The steps, and those that are done together. */
export function flat(steps: readonly Step[]): Step[] {
  return steps.flatMap((step) => (step.do === 'together' ? [...step.steps] : [step]))
}

/** Whether a step waits for as long as things should be remembered. */
export function isUntilLate(step: Step): boolean {
  return step.do === 'wait' && step.until === 'late'
}

/** What a target has to have for a scenario: all of these features, of each group any. */
export function needsOf(steps: readonly Step[]): (readonly Feature[])[] {
  const needs = flat(steps).flatMap((step): (readonly Feature[])[] => [
    ...(step.as === undefined ? [] : [['auth'] as const]),
    ...(step.at === 'dots' ? [['dotted-names'] as const] : []),
    ...needsOfDeed(step),
  ])
  return [...new Map(needs.map((group) => [group.join(), group])).values()]
}

function needsOfDeed(step: Step): (readonly Feature[])[] {
  switch (step.do) {
    case 'list':
      return step.path === undefined ? [] : [['subtree']]
    case 'send':
      return step.by === 'guid' || step.by === 'single-path' ? [[step.by]] : []
    case 'subscribe': {
      const wildcards = step.to.some((each) => each.endsWith('/*')) ? [['wildcards'] as const] : []
      return [...wildcards, ...(step.selector === undefined ? [] : [['selector'] as const])]
    }
    case 'ack':
      if (step.locks !== undefined) return [['ack-in-post'], ['batch']]
      return step.reads ? [['ack-in-post']] : []
    case 'take':
      return [['single-path']]
    case 'next':
      return [['one-at-a-time']]
    case 'lock':
    case 'fetch':
      return [['batch']]
    case 'join':
    case 'leave':
    case 'done':
      return [['one-at-a-time', 'batch']]
    default:
      return []
  }
}
