import { Buffer } from './bytes.js'
import type { Exchange } from './exchange.js'
import type { HttpClient } from './http-client.js'
import { retryAfter } from './pace.js'
import type { Profile } from './profile.js'
import { sleep } from './stops.js'
import { IDLE } from './transport.js'

/**
 * Nothing takes a connection at the target's address; the message is one sentence.
 *
 * @example
 * ```ts
 * const refused = await runConformance('http://127.0.0.1:1').report.catch((error: unknown) => error)
 * refused instanceof Unreachable    // true
 * ```
 */
export class Unreachable extends Error {
  override readonly name = 'Unreachable'
}

/** An unresponsive target's answers are waited for no longer than this: milliseconds. */
const NO_ANSWER = 3000
const ANSWER = 5000
/** How long the first answer may take: milliseconds. */
const FIRST_ANSWER = 5000
const IN_TURN = 4
/** So many readings at once tell how many of them a target takes. */
const CROWD = 16
/** Of a target that is near. */
const JOBS = 8
const MOST_JOBS = 96
/**
 * Some servers hold a worker for each connection that is open, and give it to another after a while: with more connections than workers
 * each answer takes that while. So it is where these at once are answered so slowly, in milliseconds, and so many times sooner by fewer.
 */
const SLOW = 100
const SOONER = 3
const FEWER = [8, 4, 2]
/** So often in a row all of them are taken. */
const SURE = 3
/** Who is to come again later than this is told so for the pace: milliseconds. */
const LATEST = 5000
/** A target that answers later is not asked for so many readings: milliseconds. */
const QUICK = 300
/** Up to this latency a target is near: milliseconds. */
const NEAR = 20
/** A target that is so many times slower when it is asked by several at once has enough to do. */
const BUSY = 2.5

/** What was found out before the checks. */
export interface Contact {
  /** A high quantile of the time from request to answer: milliseconds. */
  readonly latency: number
  /** How many checks at once the target bears: more than usual of one that is far away, and busy with nothing else. */
  readonly jobs: number
  /** Whether it answered at all. */
  readonly answers: boolean
}

/** How long one answer of a target is waited for, by what was found out before: milliseconds. */
export function longestAnswer({ latency, answers }: Pick<Contact, 'latency' | 'answers'>): number {
  return answers ? Math.max(ANSWER, 20 * latency) : NO_ANSWER
}

/**
 * Asks for the root listing: once, some times in turn, and then as often at once as checks will, and
 * takes the slowest answer but the first, which also had to connect.
 *
 * @throws {Unreachable} where no connection can be made
 */
export async function makeContact(
  baseUrl: string,
  profile: Profile,
  client: HttpClient,
  jobs: number | undefined,
  signal?: AbortSignal,
): Promise<Contact> {
  const ask = (patient = true) =>
    client.send({
      patient,
      method: 'GET',
      url: `${baseUrl}/queues`,
      headers: profile.headers,
      body: Buffer.alloc(0),
      timeout: FIRST_ANSWER,
      signal,
    })
  const greeting = await ask()
  if (!greeting.connected && !signal?.aborted)
    throw new Unreachable(`nothing answers at ${baseUrl}: ${greeting.error}`)
  if (greeting.status === 0) return { latency: 0, jobs: jobs ?? JOBS, answers: false }
  const alone = []
  for (let turn = 0; turn < IN_TURN; turn++) alone.push(await ask())
  // Some servers take no connection while another is open, even if nothing is asked on it.
  const isHeldUp = async () => latencyOf(await Promise.all([ask(), ask()])) > 0.9 * IDLE
  if (latencyOf(alone) < IDLE / 2 && (await isHeldUp()) && (await isHeldUp())) client.transport.keepNone()
  const isSure = client.pace.requestsPerSecond === undefined && !alone.some(isTooMany)
  if (isSure && latencyOf(alone) < QUICK)
    client.turns.limit(await mostAtOnce(() => ask(false), latencyOf(alone)))
  // Connections for all are made first: making one takes as long as an answer of a target that is far away.
  else if (latencyOf(alone) > NEAR) await Promise.all(Array.from({ length: jobs ?? JOBS }, () => ask()))
  const together = async () => latencyOf(await Promise.all(Array.from({ length: jobs ?? JOBS }, () => ask())))
  const [near, first] = [latencyOf(alone), await together()]
  // What takes its time once may be the machine's, or the way's.
  const far = near > NEAR && first > BUSY * near ? Math.min(first, await together()) : first
  const usual = jobsFor(near, far, client)
  if (usual > JOBS) client.transport.allow(usual)
  return { latency: Math.max(near, far), jobs: jobs ?? usual, answers: true }
}

/** How many requests at once are answered, where more are refused, and as many in turn are not; or are answered much sooner. */
async function mostAtOnce(ask: () => Promise<Exchange>, alone: number): Promise<number> {
  const answers = (count: number) => Promise.all(Array.from({ length: count }, ask))
  const soonest = async () => {
    let all = latencyOf(await answers(CROWD))
    const isSoon = () => all < SLOW || all < SOONER * alone
    // What takes its time once may be the machine's.
    if (!isSoon()) all = Math.min(all, latencyOf(await answers(CROWD)))
    if (isSoon()) return Number.POSITIVE_INFINITY
    for (const few of FEWER) {
      // What has more connections than these is still held up by the others.
      await answers(few)
      if (few / latencyOf(await answers(few)) <= (SOONER * CROWD) / all) continue
      // Where all of them are answered soon now, it was the way there that was held up.
      const again = latencyOf(await answers(CROWD))
      return again >= SLOW && again >= SOONER * alone ? few : Number.POSITIVE_INFINITY
    }
    return Number.POSITIVE_INFINITY
  }
  // Those that also have to connect do not come at once.
  await answers(CROWD)
  for (let [most, taken] = [CROWD, 0]; ; ) {
    const refusals = (await answers(most)).filter(isTooMany)
    if (refusals.length > 0 && most === CROWD && (await isOfPace(ask, refusals)))
      return Number.POSITIVE_INFINITY
    if (refusals.length === 0) {
      if (most === CROWD) return soonest()
      // On a busy machine they may not have come at once.
      taken += 1
      if (taken === SURE) return most
    } else {
      if (most === 1) return most
      most = Math.max(1, most - refusals.length)
      taken = 0
    }
  }
}

/** Whether requests at once were refused for how many came in some time. */
async function isOfPace(ask: () => Promise<Exchange>, refusals: readonly Exchange[]): Promise<boolean> {
  const later = Math.max(...refusals.map((refusal) => retryAfter(refusal) ?? 0))
  if (later > LATEST) return true
  await sleep(later)
  for (let turn = 0; turn < CROWD; turn++) if (isTooMany(await ask())) return true
  return false
}

function isTooMany({ status }: Exchange): boolean {
  return status === 429 || status === 503
}

function latencyOf(samples: readonly Exchange[]): number {
  return Math.max(...samples.map(({ sentAt, receivedAt }) => receivedAt - sentAt))
}

function jobsFor(alone: number, together: number, client: HttpClient): number {
  const pace = client.pace.requestsPerSecond
  // Nobody waits for more answers at once than the pace lets come.
  if (pace !== undefined) return Math.max(1, Math.min(JOBS, Math.ceil((pace * Math.max(alone, 50)) / 1000)))
  if (alone <= NEAR || together > BUSY * alone) return JOBS
  return Math.min(MOST_JOBS, Math.ceil((JOBS * alone) / NEAR))
}
