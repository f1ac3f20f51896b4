import type { Broker } from '../../broker/broker.js'
import type { Subscription } from '../../broker/entities.js'
import { withSlashes } from '../../broker/names.js'
import { Problem } from '../../http/problems.js'
import { readObject, readText } from '../input/read.js'
import type { MessageRecord } from '../messages/message-record.js'
import { type SubscriptionState, subscriptionState } from '../state/state.js'
import { idOfLease, nameOfLease } from './lease-name.js'

/**
 * Which leases are meant: an id, a name, what they cover, or a question that is asked of each.
 *
 * @example
 * ```ts
 * const choices: LeaseChoice[] = ['A', { queue: 'orders/new' }, ({ held }) => held > 0]
 * ```
 */
export type LeaseChoice = string | { readonly queue: string } | ((subscription: SubscriptionState) => boolean)

/** How many leases a failure tells of. */
const MOST_REASONS = 5

/** Every lease that lives, of all kinds, in the order of their beginning; each as it is when it is asked for. */
export function* livingLeases(broker: Broker): Generator<SubscriptionState, void> {
  for (const subscription of [...broker.parts.subscriptions]) {
    if (!subscription.ended) yield subscriptionState(subscription)
  }
}

/**
 * Ends leases now, as if their time had run out; those of others go on, and no time passes. What their consumers hold
 * goes to others, in its old place.
 *
 * @param choice the id or the name of one, the name of a queue that they cover, or a question
 * @returns what they were before
 * @throws Problem `no-such-resource` where none is meant: a test that ends nothing would pass for the wrong reason
 */
export function endLeases(broker: Broker, choice: LeaseChoice): SubscriptionState[] {
  const [isMeant, says] = readChoice(broker, choice)
  const ended = [...broker.parts.subscriptions].filter(isMeant)
  if (ended.length === 0) throw new Problem('no-such-resource', `There is no lease ${says}.`)
  const states = ended.map((subscription) => subscriptionState(subscription))
  broker.endLeases(ended)
  return states
}

/** Which leases are meant, and how a person would say it. */
function readChoice(
  broker: Broker,
  choice: LeaseChoice,
): [isMeant: (subscription: Subscription) => boolean, says: string] {
  if (typeof choice === 'function') {
    return [(subscription) => choice(subscriptionState(subscription)), 'of which that is so']
  }
  if (typeof choice === 'string') {
    return [(lease) => idOfLease(lease) === choice || nameOfLease(lease) === choice, JSON.stringify(choice)]
  }
  const queue = readText(readObject({ value: choice, at: '' }, ['queue']).queue)
  const covered = broker.parts.queues.find(withSlashes(queue).split('/'))
  const isMeant = ({ bindings }: Subscription) => covered !== undefined && bindings.has(covered)
  return [isMeant, `that covers ${JSON.stringify(queue)}`]
}

/** Why no lease that covers the queue of a message is given it, where one does; undefined where none is in the way. */
export function whyReady(broker: Broker, record: MessageRecord): string | undefined {
  const queue = broker.parts.queues.find(record.queue.split('/'))
  const [message] = queue?.order.from(record.sequence) ?? []
  if (queue === undefined || message?.id !== record.id) return undefined
  const reasons = [...queue.bindings].slice(0, MOST_REASONS).map(({ subscription }) => {
    const { selector, room, held, isOnDemand } = subscription
    const name = nameOfLease(subscription)
    if (selector !== undefined && !subscription.accepts(message))
      return `${name}'s selector ${selector} does not pick it`
    if (isOnDemand) return `${name} has not asked for it`
    return room > 0 ? undefined : `${name} holds ${held.size} already, as many as it may`
  })
  return reasons.filter((reason) => reason !== undefined).join(', ') || undefined
}
