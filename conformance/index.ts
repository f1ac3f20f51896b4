export type { Check, Grade, Topic } from './checks/check.js'
export { TOPICS } from './checks/check.js'
export { checks } from './checks/index.js'
export type { Essential, Probe, ProbeOptions } from './probe/probe.js'
export { probeTarget } from './probe/probe.js'
export type { Note } from './probe/prober.js'
export { unaskable } from './probe/unaskable.js'
export type { Circumstances } from './report/describe.js'
export { type NearestSin, nearestSin } from './report/nearest-sin.js'
export { nextSteps } from './report/next-steps.js'
export type { NextStep } from './report/situation.js'
export type { Clause, Section } from './requirements/index.js'
export { findClause, LEDGER as ledger } from './requirements/index.js'
export { BaseUrlError } from './run/base-url.js'
export type { Baseline } from './run/baseline.js'
export { applyBaseline, BaselineError, parseBaseline } from './run/baseline.js'
export type { ConformanceOptions, ConformanceRun } from './run/conformance.js'
export { runConformance } from './run/conformance.js'
export { type ConformanceTest, conformanceTests, NonConformance } from './run/conformance-tests.js'
export { Unreachable } from './run/contact.js'
export { mergeRuns } from './run/repeat.js'
export type {
  CheckResult,
  Doubt,
  Flake,
  Report,
  ReportedBody,
  ReportedExchange,
  StaleEntry,
  Status,
  Verdict,
} from './run/result.js'
export { STATUSES } from './run/result.js'
export type { Consumer, QueueHandle, Sent, SubscribeOptions, Timing, Trial } from './run/trial.js'
export { EXIT_CODES, exitCodeOf } from './run/verdicts.js'
export type { Entry, Link } from './target/entry.js'
export type { Exchange } from './target/exchange.js'
export type { Feed } from './target/feed.js'
export { DEFAULT_PROFILE, parseProfile } from './target/parse-profile.js'
export type { Feature, Profile } from './target/profile.js'
export { FEATURES } from './target/profile.js'
export { ProfileError } from './target/profile-fields.js'
export type { RequestOptions, Target } from './target/target.js'
export { KIT, VERSION } from './version.js'
