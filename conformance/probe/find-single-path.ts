import type { Sent } from '../run/trial.js'
import { encodePath, gives, untilGiven } from './handed.js'
import type { Prober } from './prober.js'

/** Whether `/queue/<destination>` takes messages and hands each out once. */
export async function findSinglePath(prober: Prober): Promise<void> {
  const trial = prober.trial()
  const { path } = await prober.queue(trial)
  const uri = trial.target.at(`/queue/${encodePath(path)}`)
  const fresh: Sent = trial.freshMessage()
  const posted = await trial.post(uri, fresh.body)
  const get = () => trial.target.request('GET', uri)
  const first = posted.status < 400 ? await untilGiven(trial, fresh, get) : undefined
  const again = first === undefined ? undefined : await get()
  const works = again !== undefined && !gives(again, fresh)
  prober.draft.features['single-path'] = works
  const then =
    first === undefined ? 'a GET did not give it' : works ? 'a GET gave it once' : 'a GET gave it twice'
  prober.note(
    'features.single-path',
    `POST of a message to /queue/<destination> gave ${posted.status}, and ${then}.`,
  )
}
