import { FEATURES, unknownFeature } from '../client/profile.js'
import type { ConformanceOptions } from '../judge.js'
import { type ProbeOptions, probeTarget, skipReason } from '../probe/probe.js'
import { KIT } from '../version.js'

/** What a probe found for a run to go by, or why there can be none. */
export type KnownByProbe = Pick<
  ConformanceOptions,
  'profile' | 'skipReason' | 'lookForUnclaimed' | 'probed'
> & { readonly notJudged?: string }

/**
 * What a run without a profile goes by: what a probe finds.
 *
 * @param tell is given what was found in short, in whole lines
 * @returns `notJudged`, a sentence, where there is nothing to judge, or it may do all that the document says in ways that could not
 *   be found out
 */
export async function profileByProbe(
  url: string,
  options: Pick<ProbeOptions, 'quick' | 'signal' | 'profile' | 'origins'>,
  tell: (lines: string) => void,
): Promise<KnownByProbe> {
  const probe = await probeTarget(url, options)
  const say = (text: string) => tell(`${KIT}: ${text}\n`)
  if (probe.useful) {
    const claimed = FEATURES.filter((feature) => probe.profile.features[feature])
    say(`no profile was given; a probe of the target found ${claimed.join(', ') || 'none of the features'}.`)
    const open = FEATURES.filter((feature) => unknownFeature(probe.profile, feature) !== undefined)
    if (open.length > 0) say(`it could not tell whether there is ${open.join(', ')}: a profile can.`)
  }
  const { createQueue, ...unseen } = probe.unseen
  if (createQueue !== undefined) {
    const why = createQueue.replace(/\.$/, '')
    return { probed: true, notJudged: `${why} ("${KIT} probe ${url}" tells what was tried)` }
  }
  for (const sentence of Object.values(unseen)) say(sentence)
  // What is not there at all fails by the reference's ways as well as by any other.
  const known = probe.useful ? probe.profile : options.profile
  const profile = known === undefined ? {} : { profile: known }
  return { ...profile, skipReason: skipReason(probe), lookForUnclaimed: false, probed: true }
}
