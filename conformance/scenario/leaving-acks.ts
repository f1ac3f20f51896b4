import type { Step } from './step.js'
import { flat } from './variations.js'

/** Steps about messages at the addresses that their consumers were shown. */
const AT_ADDRESSES: ReadonlySet<Step['do']> = new Set(['ack', 'look', 'fetch', 'done', 'request'])
/** Steps that only show what there is. */
const LOOKING: ReadonlySet<Step['do']> = new Set(['read', 'browse', 'list', 'take'])

/** Whether a step is about messages at the addresses that their consumers were shown. */
export function needsAddresses(step: Step): boolean {
  return flat([step]).some((each) => AT_ADDRESSES.has(each.do))
}

/** The steps without what they end with, where that is to acknowledge, and to look what is left. */
export function leavingAcks(steps: readonly Step[]): readonly Step[] {
  const first = steps.findIndex(needsAddresses)
  const rest = steps.slice(first)
  const isEnd = rest.every(
    (step, at) => step.own === undefined && (at === 0 ? step.do === 'ack' : LOOKING.has(step.do)),
  )
  const isAsked = steps.slice(0, first).some((step) => step.own)
  return first > 0 && isEnd && isAsked ? steps.slice(0, first) : steps
}
