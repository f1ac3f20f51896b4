import type { Exchange } from '../client/exchange.js'
import type { QueueHandle, Trial } from './trial.js'

export const FORM = 'application/x-www-form-urlencoded'

/** The profile's name for a parameter, or the reference's where the target has none. */
export function parameter(trial: Trial, name: 'destination' | 'prefetch' | 'selector' | 'timeout'): string {
  return trial.profile.subscription.parameters[name] ?? name
}

/**
 * Posts a subscription to a queue with these fields besides, under the names that the target gives them, whatever
 * comes: for data that {@link Trial.subscribe} would not send.
 */
export function postData(
  trial: Trial,
  queue: QueueHandle | undefined,
  fields: Readonly<Record<string, string>>,
  type: string = FORM,
): Promise<Exchange> {
  const form = new URLSearchParams({ ...trial.profile.subscription.fixed, ...fields })
  if (queue !== undefined) form.append(parameter(trial, 'destination'), queue.path)
  return trial.target.request('POST', trial.target.at('/subscriptions'), {
    headers: { 'Content-Type': type },
    body: form.toString(),
  })
}

/** Address of a subscription that {@link postData} made. Blocked by `subscribe.create` where it made none. */
export function madeAt(trial: Trial, answer: Exchange): string {
  const uri = trial.target.location(answer)
  trial.premise(
    answer.status === 201 && uri !== undefined,
    'subscribe.create',
    `status ${answer.status} for a subscription`,
  )
  return uri
}
