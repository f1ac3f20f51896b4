import type { Exchange } from '../client/exchange.js'
import type { Feed } from '../client/feed.js'
import { answer } from './answers.js'
import { Blocked } from './findings.js'
import type { Consumer, QueueHandle, Trial } from './trial.js'

/**
 * As `trial.eventually`, and an operation that is not answered as stated may yet be: on a target whose
 * effects take their time to show, a queue is not at once where it was created. Where nothing is found, the last such
 * answer is what the check is blocked by.
 */
export async function patiently<T>(
  trial: Trial,
  probe: () => Promise<T | undefined>,
): Promise<T | undefined> {
  let blocked: Blocked | undefined
  const found = await trial.eventually(async () => {
    blocked = undefined
    try {
      return await probe()
    } catch (error) {
      blocked = asBlocked(error)
      return undefined
    }
  })
  if (found === undefined && blocked !== undefined) throw blocked
  return found
}

/**
 * Repeats `round` until it gives true or, for as long as patience lasts, nothing more comes: patience begins anew
 * with all that comes, so that taking many messages one after another is nobody's fault.
 *
 * @param count how many have come so far
 */
export async function whileMoreCome(
  trial: Trial,
  count: () => number,
  round: () => Promise<true | undefined>,
): Promise<void> {
  for (let more: boolean | undefined = true; more; ) {
    const before = count()
    more = await trial.eventually(async () => {
      if (await round()) return false
      return count() > before || undefined
    })
  }
}

/** What an attempt gives, or undefined where an operation in it is not answered as stated. */
export async function attempt<T>(operation: () => Promise<T>): Promise<T | undefined> {
  try {
    return await operation()
  } catch (error) {
    asBlocked(error)
    return undefined
  }
}

function asBlocked(error: unknown): Blocked {
  if (error instanceof Blocked) return error
  throw error
}

/** Asks until the answer has this status, and expects that it comes to that. @returns that answer */
export async function expectStatus(
  trial: Trial,
  status: number,
  expected: string,
  ask: () => Promise<Exchange>,
): Promise<Exchange> {
  let last: Exchange | undefined
  const found = await trial.eventually(async () => {
    last = await ask()
    return last.status === status ? last : undefined
  })
  trial.expect(found !== undefined, expected, () => answer(last!))
  return found
}

/** Expects an operation to be answered as stated, where that is what the check itself asks. */
export async function expectDone<T>(trial: Trial, expected: string, operation: () => Promise<T>): Promise<T> {
  try {
    return await operation()
  } catch (error) {
    const { seen } = asBlocked(error)
    return fail(trial, expected, seen)
  }
}

function fail(trial: Trial, expected: string, seen: string): never {
  trial.expect(false, expected, seen)
}

/** Expects an address to answer a GET with 200 and an Atom feed, all its pages. */
export async function expectFeed(trial: Trial, uri: string, expected: string): Promise<Feed> {
  const feed = await expectDone(trial, expected, () =>
    patiently(trial, () => trial.readFeed(uri, 'browse.queue')),
  )
  return feed!
}

/** Expects a queue to be readable at its address. */
export async function expectReadable(trial: Trial, queue: QueueHandle, expected: string): Promise<void> {
  await expectStatus(trial, 200, expected, () => trial.target.request('GET', queue.uri))
}

/** Ends a consumer whose lease may be over by now: whatever the answer, it holds nothing afterwards. */
export async function leave(consumer: Consumer): Promise<void> {
  await attempt(() => consumer.end())
}
