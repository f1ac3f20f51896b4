import { succeeded } from '../client/exchange.js'
import { SinglePath } from '../trial/single-path-queue.js'
import type { Prober } from './prober.js'

/** Whether `/queue/<destination>` takes messages and hands each out once. */
export async function findSinglePath(prober: Prober): Promise<void> {
  await using trial = prober.trial()
  const path = new SinglePath(trial, (await prober.queue(trial)).path)
  const fresh = trial.freshMessage()
  const posted = await path.post(fresh.body)
  const taken = async () => (await path.look([fresh])).length > 0
  const first = succeeded(posted)
    ? await trial.eventually(async () => (await taken()) || undefined)
    : undefined
  const works = first === true && !(await taken())
  prober.draft.features['single-path'] = works
  const then = first === undefined ? 'a GET did not give it' : `a GET gave it ${works ? 'once' : 'twice'}`
  prober.note(
    'features.single-path',
    `POST of a message to /queue/<destination> gave ${posted.status}, and ${then}.`,
  )
}
