import { DEFAULT_PROFILE } from '../client/parse-profile.js'
import type { Profile } from '../client/profile.js'
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

/** What is known of a target: the profile that was given, or what a probe finds; with the headers of the command line. */
export async function knownOf(
  url: string,
  given: Profile | undefined,
  header: readonly string[],
  options: { readonly quick: boolean; readonly origins: readonly string[]; readonly signal: AbortSignal },
  progress: ProgressLine,
): Promise<KnownByProbe> {
  const profile = withHeaders(given ?? DEFAULT_PROFILE, header)
  if (given !== undefined) return { profile }
  progress.probing()
  return profileByProbe(url, { ...options, profile }, (lines) => progress.say(lines))
}
