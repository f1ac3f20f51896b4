import type { Faults } from '../report/faults.js'
import type { Redactor } from '../report/redactor.js'
import { reportExchanges } from '../report/report-exchange.js'
import type { CheckResult } from '../report/result.js'
import type { Topic } from '../trial/check.js'
import type { Attempt } from './attempt.js'
import type { Finding } from './runner.js'

/** What results are made by. */
interface ResultOptions {
  readonly redactor: Redactor
  /** Whether a pass keeps its exchanges too. */
  readonly keep: boolean
  readonly faults: Faults
}

/** A finding in the form of a report. Of what cannot be told, by the kit's own fault, the status is left. */
export function makeResult(finding: Finding, options: ResultOptions): CheckResult {
  return options.faults.guard(
    `the result of ${finding.check.id}`,
    () => told(finding, options),
    () => bare(finding, 'what came of it could not be told, by a fault of the kit'),
  )
}

function told(finding: Finding, { redactor, keep, faults }: ResultOptions): CheckResult {
  const { check, status, outcome, attempt } = finding
  const quiet = status === 'pass' || status === 'observed' || status === 'not-applicable'
  const failed = outcome.kind === 'failed' ? outcome : { expected: '', seen: '' }
  const exchanges = (of: Attempt) =>
    faults.guard(
      `the exchanges of ${check.id}`,
      () => reportExchanges(of.exchanges, of.began, redactor),
      () => [],
    )
  return {
    ...bare(finding, redactor.text(messageOf(finding))),
    expected: redactor.text(failed.expected),
    seen: redactor.text(failed.seen),
    exchanges: attempt && (keep || !quiet) ? exchanges(attempt) : [],
    ...(outcome.kind === 'error' && outcome.stack !== undefined
      ? { stack: redactor.text(outcome.stack) }
      : {}),
    ...(outcome.kind === 'blocked' ? { blockedBy: outcome.by } : {}),
    ...atStep(finding),
    ...(outcome.kind === 'inconclusive' && outcome.inconclusiveReason
      ? { inconclusiveReason: outcome.inconclusiveReason }
      : {}),
  }
}

/** Of a scenario, what was carried out of it, and the clause that was broken. */
function atStep({ check, outcome }: Finding): Pick<CheckResult, 'scenario' | 'variation' | 'broken'> {
  const at = 'at' in outcome ? outcome.at : undefined
  if (at === undefined) return check.scenario === undefined ? {} : { scenario: check.scenario }
  const { scenario, variation, clause: broken } = at
  return { scenario, ...(variation === '' ? {} : { variation }), broken }
}

function bare({ check, status, attempt }: Finding, message: string): CheckResult {
  return {
    id: check.id,
    clauses: check.clauses,
    topic: check.id.split('.', 1)[0] as Topic,
    grade: check.grade,
    feature: check.feature ?? null,
    status,
    seconds: Math.round((attempt?.seconds ?? 0) * 1000) / 1000,
    message,
    ...{ expected: '', seen: '', exchanges: [] },
  }
}

function messageOf({ outcome }: Finding): string {
  switch (outcome.kind) {
    case 'passed':
      return ''
    case 'observed':
    case 'error':
      return outcome.what
    case 'failed':
      // Both are sentences, of checks that may or may not end them.
      return `expected: ${outcome.expected.replace(/\.$/, '')}; seen: ${outcome.seen}`
    case 'blocked':
      return `blocked by ${outcome.by}: ${outcome.seen}`
    case 'inconclusive':
    case 'not-applicable':
      return outcome.why
  }
}
