import type { Broker } from './broker.js'
import type { Delivery, Message, Queue, Subscription } from './entities.js'
import { bytesOfDestination, OVERHEAD } from './storing.js'

/**
 * What holds after every command, whatever came before.
 *
 * @param isExtra whether a test has put a delivery into a hand that its message does not know of
 * @returns what does not hold, as sentences; empty when all is well
 */
export function violations(broker: Broker, isExtra: (delivery: Delivery) => boolean = () => false): string[] {
  const found: string[] = []
  const check = (holds: boolean, sentence: string) => {
    if (!holds) found.push(sentence)
  }
  let memory = 0
  const categories = new Set<string>()
  let held = 0
  const queues = new Set(broker.parts.queues)
  check(queues.size === broker.parts.queues.size, 'the tree counts its queues')
  for (const queue of queues) {
    memory += queue.bytes
    for (let depth = 0; depth < queue.segments.length; depth++) {
      categories.add(queue.segments.slice(0, depth).join('/'))
    }
    for (const message of queue.order) memory += message.bytes
    held += checkQueue(queue, broker, check)
  }
  let inHands = 0
  for (const subscription of broker.parts.subscriptions) {
    for (const delivery of subscription.held.values()) if (!isExtra(delivery)) inHands++
    checkSubscription(subscription, queues, broker, check, isExtra)
    memory += subscription.bytes + subscription.held.size * OVERHEAD.delivery
    memory += subscription.bindings.size * OVERHEAD.binding
    for (const destination of subscription.covered.values()) memory += bytesOfDestination(destination)
  }
  memory += categories.size * OVERHEAD.category
  memory += broker.parts.memory.remembered + broker.parts.deduplication.openAddresses * OVERHEAD.address
  check(memory === broker.memory, `memory is ${memory} bytes, and counted as ${broker.memory}`)
  const { dispatch, context } = broker.parts
  check(dispatch.placesTaken <= context.limits.maxHeldInAll, `${dispatch.placesTaken} places are taken`)
  check(held === inHands, `queues say that ${held} messages are held, subscriptions hold ${inHands}`)
  return found
}

type Check = (holds: boolean, sentence: string) => void

/** @returns how many of the queue's messages are held */
function checkQueue(queue: Queue, broker: Broker, check: Check): number {
  const { name } = queue
  const ready = [...queue.ready]
  let pending = 0
  let held = 0
  let last = 0
  const expected: Message[] = []
  for (const message of queue.order.from(0)) {
    pending++
    check(message.sequence > last, `${name}: messages stand in their order`)
    last = message.sequence
    check(
      message.queue === queue && !message.gone,
      `${name}: a pending message is this queue's, and not gone`,
    )
    const { holder } = message
    if (holder === undefined) {
      expected.push(message)
      continue
    }
    held++
    check(!message.ready, `${name}: a held message is not ready`)
    check(
      holder.subscription.held.get(holder.id) === holder,
      `${name}: a held message is in its holder's hand`,
    )
    check(message.deliveries > 0, `${name}: a held message was delivered`)
  }
  check(queue.pending === pending, `${name}: ${pending} are pending, and ${queue.pending} are counted`)
  check(queue.held === held, `${name}: pending are the held and the ready`)
  check(
    ready.length === expected.length && ready.every((message, index) => message === expected[index]),
    `${name}: ready are, in order, all that nobody holds`,
  )
  check(broker.parts.queues.find(queue.segments) === queue, `${name}: a queue is found by its name`)
  for (const binding of queue.inTurn) {
    check(
      queue.bindings.has(binding) && binding.list === queue.inTurn,
      `${name}: a consumer with room is bound to the queue`,
    )
    check(
      !ready.some((message) => binding.subscription.accepts(message)),
      `${name}: no consumer with room accepts what is ready: it would have it`,
    )
  }
  const selective = [...queue.bindings].filter(
    ({ subscription }) => subscription.terms.selector !== undefined,
  )
  check(selective.length === queue.selective, `${name}: selective are the bindings with a selector`)
  for (const binding of queue.bindings) {
    check(binding.queue === queue, `${name}: a binding is the queue's own`)
    check(
      binding.list === queue.inTurn || binding.list === binding.subscription.backlog,
      `${name}: it is in a list`,
    )
    check([...binding.list].includes(binding), `${name}: a binding stands in the list that it names`)
    check(binding.subscription.bindings.get(queue) === binding, `${name}: its subscription knows the binding`)
    check(
      !ready.some(
        (message) => message.sequence < binding.scanFrom && accepted(binding.subscription, message),
      ) || binding.list === queue.inTurn,
      `${name}: nothing acceptable stands before the place that is scanned from`,
    )
  }
  return held
}

function accepted(subscription: Subscription, message: Message): boolean {
  return subscription.terms.selector !== undefined && subscription.accepts(message)
}

function checkSubscription(
  subscription: Subscription,
  queues: ReadonlySet<Queue>,
  broker: Broker,
  check: Check,
  isExtra: (delivery: Delivery) => boolean,
): void {
  const { id, isOnDemand, prefetch, held, room } = subscription
  const { maxHeld } = broker.parts.context.limits
  const most = isOnDemand ? maxHeld : prefetch
  check(held.size <= most, `${id}: holds ${held.size}, more than ${most}`)
  check(
    // Who waits where all together hold what they may is looked at when it asks again.
    isOnDemand || room === 0 || subscription.backlog.size === 0 || subscription.cancelSearch !== undefined,
    `${id}: has room, and yet something waits for it`,
  )
  check(subscription.leaseEndsAt > broker.clock.now(), `${id}: lives on after its lease`)
  for (const [deliveryId, delivery] of held) {
    const { message } = delivery
    check(
      delivery.id === deliveryId && delivery.subscription === subscription,
      `${id}: what it holds is its own`,
    )
    check(queues.has(message.queue), `${id}: what it holds belongs to a queue`)
    if (isExtra(delivery)) continue
    check(message.holder === delivery, `${id}: no message is in two hands`)
    check(!message.gone, `${id}: what was acknowledged is nowhere`)
  }
  const covered = new Map<Queue, number>()
  for (const destination of subscription.covered.values()) {
    for (const queue of broker.parts.tree.matching(destination)) {
      covered.set(queue, (covered.get(queue) ?? 0) + 1)
    }
  }
  check(
    covered.size === subscription.bindings.size &&
      [...covered].every(([queue, times]) => subscription.bindings.get(queue)?.destinations === times),
    `${id}: is bound to just the queues that its destinations match, by as many as match`,
  )
  check(subscription.asked === 0, `${id}: asks for messages only in a command`)
  check(
    [...subscription.unreported].every((delivery) => held.get(delivery.id) === delivery),
    `${id}: holds what it was not told of yet`,
  )
}
