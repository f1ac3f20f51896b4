import { randomBytes } from 'node:crypto'
import type { Exchange } from '../client/exchange.js'
import { Blocked, Ended, Failed, Inconclusive, NotApplicable, type WrongStatus } from '../client/findings.js'
import type { HttpClient } from '../client/http-client.js'
import { HttpTarget } from '../client/http-target.js'
import type { Leftovers } from '../client/leftovers.js'
import { limitIn } from '../client/limits.js'
import type { Feature, Profile } from '../client/profile.js'
import type { RunClock } from '../client/run-clock.js'
import type { RunMemory } from '../client/run-memory.js'
import type { TargetClock } from '../client/target-clock.js'
import { whyOf } from '../report/faults.js'
import type { Outcome } from '../report/verdicts.js'
import type { Check } from '../trial/check.js'
import { CheckTrial } from '../trial/check-trial.js'
import type { Yield } from '../trial/semaphore.js'
import type { Timing } from '../trial/trial.js'
import type { Arrivals } from './other-arrival.js'
import type { Stalls } from './stalls.js'
import type { StandingClock } from './standing-clock.js'
import { TimeBox } from './time-box.js'
import { unknownFieldIn } from './unknown-fields.js'

/** What all attempts of a run share. */
interface AttemptContext {
  readonly baseUrl: string
  readonly profile: Profile
  readonly timing: Timing
  readonly client: HttpClient
  readonly clock: RunClock
  /** That of a target which offers one. */
  readonly targetClock: TargetClock | undefined
  /** Milliseconds for one answer. */
  readonly answerTimeout: number
  /** Answers that came too late; undefined where the target has never answered. */
  readonly stalls?: Stalls
  readonly standingClock?: StandingClock
  readonly arrivals?: Arrivals
  readonly memory?: RunMemory
  readonly leftovers?: Leftovers
  /** Called when reading the root listing has taken long. */
  readonly onSlowRoot?: () => void
  /** Milliseconds of its own activity that a check may take. */
  readonly timeout: number
  /** Stops the run. */
  readonly signal: AbortSignal
  /** For how many milliseconds at least what was done is to be remembered. */
  readonly remember?: number | undefined
  /** Whether a check of this run has failed: then another way to the same effect is taken, where there is one. */
  readonly isBroken?: (checkId: string) => boolean
}

/** Why a check and its requests are ended. One for all: every check ends what it left behind. */
const OVER = new Ended()

/** One attempt at a check. */
export interface Attempt {
  readonly outcome: Outcome
  readonly exchanges: readonly Exchange[]
  /** Point and answer; a point that was asked about more than once has all its answers. */
  readonly choices: readonly (readonly [point: string, what: string])[]
  /** In the run's time. */
  readonly began: number
  readonly seconds: number
  /** Ids of checks that had not failed when it chose its ways by that. */
  readonly reliedOn?: ReadonlySet<string>
  /** Successes that it saw of another status than the document shows, whatever it asked. */
  readonly wrongStatuses?: readonly WrongStatus[]
}

/**
 * Runs a check once. Never rejects.
 *
 * @param yieldPermit gives the check's place to another for as long as a wait takes
 * @param othersAreOver resolves when nothing else is left to be asked in the run
 */
export async function attemptCheck(
  check: Check,
  context: AttemptContext,
  yieldPermit: Yield,
  othersAreOver?: () => Promise<void>,
): Promise<Attempt> {
  const began = context.clock.now()
  try {
    return await attempted(check, context, yieldPermit, othersAreOver)
  } catch (error) {
    return { outcome: kitError(error), exchanges: [], choices: [], began, seconds: 0 }
  }
}

async function attempted(
  ...[check, context, yieldPermit, othersAreOver]: Parameters<typeof attemptCheck>
): Promise<Attempt> {
  const { profile, timing, clock, baseUrl, client, answerTimeout, timeout } = context
  const hold = await context.targetClock?.hold()
  const began = clock.now()
  const start = performance.now()
  const ending = new AbortController()
  const signal = AbortSignal.any([context.signal, ending.signal])
  const target = new HttpTarget({
    baseUrl,
    profile,
    client,
    answerTimeout,
    signal,
    leftovers: context.leftovers,
    idle: (wait) => box.pauseFor(wait),
    // A check that was ended may still be on its way: it asks nothing more.
    beforeRequest: () => {
      if (signal.aborted) throw OVER
    },
  })
  let overran: Outcome | undefined
  const box = new TimeBox(timeout, () => {
    context.stalls?.noteAnswers(target.exchanges)
    overran = overrun(target, timeout, context.stalls?.isSlow(answerTimeout))
    ending.abort(OVER)
  })
  const trial = new CheckTrial({
    profile,
    timing,
    target,
    clock,
    targetClock: hold,
    foreignLeases: profile.subscription.parameters.timeout === null || ALTERNATIVES.includes(check.feature),
    prefix: `kit-${randomBytes(5).toString('hex')}`,
    signal,
    idle: (wait) => box.pauseFor(wait),
    yieldPermit,
    remember: context.remember,
    othersAreOver,
    isBroken: (id) => context.isBroken?.(id) ?? false,
    check: check.id,
    leftovers: context.leftovers,
    onSlowRoot: context.onSlowRoot,
    memory: context.memory,
  })
  const stopped = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(OVER), { once: true })
  })
  stopped.catch(() => {})
  let outcome: Outcome
  try {
    if (context.signal.aborted) throw OVER
    await Promise.race([check.run(trial), stopped]).finally(() =>
      context.stalls?.noteAnswers(target.exchanges),
    )
    outcome =
      trial.observation === undefined ? { kind: 'passed' } : { kind: 'observed', what: trial.observation }
    context.arrivals?.note(profile, target.exchanges)
  } catch (error) {
    outcome = context.signal.aborted
      ? inconclusive('the run was stopped', 'stopped')
      : (overran ?? outcomeOf(error, trial))
    if (isAmiss(outcome)) outcome = excuse(target, context) ?? outcome
    const unknown = unknownIn(outcome, context, check, target.exchanges)
    if (unknown !== undefined) outcome = inconclusive(unknown, 'profile')
    const waited = outcome.kind === 'failed' && check.passesTime && !trial.isLate
    const clock = waited && !signal.aborted ? await context.standingClock?.foundBy(trial) : undefined
    if (clock !== undefined) outcome = inconclusive(clock, 'clock')
  } finally {
    box.close()
    hold?.release()
    ending.abort(OVER)
    await context.leftovers?.over(target)
  }
  return {
    outcome,
    exchanges: [...target.exchanges],
    choices: trial.choices,
    began,
    seconds: (performance.now() - start) / 1000,
    reliedOn: trial.reliedOn,
    wrongStatuses: outcome.kind === 'inconclusive' ? [] : trial.wrongStatuses,
  }
}

// Their consumers and sessions take no timeout that the document knows.
const ALTERNATIVES: readonly (Feature | undefined)[] = ['single-path', 'one-at-a-time', 'batch']

function isAmiss({ kind }: Outcome): boolean {
  return kind === 'failed' || kind === 'blocked'
}

function inconclusive(why: string, inconclusiveReason: Inconclusive['inconclusiveReason']): Outcome {
  return { kind: 'inconclusive', why, inconclusiveReason }
}

/** What a check came to that failed or was blocked, where that may be for what came of its requests alone. */
function excuse(target: HttpTarget, { stalls, answerTimeout }: AttemptContext): Outcome | undefined {
  const { lost, exchanges, doubt } = target
  const slow = stalls?.note(exchanges, answerTimeout)
  if (slow !== undefined) {
    const why = `${slow.method} ${slow.url} was not answered within ${answerTimeout} ms, and may only be slow`
    return inconclusive(why, 'times')
  }
  if (lost !== undefined) {
    const why = `the connection of ${lost.method} ${lost.url}, which was to be kept, was closed before it was answered`
    return inconclusive(why, 'times')
  }
  const limit = target.limit ?? limitIn(exchanges)
  if (limit !== undefined) return inconclusive(limit, 'limit')
  if (doubt !== undefined) return inconclusive(doubt, 'credentials')
  const refusal = refusedConnection(target)
  if (refusal === undefined) return undefined
  return inconclusive(`the target took no connection any more: ${refusal}`, 'gone')
}

/** Which field of the profile the check lacks, or shows to be another than it says. */
function unknownIn(
  outcome: Outcome,
  { profile, arrivals }: AttemptContext,
  check: Check,
  exchanges: readonly Exchange[],
): string | undefined {
  const isLate = outcome.kind === 'inconclusive' && outcome.inconclusiveReason === 'times'
  const other = isAmiss(outcome) || isLate ? arrivals?.otherIn(profile, exchanges) : undefined
  if (other !== undefined || !isAmiss(outcome)) return other
  const seen = 'seen' in outcome ? outcome.seen : ''
  const lookedFor = outcome.kind === 'failed' ? `expected: ${outcome.expected}; seen: ${seen}` : seen
  return unknownFieldIn(profile, check, exchanges, lookedFor)
}

/**
 * How a connection was refused, where that is the first that a check missed: nobody listens there any more, and it was no request
 * of this check that ended it.
 */
function refusedConnection({ baseUrl, exchanges }: HttpTarget): string | undefined {
  const missed = exchanges.find(({ status }) => status === 0)
  const isRefused = missed?.error?.includes('ECONNREFUSED') === true
  return isRefused && new URL(missed.url).origin === new URL(baseUrl).origin ? missed.error : undefined
}

function outcomeOf(error: unknown, trial: CheckTrial): Outcome {
  if (error instanceof Inconclusive) {
    const { message, inconclusiveReason } = error
    return inconclusiveReason === 'times'
      ? outOfTime(message, trial)
      : inconclusive(message, inconclusiveReason)
  }
  if (error instanceof NotApplicable) return { kind: 'not-applicable', why: error.message }
  if (error instanceof Failed || error instanceof Blocked) {
    const uncertain = trial.uncertainLease()
    if (uncertain !== undefined) return outOfTime(`${error.message}; but ${uncertain}`, trial)
    const { seen, at } = error
    if (error instanceof Failed) return { kind: 'failed', expected: error.expected, seen, at }
    return { kind: 'blocked', by: error.by, seen, at, isAside: error.isAside }
  }
  return kitError(error)
}

/** What a check comes to whose leases were over before it had an answer. */
function outOfTime(why: string, trial: CheckTrial): Outcome {
  const tooShort = trial.tooShortLease()
  const told = tooShort === undefined ? why : `${why}; ${tooShort}`
  return { kind: 'inconclusive', why: told, inconclusiveReason: 'times', mayFit: tooShort === undefined }
}

/** What a check comes to in which the kit itself failed. */
export function kitError(error: unknown): Outcome {
  return { kind: 'error', what: whyOf(error), ...(error instanceof Error ? { stack: error.stack } : {}) }
}

// A target that leaves requests unanswered for most of the time does not answer; one that answers each is only slow, and so is
// one that those of others wait for.
function overrun(target: HttpTarget, timeout: number, isSlow = false): Outcome {
  const now = performance.now()
  const lost = target.exchanges.filter(({ status }) => status === 0)
  const { pending } = target
  const waits = [
    ...lost.map(({ sentAt, receivedAt }) => [sentAt, receivedAt] as const),
    ...pending.map(({ since }) => [since, now] as const),
  ].sort(([one], [other]) => one - other)
  let time = 0
  let until = 0
  for (const [from, to] of waits) {
    // Requests that wait at the same time wait for it once.
    time += Math.max(0, to - Math.max(from, until))
    until = Math.max(until, to)
  }
  const hung = pending[0] ?? lost.at(-1)
  if (hung && time > timeout / 2 && !isSlow) {
    return {
      kind: 'failed',
      expected: 'an answer to every request',
      seen: `${hung.method} ${hung.url} was not answered in the ${timeout} ms that the check has`,
    }
  }
  return inconclusive(`the check was not done after ${timeout} ms of its own activity`, 'overrun')
}
