import { answered } from './answered.js'
import type { Exchange } from './exchange.js'
import { Inconclusive, NotApplicable } from './findings.js'
import type { HttpTarget } from './http-target.js'
import type { Leftovers } from './leftovers.js'
import { retryAfter, wait } from './pace.js'
import type { RequestOptions } from './target.js'

/** What making a queue or a subscription needs to know of its run. */
export interface MakingContext {
  readonly target: HttpTarget
  /** What the checks of the run have made. */
  readonly leftovers?: Leftovers | undefined
  readonly idle: <T>(wait: () => Promise<T>) => Promise<T>
  /** Whether what is to be made is there. */
  readonly isThere?: (() => boolean) | undefined
}

/** How often it is asked while there is no room, and for how long each time at most: milliseconds. */
const TRIES = 5
const LONGEST = 2000
/** So often in a row 503 is not a matter of chance. */
const CHANCES = 3

/**
 * Posts what makes a queue or a subscription. Where that is refused for what checks have left, which a target may bound,
 * there is room made for it.
 *
 * @throws {Inconclusive} where other checks have all that the target takes at once
 * @throws {NotApplicable} where this check alone has it
 */
export async function make(
  { target, leftovers, idle, isThere }: MakingContext,
  collection: '/queues' | '/subscriptions',
  request: RequestOptions,
): Promise<Exchange> {
  const ask = (patient: boolean) => target.request('POST', target.at(collection), { ...request, patient })
  if (leftovers === undefined) return ask(true)
  let answer = await ask(false)
  const again = async () => {
    answer = await ask(false)
    return answer.status
  }
  if (retryAfter(answer) !== undefined && !leftovers.isFull(answer.status)) {
    // Time is of no use where there is no room.
    const isFull = (await lacksRoom(target, answer, again)) && leftovers.noteFull()
    if (!isFull && answer.status >= 400) answer = await ask(true)
  }
  if (answer.status < 400) return answer
  // It is said of room alone, even where nothing can be deleted.
  if (answer.status === 507) leftovers.noteFull()
  await idle(() => leftovers.makeRoom(answer.status, again, isThere))
  for (let tries = 1; tries < TRIES && leftovers.isFull(answer.status); tries++) {
    const milliseconds = retryAfter(answer)
    if (milliseconds === undefined) break
    await idle(() => wait(Math.min(milliseconds, LONGEST), undefined))
    await again()
  }
  if (!leftovers.isFull(answer.status)) return answer
  if (leftovers.ofOthers(target) > 0)
    throw new Inconclusive(`${answered(answer)} for one more while what other checks made is there`)
  throw new NotApplicable(`the target takes fewer at once than it needs: ${answered(answer)} for one more`)
}

/**
 * Whether a refusal is surely due to a want of room, and not to the pace: a reading is not refused. A 503 may be a matter of
 * chance, and is then not given to the same request time after time.
 */
async function lacksRoom(
  target: HttpTarget,
  { status }: Exchange,
  again: () => Promise<number>,
): Promise<boolean> {
  if (target.isPaced) return false
  const read = await target.request('GET', target.queueUri('kit-nothing'), { patient: false })
  if (read.status === 429 || read.status === 503) return false
  for (let asked = 0; status === 503 && asked < CHANCES; asked++) if ((await again()) !== 503) return false
  return true
}
