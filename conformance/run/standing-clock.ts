import { setTimeout as delay } from 'node:timers/promises'
import { timesIn } from '../client/answered.js'
import type { Trial } from '../trial/trial.js'

/** Milliseconds after which a clock that tells whole seconds tells another one. */
const A_WHILE = 1500
/** Milliseconds by which times that are told of one moment may differ: that of making both, in whole seconds. */
const ABOUT = 1100

/** What is said of a check that needs time to pass where none does. */
export const CLOCK_STANDS = `the target's clock stands still: what it did ${A_WHILE} ms apart bears the same time`

/** What is said of it where the requests of the profile succeed that should move the clock, and move nothing. */
export const CLOCK_IS_NOT_MOVED =
  "the target's clock is not moved by clock.advance: a lease ended after its time by the kit's clock, and not after as much of an advance"

/** Longest lease that is waited for by the kit's clock, in milliseconds. */
const WAITED_FOR = 10_000

/**
 * Whether the clock of a run's target stands still, as that of a mock broker may, or is not moved by what the profile says moves it.
 * It is asked until it is known.
 */
export class StandingClock {
  #isKnown = false
  #found: string | undefined

  /**
   * Checks that fail at once ask for themselves: one that waited for another would keep the clock from moving.
   *
   * @param trial of a check that has failed
   * @returns what is to be said of it
   */
  async foundBy(trial: Trial): Promise<string | undefined> {
    if (this.#isKnown) return this.#found
    const [asks, said] =
      trial.profile.clock === undefined ? [tellsOneTime, CLOCK_STANDS] : [isNotMoved, CLOCK_IS_NOT_MOVED]
    const isSo = await asks(trial).catch(() => false)
    this.#isKnown = true
    this.#found = isSo ? said : undefined
    return this.#found
  }
}

/** A lease that never ends says nothing of the clock. One that ends by the kit's clock alone says that the other does not count. */
async function isNotMoved(trial: Trial): Promise<boolean> {
  const consumer = await trial.subscribe(await trial.createQueue(), { lease: 'short' })
  if (consumer.lease > WAITED_FOR) return false
  const isOver = async () => (await consumer.get()).status >= 400
  const length = consumer.lease + trial.timing.leaseGrace
  // Each reading may begin it anew: one that was never read may have no end, which is a fault of its own.
  for (let times = 0; times < 2; times++) {
    await trial.elapse(length)
    if (await isOver()) return false
  }
  await delay(length)
  return isOver()
}

/** What a target tells of the time at one moment. */
interface Told {
  /** Of a message that it was sent just now, as written. */
  readonly sent: string
  /** The field `Date` of its answer, as written; undefined where it has none. */
  readonly date: string | undefined
  /** Whether it tells the end of a lease that begins now as the length of the lease after that. */
  readonly tellsEnd: boolean
}

/**
 * A target may as well write one fixed time wherever a feed needs one. Its clock stands only where a second sign says so: its `Date`
 * stands, too, or it tells ends of leases, and these follow from the time that stands.
 */
async function tellsOneTime(trial: Trial): Promise<boolean> {
  const before = await told(trial)
  await trial.elapse(A_WHILE)
  const after = await told(trial)
  if (before === undefined || before.sent !== after?.sent) return false
  return (before.date !== undefined && before.date === after.date) || (before.tellsEnd && after.tellsEnd)
}

async function told(trial: Trial): Promise<Told | undefined> {
  const queue = await trial.createQueue()
  await trial.send(queue)
  const feed = await trial.eventually(async () => {
    const read = await trial.browse(queue)
    return read.entries.length === 0 ? undefined : read
  })
  if (feed === undefined) return undefined
  const sent = feed.entries[0]!.updated
  if (sent === '') return undefined
  const consumer = await trial.subscribe(queue)
  const reading = await consumer.get()
  const end = Date.parse(sent) + consumer.lease
  const tellsEnd = timesIn(reading).some((time) => Math.abs(time - end) < ABOUT)
  await consumer.endIfActive()
  return { sent, date: feed.pages[0]!.headers.date, tellsEnd }
}
