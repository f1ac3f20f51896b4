import type { BrokerLimits } from './broker/limits.js'
import { LONGEST_DELAY, LONGEST_SPAN } from './clock/spans.js'
import type { EdgeLimits } from './http/limits.js'

/**
 * Every limit that is a span, with the longest that it may be, in milliseconds: clocks wait for a year in parts, and the
 * platform's timers cannot.
 */
export const LONGEST_SPANS = {
  defaultTimeout: LONGEST_SPAN,
  minTimeout: LONGEST_SPAN,
  maxTimeout: LONGEST_SPAN,
  addressTimeout: LONGEST_SPAN,
  maxWait: LONGEST_SPAN,
  headersTimeout: LONGEST_DELAY,
  requestTimeout: LONGEST_DELAY,
  answerTimeout: LONGEST_DELAY,
  keepAliveTimeout: LONGEST_DELAY,
  lingerTimeout: LONGEST_DELAY,
  closeTimeout: LONGEST_DELAY,
} as const satisfies Readonly<Partial<Record<keyof (BrokerLimits & EdgeLimits), number>>>
