import type { Redactor } from '../report/redactor.js'
import { reportExchanges } from '../report/report-exchange.js'
import type { CheckResult } from '../report/result.js'
import type { Topic } from '../trial/check.js'
import type { Finding } from './runner.js'

/** A finding in the form of a report. @param keep whether a pass keeps its exchanges too */
export function makeResult(finding: Finding, redactor: Redactor, keep: boolean): CheckResult {
  const { check, status, outcome, attempt } = finding
  const quiet = status === 'pass' || status === 'observed' || status === 'not-applicable'
  const failed = outcome.kind === 'failed' ? outcome : { expected: '', seen: '' }
  return {
    id: check.id,
    clauses: check.clauses,
    topic: check.id.split('.', 1)[0] as Topic,
    grade: check.grade,
    feature: check.feature ?? null,
    status,
    seconds: Math.round((attempt?.seconds ?? 0) * 1000) / 1000,
    message: redactor.text(messageOf(finding)),
    expected: redactor.text(failed.expected),
    seen: redactor.text(failed.seen),
    exchanges: attempt && (keep || !quiet) ? reportExchanges(attempt.exchanges, attempt.began, redactor) : [],
    ...(outcome.kind === 'blocked' ? { blockedBy: outcome.by } : {}),
    ...(outcome.kind === 'inconclusive' && outcome.inconclusiveReason
      ? { inconclusiveReason: outcome.inconclusiveReason }
      : {}),
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
