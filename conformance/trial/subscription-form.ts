import { answered } from '../client/answered.js'
import { type Exchange, succeeded } from '../client/exchange.js'
import { subscriptionRequest, wildcardBelow } from '../client/subscription-request.js'
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
  queue: QueueHandle,
  fields: Readonly<Record<string, string>>,
): Promise<Exchange> {
  const { headers, body } = subscriptionRequest(trial.profile, [queue], {})
  const form = new URLSearchParams(body)
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  const subscriptions = trial.target.at('/subscriptions')
  return trial.target.request('POST', subscriptions, { headers, body: form.toString() })
}

/** Address of a subscription that {@link postData} made. Blocked by `subscribe.create` where it made none. */
export function madeAt(trial: Trial, answer: Exchange): string {
  const uri = trial.target.location(answer)
  trial.precondition(
    succeeded(answer) && uri !== undefined,
    'subscribe.create',
    `${answered(answer)} for a subscription`,
  )
  return uri
}

/** The target's own way to name all queues one segment below a prefix. */
export function wildcard(trial: Trial, prefix: string): string {
  return wildcardBelow(trial.profile, prefix)
}
