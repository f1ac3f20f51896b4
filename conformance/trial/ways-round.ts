import type { Exchange } from '../client/exchange.js'
import { wireName } from '../client/queue-names.js'
import { encodePath } from './addresses.js'
import { succeeded } from './answers.js'
import type { QueueHandle, Trial } from './trial.js'

// What a check builds on is an effect. Where the usual way to it is broken, which another check says, it takes another.

/** Whether an answer says that what was asked for may be at another address. */
export function isElsewhere({ status }: Exchange): boolean {
  return status === 404 || status === 405 || (status >= 301 && status <= 308)
}

/** Sends a message in another way than in two steps. @returns whether one worked */
export async function sendOtherwise(
  trial: Trial,
  isBroken: (checkId: string) => boolean,
  queue: QueueHandle,
  body: string | Uint8Array,
  headers: Record<string, string>,
): Promise<boolean> {
  const { guid, 'single-path': singlePath } = trial.profile.features
  if (guid && !isBroken('dedup.send')) {
    if (succeeded(await trial.postWithGuid(queue, trial.freshGuid(), body, headers))) return true
  }
  if (!singlePath || isBroken('single-path.delivers')) return false
  const at = trial.target.at(`/queue/${encodePath(wireName(trial.profile, queue.path))}`)
  return succeeded(await trial.post(at, body, headers))
}

/** Sends the data of a subscription, whose form was refused, as JSON. */
export function subscribeAsJson(
  { target }: Trial,
  { url, requestBody, requestHeaders }: Exchange,
): Promise<Exchange> {
  const form = new URLSearchParams(requestBody.toString())
  const fields = [...new Set(form.keys())].map((name) => {
    const values = form.getAll(name)
    return [name, values.length > 1 ? values : values[0]] as const
  })
  return target.request('POST', url, {
    headers: { ...requestHeaders, 'Content-Type': 'application/json' },
    body: JSON.stringify(Object.fromEntries(fields)),
  })
}
