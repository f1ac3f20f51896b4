import { SERVER_READERS } from '../check-options.js'
import { type ClientRule, readJudgeOptions } from '../control/client/rules.js'
import type { Dialect } from '../control/dialects/dialects.js'
import type { FaultSpec } from '../control/faults/fault.js'
import { type Given, type Readers, readMembers, readWhole, wrong } from '../control/input/read.js'
import type { ServerOptions } from '../options.js'
import {
  type Attempt,
  type AttemptOptions,
  attempt,
  type ChaosTest,
  type Failure,
  type Plain,
} from './attempt.js'
import { makePlan, NO_PLAN, type Plan, shapesOf, smallerPlans } from './plan.js'
import { storyOfFinding } from './story.js'

/**
 * How {@link chaos} goes about it; everything has a default.
 *
 * @example
 * ```ts
 * const options: ChaosOptions = { runs: 20, seed: 7, server: { queues: ['orders'] } }
 * ```
 */
export interface ChaosOptions {
  /** How many plans are tried; 100 unless given. */
  readonly runs?: number | undefined
  /** Which plans: the same seed means the same ones. 1 unless given. */
  readonly seed?: number | undefined
  /** How many runs go on at the same time, each with a server of its own; 16 unless given, 1 for a test that shares something. */
  readonly concurrency?: number | undefined
  /** How long a run may take, in milliseconds; 10,000 unless given. */
  readonly timeout?: number | undefined
  /** How long a slow answer is held back, in milliseconds; 300 unless given. */
  readonly slow?: number | undefined
  /**
   * What each server is started with: queues, a seed, who may do what; a dialect, where feeds are not to be told in others. No
   * port, no broker and no manual clock.
   */
  readonly server?: ServerOptions | undefined
  /** Rules for clients that are not looked at. */
  readonly ignore?: readonly ClientRule[] | undefined
}

/** The largest of each number, far beyond what makes sense. */
export const LARGEST = 1_000_000

const readNumber = (given: Given) => readWhole(given, 1, LARGEST)

/** How each option is read; what comes of it is not kept. */
const READERS: Readers<Record<keyof ChaosOptions, unknown>> = {
  runs: readNumber,
  seed: readNumber,
  concurrency: readNumber,
  timeout: readNumber,
  slow: readNumber,
  server: (given) => {
    readMembers(given, {
      ...SERVER_READERS,
      port: (port) => {
        if (port.value !== 0) wrong(port, '0: each run has a server of its own, at a free port')
      },
      broker: (broker) => wrong(broker, 'absent: each run has a broker of its own'),
      clock: (clock) => {
        if (
          clock.value === 'manual' ||
          typeof (clock.value as { advance?: unknown })?.advance === 'function'
        ) {
          wrong(clock, '"system", or a clock that goes on by itself: a delay would never end')
        }
        SERVER_READERS.clock(clock)
      },
    })
  },
  ignore: ({ value }) => readJudgeOptions({ ignore: value }),
}

/**
 * What {@link chaos} has found: the smallest plan that shows it.
 *
 * @example
 * ```ts
 * const faults = ({ plan }: ChaosFinding) => plan.length
 * ```
 */
export interface ChaosFinding {
  /** What went wrong, as the test or the verdict on the client tells it. */
  readonly failures: readonly string[]
  /** What went wrong on purpose; nothing where the run without faults shows it. */
  readonly plan: readonly FaultSpec[]
  /** How feeds were written. */
  readonly dialect: Dialect
  /** What was asked, as a scenario: text that the kit carries out at any server, and judges. */
  readonly scenario: string
  /** The number of the run in which it came up first, from 1; 0 for the run without faults. */
  readonly run: number
  /** Faults, exchanges and messages as a text of some lines. */
  readonly story: string
}

/**
 * What came of a {@link chaos} in which nothing was found.
 *
 * @example
 * ```ts
 * const test = (mq: RunningServer) => fetch(`${mq.url}/queues/orders`).catch(() => {})
 * const report: ChaosReport = await chaos(test, { runs: 2, server: { queues: ['orders'] } })
 * report.runs    // 2
 * ```
 */
export interface ChaosReport {
  /** How many plans were tried. */
  readonly runs: number
  readonly seed: number
  /** How many faults have fired in all. */
  readonly faults: number
}

/**
 * Thrown by {@link chaos}: its message is the story.
 *
 * @example
 * ```ts
 * try {
 *   await chaos(() => { throw new Error('no') }, { runs: 1 })
 * } catch (error) {
 *   if (error instanceof ChaosError) console.log(error.finding.story)
 * }
 * ```
 */
export class ChaosError extends Error {
  override readonly name = 'ChaosError'
  readonly finding: ChaosFinding

  constructor(finding: ChaosFinding) {
    super(finding.story)
    this.finding = finding
  }
}

/**
 * Runs a test of an application again and again, each time with other faults, made for the requests that it makes: lost answers,
 * broken connections, 503, slow answers, leases that end, messages that come twice,
 * feeds in another dialect where `server` names none. Each run has a server of its own at real time.
 * It is judged by the test itself, by the verdict on its clients, and by its messages: none is lost, none is there twice, and none
 * is handled twice without having come twice. The first plan that shows something is made as small as possible.
 *
 * @throws ChaosError, whose message tells what was found, and how to see it again
 * @throws Problem `malformed-request`, where a server cannot be started so, or an option is none
 *
 * @example
 * ```ts
 * const order = async (mq: RunningServer) => {
 *   const send = () => fetch(`${mq.url}/queues/orders?guid=1`, { method: 'POST', body: 'a hat' }).then(({ status }) => status)
 *   for (let tries = 5; tries > 0; tries--) {
 *     if ((await send().catch(() => 0)) === 200) break
 *     await new Promise((resolve) => setTimeout(resolve, 1000))
 *   }
 *   mq.messages.expect({ body: 'a hat' }, 1)
 * }
 * await chaos(order, { runs: 3, server: { queues: ['orders'] } })
 * ```
 */
export async function chaos(test: ChaosTest, options: ChaosOptions = {}): Promise<ChaosReport> {
  const { report, finding } = await search(test, options)
  if (finding !== undefined) throw new ChaosError(finding)
  return report
}

/** {@link chaos}, without throwing what it has found. */
export async function search(
  test: ChaosTest,
  options: ChaosOptions,
): Promise<{ readonly report: ChaosReport; readonly finding: ChaosFinding | undefined }> {
  readMembers({ value: options, at: '' }, READERS)
  const {
    runs = 100,
    seed = 1,
    concurrency = 16,
    timeout = 10_000,
    slow = 300,
    server = {},
    ignore = [],
  } = options
  const how: AttemptOptions = { server, timeout, ignore }
  const plain = await attempt(test, NO_PLAN, 0, how)
  const report = (tried: number, faults: number): ChaosReport => ({ runs: tried, seed, faults })
  if (plain.failures.length > 0) return { report: report(0, 0), finding: findingOf(NO_PLAN, 0, plain, seed) }
  const shapes = shapesOf(plain.entries)
  const dialects = server.dialect === undefined ? undefined : []
  const again = await attempt(test, NO_PLAN, 0, how)
  const stable: Plain = {
    sent: inBoth(plain.sent, again.sent),
    handled: inBoth(plain.handled, again.handled),
  }
  let next = 1
  let fired = 0
  const failed: Found[] = []
  const work = async () => {
    while (next <= runs && failed.length === 0) {
      const run = next++
      const plan = makePlan(shapes, seed * 1_000_003 + run, slow, dialects)
      const found = await attempt(test, plan, run, how, stable)
      fired += found.fired
      if (found.failures.length > 0) failed.push({ run, plan, found })
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  const [first] = failed.sort((one, other) => one.run - other.run)
  if (first === undefined) return { report: report(runs, fired), finding: undefined }
  const { run, plan, found } = await shrink(test, first, how, stable)
  return { report: report(next - 1, fired), finding: findingOf(plan, run, found, seed) }
}

/** How many runs are made to find a smaller plan. */
const MOST_TRIES = 20

interface Found {
  readonly run: number
  readonly plan: Plan
  readonly found: Attempt
}

/** The smallest plan that fails for the same reason. */
async function shrink(test: ChaosTest, first: Found, how: AttemptOptions, plain: Plain): Promise<Found> {
  const wanted = (first.found.failures[0] as Failure).kind
  const { run } = first
  let smallest = first
  let plans = smallerPlans(first.plan)
  for (let left = MOST_TRIES; left > 0; left--) {
    const plan = plans.shift()
    if (plan === undefined) break
    const found = await attempt(test, plan, run, how, plain)
    if (!found.failures.some(({ kind }) => kind === wanted)) continue
    smallest = { run, plan, found }
    plans = smallerPlans(plan)
  }
  return smallest
}

function findingOf(plan: Plan, run: number, found: Attempt, seed: number): ChaosFinding {
  return {
    failures: found.failures.map(({ text }) => text),
    plan: plan.faults,
    dialect: plan.dialect,
    scenario: found.scenario,
    run,
    story: storyOfFinding({ plan, run, seed, ...found }),
  }
}

/** What was alike in two runs without faults; what is made by chance is not. */
function inBoth(one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>): Map<string, number> {
  return new Map([...one].filter(([key, count]) => other.get(key) === count))
}
