import type { FaultKind, FaultTerms } from './fault-terms.js'

/**
 * The names of {@link SCENARIOS}.
 *
 * @example
 * ```ts
 * SCENARIO_NAMES.includes('away')    // true
 * ```
 */
export const SCENARIO_NAMES = ['away', 'slow', 'losing-answers', 'doubling-deliveries'] as const

/**
 * One of {@link SCENARIO_NAMES}.
 *
 * @example
 * ```ts
 * const scenario: ScenarioName = 'slow'
 * mq.faults.add({ scenario, for: 10_000 })
 * ```
 */
export type ScenarioName = (typeof SCENARIO_NAMES)[number]

/**
 * What brokers do to their clients, each as one fault by a name of its own. Whatever is given beside the name goes
 * first: `{ scenario: 'away', for: 60_000, path: '/queues/**' }`.
 *
 * - `away`: for ten seconds every connection is reset, and nothing is handled.
 * - `slow`: every request is handled half a second to two seconds late.
 * - `losing-answers`: of three answers one is lost on its way.
 * - `doubling-deliveries`: of three messages that are handed out one is handed out twice.
 *
 * @example
 * ```ts
 * SCENARIOS.away.fault    // 'reset-before'
 * ```
 */
export const SCENARIOS: Readonly<Record<ScenarioName, FaultTerms & { readonly fault: FaultKind }>> = {
  away: { fault: 'reset-before', for: 10_000 },
  slow: { fault: 'delay', ms: 500, jitter: 1500 },
  'losing-answers': { fault: 'reset-after-commit', probability: 1 / 3 },
  'doubling-deliveries': { fault: 'duplicate-delivery', probability: 1 / 3 },
}
