import { DEFAULT_PROFILE } from '../client/parse-profile.js'
import type { Outcome } from '../report/verdicts.js'
import type { Check } from '../trial/check.js'
import type { Attempt } from './attempt.js'
import { makePlan } from './plan.js'
import { type Finding, Runner, type RunnerOptions } from './runner.js'

export const passed: Outcome = { kind: 'passed' }

export type Yield = <T>(wait: () => Promise<T>) => Promise<T>

export interface Script extends Partial<Omit<Check, 'run'>> {
  /** Outcomes of its attempts; the last one stays. */
  outcomes?: Outcome[]
  during?: (yieldPermit: Yield, othersAreOver: () => Promise<void>) => Promise<void>
  reliedOn?: string[]
}

/** Runs checks that come out as scripted. */
export async function play(scripts: Record<string, Script>, options: Partial<RunnerOptions> = {}) {
  const checks = Object.entries(scripts).map(([id, { outcomes, during, reliedOn, ...more }]): Check => {
    return {
      id,
      title: `${id} holds`,
      stimulus: '',
      clauses: [],
      grade: 'stated',
      run: async () => {},
      ...more,
    }
  })
  const findings: Finding[] = []
  const log: string[] = []
  let now = 0
  let most = 0
  const tries = new Map<string, number>()
  const attempt: RunnerOptions['attempt'] = async (
    check,
    yieldPermit,
    _,
    othersAreOver,
  ): Promise<Attempt> => {
    const script = scripts[check.id]!
    const count = tries.get(check.id) ?? 0
    tries.set(check.id, count + 1)
    log.push(`+${check.id}`)
    most = Math.max(most, ++now)
    const during = script.during ?? (() => new Promise<void>((resolve) => setImmediate(resolve)))
    const resting: Yield = async (wait) => {
      now -= 1
      try {
        return await yieldPermit(wait)
      } finally {
        most = Math.max(most, ++now)
      }
    }
    await during(resting, othersAreOver)
    now -= 1
    log.push(`-${check.id}`)
    const outcomes = script.outcomes ?? [passed]
    const outcome = outcomes[Math.min(count, outcomes.length - 1)]!
    const reliedOn = new Set(script.reliedOn)
    return { outcome, exchanges: [], choices: [], began: 0, seconds: 0, reliedOn }
  }
  await new Runner({
    plan: makePlan(checks, DEFAULT_PROFILE, {}),
    jobs: 8,
    strict: false,
    ownClock: false,
    signal: new AbortController().signal,
    attempt,
    onFinding: (finding) => {
      if (!finding.isOpen) findings.push(finding)
    },
    ...options,
  }).run()
  const statuses = Object.fromEntries(findings.map(({ check, status }) => [check.id, status]))
  const of = (id: string) => findings.find(({ check }) => check.id === id)!
  return { statuses, of, log, most, tries: Object.fromEntries(tries), count: findings.length }
}
