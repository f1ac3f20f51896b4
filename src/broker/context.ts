import type { Clock } from '../clock/clock.js'
import type { Commands } from './commands.js'
import type { Events } from './events.js'
import type { Ids } from './ids.js'
import type { BrokerLimits } from './limits.js'

/** What stays the same when a broker forgets everything, and every part may use. */
export interface BrokerContext {
  readonly clock: Clock
  readonly limits: Readonly<BrokerLimits>
  readonly ids: Ids
  readonly events: Events
  readonly commands: Commands
  /** Whether a send to a queue that is not there creates it. */
  readonly autoCreate: boolean
}
