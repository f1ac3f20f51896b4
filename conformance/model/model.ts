import type { ClauseId } from '../requirements/index.js'
import * as alternatives from './alternatives.js'
import { lapse } from './hands.js'
import * as primary from './primary.js'
import { type Answer, EMPTY, inEach, type Step, type World } from './world.js'

/** Every operation of sections 4.1 and 4.2, in the order of the document. */
export const OPERATIONS = {
  listQueues: primary.listQueues,
  browseQueue: primary.browseQueue,
  createQueue: primary.createQueue,
  deleteQueue: primary.deleteQueue,
  newAddress: primary.newAddress,
  postMessage: primary.postMessage,
  sendOnce: primary.sendOnce,
  subscribe: primary.subscribe,
  unsubscribe: primary.unsubscribe,
  consume: primary.consume,
  acknowledge: primary.acknowledge,
  sendBySinglePath: alternatives.sendBySinglePath,
  takeBySinglePath: alternatives.takeBySinglePath,
  join: alternatives.join,
  leave: alternatives.leave,
  nextMessage: alternatives.nextMessage,
  acknowledgeForConsumer: alternatives.acknowledgeForConsumer,
  lockNextMessages: alternatives.lockNextMessages,
  acknowledgeInPost: alternatives.acknowledgeInPost,
} as const

export type Operation = keyof typeof OPERATIONS

/** A request: an operation, with what it says. */
export type Request = {
  [O in Operation]: { readonly do: O } & Readonly<Parameters<(typeof OPERATIONS)[O]>[1]>
}[Operation]

/** All that may be so at a target, after what it has answered. */
export type State = readonly World[]

export const START: State = [EMPTY]

/**
 * May a conformant server have answered this?
 *
 * @returns what may be so then, or a clause that is broken
 */
export function judge(state: State, request: Request, answer: Answer): State | ClauseId {
  const operation = OPERATIONS[request.do] as (world: World, request: Request, answer: Answer) => Step
  const { do: _, ...said } = request
  const step = inEach(
    state.flatMap((world) => lapse(world, answer)),
    (world) => operation(world, said as Request, answer),
  )
  return typeof step === 'string' ? step : distinct(step)
}

/** The same for requests that were made at once: may it have been in any order? */
export function judgeTogether(
  state: State,
  together: readonly (readonly [Request, Answer])[],
): State | ClauseId {
  const [only, ...others] = together
  if (only !== undefined && others.length === 0) return judge(state, ...only)
  const step = inEach(together, (first) => {
    const next = judge(state, ...first)
    return typeof next === 'string'
      ? next
      : judgeTogether(
          next,
          together.filter((each) => each !== first),
        )
  })
  return typeof step === 'string' ? step : distinct(step)
}

function distinct(worlds: readonly World[]): State {
  if (worlds.length < 2) return worlds
  return [...new Map(worlds.map((world) => [JSON.stringify(world), world])).values()]
}
