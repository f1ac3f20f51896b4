import { checks as allChecks } from './checks/index.js'
import { baseUrlOf } from './client/base-url.js'
import { longestAnswer, makeContact } from './client/contact.js'
import { Credentials } from './client/credentials.js'
import { deleteQueues } from './client/delete-queues.js'
import type { Failed } from './client/findings.js'
import { measureTiming } from './client/held-reading.js'
import { HttpClient } from './client/http-client.js'
import { HttpTarget } from './client/http-target.js'
import { type Fetch, InProcess } from './client/in-process.js'
import { Leftovers } from './client/leftovers.js'
import type { Meeting } from './client/newcomer.js'
import { Pace } from './client/pace.js'
import { DEFAULT_PROFILE } from './client/parse-profile.js'
import { type Feature, type Profile, unknownFeature } from './client/profile.js'
import { RunClock } from './client/run-clock.js'
import { RunMemory } from './client/run-memory.js'
import { Sockets } from './client/sockets.js'
import { TargetClock } from './client/target-clock.js'
import { whyNotJudged } from './client/tell-apart.js'
import { CHECK_TIMEOUT } from './client/timing.js'
import { findUnclaimed } from './probe/unclaimed.js'
import { Faults, isUnexpected } from './report/faults.js'
import { emptyReport, makeReport } from './report/make-report.js'
import { Redactor } from './report/redactor.js'
import type { CheckResult, Report } from './report/result.js'
import { isBroken, resultStatus } from './report/verdicts.js'
import { type Attempt, attemptCheck, kitError } from './run/attempt.js'
import { makeResult } from './run/make-result.js'
import { Arrivals } from './run/other-arrival.js'
import { makePlan, type Plan } from './run/plan.js'
import { type Finding, Runner } from './run/runner.js'
import { Stalls } from './run/stalls.js'
import { StandingClock } from './run/standing-clock.js'
import type { Check } from './trial/check.js'

/**
 * How a run is made; everything has a default.
 *
 * @example
 * ```ts
 * const options: ConformanceOptions = { only: ['send.*'], strict: true }
 * ```
 */
export interface ConformanceOptions {
  /** What the target is and claims; default: the reference's ways, the primary mapping with its optional parts. */
  readonly profile?: Profile
  /** Globs of check ids; none means all. */
  readonly only?: readonly string[]
  readonly skip?: readonly string[]
  /** Whether what the document leaves open counts too. */
  readonly strict?: boolean
  /** Checks at once; by default as many as the target bears, from 8 on. */
  readonly jobs?: number
  /** Milliseconds of its own activity that a check may take; default 30,000. */
  readonly timeout?: number
  /**
   * Seconds. What a server has to remember (guids, addresses, acknowledgements) is sent when a run begins, and asked
   * about again when nothing else is left to be asked, so many seconds later at least; default: longer than a lease, and more than a
   * minute where the kit moves the target's clock.
   */
  readonly remember?: number
  /** Whether checks that passed keep their exchanges too. */
  readonly keepExchanges?: boolean
  /** Whether the queues that the run makes are left on the target; otherwise they are deleted at its end. */
  readonly keepQueues?: boolean
  /** Origins beside the target's own that are sent the profile's headers where an answer of the target leads there. */
  readonly origins?: readonly string[]
  /**
   * Answers in this process in the place of a server: `fetch` of a handler. `url` is then the base URL that it answers for.
   * Checks that only a socket can carry are not applicable.
   */
  readonly fetch?: Fetch
  /** Stops the run: checks not finished by then are inconclusive. */
  readonly signal?: AbortSignal
  /** Default: every check of the kit. */
  readonly checks?: readonly Check[]
  /** Why a check cannot be asked, as a sentence, where it cannot: what it needs to know of the target is not known. */
  readonly skipReason?: (check: Check) => string | undefined
  /** Whether to look for features that the profile does not claim; default: in a run of every check. */
  readonly lookForUnclaimed?: boolean
  /** Whether the profile is what a probe found, which the report then says. */
  readonly probed?: boolean
}

/**
 * A run under way: gives each result as it comes, and the report of all at its end.
 *
 * @example
 * ```ts
 * const run: ConformanceRun = runConformance(url, { only: ['queues.create'] })
 * for await (const { id, status } of run) console.log(id, status)
 * await run.report
 * ```
 */
export interface ConformanceRun extends AsyncIterable<CheckResult> {
  /** How many results it gives when it is not stopped by an error: those of the checks that were chosen. */
  readonly planned: number
  /** Rejects with `Unreachable` where nothing takes a connection. */
  readonly report: Promise<Report>
}

const PATIENCE = 4
/** So many readings of one check may be held without a word against it. */
const HELD_READINGS = 12
const WHILE_HELD = 4
/** Queues that are deleted at once when a run is over, at least. */
const CLEANERS = 16

/**
 * Checks the server at a base URL.
 *
 * @throws {BaseUrlError} where `url` is not one that a target can have
 *
 * @example
 * ```ts
 * const { verdict } = await runConformance(url, { only: ['queues.create'] }).report
 * verdict    // 'conformant'
 * ```
 */
export function runConformance(url: string, options: ConformanceOptions = {}): ConformanceRun {
  const baseUrl = baseUrlOf(url)
  const { profile = DEFAULT_PROFILE, checks = allChecks } = options
  const plan = makePlan(checks, profile, options)
  const results = new ResultStream()
  const report = execute(baseUrl, profile, plan, checks, options, (result) => results.push(result))
  report.then(
    () => results.end(),
    (error: unknown) => results.end(error),
  )
  return { planned: plannedOf(plan), report, [Symbol.asyncIterator]: () => results.read() }
}

/** What is kept of a finding: not the exchanges of a check that passed. */
interface Found {
  readonly result: CheckResult
  readonly executed: boolean
  readonly choices: Attempt['choices']
}

async function execute(
  baseUrl: string,
  profile: Profile,
  plan: Plan,
  checks: readonly Check[],
  options: ConformanceOptions,
  onResult: (result: CheckResult) => void,
): Promise<Report> {
  const { strict = false, keepExchanges = false, origins = [], probed = false } = options
  const signal = options.signal ?? new AbortController().signal
  const clock = new RunClock()
  const credentials = new Credentials(profile, [baseUrl, ...origins])
  const transport = options.fetch ? new InProcess(options.fetch, clock.now) : new Sockets(clock.now)
  const client = new HttpClient(transport, new Pace(profile.requestsPerSecond), credentials)
  const redactor = new Redactor(profile)
  const faults = new Faults()
  const run = { url: baseUrl, profile, strict, started: new Date(), planned: plannedOf(plan), probed }
  const start = performance.now()
  const found = new Map<string, Found>()
  const onFinding = (finding: Finding) => {
    const result = makeResult(finding, { redactor, keep: keepExchanges, faults })
    const { check, status, attempt } = finding
    found.set(check.id, {
      result,
      executed: attempt !== undefined || status === 'not-applicable',
      choices: attempt?.choices ?? [],
    })
    if (!finding.isOpen) onResult(result)
  }
  const clean = async (atOnce: number, queues?: readonly string[]) => {
    if (options.keepQueues) return
    await faults.guardAsync(
      'the deletion of the queues that the run made',
      () => deleteQueues(client, profile, Math.max(CLEANERS, atOnce), options.signal, queues),
      () => undefined,
    )
  }
  let judged: Judged = { unclaimed: [], jobs: 0 }
  let seconds = 0
  try {
    const isFailed = (id: string) => isBroken(found.get(id)?.result.status)
    const meeting = { baseUrl, profile, client, signal }
    judged = await judge({ meeting, clock, plan, options, faults, isBroken: isFailed, onFinding, clean })
  } catch (error) {
    if (!isUnexpected(error)) throw error
    faults.note('the run', error)
    for (const check of [...plan.notApplicable, ...plan.checks].filter(({ id }) => !found.has(id)))
      onFinding({ check, status: 'error', outcome: kitError(error), attempt: undefined })
  } finally {
    seconds = (performance.now() - start) / 1000
    await clean('jobs' in judged ? judged.jobs : 0)
    client.close()
  }
  if ('notJudged' in judged) return emptyReport({ ...run, seconds }, judged.notJudged)
  // In the order of the list, whatever order they finished in, so that two runs can be laid side by side.
  const all = checks.flatMap(({ id }) => found.get(id) ?? [])
  return makeReport({
    ...run,
    seconds,
    executed: all.filter(({ executed }) => executed).length,
    choices: all.flatMap(({ choices }) => choices),
    results: all.map(({ result }) => result),
    unclaimed: judged.unclaimed,
    faults: faults.all,
  })
}

/** Why nothing was judged; else the features that the target has and does not claim, and how many checks at once it bore. */
type Judged =
  | { readonly notJudged: string }
  | { readonly unclaimed: readonly Feature[]; readonly jobs: number }

interface Judging {
  readonly meeting: Meeting
  readonly clock: RunClock
  readonly plan: Plan
  readonly options: ConformanceOptions
  readonly faults: Faults
  /** Whether a check has failed. */
  readonly isBroken: (id: string) => boolean
  readonly onFinding: (finding: Finding) => void
  /** Deletes these of the queues that were made, so much at once; default: all. */
  readonly clean: (atOnce: number, queues?: readonly string[]) => Promise<void>
}

/** Gets to know the target, asks the checks of the plan, and then looks for what is not claimed. */
async function judge({ meeting, clock, plan, options, faults, ...run }: Judging): Promise<Judged> {
  const { baseUrl, profile, client, signal } = meeting
  const { strict = false, timeout = CHECK_TIMEOUT } = options
  const { latency, answers, jobs } = await makeContact(baseUrl, profile, client, options.jobs, signal)
  const notJudged = await whyNotJudged({ latency, answers }, meeting)
  if (notJudged !== undefined) return { notJudged }
  const timing = await measureTiming({ latency, answers }, meeting)
  const { held } = timing
  // A target that holds readings has many of them open, and little to do.
  const atOnce = held > 0 && options.jobs === undefined ? WHILE_HELD * jobs : jobs
  if (held > 0) client.transport.allow(atOnce)
  const longest = longestAnswer({ latency, answers })
  const answerTimeout = Math.min(timeout, longest) + held
  // A check that had no answer in time is asked again by itself, and then waits longer for it.
  const patient = Math.min(timeout, PATIENCE * longest) + held
  const stalls = new Stalls()
  const target = new HttpTarget({ baseUrl, profile, client, answerTimeout, signal })
  let isRootSlow = false
  const leftovers = new Leftovers(client, profile)
  const context = {
    ...{ baseUrl, profile, timing, client, clock, signal, answerTimeout, leftovers },
    targetClock: profile.clock && new TargetClock(profile, target, clock, timing.lease),
    timeout: timeout + HELD_READINGS * held,
    ...(answers ? { stalls } : {}),
    standingClock: new StandingClock(),
    arrivals: new Arrivals(),
    memory: new RunMemory(),
    onSlowRoot: () => {
      isRootSlow = true
    },
    isBroken: run.isBroken,
    remember: 1000 * (options.remember ?? 0),
  }
  let unclaimed: Promise<readonly Feature[]> | undefined
  /** The queues of the checks. */
  let made: readonly string[] = []
  const lookFurther = () => {
    if (!answers || !looksFurther(options) || unclaimed !== undefined) return
    made = [...client.created]
    unclaimed = faults.guardAsync(
      'the look for features that the profile does not claim',
      () => findUnclaimed({ baseUrl, profile, client, latency, signal }),
      () => [],
    )
  }
  /** By its clause, the first success of another status than the document shows. */
  const wrongStatuses = new Map<string, SeenStatus>()
  const ofStatuses: Finding[] = []
  const runner = new Runner({
    ...{ plan, jobs: atOnce, strict, signal },
    judgeOn: answers,
    atMost: () => leftovers.checksAtOnce,
    onLate: lookFurther,
    clear: async () => {
      await unclaimed
      await leftovers.clearAlways()
    },
    isRootSlow: () => isRootSlow,
    ownClock: profile.clock !== undefined,
    skipReason: (check) => unknownFeature(profile, check.feature) ?? options.skipReason?.(check),
    attempt: async (check, rest, isSecond, othersAreOver) => {
      const patience = isSecond && stalls.areFew ? { ...context, answerTimeout: patient } : context
      const attempt = await attemptCheck(check, patience, rest, othersAreOver)
      for (const { clause, failed } of attempt.wrongStatuses ?? [])
        if (!wrongStatuses.has(clause)) wrongStatuses.set(clause, { failed, attempt })
      return attempt
    },
    onFinding: (finding) => {
      // What every other check sees of a status counts, too.
      const isOfStatus = finding.status === 'pass' && finding.check.clauses[0]!.endsWith('.status')
      if (isOfStatus) ofStatuses.push(finding)
      else run.onFinding(finding)
    },
  })
  try {
    await runner.run()
  } finally {
    // Where the run ends in an error, what was found so far counts.
    for (const finding of ofStatuses) run.onFinding(judgedBy(wrongStatuses, finding, strict))
  }
  lookFurther()
  // One that is far away has time for both.
  const [features = []] = await Promise.all([unclaimed, jobs > CLEANERS ? run.clean(jobs, made) : undefined])
  return { unclaimed: features, jobs }
}

/** A success of another status than the document shows, and the attempt that saw it. */
interface SeenStatus {
  readonly failed: Failed
  readonly attempt: Attempt
}

/** A check of a status that has passed fails where another has seen a wrong one: it may come now and then, or in some state only. */
function judgedBy(
  wrongStatuses: ReadonlyMap<string, SeenStatus>,
  finding: Finding,
  strict: boolean,
): Finding {
  const { check } = finding
  const wrong = wrongStatuses.get(check.clauses[0]!)
  if (wrong === undefined) return finding
  const { expected, seen, at } = wrong.failed
  const outcome: Finding['outcome'] = { kind: 'failed', expected, seen, at }
  return { check, status: resultStatus('failed', check.grade, strict), outcome, attempt: wrong.attempt }
}

function plannedOf(plan: Plan): number {
  return plan.checks.length + plan.notApplicable.length
}

/** Whether a run looks at what it does not judge, too: where it asks everything else. */
function looksFurther({
  checks,
  only = [],
  skip = [],
  signal,
  lookForUnclaimed,
}: ConformanceOptions): boolean {
  if (signal?.aborted) return false
  const isAll = checks === undefined || allChecks.every((each) => checks.includes(each))
  return lookForUnclaimed ?? (isAll && only.length === 0 && skip.length === 0)
}

/** Results that wait for whoever reads them; each reader gets all. */
class ResultStream {
  readonly #results: CheckResult[] = []
  #over: { readonly error: unknown } | undefined
  #wake: (() => void)[] = []

  push(result: CheckResult): void {
    this.#results.push(result)
    this.#notify()
  }

  end(error?: unknown): void {
    this.#over = { error }
    this.#notify()
  }

  async *read(): AsyncGenerator<CheckResult> {
    for (let next = 0; ; ) {
      const result = this.#results[next]
      if (result) {
        next += 1
        yield result
      } else if (this.#over) {
        if (this.#over.error !== undefined) throw this.#over.error
        return
      } else {
        await new Promise<void>((resolve) => this.#wake.push(resolve))
      }
    }
  }

  #notify(): void {
    for (const wake of this.#wake.splice(0)) wake()
  }
}
