import type { Feature } from '../client/profile.js'
import { findAuth } from './find-auth.js'
import { findAckInPost, findBatch } from './find-batch.js'
import { findDottedNames, findSubtree } from './find-names.js'
import { findOneAtATime } from './find-one-at-a-time.js'
import { findSelector } from './find-selector.js'
import { findGuid } from './find-sending.js'
import { findSinglePath } from './find-single-path.js'
import { findWildcard } from './find-wildcard.js'
import type { Prober } from './prober.js'

/** How each feature is looked for, once the primary mapping can be spoken. */
export const FEATURE_FINDINGS: Readonly<Record<Feature, (prober: Prober) => Promise<unknown>>> = {
  subtree: findSubtree,
  'dotted-names': findDottedNames,
  guid: findGuid,
  wildcards: findWildcard,
  selector: findSelector,
  'single-path': findSinglePath,
  'one-at-a-time': findOneAtATime,
  // What a batch is found to do is needed for where acknowledgements are taken.
  batch: findBatch,
  'ack-in-post': findAckInPost,
  auth: findAuth,
}
