import type { Entry } from '../client/feed.js'
import { lackOfPrefetch } from '../client/subscription-request.js'
import type { Consumer, Sent, Trial } from './trial.js'
import { noneLacking, shownForGood, whileMoreCome } from './waiting.js'

/** The bodies in a consumer's feed now, as many times as they are there. */
export async function readBodies(trial: Trial, consumer: Consumer): Promise<string[]> {
  return trial.bodies(await consumer.read())
}

/** Readings of one feed one after another, each as its entries. */
export async function readTimes(consumer: Consumer, times: number): Promise<Entry[][]> {
  const readings: Entry[][] = []
  for (let i = 0; i < times; i++) readings.push(await consumer.read())
  return readings
}

/**
 * Reads the feeds of `consumers`, side by side, until each of `messages` was in one of them or no more come.
 * @returns the messages that were in none
 */
export async function missing(
  trial: Trial,
  consumers: readonly Consumer[],
  messages: readonly Sent[],
): Promise<Sent[]> {
  needRoom(trial, consumers, messages.length)
  const seen = new Set<string>()
  const lacking = () => messages.filter((message) => !seen.has(message.text))
  await whileMoreCome(
    trial,
    () => messages.length - lacking().length,
    async () => {
      for (const bodies of await Promise.all(consumers.map((consumer) => readBodies(trial, consumer)))) {
        for (const body of bodies) seen.add(body)
      }
      return noneLacking(trial, lacking())
    },
  )
  if (lacking().length === 0) await shownForGood(trial, consumers)
  return lacking()
}

/** Ends the check as not applicable, or inconclusive where the prefetch is unknown, where so many messages are more than these consumers may hold at once. */
export function needRoom(trial: Trial, consumers: readonly Consumer[], count: number): void {
  const room = consumers.reduce((sum, { prefetch }) => sum + prefetch, 0)
  // What a check itself has made small is its question.
  const { maxPrefetch } = trial.profile.subscription
  if (count > room && consumers.every(({ prefetch }) => prefetch === maxPrefetch)) {
    throw lackOfPrefetch(
      trial.profile,
      `it needs ${count} messages at once, and the most that the target grants is ${room}`,
    )
  }
}

/** What is in one list more than once. */
export function repeated(bodies: readonly string[]): string[] {
  return [...new Set(bodies.filter((body, i) => bodies.indexOf(body) !== i))]
}

/** Below so many latencies a lease is too short for a check to look twice at what must not happen. */
const LATENCIES_TO_LOOK_TWICE = 20

/**
 * Asks, as `trial.never` does, whether something that must not happen has happened, once only where the
 * consumer's lease, which the target may have chosen, would hardly outlast a second look.
 */
export async function never<T>(
  trial: Trial,
  consumer: Consumer,
  probe: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const { latency, held, settle } = trial.timing
  const hurried = consumer.lease < LATENCIES_TO_LOOK_TWICE * latency + 2 * held && settle === 0
  return hurried ? probe() : trial.never(probe)
}
