import { HttpClient } from '../client/http-client.js'
import { parseProfile } from '../client/parse-profile.js'
import { FEATURES } from '../client/profile.js'
import { Sockets } from '../client/sockets.js'
import { Prober, type ProberOptions } from './prober.js'

/** A prober of a test's server, with connections that are closed at the end of the test's block. */
export function proberOf(
  url: string,
  profile: object = {},
  options: Partial<ProberOptions> = {},
): Prober & Disposable {
  const client = new HttpClient(new Sockets())
  const prober = new Prober({ baseUrl: url, client, profile: parseProfile(profile), latency: 1, ...options })
  for (const feature of FEATURES) prober.draft.features[feature] = false
  // What a test's server does shows at once.
  prober.timeout = 100
  prober.roomy = { prefetch: '10' }
  return Object.assign(prober, { [Symbol.dispose]: () => client.close() })
}

/** The text of the one note about something. */
export function noteOf(prober: Prober, about: string): string {
  const found = prober.notes.filter((note) => note.about === about)
  if (found.length !== 1) throw new Error(`${found.length} notes about ${about}`)
  return found[0]!.text
}
