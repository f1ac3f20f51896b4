import type { Exchange } from '../client/exchange.js'
import type { HttpTarget } from '../client/http-target.js'
import type { Leftovers } from '../client/leftovers.js'
import type { RequestOptions } from '../client/target.js'
import { answered } from './answers.js'
import { Inconclusive, NotApplicable } from './findings.js'

/** What making a queue or a subscription needs to know of its run. */
export interface MakingContext {
  readonly target: HttpTarget
  /** What the checks of the run have made. */
  readonly leftovers?: Leftovers | undefined
  readonly idle: <T>(wait: () => Promise<T>) => Promise<T>
}

/**
 * Posts what makes a queue or a subscription. Where that is refused for what checks have left, which a target may bound,
 * there is room made for it.
 *
 * @throws {Inconclusive} where other checks have all that the target takes at once
 * @throws {NotApplicable} where this check alone has it
 */
export async function make(
  { target, leftovers, idle }: MakingContext,
  collection: '/queues' | '/subscriptions',
  request: RequestOptions,
): Promise<Exchange> {
  const ask = () => target.request('POST', target.at(collection), request)
  let answer = await ask()
  if (leftovers === undefined || answer.status < 400) return answer
  const again = async () => {
    answer = await ask()
    return answer.status
  }
  await idle(() => leftovers.makeRoom(answer.status, again))
  if (!leftovers.isFull(answer.status)) return answer
  if (leftovers.ofOthers(target) > 0)
    throw new Inconclusive(`${answered(answer)} for one more while other checks have theirs`)
  throw new NotApplicable(`the target takes fewer at once than it needs: ${answered(answer)} for one more`)
}
