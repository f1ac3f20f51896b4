import { FEATURES, type Feature } from '../client/profile.js'
import { FEATURE_FINDINGS } from './feature-findings.js'
import { Prober, type ProberOptions } from './prober.js'

/** Looking for what is not judged takes no longer than this: milliseconds. */
const TIME = 10_000
const REQUESTS = 600

/**
 * Features that a target has and its profile does not claim. They are looked for by the ways of the profile, and only
 * there: a wildcard of another syntax is not found.
 */
export async function findUnclaimed(
  options: Omit<ProberOptions, 'requests' | 'time'>,
): Promise<readonly Feature[]> {
  const unclaimed = FEATURES.filter((feature) => !options.profile.features[feature])
  const prober = new Prober({ ...options, requests: REQUESTS, time: TIME })
  prober.heedOnlyProfile()
  const look = (feature: Feature) => prober.find(feature, () => FEATURE_FINDINGS[feature](prober))
  // Acknowledgements may be taken where batches are, which are looked for first.
  await Promise.all(unclaimed.filter((feature) => feature !== 'ack-in-post').map(look))
  if (unclaimed.includes('ack-in-post')) await look('ack-in-post')
  return unclaimed.filter((feature) => prober.draft.features[feature])
}
