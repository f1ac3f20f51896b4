import { answered } from '../client/answered.js'
import { succeeded } from '../client/exchange.js'
import { mentions } from '../client/listings.js'
import type { Feature } from '../client/profile.js'
import { SinglePath } from '../trial/single-path-queue.js'
import { isFeed } from './find-base.js'
import { findAckInPost, findBatch } from './find-batch.js'
import { findOneAtATime } from './find-one-at-a-time.js'
import { findSelector } from './find-selector.js'
import { findGuid } from './find-sending.js'
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

/**
 * Whether others are kept from a consumer's feed. Only what the owner's credentials are is known from the profile:
 * without any, everybody is the owner, and there is nobody to ask as.
 */
async function findAuth(prober: Prober): Promise<void> {
  const { headers, unauthorized } = prober.draft
  if (Object.keys(headers).length === 0) {
    prober.claim('auth', false, 'Everything was asked without credentials, and answered.')
    return
  }
  await using trial = prober.trial()
  const { queue, sent } = await prober.filledQueue(trial)
  const uri = await prober.consumer(trial, [queue])
  await prober.settledBodies(trial, uri, 1)
  const all = unauthorized.length > 0 ? unauthorized : [{}]
  const answers = await Promise.all(all.map((as) => trial.target.request('GET', uri, { as })))
  const refused = answers.every(({ status, body }) => status >= 400 && !body.includes(sent.body))
  if (unauthorized.length === 0) prober.draft.unauthorized = [{}]
  prober.claim(
    'auth',
    refused,
    `A consumer's feed gave ${answers.map(({ status }) => status).join(', ')} to others. Give others' credentials in unauthorized, if there are some.`,
  )
}

/** Whether `/queue/<destination>` takes messages and hands each out once. */
async function findSinglePath(prober: Prober): Promise<void> {
  await using trial = prober.trial()
  const path = new SinglePath(trial, (await prober.queue(trial)).path)
  const fresh = trial.freshMessage()
  const posted = await path.post(fresh.body)
  const taken = async () => (await path.look([fresh])).length > 0
  const first = succeeded(posted)
    ? await trial.eventually(async () => (await taken()) || undefined)
    : undefined
  const works = first === true && !(await taken())
  const then = first === undefined ? 'a GET did not give it' : `a GET gave it ${works ? 'once' : 'twice'}`
  prober.claim(
    'single-path',
    works,
    `POST of a message to /queue/<destination> gave ${posted.status}, and ${then}.`,
  )
}

/** Whether the address of a category lists what is below it. */
async function findSubtree(prober: Prober): Promise<void> {
  await using trial = prober.trial()
  const prefix = trial.freshName()
  await prober.queue(trial, `${prefix}/one`)
  let seen = ''
  const listed = await trial.eventually(async () => {
    const answer = await trial.target.request('GET', trial.target.queueUri(prefix))
    seen = isFeed(answer) ? 'a feed without it' : answered(answer)
    if (!isFeed(answer)) return undefined
    const { entries } = await trial.readFeed(answer.url, 'browse.subtree')
    return entries.some((entry) => mentions(entry, `${prefix}/one`) || entry.title.trim() === 'one')
      ? true
      : undefined
  })
  prober.claim(
    'subtree',
    listed === true,
    `GET of a category with one queue gave ${listed ? 'a feed that has it' : seen}.`,
  )
}

/** Whether a queue can be created under a dotted name, and read at it. */
async function findDottedNames(prober: Prober): Promise<void> {
  await using trial = prober.trial()
  const name = `${trial.freshName()}.dotted`
  const created = await trial.tryCreateQueue(name)
  const isTaken = succeeded(created)
  const read = async () =>
    (await trial.target.request('GET', trial.target.queueUri(name))).status === 200 ? true : undefined
  const there = isTaken && (await trial.eventually(read)) === true
  prober.claim(
    'dotted-names',
    there,
    `Creating a queue under a dotted name gave ${answered(created)}${!isTaken ? '' : there ? ', and it is there by that name' : ', and it is not there by that name'}.`,
  )
}
