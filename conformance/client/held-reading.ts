import type { Contact } from './contact.js'
import { type Meeting, Newcomer } from './newcomer.js'
import { deriveTiming, type Timing } from './timing.js'

/** What is held for longer is taken for not answered: milliseconds. */
const LONGEST = 35_000
/** What takes no longer is not held, but answered: milliseconds, and latencies. */
const AT_ONCE = 300
const LATENCIES = 10

/** The timing of a target, from what was measured of it at first contact, and how long it holds readings. */
export async function measureTiming(
  { latency, answers }: Pick<Contact, 'latency' | 'answers'>,
  meeting: Meeting,
): Promise<Timing> {
  const held = answers ? await heldReading(meeting, latency) : 0
  return deriveTiming(meeting.profile, latency, held)
}

/**
 * For how long a target holds an empty reading of a subscription until it answers, although nobody has asked it to, as some do
 * until a message comes: milliseconds. 0 where it answers at once, or what it takes to read cannot be done; that is for the checks.
 *
 * @param latency milliseconds from request to answer, as measured
 */
export async function heldReading(meeting: Meeting, latency: number): Promise<number> {
  const newcomer = new Newcomer(meeting, LONGEST)
  try {
    const path = newcomer.freshName()
    const { uri } = await newcomer.create(path)
    const subscription = uri === undefined ? undefined : (await newcomer.subscribe({ path, uri })).uri
    if (subscription === undefined) return 0
    const feed = await newcomer.feed(subscription, 'consume.feed')
    if (typeof feed === 'string') return 0
  } catch {
    return 0
  } finally {
    await newcomer.end()
  }
  const readings = newcomer.target.exchanges.filter(({ method }) => method === 'GET')
  const took = Math.max(...readings.map(({ sentAt, receivedAt }) => receivedAt - sentAt))
  return took > Math.max(AT_ONCE, LATENCIES * latency) ? took : 0
}
