import { sentOnTo } from '../client/base-url.js'
import { DEFAULT_PROFILE } from '../client/parse-profile.js'
import type { Profile } from '../client/profile.js'
import { Sockets } from '../client/sockets.js'
import { type KnownByProbe, profileByProbe } from './profile-by-probe.js'
import { type ProgressLine, progressOnStderr } from './progress-line.js'
import { withHeaders } from './target-options.js'

/** Work that SIGINT stops, with a line that tells how far it is. The next one ends the process at once. */
export async function stoppable<T>(
  work: (signal: AbortSignal, progress: ProgressLine) => Promise<T>,
): Promise<T> {
  const stopping = new AbortController()
  const progress = progressOnStderr()
  const stop = () => {
    stopping.abort()
    progress.end()
  }
  process.once('SIGINT', stop)
  try {
    return await work(stopping.signal, progress)
  } finally {
    progress.end()
    process.off('SIGINT', stop)
  }
}

/** The base URL that is asked: the one that was given, or where that sends on to, once, which is then named. */
export async function leadTo(
  url: string,
  profile: Profile,
  signal: AbortSignal,
  progress: ProgressLine,
): Promise<string> {
  const to = await sentOnTo(url, profile.headers, new Sockets(), signal)
  if (to === undefined) return url
  progress.say(`atom-mq-conformance: ${url} redirects to ${to}, which is asked in its place.\n`)
  return to
}

/** What is known of a target: where it is, and the profile that was given, or what a probe finds; with the headers of the command line. */
export async function knownOf(
  url: string,
  given: Profile | undefined,
  header: readonly string[],
  options: { readonly quick: boolean; readonly origins: readonly string[]; readonly signal: AbortSignal },
  progress: ProgressLine,
): Promise<KnownByProbe & { readonly base: string }> {
  const profile = withHeaders(given ?? DEFAULT_PROFILE, header)
  if (given === undefined) progress.probing()
  const base = await leadTo(url, profile, options.signal, progress)
  if (given !== undefined) return { base, profile }
  return { base, ...(await profileByProbe(base, { ...options, profile }, (lines) => progress.say(lines))) }
}
