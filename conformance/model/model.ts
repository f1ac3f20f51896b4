import type { ClauseId } from '../requirements/index.js'
import * as alternatives from './alternatives.js'
import { lapse } from './common.js'
import { distinct, inEach } from './data.js'
import * as primary from './primary.js'
import type { Answer, Operation, World } from './world.js'

// The interface as a machine that may choose wherever the document leaves it open. To read it: `world.ts` says what may be
// so, `primary.ts` and `alternatives.ts` have the operations in the order of the document, and `common.ts` what several of
// them share. `data.ts` and `recognize.ts` hold no rules. Above each function stand the clauses that it is about;
// `queues.create.*` are all that begin so.

/** Every operation of sections 4.1 and 4.2. */
const OPERATIONS = { ...primary, ...alternatives }

/** A request: an operation, with what it says. */
export type Request = {
  [O in keyof typeof OPERATIONS]: { readonly do: O } & Readonly<Parameters<(typeof OPERATIONS)[O]>[1]>
}[keyof typeof OPERATIONS]

/** All that may be so at a target, after what it has answered. */
export type State = readonly World[]

export const START: State = [
  { queues: {}, addresses: {}, guids: {}, messages: [], consumers: {}, deliveries: {} },
]

/**
 * May a conformant server have answered this?
 *
 * @returns what may be so then, or a clause that is broken
 */
export function judge(state: State, request: Request, answer: Answer): State | ClauseId {
  const { do: name, ...said } = request
  const operation = OPERATIONS[name] as Operation<object>
  const now = state.flatMap((world) => lapse(world, answer))
  return distinct(inEach(now, (world) => operation(world, said, answer)))
}

/** The same for requests that were made at once: may it have been in any order? */
export function judgeTogether(
  state: State,
  together: readonly (readonly [Request, Answer])[],
): State | ClauseId {
  if (together.length < 2) return inEach(together, (only) => judge(state, ...only))
  return distinct(
    inEach(together, (first) => {
      const next = judge(state, ...first)
      const others = together.filter((each) => each !== first)
      return typeof next === 'string' ? next : judgeTogether(next, others)
    }),
  )
}
