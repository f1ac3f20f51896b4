import type { Status } from '../report/result.js'
import { isBroken, isFoundation, type Outcome, resultStatus } from '../report/verdicts.js'
import { findClause } from '../requirements/index.js'
import type { Check } from '../trial/check.js'
import { Semaphore, type Yield } from '../trial/semaphore.js'
import type { Attempt } from './attempt.js'
import type { Plan } from './plan.js'

/**
 * How often a check is asked that had no answer within its leases, and might have one: once beside others, and then alone, since
 * what others ask at the same time takes of its leases.
 */
const TRIES_IN_A_LEASE = 3
/** How often another inconclusive check is asked. */
const TRIES = 2
/** How often it is asked once more since the way that it took is broken: in two steps, by guid and by the single path it may send. */
const OTHER_WAYS = 2
/** More blocked checks than this may be so by each other's doing. */
const FEW_BLOCKED = 5
/** So many of them are asked by themselves to find that out. */
const SAMPLE = 4

/** What came of a check, before it is put into a report's form. */
export interface Finding {
  readonly check: Check
  readonly status: Status
  readonly outcome: Outcome
  /** The last attempt; undefined for a check that never began. */
  readonly attempt: Attempt | undefined
  /** Whether the check may be asked once more, by itself: then another finding of it follows in any case. */
  readonly isOpen?: boolean
}

/** What is remembered of it. */
interface Found extends Pick<Finding, 'check' | 'status'> {
  /** Whether checks can build on what it asks: where only the status of a success is another, its effect is there. */
  readonly isFoundation: boolean
}

type Inconclusive = Extract<Outcome, { kind: 'inconclusive' }>

export interface RunnerOptions {
  readonly plan: Plan
  /** Checks at once. */
  readonly jobs: number
  readonly strict: boolean
  /** Whether time passes by the target's clock: then checks that pass it run side by side, after the others. */
  readonly ownClock: boolean
  readonly signal: AbortSignal
  /**
   * Whether a check is asked although one that it builds on has failed: what it finds by the effect counts, and only
   * where it finds nothing is it blocked. Of a target that answers nothing nothing more is asked.
   */
  readonly judgeOn?: boolean
  /** How many checks may be under way, waiting or not; default: any number. */
  readonly atMost?: () => number
  /** Whether reading the root listing takes long: then the checks that do so are over before others make more queues. */
  readonly isRootSlow?: () => boolean
  /** Why a check cannot be asked, where it cannot. */
  readonly skipReason?: (check: Check) => string | undefined
  /** @param othersAreOver resolves when nothing is left to be asked but what waits for that */
  readonly attempt: (
    check: Check,
    yieldPermit: Yield,
    isSecond: boolean,
    othersAreOver: () => Promise<void>,
  ) => Promise<Attempt>
  readonly onFinding: (finding: Finding) => void
  /** Called when nothing is left to be asked but what waits for that, and may be asked beside other things. */
  readonly onLate?: () => void
  /** Takes away what checks have left that are over, now and from now on. */
  readonly clear?: () => Promise<void>
}

/**
 * Runs a plan. A check waits for the findings of those that it needs, and then runs, beside others or alone. What comes of it:
 *
 * - It passed, failed or differs: that is its finding, unless it failed for the fault of a check that it needs, and is blocked. That a
 *   success had another status than the document shows is no such fault.
 * - It is inconclusive: it is asked once more, alone, when nothing else is left, and twice where its leases may be long
 *   enough for an answer. Where an answer had more in it than the kit reads, the next has that, too: it is not asked again.
 * - It is blocked by a check, whose operation did not do what it should: that one's finding decides. Where that one passed, it is
 *   asked once more, and fails if it happens again.
 * - It saw beside its question what another check asks, and that did not hold: the same, but where the other has failed, it passed.
 * - It is one of many that are blocked: some of these are asked once more when all are over, each by itself and with nothing left of
 *   others, and where one of them passes then, so are the rest. A target that lets consumers disturb each other fails the checks that
 *   ask this, and no others.
 * - It came to nothing good on a way (a send in two steps, say, where a guid would do) that another check finds broken: it is asked
 *   once more, and takes another way. Until that other is over, nobody knows.
 */
export class Runner {
  readonly #options: RunnerOptions
  readonly #semaphore: Semaphore
  /** The checks of the plan, by their places in it. */
  readonly #planned: ReadonlyMap<string, number>
  /** Without what was exchanged, which nobody here asks for any more. */
  readonly #found = new Map<string, Found>()
  #waiting: Check[]
  readonly #running = new Set<Check>()
  /** Those of them that wait until the others are over, and how they go on. */
  readonly #late = new Map<Check, () => void>()
  /** Something was found since the last look that others cannot build on. */
  #isNewlyBroken = false
  /** A check is running that nothing may run beside. */
  #alone = false
  /** It is the turn of the checks that pass time by the target's clock, and not of the others. */
  #timePasses = false
  /** Checks that are asked although one that they build on has failed, with its id. */
  readonly #askedAnyway = new Map<string, string>()
  /** Those that were asked again, since their way was broken. */
  readonly #rerouted = new Map<string, number>()
  /** Inconclusive so far. */
  readonly #again: Check[] = []
  /** How often each check that was inconclusive has been so. */
  readonly #unsure = new Map<string, number>()
  /** Blocked by a check that has not finished. */
  readonly #undecided: { check: Check; attempt: Attempt; by: string; seen: string }[] = []
  /** The checks of ways that others relied on. */
  readonly #ways = new Set<string>()
  /** They came to nothing good on a way of which nobody has found yet whether it is broken. */
  readonly #onTheirWay: { check: Check; attempt: Attempt; isSecond: boolean }[] = []
  /** Blocked for good, unless they pass when they are asked by themselves. */
  readonly #blocked: Finding[] = []
  #finish: () => void = () => {}
  #fail: (error: unknown) => void = () => {}

  constructor(options: RunnerOptions) {
    this.#options = options
    this.#semaphore = new Semaphore(options.jobs)
    this.#waiting = [...options.plan.checks]
    this.#planned = new Map(options.plan.checks.map(({ id }, at) => [id, at]))
  }

  /** Resolves when every check of the plan has its finding; rejects where the runner itself fails. */
  async run(): Promise<void> {
    for (const check of this.#options.plan.notApplicable) {
      const why = `the target does not claim ${check.feature}`
      this.#find(check, { kind: 'not-applicable', why }, undefined)
    }
    for (const check of this.#waiting) {
      const why = this.#options.skipReason?.(check)
      if (why === undefined) continue
      this.#waiting = this.#waiting.filter((each) => each !== check)
      this.#find(check, { kind: 'inconclusive', why, inconclusiveReason: 'profile' }, undefined)
    }
    const finished = new Promise<void>((resolve, reject) => {
      this.#finish = resolve
      this.#fail = reject
    })
    this.#go()
    try {
      await finished
      await this.#askBlocked()
    } finally {
      for (const finding of this.#blocked) this.#options.onFinding(finding)
    }
  }

  /** Asks checks that are blocked by themselves: some, and where that helps one of them, all. */
  async #askBlocked(): Promise<void> {
    const { clear } = this.#options
    if (clear === undefined || this.#blocked.length <= FEW_BLOCKED || this.#options.signal.aborted) return
    await clear()
    const apart = Math.ceil(this.#blocked.length / SAMPLE)
    const sample = this.#blocked.filter((_, at) => at % apart === 0)
    const others = this.#blocked.filter((_, at) => at % apart !== 0)
    const passed: boolean[] = []
    for (const finding of sample) passed.push(await this.#askAlone(finding))
    if (passed.includes(true)) for (const finding of others) await this.#askAlone(finding)
  }

  /** @returns whether it passes, so that it is blocked no longer */
  async #askAlone(finding: Finding): Promise<boolean> {
    if (this.#options.signal.aborted) return false
    const { check } = finding
    const permit = this.#semaphore.tryAcquire()!
    const rest: Yield = (wait, brief) => permit.yield(wait, brief)
    const attempt = await this.#options.attempt(check, rest, true, async () => {})
    permit.end()
    const { outcome } = attempt
    if (outcome.kind !== 'passed' && outcome.kind !== 'observed') return false
    this.#blocked.splice(this.#blocked.indexOf(finding), 1)
    this.#find(check, outcome, attempt)
    return true
  }

  /** Starts what can start. Called whenever something has changed. */
  #go(): void {
    if (this.#options.signal.aborted) this.#giveUp()
    this.#settleBlocked()
    if (this.#alone && !this.#isIdle) return
    this.#alone = false
    const ready = this.#waiting.filter((check) => this.#isReady(check))
    const all = ready.filter((check) => !this.#runsAlone(check))
    const first = all.filter((check) => this.#isFirst(check))
    const isFirstOnly = first.length > 0 || [...this.#running].some((check) => this.#isFirst(check))
    const together = isFirstOnly ? first : all
    for (const check of together) {
      if (this.#running.size >= (this.#options.atMost?.() ?? Number.POSITIVE_INFINITY)) break
      const passesClock = this.#options.ownClock && check.passesTime === true
      if (passesClock !== this.#timePasses) continue
      if (!this.#start(check, false)) return
    }
    if (!this.#isIdle) return
    if (ready.length === 0 && this.#onTheirWay.length > 0) {
      this.#breakCircle()
      this.#go()
      return
    }
    const again = this.#again[0]
    if (together.length === 0 && (ready[0] ?? again)) {
      this.#alone = true
      this.#start(ready[0] ?? again!, ready.length === 0)
    } else if (this.#late.size > 0) {
      this.#endLate()
    } else if (together.length > 0) {
      this.#timePasses = !this.#timePasses
      this.#go()
    } else if (this.#undecided.length + this.#waiting.length + this.#onTheirWay.length > 0) {
      this.#breakCircle()
      this.#go()
    } else {
      this.#finish()
    }
  }

  /** Nothing is under way but what waits until the others are over, which is under way itself. */
  get #isIdle(): boolean {
    return this.#running.size === this.#late.size
  }

  /** Has checks go on that wait until the others are over: each that runs alone by itself, and then the rest. */
  #endLate(): void {
    const all = [...this.#late]
    const alone = all.find(([{ runsAlone }]) => runsAlone)
    if (alone === undefined && this.#waiting.length === 0) this.#options.onLate?.()
    for (const [check, goOn] of alone ? [alone] : all) {
      this.#late.delete(check)
      goOn()
    }
  }

  /** Whether nothing may run beside a check from its beginning on. What it waits for when others are over comes at once by a clock. */
  #runsAlone({ runsAlone = false, asksLate = false }: Check): boolean {
    return runsAlone && (!asksLate || this.#options.ownClock)
  }

  #untilOthersAreOver(check: Check): Promise<void> {
    return new Promise((resolve) => {
      this.#late.set(check, resolve)
      this.#go()
    })
  }

  #isReady(check: Check): boolean {
    const isOnItsWay = (id: string) => this.#onTheirWay.some((each) => each.check.id === id)
    return (check.needs ?? []).every((id) => !this.#planned.has(id) || this.#found.has(id) || isOnItsWay(id))
  }

  #isFirst({ id }: Check): boolean {
    return this.#options.isRootSlow?.() === true && this.#options.plan.first.has(id)
  }

  #start(check: Check, isSecond: boolean): boolean {
    const permit = this.#semaphore.tryAcquire()
    if (!permit) return false
    this.#waiting = this.#waiting.filter((each) => each !== check)
    if (isSecond) this.#again.splice(this.#again.indexOf(check), 1)
    this.#running.add(check)
    permit.onYield = () => this.#go()
    void this.#options
      .attempt(
        check,
        (wait, brief) => permit.yield(wait, brief),
        isSecond,
        () => this.#untilOthersAreOver(check),
      )
      .then((attempt) => {
        permit.end()
        this.#running.delete(check)
        this.#late.delete(check)
        this.#take(check, attempt, isSecond)
        this.#go()
      })
      .catch((error) => this.#fail(error))
    return true
  }

  #take(check: Check, attempt: Attempt, isSecond: boolean): void {
    for (const way of attempt.reliedOn ?? []) this.#ways.add(way)
    if (this.#reroute(check, attempt)) return
    if (this.#mayReroute(check, attempt)) this.#onTheirWay.push({ check, attempt, isSecond })
    else this.#judge(check, attempt, isSecond)
  }

  #judge(check: Check, attempt: Attempt, isSecond: boolean): void {
    const { outcome } = attempt
    // What does not count is not worth everybody's waiting: on a slow target such checks can be many.
    const counts = this.#options.strict || check.grade !== 'chosen'
    const status = resultStatus(outcome.kind, check.grade, this.#options.strict)
    if (outcome.kind === 'inconclusive' && counts && this.#mayAnswerYet(check, outcome))
      return void this.#again.push(check)
    const base = this.#askedAnyway.get(check.id) ?? this.#failedBelow(check)[0]?.id
    const isOpen = status === 'differs' || this.#isOwnFault(check, outcome)
    if (base !== undefined && !isFoundation(status) && !isOpen) {
      return void this.#block(check, attempt, base, `it builds on that, and ${seenIn(outcome)}`)
    }
    if (outcome.kind === 'blocked')
      this.#decide(check, attempt, this.#baseOf(check, outcome), outcome.seen, isSecond)
    else this.#find(check, outcome, attempt)
  }

  /** Whether a check that was inconclusive is worth another attempt. */
  #mayAnswerYet({ id }: Check, { inconclusiveReason, mayFit = false }: Inconclusive): boolean {
    if (inconclusiveReason === 'limit') return false
    const tries = (this.#unsure.get(id) ?? 0) + 1
    this.#unsure.set(id, tries)
    const most = mayFit ? TRIES_IN_A_LEASE : TRIES
    return tries < most && !this.#options.signal.aborted
  }

  /**
   * Has a check asked once more that came to nothing good on a way of which another has found since that it is broken.
   * @returns whether that is so
   */
  #reroute(check: Check, attempt: Attempt): boolean {
    if (!this.#mayReroute(check, attempt, (id) => isBroken(this.#found.get(id)?.status))) return false
    this.#rerouted.set(check.id, (this.#rerouted.get(check.id) ?? 0) + 1)
    this.#waiting.push(check)
    return true
  }

  /** @param isMet what one of the checks has to be on whose ways it relied; left out: not over yet */
  #mayReroute(
    { id }: Check,
    { outcome: { kind }, reliedOn = new Set() }: Attempt,
    isMet = (way: string) => this.#isOpenBefore(id, way),
  ): boolean {
    if ((kind !== 'failed' && kind !== 'blocked') || (this.#rerouted.get(id) ?? 0) >= OTHER_WAYS) return false
    if (this.#options.signal.aborted || !this.#options.judgeOn) return false
    return [...reliedOn].some((way) => way !== id && isMet(way))
  }

  /** Whether a way is not over, and goes before a check: of two that ask of ways, that one does which is planned first. */
  #isOpenBefore(id: string, way: string): boolean {
    const place = this.#planned.get(way)
    if (place === undefined || this.#found.has(way)) return false
    return !this.#ways.has(id) || place < this.#planned.get(id)!
  }

  /** The checks that failed of those that a check builds on, through others, too. */
  #failedBelow(check: Check): Check[] {
    const failed: Check[] = []
    const seen = new Set<string>()
    const visit = (id: string): void => {
      const found = this.#found.get(id)
      if (seen.has(id) || found === undefined) return
      seen.add(id)
      if (found.status === 'fail' && !found.isFoundation) failed.push(found.check)
      for (const need of found.check.needs ?? []) visit(need)
    }
    for (const need of check.needs ?? []) visit(need)
    return failed
  }

  /**
   * Whether what a check saw counts although one that it builds on failed: it came as far as its question, and that is
   * the other's question in another case. Elsewhere the fault may be that of the other check alone.
   */
  #isOwnFault(check: Check, { kind }: Outcome): boolean {
    return kind === 'failed' && this.#failedBelow(check).some((each) => isAkin(each, check))
  }

  /** A precondition did not hold: whose fault that is depends on the check that asks for it. */
  #decide(check: Check, attempt: Attempt, by: string, seen: string, isSecond: boolean): void {
    const base = this.#found.get(by)
    const cause = base && this.#failedBelow(base.check)[0]
    if (by === check.id) {
      this.#find(check, { kind: 'failed', expected: check.title, seen }, attempt)
    } else if (cause) {
      this.#block(check, attempt, cause.id, `${by} builds on that, and ${seen}`)
    } else if (base && base.status !== 'not-applicable' && isFoundation(base.status)) {
      if (!isSecond) return void this.#again.push(check)
      const at = 'at' in attempt.outcome ? attempt.outcome.at : undefined
      // A scenario may break a clause far from the one that its check is called by.
      const expected =
        at === undefined
          ? `here, too: ${base.check.title} (${by})`
          : `${at.clause} here, too: ${findClause(at.clause)?.text ?? base.check.title}`
      this.#find(
        check,
        { kind: 'failed', expected, seen: `${seen}; ${by}, which asks that, passed`, at },
        attempt,
      )
    } else if (!base && this.#planned.has(by)) {
      this.#undecided.push({ check, attempt, by, seen })
    } else {
      this.#block(check, attempt, by, seen)
    }
  }

  /**
   * The check that decides on a blocked one. Of a scenario, which names a clause, it is one that proves the clause: one that has failed
   * rather than one that is not over, and that rather than one that has not failed.
   */
  #baseOf({ id }: Check, { by, at }: Extract<Outcome, { kind: 'blocked' }>): string {
    if (at === undefined) return by
    const proving = this.#options.plan.checks.filter((each) => each.id !== id && each.clauses.includes(by))
    const failed = proving.find((each) => isBroken(this.#found.get(each.id)?.status))
    const open = proving.find((each) => !this.#found.has(each.id))
    return (failed ?? open ?? proving[0])?.id ?? by
  }

  #settleBlocked(): void {
    let changed = this.#isNewlyBroken || this.#undecided.length + this.#onTheirWay.length > 0
    while (changed) {
      changed = false
      this.#isNewlyBroken = false
      for (const { check, attempt, isSecond } of this.#onTheirWay.splice(0)) {
        this.#take(check, attempt, isSecond)
        changed ||= this.#onTheirWay.at(-1)?.check !== check
      }
      for (const check of [...this.#waiting]) {
        const needs = (check.needs ?? []).flatMap((id) => this.#found.get(id) ?? [])
        const missing = needs.find((each) => !each.isFoundation)
        if (!missing) continue
        if (this.#options.judgeOn && !this.#options.signal.aborted) {
          this.#askedAnyway.set(check.id, missing.check.id)
          continue
        }
        this.#waiting = this.#waiting.filter((each) => each !== check)
        this.#block(
          check,
          undefined,
          missing.check.id,
          `it builds on a check whose status is ${missing.status}`,
        )
        changed = true
      }
      for (const undecided of this.#undecided.splice(0)) {
        const { outcome } = undecided.attempt
        const by = outcome.kind === 'blocked' ? this.#baseOf(undecided.check, outcome) : undecided.by
        const each = { ...undecided, by }
        if (!this.#found.has(by)) this.#undecided.push(each)
        else {
          if (!this.#reroute(each.check, each.attempt))
            this.#decide(each.check, each.attempt, each.by, each.seen, false)
          changed = true
        }
      }
    }
  }

  #block(check: Check, attempt: Attempt | undefined, by: string, seen: string): void {
    const outcome = attempt?.outcome
    if (outcome?.kind === 'blocked' && outcome.isAside) {
      this.#find(check, { kind: 'passed' }, attempt)
      // Where the document is silent a target may do otherwise, and then has nothing that the check asks about.
    } else if (this.#found.get(by)?.status === 'differs' && check.grade === 'chosen') {
      const why = `it builds on ${by}, where the target does otherwise`
      this.#find(check, { kind: 'not-applicable', why }, attempt)
    } else {
      this.#find(check, { kind: 'blocked', by, seen }, attempt)
    }
  }

  /** Nothing runs and nothing can: what is left waits for itself. */
  #breakCircle(): void {
    // What is found of a way may send others on another: one is judged, the first in the plan that asks of a way.
    const asked = this.#options.plan.checks.filter(({ id }) => this.#ways.has(id))
    const at = asked
      .map((way) => this.#onTheirWay.findIndex(({ check }) => check === way))
      .find((each) => each >= 0)
    const [first] = this.#onTheirWay.splice(at ?? 0, 1)
    if (first !== undefined) {
      this.#judge(first.check, first.attempt, first.isSecond)
      return
    }
    // Each hangs on another of them: what a scenario found broken says more than who else found it.
    for (const { check, attempt, by, seen } of this.#undecided.splice(0)) {
      const { outcome } = attempt
      const clause = outcome.kind === 'blocked' && outcome.at !== undefined ? outcome.by : by
      this.#block(check, attempt, clause, seen)
    }
    if (this.#waiting.some((check) => this.#isReady(check))) return
    for (const check of this.#waiting.splice(0)) {
      this.#find(
        check,
        { kind: 'error', what: `its needs form a circle: ${check.needs?.join(', ')}` },
        undefined,
      )
    }
  }

  #giveUp(): void {
    const stopped: Outcome = {
      kind: 'inconclusive',
      why: 'the run was stopped',
      inconclusiveReason: 'stopped',
    }
    for (const check of [...this.#waiting.splice(0), ...this.#again.splice(0)])
      this.#find(check, stopped, undefined)
    for (const { check, attempt, by, seen } of this.#undecided.splice(0))
      this.#block(check, attempt, by, seen)
  }

  #find(check: Check, outcome: Outcome, attempt: Attempt | undefined): void {
    const status = resultStatus(outcome.kind, check.grade, this.#options.strict)
    const finding: Finding = { check, status, outcome, attempt }
    const isStatusAlone = outcome.kind === 'failed' && outcome.at?.isStatusAlone === true
    const found = { check, status, isFoundation: isStatusAlone || isFoundation(status) }
    this.#found.set(check.id, found)
    this.#isNewlyBroken ||= !found.isFoundation
    const isOpen = status === 'blocked' && attempt !== undefined && this.#options.judgeOn === true
    if (isOpen) this.#blocked.push(finding)
    this.#options.onFinding(isOpen ? { ...finding, isOpen } : finding)
  }
}

/** Whether two checks are of one topic, and prove clauses of one group: `dedup.repeat` and `dedup.repeat.held`. */
function isAkin(one: Check, other: Check): boolean {
  const groups = new Set(one.clauses.map((each) => groupOf(each)))
  return (
    groupOf(one.id, 1) === groupOf(other.id, 1) && other.clauses.some((each) => groups.has(groupOf(each)))
  )
}

/** The first words of an id. */
function groupOf(id: string, words = 2): string {
  return id.split('.', words).join('.')
}

/** What an attempt saw that came to nothing good, in a few words. */
function seenIn(outcome: Outcome): string {
  if (outcome.kind === 'failed' || outcome.kind === 'blocked') return outcome.seen
  return outcome.kind === 'inconclusive' ? outcome.why : 'the kit failed here'
}
