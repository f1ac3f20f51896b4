import type { Entry } from '../client/entry.js'
import { found } from './outcomes.js'
import { never } from './reading.js'
import type { Consumer, Trial } from './trial.js'

/**
 * Judges that a consumer has not been handed more unacknowledged messages than `limit`, in the readings given
 * and in further ones taken together. What it was handed once it holds until it acknowledges, so that
 * readings that show now these messages and then those add up.
 *
 * @param acknowledged bodies that no longer count
 */
export async function expectAtMost(
  trial: Trial,
  consumer: Consumer,
  limit: number,
  earlier: readonly Entry[] = [],
  acknowledged: Iterable<string> = [],
): Promise<void> {
  const settled = new Set(acknowledged)
  const held = new Set<string>()
  const note = async (entries: readonly Entry[]) => {
    const bodies = (await trial.bodies(entries)).filter((body) => !settled.has(body))
    for (const body of bodies) held.add(body)
    return Math.max(held.size, bodies.length)
  }
  await note(earlier)
  const over = await never(trial, consumer, async () => {
    const count = await note(await consumer.read())
    return count > limit ? count : undefined
  })
  trial.expect(
    over === undefined,
    `at most ${limit} unacknowledged ${limit === 1 ? 'message' : 'messages'}, which is the prefetch`,
    `${over} of them`,
  )
}

/** Waits until a consumer's feed shows a body that is none of `known`. @returns it, or undefined if none comes */
export async function nextBody(
  trial: Trial,
  consumer: Consumer,
  known: Iterable<string>,
): Promise<string | undefined> {
  const before = new Set(known)
  const fresh = await trial.eventually(async () => {
    return found((await trial.bodies(await consumer.read())).filter((body) => !before.has(body)))
  })
  return fresh?.[0]
}

/** Waits until a consumer's feed has `count` entries at the same time. @returns how many it had at the end */
export async function countUpTo(trial: Trial, consumer: Consumer, count: number): Promise<number> {
  let seen = 0
  await trial.eventually(async () => {
    seen = (await consumer.read()).length
    return seen >= count ? true : undefined
  })
  return seen
}
