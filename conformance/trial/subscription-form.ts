import type { Exchange } from '../client/exchange.js'
import type { Profile } from '../client/profile.js'
import { LONG_LEASE, leaseAsked, leaseParameter } from './timing.js'
import type { QueueHandle, SubscribeOptions, Timing, Trial } from './trial.js'

/** A subscription as its form says it. */
export interface SubscriptionForm {
  readonly body: string
  readonly prefetch: number
  /** Milliseconds. */
  readonly lease: number
}

/** The form-encoded data of a subscription, with the names that the profile gives its parameters. */
export function subscriptionForm(
  { profile, timing }: { profile: Profile; timing: Timing },
  destinations: readonly string[],
  { prefetch = 10, selector, lease = 'long' }: SubscribeOptions,
): SubscriptionForm {
  const { parameters, fixed, leaseSeconds } = profile.subscription
  const form = new URLSearchParams(fixed)
  for (const destination of destinations) form.append(parameters.destination, destination)
  form.set(parameters.prefetch, String(prefetch))
  if (selector !== undefined && parameters.selector !== null) form.set(parameters.selector, selector)
  if (parameters.timeout === null) return { body: form.toString(), prefetch, lease: leaseSeconds * 1000 }
  const timeout = leaseParameter(profile, lease === 'long' ? LONG_LEASE : timing.lease)
  form.set(parameters.timeout, timeout)
  return { body: form.toString(), prefetch, lease: leaseAsked(profile, timeout) }
}

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
  trial.precondition(
    answer.status === 201 && uri !== undefined,
    'subscribe.create',
    `status ${answer.status} for a subscription`,
  )
  return uri
}

/** The selector of the profile. */
export function expression(trial: Trial): string {
  return trial.profile.subscription.selector.expression
}

/** The target's own way to name all queues one segment below a prefix. */
export function wildcard(trial: Trial, prefix: string): string {
  return trial.profile.subscription.wildcard.replaceAll('{prefix}', prefix)
}
