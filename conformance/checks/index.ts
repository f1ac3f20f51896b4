import type { Check } from './check.js'

/** Every check, topic by topic. */
export const checks: readonly Check[] = []
