import type { Step } from './step.js'
import { flat } from './variations.js'

/** Steps about messages at the addresses that their consumers were shown. */
const AT_ADDRESSES: ReadonlySet<Step['do']> = new Set(['ack', 'look', 'fetch', 'done'])
/** Steps that only show what there is. */
const LOOKING: ReadonlySet<Step['do']> = new Set(['read', 'browse', 'list', 'take'])

/** Whether a step is about messages at the addresses that their consumers were shown. */
export function needsAddresses(step: Step): boolean {
  return flat([step]).some((each) =>
    each.do === 'request' ? 'message' in each.to : AT_ADDRESSES.has(each.do),
  )
}

/**
 * The steps as far as they can be done where nothing can be acknowledged: without the acknowledgements by which they begin, where their
 * consumers are not asked about; and up to the first acknowledgement after something was judged.
 *
 * @param hangsOnAcks whether what is asked hangs on acknowledgements: then only one is left out that nothing but looks follow
 */
export function leavingAcks(steps: readonly Step[], hangsOnAcks: boolean): readonly Step[] {
  const own = steps.findIndex((step) => step.own)
  const judged = steps.slice(own)
  const first = judged.findIndex(needsAddresses)
  if (own < 0 || first === 0) return steps
  const readers = new Set(flat(judged).flatMap((step) => (step.do === 'read' ? step.consumer : [])))
  const isIdle = (step: Step) => step.do === 'ack' && !step.reads && !readers.has(step.consumer)
  const begun = hangsOnAcks ? steps.slice(0, own) : steps.slice(0, own).filter((step) => !isIdle(step))
  if (first < 0) return [...begun, ...judged]
  const isEnd = judged
    .slice(first)
    .every((step, at) => step.own === undefined && (at === 0 ? step.do === 'ack' : LOOKING.has(step.do)))
  const isLeft = isEnd || (!hangsOnAcks && judged[first]!.do === 'ack')
  return isLeft ? [...begun, ...judged.slice(0, first)] : steps
}
