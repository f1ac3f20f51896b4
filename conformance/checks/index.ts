import { ACK } from './ack.js'
import type { Check } from './check.js'
import { CONSUME } from './consume.js'
import { CONSUME_TOGETHER } from './consume-together.js'
import { LEASE } from './lease.js'
import { LEASE_DELETION } from './lease-deletion.js'
import { PREFETCH } from './prefetch.js'
import { PREFETCH_TOGETHER } from './prefetch-together.js'
import { SELECTOR_LANGUAGE } from './selector-language.js'
import { SUBSCRIBE } from './subscribe.js'
import { SUBSCRIBE_SELECTORS } from './subscribe-selectors.js'
import { SUBSCRIBE_WILDCARDS } from './subscribe-wildcards.js'

/** Every check, topic by topic. */
export const checks: readonly Check[] = [
  ...SUBSCRIBE,
  ...SUBSCRIBE_WILDCARDS,
  ...SUBSCRIBE_SELECTORS,
  ...SELECTOR_LANGUAGE,
  ...CONSUME,
  ...CONSUME_TOGETHER,
  ...PREFETCH,
  ...PREFETCH_TOGETHER,
  ...ACK,
  ...LEASE,
  ...LEASE_DELETION,
]
