import { HttpClient } from '../client/http-client.js'
import { DEFAULT_PROFILE } from '../client/parse-profile.js'
import type { Profile } from '../client/profile.js'
import { Sockets } from '../client/sockets.js'
import { deriveTiming } from '../client/timing.js'
import type { Outgoing } from '../client/transport.js'
import { Random } from '../explore/random.js'
import { Shared, SoakClient, SoakTarget } from './client.js'

export interface Soaking extends Disposable {
  readonly shared: Shared
  readonly client: SoakClient
}

/** A client of a soak that has just begun, with times so short that no test waits for long. */
export function soaking(url: string, profile: Profile = DEFAULT_PROFILE, settle = 0): Soaking {
  const timing = { ...deriveTiming(profile, 1), timeout: 50, lease: 1000, leaseGrace: 20, settle }
  const shared = new Shared(profile, timing, 'kit', new AbortController().signal)
  const sending = new HttpClient(new Uncut())
  const target = new SoakTarget({ baseUrl: url, profile, client: sending, answerTimeout: 3000 }, shared)
  const client = new SoakClient('Somebody', shared, new Random(1), target)
  return { shared, client, [Symbol.dispose]: () => sending.close() }
}

/** Never goes away in the middle of a request. */
class Uncut extends Sockets {
  override send(outgoing: Outgoing) {
    return super.send({ ...outgoing, cut: undefined })
  }
}
