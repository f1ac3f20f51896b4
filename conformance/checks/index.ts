import { ACK } from './ack.js'
import { ACK_CHOICES } from './ack-choices.js'
import type { Check } from './check.js'
import { CONSUME } from './consume.js'
import { CONSUME_CHOICES } from './consume-choices.js'
import { CONSUME_ENTRY } from './consume-entry.js'
import { CONSUME_TOGETHER } from './consume-together.js'
import { CONSUME_WAIT } from './consume-wait.js'
import { LEASE } from './lease.js'
import { LEASE_CHOICES } from './lease-choices.js'
import { LEASE_DELETION } from './lease-deletion.js'
import { PREFETCH } from './prefetch.js'
import { PREFETCH_TOGETHER } from './prefetch-together.js'
import { SELECTOR_LANGUAGE } from './selector-language.js'
import { SUBSCRIBE } from './subscribe.js'
import { SUBSCRIBE_DATA } from './subscribe-data.js'
import { SUBSCRIBE_SELECTORS } from './subscribe-selectors.js'
import { SUBSCRIBE_WILDCARDS } from './subscribe-wildcards.js'

/** Every check, topic by topic. */
export const checks: readonly Check[] = [
  ...SUBSCRIBE,
  ...SUBSCRIBE_WILDCARDS,
  ...SUBSCRIBE_SELECTORS,
  ...SELECTOR_LANGUAGE,
  ...SUBSCRIBE_DATA,
  ...CONSUME,
  ...CONSUME_TOGETHER,
  ...CONSUME_ENTRY,
  ...CONSUME_CHOICES,
  ...CONSUME_WAIT,
  ...PREFETCH,
  ...PREFETCH_TOGETHER,
  ...ACK,
  ...ACK_CHOICES,
  ...LEASE_DELETION,
  ...LEASE,
  ...LEASE_CHOICES,
]
