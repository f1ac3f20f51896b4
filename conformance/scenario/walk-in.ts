import type { Exchange } from '../client/exchange.js'
import { Blocked, Inconclusive, type InconclusiveReason, NotApplicable } from '../client/findings.js'
import type { FreshMessages } from '../client/fresh-messages.js'
import type { Profile } from '../client/profile.js'
import type { Speaker } from '../client/speaker.js'
import { grantedLease } from '../client/subscription-request.js'
import { longestLease, type Timing } from '../client/timing.js'
import type { Unanswered } from '../client/unanswered.js'
import { TooManyWays } from '../model/data.js'
import { Conversation, type ConversationOptions } from './conversation.js'
import type { Step } from './step.js'
import { type Broken, PART, type Told, Walk, type WalkOptions } from './walk.js'

/** Is told how a walk goes: at its beginning, and after each step. */
export interface Watch {
  readonly begins: (talk: Conversation) => void
  readonly told: (told: Told) => void
}

/** Why a walk ended before its end. */
interface Stopped {
  readonly verdict: 'not-applicable' | 'inconclusive'
  readonly why: string
  readonly reason?: InconclusiveReason
}

const BLURRED: Stopped = { verdict: 'inconclusive', why: new TooManyWays().message }

/** What came of the steps of a scenario. */
export interface Walked {
  readonly told: readonly Told[]
  readonly broken: readonly Broken[]
  /** The first request that had no answer, or a 5xx, where none was to be had. */
  readonly failed: Broken | undefined
  /** Why not all of it was done, or could be judged; undefined where it was. */
  readonly stopped: Stopped | undefined
  /** Whether a lease may have ended although the steps leave it the time that it has: then less was judged than they ask. */
  readonly isRushed: boolean
  /** Whether nobody knows if acknowledgements in a POST counted. */
  readonly isUntold: boolean
  readonly requests: number
  /** Requests that the target left without an answer, or answered with a 5xx. */
  readonly unanswered: Pick<Unanswered, 'count' | 'first'>
  readonly exchanges: readonly Exchange[]
  readonly began: number
}

/** How patient a walk is; milliseconds. */
export type Patience = Pick<WalkOptions, 'patience' | 'quiet'>

/** How long what must come is waited for. */
export type Patiences = Readonly<Record<'usual' | 'learned' | 'thorough', Patience>>

/** Where answers take longer, hundreds of them one after another are too many: milliseconds. */
const A_LONG_WAY = 40
/** What nobody has said takes time to show is not waited for longer than this, however far the target is: milliseconds. */
const MOST_QUIET = 300
/** Which part of a lease may pass while it is waited for what must come under it. */
const LEFT_TO_WAIT = 0.75
/** How much later than ever before something may come while a scenario is made shorter. */
const TIMES_AS_LATE = 2

/** @param latest how late what must come has come at most: milliseconds */
export function patiencesOf({ latency, settle, timeout }: Timing, latest = 0): Patiences {
  const quiet = settle === 0 ? 0 : 1.3 * settle + latency
  const quick = Math.max(250, 10 * latency) + 2 * settle
  return {
    usual: { patience: timeout, quiet },
    learned: { patience: Math.min(timeout, Math.max(quick, TIMES_AS_LATE * latest)), quiet },
    thorough: { patience: timeout, quiet: 2 * settle + Math.min(MOST_QUIET, Math.max(60, 5 * latency)) },
  }
}

/** Where a scenario is walked: a target as one check sees it. */
interface Ground {
  readonly profile: Profile
  readonly timing: Timing
  readonly speaker: Speaker
  readonly messages: FreshMessages
  /** Monotonic milliseconds, the kit's own advances of the target's clock included. */
  now(): number
  /** Lets so many milliseconds pass for the target. */
  elapse(milliseconds: number): Promise<void>
  /** Lets as much time pass as what was done should be remembered. @returns how much it was: milliseconds */
  late(): Promise<number>
  /** Waits so many milliseconds in real time. */
  rest(milliseconds: number): Promise<void>
}

/** How the steps of a scenario are walked. */
export interface WalkingIn extends Pick<WalkOptions, 'patience' | 'quiet' | 'onLate'> {
  /** What every name at the target begins with. */
  readonly prefix: string
  /** The length of the leases that steps wait for: milliseconds. All others are as long as may be. */
  readonly lease: number
  /** How is sent where a step does not say it; default: by the two steps of the document. */
  readonly usualWay?: ConversationOptions['usualWay']
  /** Whether messages that have no addresses of their own are known by their bodies, and cannot be acknowledged. */
  readonly knowsByBodies?: boolean
  /** Whether nothing is done any more once a clause is broken. */
  readonly untilBroken: boolean
  /** Whether nothing is done any more once a lease was too short for it: it is done anew with a longer one. */
  readonly untilRushed?: boolean
  readonly unanswered: Unanswered
  readonly signal: AbortSignal
  readonly queuesShowContents: () => Promise<boolean>
  /** Is told of the walk's words before the first step. */
  readonly onTalk?: (talk: Conversation) => void
  readonly watch?: Watch | undefined
  /** Whether nothing takes any time but what the steps wait. */
  readonly isPrompt?: boolean
}

/** Does what the steps say, and judges each answer. */
export async function walkIn(ground: Ground, steps: readonly Step[], walking: WalkingIn): Promise<Walked> {
  const { prefix, lease: length, untilBroken, unanswered, signal, onTalk } = walking
  const { isPrompt = false, untilRushed = false } = walking
  const { profile, timing, speaker, messages } = ground
  const { target } = speaker
  const { renewedBy, leaseSeconds } = profile.subscription
  const asked = target.exchanges.length
  const began = ground.now()
  let elapsed = 0
  // A clock that the kit alone moves stands still meanwhile; the target may have one that does not.
  const least = () => (profile.clock === undefined ? ground.now() - began : elapsed)
  const grace = timing.leaseGrace
  const longest = grantedLease(profile, longestLease(profile))
  const untold = leaseSeconds * 1000
  /** What must come is waited for no longer than leaves time to ask for it under the same lease. */
  const patienceIn = (lease: number) =>
    Math.min(walking.patience, Math.max(LEFT_TO_WAIT * lease, timing.settle + 2 * timing.latency))
  const talk = new Conversation({
    ...{ speaker, messages, prefix, usualWay: walking.usualWay ?? 'two-step' },
    knowsByBodies: walking.knowsByBodies,
    lease: { length, grace, renewedBy },
    longLease: { length: longest, grace, renewedBy },
    awaited: awaitedIn(steps),
    // Nobody is told how long they are, and whether anything renews them.
    untoldLease: { length: untold, grace, renewedBy: [] },
    time: (first, last) => ({
      from: profile.clock === undefined ? first.sentAt - began : elapsed,
      to: isPrompt ? elapsed : last.receivedAt - began,
    }),
    queuesShowContents: walking.queuesShowContents,
  })
  onTalk?.(talk)
  const walk = new Walk({
    ...{ talk, unanswered, quiet: walking.quiet, onLate: walking.onLate },
    patience: patienceIn(longest),
    untoldPatience: patienceIn(Math.min(longest, untold)),
    now: () => ground.now(),
    time: least,
    elapse: async (time) => {
      await ground.elapse(time)
      elapsed += time
    },
    late: async () => {
      elapsed += await ground.late()
    },
    rest: (time) => ground.rest(time),
    isRealTime: profile.clock === undefined,
    isFar: timing.latency > A_LONG_WAY,
    unplanned: () => (isPrompt ? 0 : ground.now() - began - elapsed),
  })
  let stopped: Stopped | undefined
  walking.watch?.begins(talk)
  try {
    for (const step of steps) {
      if (!walk.goesOnWith(step) || signal.aborted) break
      if ((untilBroken && walk.broken.length > 0) || (untilRushed && walk.isRushed)) break
      await walk.run(step)
      walking.watch?.told(walk.told.at(-1)!)
    }
  } catch (error) {
    stopped = whyStopped(error, signal)
  }
  if (signal.aborted) stopped ??= { verdict: 'inconclusive', why: 'it was stopped' }
  if (walk.isBlurred) stopped ??= BLURRED
  const { told, broken, failed, isRushed, isUntold, requests } = walk
  const exchanges = target.exchanges.slice(asked)
  return { told, broken, failed, stopped, isRushed, isUntold, requests, unanswered, exchanges, began }
}

/** Whether a lease runs out in it, or a part of one passes. */
export function isWaiting(step: Step): boolean {
  return (
    (step.do === 'wait' && step.until !== 'late') ||
    step.do === 'advance' ||
    (step.do === 'end' && (step.by ?? 'deletion') !== 'deletion')
  )
}

/** How many answers steps wait for, one after another, about. */
export function answersTo(steps: readonly Step[]): number {
  return steps.reduce((sum, step) => {
    if (step.do !== 'send') return sum + 1
    return sum + step.messages.length * (step.by === 'guid' || step.by === 'single-path' ? 1 : 2)
  }, 0)
}

/** How many times as long as measured an answer takes while others are asked for. */
const WHILE_OTHERS_ASK = 1.5

/**
 * How long the leases are that leave room for what steps ask in the course of them, where answers come one after another:
 * milliseconds, about.
 *
 * @param latency milliseconds from request to answer, as measured
 */
export function roomFor(steps: readonly Step[], latency: number): number {
  let room = 0
  let asked = 0
  // The part of a lease in which is asked now: none before the first begins, and when the last has ended.
  let left = 0
  for (const step of steps) {
    if (isWaiting(step)) {
      room = Math.max(room, asked)
      asked = 0
      left = step.do === 'wait' && step.until === 'part' ? 1 - PART : 0
    } else {
      if (step.do === 'subscribe' && left === 0) left = 1
      if (left > 0) asked += answersTo([step]) / left
    }
  }
  // Behind the last wait a lease is short only if a part of it has passed.
  if (left < 1) room = Math.max(room, asked)
  return room * WHILE_OTHERS_ASK * latency
}

/** Whose leases steps wait for; undefined where that may be anybody's. */
function awaitedIn(steps: readonly Step[]): ReadonlySet<string> | undefined {
  const waits = steps.filter(isWaiting)
  const names = waits.map((step) => ('consumer' in step ? step.consumer : undefined))
  return names.includes(undefined) ? undefined : new Set(names as string[])
}

/** Why a walk ended before its end. @throws what is nobody's finding */
function whyStopped(error: unknown, { aborted }: AbortSignal): Stopped | undefined {
  if (error instanceof TooManyWays) return BLURRED
  if (error instanceof NotApplicable) return { verdict: 'not-applicable', why: error.message }
  if (error instanceof Blocked) return { verdict: 'inconclusive', why: error.seen }
  if (error instanceof Inconclusive) {
    const { message: why, inconclusiveReason: reason } = error
    return { verdict: 'inconclusive', why, reason }
  }
  if (aborted) return undefined
  throw error
}
