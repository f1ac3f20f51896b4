import { Refusal } from './refusals.js'

/**
 * The limits and default spans of the broker that are options of the server. How long names, guids and consumer ids may be is fixed, and
 * stands where they are read.
 *
 * @example
 * ```ts
 * const limits: Partial<BrokerLimits> = { maxQueues: 100 }
 * ```
 */
export interface BrokerLimits {
  /** Prefetch of a subscription that names none, in messages. */
  defaultPrefetch: number
  /** Largest prefetch that may be asked for, in messages. */
  maxPrefetch: number
  /** Largest `max` of one batch, in messages. */
  maxBatch: number
  /** Lease of a subscription that names none, in milliseconds. */
  defaultTimeout: number
  /** Shortest lease that may be asked for, in milliseconds. */
  minTimeout: number
  /** Longest lease that may be asked for, in milliseconds. */
  maxTimeout: number
  /** How many queues there may be. */
  maxQueues: number
  /** How many segments the name of a queue, or a destination, may have. */
  maxSegments: number
  /** How many destinations one subscription may name. */
  maxDestinations: number
  /** How many subscriptions, consumers and sessions may live at once. */
  maxSubscriptions: number
  /** How many queues all subscriptions may cover together: a queue that two of them cover counts twice. */
  maxBindings: number
  /** How many names the wildcards of one subscription may be compared with: each that a `*` or `>` could stand for. */
  maxWildcardNames: number
  /** How many characters a selector may have. */
  maxSelector: number
  /** How many messages one consumer, or session, of the alternative mappings may hold. */
  maxHeld: number
  /**
   * How many messages may be held at once, so that the end of a queue takes a bounded time. The prefetch of a
   * subscription counts whole, of other consumers what they hold.
   */
  maxHeldInAll: number
  /** How long a new-message address may stay unused, in milliseconds. */
  addressTimeout: number
  /** How many unused new-message addresses may exist at once. */
  maxAddresses: number
  /**
   * How many guids, and how many used addresses, are remembered; the oldest are forgotten first, also when they take a
   * quarter, or an eighth, of the memory. Those of pending messages are never forgotten, however many they are.
   */
  dedupLimit: number
  /**
   * How many ended subscriptions, and how many expired addresses, are remembered, to answer "gone" and not "unknown"; each may
   * take a 32nd of the memory.
   */
  endedLimit: number
  /** How many settled deliveries are remembered, in a sixteenth of the memory, so that a repeated acknowledgement succeeds. */
  settledLimit: number
  /** Bytes that all that is kept may take: messages, queues, subscriptions, addresses, and what is remembered. */
  maxMemory: number
}

/**
 * What holds unless an option says otherwise. A server's `maxMemory` is three eighths of Node's heap where that
 * is less; a mock broker's is half of that.
 *
 * @example
 * ```ts
 * DEFAULT_LIMITS.maxPrefetch    // 1000
 * ```
 */
// clause: limits.open
export const DEFAULT_LIMITS: Readonly<BrokerLimits> = {
  defaultPrefetch: 10,
  maxPrefetch: 1000,
  maxBatch: 1000,
  defaultTimeout: 30_000,
  minTimeout: 50,
  maxTimeout: 3_600_000,
  maxQueues: 20_000,
  maxSegments: 12,
  maxDestinations: 100,
  maxSubscriptions: 10_000,
  maxBindings: 100_000,
  maxWildcardNames: 50_000,
  maxSelector: 4096,
  maxHeld: 1000,
  maxHeldInAll: 30_000,
  addressTimeout: 3_600_000,
  maxAddresses: 1_000_000,
  dedupLimit: 200_000,
  endedLimit: 10_000,
  settledLimit: 100_000,
  maxMemory: 256 * 1024 * 1024,
}

/** Without the members that are undefined, which stand for the default and must not replace it. */
export function given<T extends object>(members: T): T {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T
}

/** @throws Refusal `bad-parameter` when a number is not whole, or out of its range */
export function checkCount(
  parameter: string,
  value: number,
  least: number,
  most: number,
  what = parameter,
): void {
  if (Number.isInteger(value) && value >= least && value <= most) return
  throw new Refusal('bad-parameter', `${what} takes ${least} to ${most}, not ${value}.`, {
    parameter,
    least,
    most,
  })
}

/** @throws Refusal `bad-parameter` when a lease would have more destinations than it may */
export function checkDestinations(count: number, { maxDestinations }: Readonly<BrokerLimits>): void {
  checkCount('destination', count, 1, maxDestinations, 'The number of destinations')
}

/**
 * @param timeout length of a lease, in milliseconds
 * @throws Refusal `bad-parameter` when it is out of its range, which it tells in seconds, as clients ask
 */
// clause: subscribe.timeout.range
export function checkTimeout(timeout: number, { minTimeout, maxTimeout }: Readonly<BrokerLimits>): void {
  if (timeout >= minTimeout && timeout <= maxTimeout) return
  const [least, most] = [minTimeout / 1000, maxTimeout / 1000]
  throw new Refusal('bad-parameter', `timeout takes ${least} to ${most} seconds.`, {
    parameter: 'timeout',
    least,
    most,
  })
}
