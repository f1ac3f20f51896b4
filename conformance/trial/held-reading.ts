import type { Contact } from '../client/contact.js'
import type { HttpClient } from '../client/http-client.js'
import { HttpTarget } from '../client/http-target.js'
import type { Profile } from '../client/profile.js'
import { randomDigits } from '../client/random.js'
import type { RunClock } from '../client/run-clock.js'
import { CheckTrial } from './check-trial.js'
import { deriveTiming } from './timing.js'
import type { Timing } from './trial.js'

export interface HeldReadingOptions {
  readonly baseUrl: string
  readonly profile: Profile
  readonly client: HttpClient
  readonly clock: RunClock
  /** Milliseconds from request to answer, as measured. */
  readonly latency: number
  readonly signal: AbortSignal
  /** Told of each target in which a trial of no check remembers what it asks. */
  readonly onFirstTrial?: (target: HttpTarget) => void
}

/** What is held for longer is taken for not answered: milliseconds. */
const LONGEST = 35_000
/** What takes no longer is not held, but answered: milliseconds, and latencies. */
const AT_ONCE = 300
const LATENCIES = 10

/** A trial of no check, in which a target is got to know. @param answerTimeout milliseconds for one answer */
export function firstTrial(options: HeldReadingOptions, answerTimeout: number): CheckTrial {
  const { baseUrl, profile, client, clock, latency, signal } = options
  const target = new HttpTarget({ baseUrl, profile, client, answerTimeout, signal })
  options.onFirstTrial?.(target)
  return new CheckTrial({
    profile,
    timing: deriveTiming(profile, latency),
    target,
    clock,
    targetClock: undefined,
    foreignLeases: true,
    prefix: `kit-first-${randomDigits()}`,
    signal,
    idle: (wait) => wait(),
    yieldPermit: (wait) => wait(),
  })
}

/** The timing of a target, from what was measured of it at first contact, and how long it holds readings. */
export async function measureTiming(
  { latency, answers }: Pick<Contact, 'latency' | 'answers'>,
  options: Omit<HeldReadingOptions, 'latency'>,
): Promise<Timing> {
  const held = answers ? await heldReading({ ...options, latency }) : 0
  return deriveTiming(options.profile, latency, held)
}

/**
 * For how long a target holds an empty reading of a subscription until it answers, although nobody has asked it to, as some do
 * until a message comes: milliseconds. 0 where it answers at once, or what it takes to read cannot be done; that is for the checks.
 */
export async function heldReading(options: HeldReadingOptions): Promise<number> {
  const { latency } = options
  const trial = firstTrial(options, LONGEST)
  const { target } = trial
  try {
    const queue = await trial.createQueue()
    const consumer = await trial.subscribe(queue)
    await consumer.read()
    for (const { uri } of [consumer, queue]) await target.request('DELETE', uri)
  } catch {
    return 0
  }
  const readings = target.exchanges.filter(({ method }) => method === 'GET')
  const took = Math.max(...readings.map(({ sentAt, receivedAt }) => receivedAt - sentAt))
  return took > Math.max(AT_ONCE, LATENCIES * latency) ? took : 0
}
