/**
 * The reference server of the HTTP interface to message queues, and a mock broker for tests: `startServer` starts one.
 * Statuses and problems are those of the pages of the interface; times are milliseconds unless said otherwise.
 *
 * @module atom-mq
 */

export { type Principal, ROLES, type Role } from './auth/principal.js'
export { type Credential, parsePrincipals } from './auth/principals-file.js'
export {
  Broker,
  type BrokerOptions,
  createBroker,
  type PageRequest,
  type SubscribeRequest,
} from './broker/broker.js'
export type { Content } from './broker/content.js'
export type { Delivery, Message, Queue, Subscription } from './broker/entities.js'
export type { BrokerEvent, Listener, ReleaseReason } from './broker/events.js'
export { type BrokerLimits, DEFAULT_LIMITS } from './broker/limits.js'
export type { Page } from './broker/page.js'
export type { ListingEntry } from './broker/queue-tree.js'
export { REFUSALS, Refusal, type RefusalKind } from './broker/refusals.js'
export type { ChaosRun, ChaosTest } from './chaos/attempt.js'
export { ChaosError, type ChaosFinding, type ChaosOptions, type ChaosReport, chaos } from './chaos/chaos.js'
export type { Clock } from './clock/clock.js'
export { ManualClock } from './clock/manual.js'
export { SystemClock } from './clock/system.js'
export {
  CLIENT_RULES,
  type ClientExchange,
  type ClientReport,
  type ClientRule,
  type ClientViolation,
  clientReportText,
  type JudgeOptions,
} from './control/client/rules.js'
export type { ClockState } from './control/clock/clock-control.js'
export type { ResetOptions } from './control/control.js'
export { DIALECTS, type Dialect } from './control/dialects/dialects.js'
export type {
  ExtraOptions,
  ServerClock,
  ServerExtras,
  ServerFaults,
  ServerJournal,
  ServerMessages,
} from './control/extras.js'
export {
  FAULT_KINDS,
  type Fault,
  type FaultAnswer,
  type FaultKind,
  type FaultSpec,
  type FaultTerms,
  SCENARIO_NAMES,
  SCENARIOS,
  type ScenarioName,
} from './control/faults/fault.js'
export { FailedExpectation } from './control/input/question.js'
export type { Target } from './control/input/target.js'
export type { RegularExpression, TextPattern } from './control/input/text-pattern.js'
export type { WaitOptions } from './control/input/waits.js'
export type { JournalEntry, RecordedBody, RecordedFault } from './control/journal/exchange-record.js'
export { DEFAULT_JOURNAL_LIMITS, type JournalLimits } from './control/journal/journal.js'
export type { JournalPattern } from './control/journal/journal-pattern.js'
export type { LeaseChoice } from './control/leases/leases.js'
export type { MessagePattern } from './control/messages/message-pattern.js'
export {
  DELIVERY_ENDS,
  type DeliveryEnd,
  type DeliveryRecord,
  MESSAGE_STATUSES,
  type MessageRecord,
  type MessageStatus,
} from './control/messages/message-record.js'
export { normalise } from './control/normalise.js'
export { parseSeed, type Seed, type SeedMessage } from './control/seed/seed.js'
export { SEED_SCHEMA } from './control/seed/seed-schema.js'
export type { SendBody, SendOptions, SentMessage } from './control/send.js'
export type {
  HeldState,
  MessageState,
  QueueState,
  ServerState,
  StateOptions,
  SubscriptionState,
} from './control/state/state.js'
export type { VerifyOptions } from './control/verify.js'
export { createHandler, type ServerHandler } from './handler.js'
export { DEFAULT_EDGE_LIMITS, type EdgeLimits } from './http/limits.js'
export { type EdgeKind, Problem, type ProblemKind } from './http/problems.js'
export type { HandlerOptions, ServerOptions } from './options.js'
export { type RunningServer, startServer } from './server.js'
