import { answered } from '../client/answered.js'
import { type Exchange, succeeded } from '../client/exchange.js'
import type { Feed } from '../client/feed.js'
import type { Trial } from './trial.js'
import { asBlocked, once, withRetries } from './waiting.js'

/**
 * Asks while it is refused or not answered, and expects this status then: another success is wrong, whatever a repeat would be
 * answered with. @returns that answer
 */
export async function expectStatus(
  trial: Trial,
  status: number,
  expected: string,
  ask: () => Promise<Exchange>,
): Promise<Exchange> {
  let last: Exchange | undefined
  await trial.eventually(async () => {
    last = await ask()
    return once(last.status >= 200 && last.status < 400)
  })
  trial.expect(last!.status === status, expected, () => answered(last!))
  return last!
}

/** Asks until the answer is a success of any status, and expects that it comes to that. @returns that answer */
export async function expectSuccess(
  trial: Trial,
  expected: string,
  ask: () => Promise<Exchange>,
): Promise<Exchange> {
  let last: Exchange | undefined
  const found = await trial.eventually(async () => {
    last = await ask()
    return succeeded(last) ? last : undefined
  })
  trial.expect(found !== undefined, expected, () => answered(last!))
  return found
}

/** Expects an address to answer a GET with an Atom feed, all its pages. */
export async function expectFeed(trial: Trial, uri: string, expected: string): Promise<Feed> {
  let feed: Feed | undefined
  try {
    feed = await withRetries(trial, () => trial.readFeed(uri, 'browse.queue'))
  } catch (error) {
    trial.expect(false, expected, asBlocked(error).seen)
  }
  expectAtom(trial, feed!)
  return feed!
}

/** As {@link expectFeed}, with 200, where that is what is asked. */
export async function expectFeedWith200(trial: Trial, uri: string, expected: string): Promise<Feed> {
  const feed = await expectFeed(trial, uri, expected)
  const other = feed.pages.find(({ status }) => status !== 200)
  trial.expect(other === undefined, expected, () => answered(other!))
  return feed
}

/** Expects the elements of a feed to be Atom's. */
export function expectAtom(trial: Trial, { isAtom, problems }: Feed): void {
  trial.expect(isAtom, 'a feed of the Atom namespace', () => problems.join('; '))
}
