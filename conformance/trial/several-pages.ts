import { answered } from '../client/answered.js'
import { succeeded } from '../client/exchange.js'
import { entriesIn } from '../client/message-in.js'
import { prefetchUpTo } from '../client/subscription-request.js'
import { sendAsMany } from './sending.js'
import type { Consumer, SubscribeOptions, Trial } from './trial.js'

/** More than some feeds have in a page. */
const SEVERAL = 12

/** Subscribes to a queue that has more messages than some feeds have in a page, as far as a consumer may hold them. */
export async function subscribeToSeveralPages(
  trial: Trial,
  options: SubscribeOptions = {},
): Promise<Consumer> {
  const prefetch = prefetchUpTo(trial.profile, SEVERAL)
  const queue = await trial.createQueue()
  await sendAsMany(trial, queue, Math.min(SEVERAL, prefetch))
  return trial.subscribe(queue, { ...options, prefetch })
}

/** Reads a consumer's feed. @returns the addresses of its pages after the first */
export async function furtherPages(trial: Trial, consumer: Consumer): Promise<string[]> {
  await consumer.read()
  const { pages } = await trial.readFeed(consumer.uri, 'consume.feed')
  return pages.slice(1).map(({ url }) => url)
}

/** Expects that what were pages of a consumer's feed show no message any more. */
export async function expectNoPages(trial: Trial, pages: readonly string[]): Promise<void> {
  for (const uri of pages) {
    const answer = await trial.target.request('GET', uri)
    const shows = succeeded(answer) && entriesIn(trial, answer).length > 0
    trial.expect(!shows, 'no message in a further page of the feed that has ended', answered(answer))
  }
}
