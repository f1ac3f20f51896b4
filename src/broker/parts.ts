import type { Clock } from '../clock/clock.js'
import { SystemClock } from '../clock/system.js'
import { Acknowledgements } from './acknowledgements.js'
import { Commands } from './commands.js'
import { Consumers } from './consumers.js'
import type { BrokerContext } from './context.js'
import { Coverage } from './coverage.js'
import { Dispatch } from './dispatch.js'
import { Events } from './events.js'
import { Ids } from './ids.js'
import { type BrokerLimits, DEFAULT_LIMITS, given } from './limits.js'
import { MemoryBudget } from './memory-budget.js'
import { QueueTree } from './queue-tree.js'
import { Queues } from './queues.js'
import { SendDeduplication } from './send-deduplication.js'
import { Sending } from './sending.js'
import { Sessions } from './sessions.js'
import { Subscriptions } from './subscriptions.js'

/**
 * What a broker is made with; everything has a default.
 *
 * @example
 * ```ts
 * const options: BrokerOptions = { clock: new ManualClock(), autoCreate: true, limits: { maxQueues: 10 } }
 * ```
 */
export interface BrokerOptions {
  /** Where "now" and timers come from; real time unless given. */
  clock?: Clock
  /** Limits that differ from {@link DEFAULT_LIMITS}. */
  limits?: Partial<BrokerLimits>
  /** Whether a send to a queue that is not there creates it; false unless given. */
  autoCreate?: boolean
  /** Fills an array with random bytes, for ids; the platform's generator unless given. */
  random?: (bytes: Uint8Array<ArrayBuffer>) => void
}

/** What a broker is made of; each part knows those above it. */
export type BrokerParts = Readonly<ReturnType<typeof assembleParts>>

/** What the parts of one broker share. */
export function contextOf({
  clock = new SystemClock(),
  limits = {},
  autoCreate = false,
  random,
}: BrokerOptions): BrokerContext {
  const events = new Events()
  return {
    clock,
    autoCreate,
    events,
    limits: { ...DEFAULT_LIMITS, ...given(limits) },
    ids: new Ids(random),
    commands: new Commands(events),
  }
}

/** The parts of a broker with nothing in it. */
export function assembleParts(context: BrokerContext) {
  const memory = new MemoryBudget(context.limits.maxMemory)
  // The names of all queues.
  const tree = new QueueTree(memory, context.clock.now())
  // Who gets the next message.
  const dispatch = new Dispatch(context, memory)
  // Which lease covers which queue.
  const coverage = new Coverage(context, memory, tree, dispatch)
  // The leases of all kinds: subscriptions, consumers and sessions.
  const subscriptions = new Subscriptions(context, memory, coverage, dispatch)
  const acknowledgements = new Acknowledgements(context, dispatch, subscriptions)
  const queues = new Queues(context, memory, tree, coverage, dispatch)
  const deduplication = new SendDeduplication(context, memory)
  const sending = new Sending(context, memory, queues, deduplication, dispatch)
  const consumers = new Consumers(context, dispatch, subscriptions, acknowledgements)
  const sessions = new Sessions(context, dispatch, subscriptions, acknowledgements)
  return {
    context,
    memory,
    tree,
    dispatch,
    coverage,
    subscriptions,
    acknowledgements,
    queues,
    deduplication,
    sending,
    consumers,
    sessions,
  }
}

/** Ends what is under way, and notes everybody who waits. What is stored stays readable. */
export function letGo({ context, subscriptions, queues }: BrokerParts): void {
  subscriptions.close()
  for (const queue of queues) {
    context.commands.note(queue.waiters)
    context.commands.note(queue.takers)
  }
}
