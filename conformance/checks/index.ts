import { BROWSE } from './browse.js'
import { BROWSE_CHOICES } from './browse-choices.js'
import { BROWSE_ENTRIES } from './browse-entries.js'
import { BROWSE_FEEDS } from './browse-feeds.js'
import { BROWSE_LISTINGS } from './browse-listings.js'
import type { Check } from './check.js'
import { DEDUP } from './dedup.js'
import { DEDUP_CHOICES } from './dedup-choices.js'
import { QUEUE_DELETION } from './queue-deletion.js'
import { QUEUE_NAMES } from './queue-names.js'
import { QUEUES } from './queues.js'
import { SEND } from './send.js'
import { SEND_BODIES } from './send-bodies.js'
import { SEND_CHOICES } from './send-choices.js'
import { SEND_REPEATS } from './send-repeats.js'

/** Every check, topic by topic. */
export const checks: readonly Check[] = [
  ...QUEUES,
  ...QUEUE_DELETION,
  ...QUEUE_NAMES,
  ...BROWSE,
  ...BROWSE_LISTINGS,
  ...BROWSE_FEEDS,
  ...BROWSE_CHOICES,
  ...BROWSE_ENTRIES,
  ...SEND,
  ...SEND_BODIES,
  ...SEND_REPEATS,
  ...SEND_CHOICES,
  ...DEDUP,
  ...DEDUP_CHOICES,
]
