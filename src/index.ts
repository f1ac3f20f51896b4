export { type Principal, ROLES, type Role } from './auth/principal.js'
export { type Credential, parsePrincipals } from './auth/principals-file.js'
export {
  Broker,
  type BrokerOptions,
  createBroker,
  type PageRequest,
  type SubscribeRequest,
} from './broker/broker.js'
export { type BrokerLimits, DEFAULT_LIMITS } from './broker/limits.js'
export type { Content, Delivery, Message } from './broker/message.js'
export type { Page } from './broker/page.js'
export type { Queue } from './broker/queue.js'
export type { ListingEntry } from './broker/queue-tree.js'
export { REFUSALS, Refusal, type RefusalKind } from './broker/refusals.js'
export type { Subscription } from './broker/subscription.js'
export type { Clock } from './clock/clock.js'
export { ManualClock } from './clock/manual.js'
export { SystemClock } from './clock/system.js'
export type { ClockState } from './control/clock/clock-control.js'
export type { ExtraOptions, ServerExtras } from './control/extras.js'
export { FAULT_KINDS, type Fault, type FaultKind, type FaultSpec } from './control/faults/fault.js'
export type { JournalEntry, RecordedBody, RecordedFault } from './control/journal/exchange-record.js'
export { DEFAULT_JOURNAL_LIMITS, type JournalLimits, type WaitOptions } from './control/journal/journal.js'
export type { JournalPattern } from './control/journal/journal-pattern.js'
export { normalise } from './control/normalise.js'
export { parseSeed, type Seed, type SeedMessage } from './control/seed/seed.js'
export { SEED_SCHEMA } from './control/seed/seed-schema.js'
export type {
  HeldState,
  MessageState,
  QueueState,
  ServerState,
  SubscriptionState,
} from './control/state/state.js'
export { DEFAULT_EDGE_LIMITS, type EdgeLimits } from './http/limits.js'
export { type RunningServer, type ServerOptions, startServer } from './server.js'
