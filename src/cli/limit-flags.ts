import { type BrokerLimits, DEFAULT_LIMITS } from '../broker/limits.js'
import { DEFAULT_EDGE_LIMITS, type EdgeLimits } from '../http/limits.js'
import { LONGEST_SPANS } from '../longest-spans.js'

type Limits = BrokerLimits & EdgeLimits

/** How a limit is written on the command line; spans are given in seconds, and kept in milliseconds. */
export type LimitUnit = 'count' | 'bytes' | 'seconds'

/** A limit as an option of the command line. */
export interface LimitFlag {
  readonly flag: string
  readonly unit: LimitUnit
  readonly help: string
  readonly least: number
  readonly most: number
}

const COUNT = { unit: 'count', least: 1, most: 16_000_000 } as const
const BYTES = { unit: 'bytes', least: 1, most: Number.MAX_SAFE_INTEGER } as const
const SECONDS = { unit: 'seconds', least: 0.001 } as const

/** The most of a span is its {@link LONGEST_SPANS}, and nothing else may go without one. */
const FLAGS: {
  readonly [L in keyof Limits]: L extends keyof typeof LONGEST_SPANS ? Omit<LimitFlag, 'most'> : LimitFlag
} = {
  maxBody: { flag: 'max-message', help: 'largest message', ...BYTES },
  maxMemory: {
    flag: 'max-memory',
    help: 'memory for all that is kept (3/8 of a small heap)',
    ...BYTES,
  },
  defaultPrefetch: { flag: 'default-prefetch', help: 'prefetch of a subscription that names none', ...COUNT },
  maxPrefetch: { flag: 'max-prefetch', help: 'largest prefetch', ...COUNT },
  maxBatch: { flag: 'max-batch', help: 'largest max of one batch', ...COUNT },
  defaultTimeout: { flag: 'default-timeout', help: 'lease of a subscription that names none', ...SECONDS },
  minTimeout: { flag: 'min-timeout', help: 'shortest lease', ...SECONDS },
  maxTimeout: { flag: 'max-timeout', help: 'longest lease', ...SECONDS },
  maxQueues: { flag: 'max-queues', help: 'queues at once', ...COUNT },
  maxSegments: { flag: 'max-segments', help: 'segments of a name', ...COUNT, most: 512 },
  maxDestinations: { flag: 'max-destinations', help: 'destinations of one subscription', ...COUNT },
  maxSubscriptions: { flag: 'max-subscriptions', help: 'subscriptions at once', ...COUNT },
  maxBindings: { flag: 'max-bindings', help: 'queues that all subscriptions cover', ...COUNT },
  maxWildcardNames: {
    flag: 'max-wildcard-names',
    help: 'names that wildcards are compared with',
    ...COUNT,
  },
  maxSelector: { flag: 'max-selector', help: 'characters of a selector', ...COUNT },
  maxHeld: { flag: 'max-held', help: 'messages that one consumer by id holds', ...COUNT },
  maxHeldInAll: {
    flag: 'max-held-in-all',
    help: 'messages held at once, each prefetch counted whole',
    ...COUNT,
  },
  addressTimeout: { flag: 'address-timeout', help: 'life of an unused new-message address', ...SECONDS },
  maxAddresses: { flag: 'max-addresses', help: 'unused new-message addresses at once', ...COUNT },
  dedupLimit: { flag: 'dedup-limit', help: 'guids and used addresses remembered', ...COUNT, least: 0 },
  endedLimit: { flag: 'ended-limit', help: 'ended leases and addresses remembered', ...COUNT, least: 0 },
  settledLimit: { flag: 'settled-limit', help: 'settled deliveries remembered', ...COUNT, least: 0 },
  maxWait: { flag: 'max-wait', help: 'longest wait that a client is granted', ...SECONDS, least: 0 },
  defaultPage: { flag: 'default-page', help: 'entries on a page', ...COUNT },
  maxPage: { flag: 'max-page', help: 'most entries on a page that may be asked for', ...COUNT },
  maxTarget: { flag: 'max-target', help: 'longest request target', ...BYTES },
  maxHeader: { flag: 'max-header', help: 'largest header section', ...BYTES },
  maxPageBytes: { flag: 'max-page-bytes', help: 'most bytes of a page', ...BYTES },
  maxFields: { flag: 'max-fields', help: 'header fields of one message', ...BYTES },
  maxAcks: { flag: 'max-acks', help: 'lines of one list of acknowledgements', ...COUNT },
  maxConnections: { flag: 'max-connections', help: 'connections at once', ...COUNT },
  maxPipelined: { flag: 'max-pipelined', help: 'unanswered requests of one connection', ...COUNT },
  maxRequests: { flag: 'max-requests', help: 'unanswered requests in all', ...COUNT },
  maxInFlight: { flag: 'max-in-flight', help: 'request bodies on their way in all', ...BYTES },
  maxUnsent: { flag: 'max-unsent', help: 'answers not taken by their readers in all', ...BYTES },
  maxUnsentOfOne: {
    flag: 'max-unsent-of-one',
    help: 'answers not taken on one connection, before it waits',
    ...BYTES,
  },
  headersTimeout: { flag: 'headers-timeout', help: 'time for the head of a request', ...SECONDS },
  requestTimeout: { flag: 'request-timeout', help: 'time for a whole request', ...SECONDS },
  answerTimeout: { flag: 'answer-timeout', help: 'time for an answer to be taken', ...SECONDS },
  keepAliveTimeout: { flag: 'keep-alive-timeout', help: 'life of an idle connection', ...SECONDS },
  lingerTimeout: { flag: 'linger-timeout', help: 'time to throw a refused body away', ...SECONDS },
  lingerBytes: { flag: 'linger-bytes', help: 'how much of a refused body is thrown away', ...BYTES },
  closeTimeout: { flag: 'close-timeout', help: 'time for answers to leave at the end', ...SECONDS },
}

/** Every limit of the server; that none is missing is the compiler's business. */
export const LIMIT_FLAGS = Object.fromEntries(
  Object.entries(FLAGS).map(([limit, flag]) => {
    return [limit, { most: LONGEST_SPANS[limit as keyof typeof LONGEST_SPANS] / 1000, ...flag }]
  }),
) as Readonly<Record<keyof Limits, LimitFlag>>

const DEFAULTS: Readonly<Limits> = { ...DEFAULT_LIMITS, ...DEFAULT_EDGE_LIMITS }

/** The default of a limit as it would be written on the command line. */
export function defaultOf(limit: keyof Limits): string {
  const { unit } = LIMIT_FLAGS[limit]
  return String(unit === 'seconds' ? DEFAULTS[limit] / 1000 : DEFAULTS[limit])
}

/**
 * Reads a limit as it stands on the command line.
 *
 * @returns the value as the server keeps it, or undefined when the text is no such value
 */
export function readLimit(limit: keyof Limits, text: string): number | undefined {
  const { unit, least, most } = LIMIT_FLAGS[limit]
  const shape = unit === 'seconds' ? /^\d{1,9}(\.\d{1,9})?$/ : /^\d{1,16}$/
  const value = shape.test(text) ? Number(text) : Number.NaN
  if (!(value >= least && value <= most)) return undefined
  return unit === 'seconds' ? Math.round(value * 1000) : value
}
