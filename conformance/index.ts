/**
 * The conformance kit of the HTTP interface to message queues: `runConformance` judges any server at a URL.
 * Each check names the clauses that it proves; times are milliseconds unless said otherwise.
 *
 * @module atom-mq-conformance
 */

export { checks } from './checks/index.js'
export { BaseUrlError } from './client/base-url.js'
export { Unreachable } from './client/contact.js'
export type { Exchange } from './client/exchange.js'
export type { Entry, Feed, Link } from './client/feed.js'
export type { InconclusiveReason } from './client/findings.js'
export type { Fetch } from './client/in-process.js'
export { DEFAULT_PROFILE, parseProfile } from './client/parse-profile.js'
export type { Feature, Profile } from './client/profile.js'
export { FEATURES, profileJson } from './client/profile.js'
export { ProfileError } from './client/profile-fields.js'
export type { RequestOptions, Target } from './client/target.js'
export { type ConformanceTest, conformanceTests, NonConformance } from './conformance-tests.js'
export type { ConformanceOptions, ConformanceRun } from './judge.js'
export { runConformance } from './judge.js'
export type { Essential, Probe, ProbeOptions } from './probe/probe.js'
export { probeTarget, skipReason } from './probe/probe.js'
export type { Note } from './probe/prober.js'
export { type NearestDefect, nearestDefect } from './report/advice/nearest-defect.js'
export { nextSteps } from './report/advice/next-steps.js'
export type { NextStep } from './report/advice/report-context.js'
export type { Baseline } from './report/baseline.js'
export { applyBaseline, BaselineError, parseBaseline } from './report/baseline.js'
export type { RunContext } from './report/describe.js'
export { mergeRuns } from './report/repeat.js'
export type {
  CheckResult,
  Fault,
  Flake,
  Report,
  ReportedBody,
  ReportedExchange,
  StaleEntry,
  Status,
  Verdict,
} from './report/result.js'
export { STATUSES } from './report/result.js'
export { EXIT_CODES, exitCodeOf } from './report/verdicts.js'
export type { Clause, Section } from './requirements/index.js'
export { findClause, LEDGER as ledger } from './requirements/index.js'
export type { Check, Grade, Topic } from './trial/check.js'
export { TOPICS } from './trial/check.js'
export type { Consumer, QueueHandle, Sent, SubscribeOptions, Timing, Trial } from './trial/trial.js'
export { KIT, VERSION } from './version.js'
