import { answered } from '../client/answered.js'
import { succeeded } from '../client/exchange.js'
import { mentions } from '../client/listings.js'
import { isFeed } from './find-base.js'
import type { Prober } from './prober.js'

/** Whether the address of a category lists what is below it. */
export async function findSubtree(prober: Prober): Promise<void> {
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
  prober.draft.features.subtree = listed === true
  prober.note(
    'features.subtree',
    `GET of a category with one queue gave ${listed ? 'a feed that has it' : seen}.`,
  )
}

/** Whether a queue can be created under a dotted name, and read at it. */
export async function findDottedNames(prober: Prober): Promise<void> {
  await using trial = prober.trial()
  const name = `${trial.freshName()}.dotted`
  const created = await trial.tryCreateQueue(name)
  const isTaken = succeeded(created)
  const read = async () =>
    (await trial.target.request('GET', trial.target.queueUri(name))).status === 200 ? true : undefined
  const there = isTaken && (await trial.eventually(read)) === true
  prober.draft.features['dotted-names'] = there
  prober.note(
    'features.dotted-names',
    `Creating a queue under a dotted name gave ${answered(created)}${!isTaken ? '' : there ? ', and it is there by that name' : ', and it is not there by that name'}.`,
  )
}
