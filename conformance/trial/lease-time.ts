import type { Entry } from '../client/entry.js'
import { Blocked, Failed, Inconclusive } from '../client/findings.js'
import { sureLength } from './lease-watch.js'
import { needRoom, readBodies } from './reading.js'
import type { Consumer, QueueHandle, Sent, SubscribeOptions, Trial } from './trial.js'
import { whileMoreCome } from './waiting.js'

/** When to ask whether a lease has ended, in parts of the grace after its due end. */
const ASK_AT = [0.05, 0.3, 0.65, 1] as const

/**
 * Up to this moment a lease cannot have ended on any reading of the document, the strictest being that it is
 * counted from the creation of the subscription, or from `began`. In milliseconds of `trial.now()`.
 */
export function earliestExpiry(consumer: Consumer, began = consumer.createdAt): number {
  return began + sureLength(consumer.lease)
}

/**
 * When the lease of a consumer that nobody asks for anything from now on has ended on any reading, grace aside:
 * the latest reading being that whatever was asked last has renewed it.
 */
export function latestExpiry(trial: Trial, consumer: Consumer): number {
  return trial.now() + consumer.lease
}

/** Lets time pass until `moment`; not at all where it is past. */
export async function elapseUntil(trial: Trial, moment: number, now = trial.now()): Promise<void> {
  if (moment > now) await trial.elapse(moment - now)
}

/** The same, until it is past for the target too, whose clock may stand still while the check works. */
export function elapsePast(trial: Trial, moment: number): Promise<void> {
  return elapseUntil(trial, moment, trial.surelyNow())
}

/** Lets time pass until a lease with this due end has ended, unless the target is late. */
export function elapsePastEnd(trial: Trial, end: number): Promise<void> {
  return elapsePast(trial, end + ASK_AT[0] * trial.timing.leaseGrace)
}

/**
 * Ends the check as inconclusive where the lease of `consumer`, counted from its creation or from `began`, may have ended before
 * its time to be judged came.
 */
export function needActive(trial: Trial, consumer: Consumer, began = consumer.createdAt): void {
  const now = trial.now()
  if (now > earliestExpiry(consumer, began)) {
    const [took, sure] = [now - began, sureLength(consumer.lease)].map(Math.round)
    trial.inconclusive(
      `the lease of ${consumer.uri} (${consumer.lease} ms) may have ended meanwhile: the answers came after ${took} ms, and ${sure} ms are sure`,
    )
  }
}

/**
 * Does something that needs the consumer's lease, after time has passed. Where it goes wrong when that lease, which
 * the target may have chosen, may be over, the check is inconclusive.
 */
export async function whileActive<T>(trial: Trial, consumer: Consumer, act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    needActive(trial, consumer)
    throw error
  }
}

/** A consumer with a short lease that has read, and so holds, some messages. */
export interface Holding {
  readonly holder: Consumer
  readonly messages: readonly Sent[]
  /** In the order of `messages`. */
  readonly entries: readonly Entry[]
  /** Its {@link latestExpiry}, where nobody asks for anything of it. */
  readonly end: number
}

/** Sends `count` messages to a queue without consumers, and has one with a short lease read them. */
export async function holdForAShortLease(
  trial: Trial,
  queue: QueueHandle,
  count: number,
  options: SubscribeOptions = {},
): Promise<Holding> {
  const messages = await trial.sendMany(queue, count)
  const holder = await trial.subscribe(queue, { lease: 'short', ...options })
  const entries = await holder.receive(messages)
  return { holder, messages, entries, end: latestExpiry(trial, holder) }
}

/**
 * Does with brief leases what takes their time, and again with short ones where nothing good came of that: a target may grant none
 * so brief, keep to none, or be too slow for them.
 */
export async function withBriefLeases<T>(
  trial: Trial,
  act: (lease: 'short' | 'brief') => Promise<T>,
  isGood: (found: T) => boolean,
): Promise<T> {
  const { lease, briefLease } = trial.timing
  if (trial.profile.clock === undefined && briefLease < lease) {
    try {
      const found = await act('brief')
      if (isGood(found)) return found
    } catch (error) {
      if (!(error instanceof Blocked || error instanceof Inconclusive)) throw error
    }
  }
  return act('short')
}

/** The leases with which it is judged whether one ends too early. */
export type EarlyLease = 'short' | 'ample'

/**
 * Judges with short leases that one does not end too early, and where it does again with ample ones: a target that keeps the ends
 * of leases in whole seconds may end each up to a second early.
 */
export async function exceptForASecond(
  trial: Trial,
  judge: (lease: EarlyLease) => Promise<void>,
): Promise<void> {
  const { lease, ampleLease } = trial.timing
  try {
    await judge('short')
  } catch (error) {
    const isTooEarly = error instanceof Failed || error instanceof Blocked
    if (!isTooEarly || ampleLease <= lease) throw error
    await judge('ample')
  }
}

/** Who takes over from a consumer whose lease ends. */
export interface Successor {
  consumer: Consumer
  /** Subscribes anew where the successor's own lease, which may be the target's choice, is over too. */
  readonly again?: () => Promise<Consumer>
}

/** Subscribes to a queue when a lease has ended. */
export async function successorAfter(
  trial: Trial,
  queue: QueueHandle,
  end: number,
  lease: SubscribeOptions['lease'] = 'long',
): Promise<Successor> {
  await elapsePastEnd(trial, end)
  return { consumer: await trial.subscribe(queue, { lease }), again: () => trial.subscribe(queue, { lease }) }
}

/**
 * Has the successor read until it has seen each of `messages`: from the due end of the other's lease through the
 * grace, and then until the timeout.
 *
 * @param onReading is given the bodies of each reading
 * @returns the messages that the successor was never shown
 */
export async function takeOver(
  trial: Trial,
  successor: Successor,
  messages: readonly Sent[],
  end: number,
  onReading: (bodies: string[]) => void = () => {},
): Promise<Sent[]> {
  needRoom(trial, [successor.consumer], messages.length)
  const seen = new Set<string>()
  const lacking = () => messages.filter((message) => !seen.has(message.text))
  let watchedUntil = 0
  const renews = trial.profile.subscription.renewedBy.includes('read')
  const look = async () => {
    const { createdAt } = successor.consumer
    const began = renews ? Math.max(createdAt, watchedUntil) : createdAt
    if (trial.now() > earliestExpiry(successor.consumer, began)) {
      if (successor.again === undefined) return true
      // Until a target notices that its lease is over, what it is bound would come to nobody.
      await trial.target.request('DELETE', successor.consumer.uri)
      successor.consumer = await successor.again()
    }
    const asked = trial.surelyNow()
    const bodies = await whileActive(trial, successor.consumer, () => readBodies(trial, successor.consumer))
    watchedUntil = asked
    onReading(bodies)
    for (const body of bodies) seen.add(body)
    return lacking().length === 0 ? true : undefined
  }
  for (const part of ASK_AT) {
    await elapsePast(trial, end + part * trial.timing.leaseGrace)
    if (await look()) break
  }
  if (lacking().length > 0) await whileMoreCome(trial, () => messages.length - lacking().length, look)
  if (lacking().length > 0 && watchedUntil < end + trial.timing.leaseGrace) {
    const why = 'the lease of the waiting consumer ended before that of the first surely had'
    if (trial.profile.subscription.parameters.timeout === null)
      trial.notApplicable(`${why}: the target chose both`)
    trial.inconclusive(why)
  }
  return lacking()
}
