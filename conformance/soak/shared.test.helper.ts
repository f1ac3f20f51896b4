import { HttpClient } from '../client/http-client.js'
import { DEFAULT_PROFILE } from '../client/parse-profile.js'
import type { Profile } from '../client/profile.js'
import { RunMemory } from '../client/run-memory.js'
import { Sockets } from '../client/sockets.js'
import { deriveTiming } from '../client/timing.js'
import type { Outgoing } from '../client/transport.js'
import { Unanswered } from '../client/unanswered.js'
import { Random } from '../explore/random.js'
import { type Shared, SoakClient, SoakTarget } from './client.js'
import type { Violation } from './history.js'
import { Judge } from './judge.js'

export interface Soaking extends Disposable {
  readonly shared: Shared
  readonly client: SoakClient
  readonly found: Violation[]
}

/** A client of a soak that has just begun, with times so short that no test waits for long. */
export function soaking(url: string, profile: Profile = DEFAULT_PROFILE, settle = 0): Soaking {
  const found: Violation[] = []
  const timing = { ...deriveTiming(profile, 1), timeout: 50, lease: 1000, leaseGrace: 20, settle }
  const shared: Shared = {
    ...{ profile, timing, prefix: 'kit', rate: undefined, began: performance.now() },
    ...{
      judge: new Judge(settle, 50),
      queues: [],
      shortLived: [],
      doubtful: [],
      alternativeQueue: undefined,
    },
    ...{ old: [], memory: new RunMemory(), clock: undefined, subscriptions: new Map(), uris: new Map() },
    ...{
      requests: 0,
      sent: 0,
      acknowledged: 0,
      unknown: 0,
      unanswered: new Unanswered(),
      numbered: 0,
      subscribed: 0,
    },
    found: (violation) => {
      if (violation !== undefined) found.push(violation)
    },
    isOver: () => found.length > 0,
  }
  const sending = new HttpClient(new Uncut())
  const client = new SoakClient({
    ...{ who: 'Somebody', shared, random: new Random(1) },
    target: new SoakTarget({ baseUrl: url, profile, client: sending, answerTimeout: 3000 }, () => shared),
  })
  return { shared, client, found, [Symbol.dispose]: () => sending.close() }
}

/** Never goes away in the middle of a request. */
class Uncut extends Sockets {
  override send(outgoing: Outgoing) {
    return super.send({ ...outgoing, cut: undefined })
  }
}
