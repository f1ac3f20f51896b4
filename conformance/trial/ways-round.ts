import { type Exchange, succeeded } from '../client/exchange.js'
import { addressOf } from '../client/single-path.js'
import { queueDefinition } from '../client/template.js'
import type { QueueHandle, Trial } from './trial.js'

// What a check builds on is an effect. Where the usual way to it is broken, which another check says, it takes another.

/** Creates a queue by the same name with dots, where names with slashes are refused. @returns nothing where that is no way */
export async function createWithDots(trial: Trial, path: string): Promise<Exchange | undefined> {
  const { features, queueNames } = trial.profile
  const isOther = features['dotted-names'] && queueNames.form === 'path' && path.includes('/')
  if (!isOther || !trial.isBroken('queues.several-segments')) return undefined
  const profile = { ...trial.profile, queueNames: { ...queueNames, form: 'dotted' as const } }
  return trial.target.request('POST', trial.target.at('/queues'), queueDefinition(profile, path))
}

/** Whether the addresses that new queues are given cannot be built on: they are no queue's own, or take no messages. */
export function areLocationsBroken(trial: Pick<Trial, 'isBroken'>): boolean {
  return ['queues.own-address', 'queues.takes-messages'].some((id) => trial.isBroken(id))
}

/** What must hold for sending in two steps to be built on: that they send, and one message at a time. */
const OF_TWO_STEPS = ['send.address', 'send.own-address', 'send.address-makes-no-message', 'send.post']

/** The check that says why sending in two steps cannot be built on; undefined where it can. */
export function brokenInTwoSteps(trial: Pick<Trial, 'isBroken'>): string | undefined {
  return OF_TWO_STEPS.find((id) => trial.isBroken(id))
}

/** Whether sending in two steps cannot be built on. */
export function isTwoStepBroken(trial: Pick<Trial, 'isBroken'>): boolean {
  return brokenInTwoSteps(trial) !== undefined
}

/** The ways to send beside the two steps that a target has, as far as no check says that they are broken. */
export function otherWays(trial: Pick<Trial, 'profile' | 'isBroken'>): ('guid' | 'single-path')[] {
  const { guid, 'single-path': singlePath } = trial.profile.features
  const isSound = (...ids: string[]) => !ids.some((id) => trial.isBroken(id))
  return [
    ...(guid && isSound('dedup.send', 'queues.takes-messages') ? (['guid'] as const) : []),
    ...(singlePath && isSound('single-path.delivers') ? (['single-path'] as const) : []),
  ]
}

/** Sends a message in another way than in two steps. @returns whether one worked */
export async function sendOtherwise(
  trial: Trial,
  queue: QueueHandle,
  body: string | Uint8Array,
  headers: Record<string, string>,
): Promise<boolean> {
  for (const way of otherWays(trial)) {
    const answer = await (way === 'guid'
      ? trial.postWithGuid(queue, trial.freshGuid(), body, headers)
      : trial.post(addressOf(trial, queue.path), body, headers))
    if (succeeded(answer)) return true
  }
  return false
}
