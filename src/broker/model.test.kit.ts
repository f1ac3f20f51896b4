import type { Broker } from './broker.js'
import { bodyOf } from './harness.test.kit.js'

/** A message as the document knows it: pending until it is acknowledged. */
export interface ModelMessage {
  readonly body: string
  readonly queue: ModelQueue
  readonly kind: string
  deliveries: number
}

export interface ModelQueue {
  readonly name: string
  /** Oldest first. */
  pending: ModelMessage[]
  deleted: boolean
}

export interface ModelSubscription {
  readonly id: string
  readonly destinations: readonly string[]
  readonly prefetch: number
  readonly selector: ModelSelector | undefined
  readonly timeout: number
  leaseEndsAt: number
  live: boolean
  /** What was in its hand when it was last looked at, by delivery id. */
  hand: Map<string, ModelMessage>
}

export interface ModelSelector {
  readonly text: string
  /** @param deliveries how often it would then have been delivered */
  picks(message: ModelMessage, deliveries: number): boolean
}

export interface ModelAddress {
  readonly id: string
  readonly queue: ModelQueue
  readonly expiresAt: number
  used: boolean
}

/**
 * The service as the document tells it, without a word of how the broker does it: whom a message goes to is left
 * open, so the model looks at who has what after each command, and judges whether that may be.
 */
export class Model {
  readonly queues = new Map<string, ModelQueue>()
  readonly messages = new Map<string, ModelMessage>()
  readonly subscriptions: ModelSubscription[] = []
  readonly addresses: ModelAddress[] = []
  readonly guids = new Set<string>()
  /** How each delivery that is over ended, under the subscription's id and its own. */
  readonly settled = new Map<string, 'acknowledged' | 'withdrawn'>()

  create(name: string): void {
    if (!this.queues.has(name)) this.queues.set(name, { name, pending: [], deleted: false })
  }

  delete(queue: ModelQueue): void {
    queue.deleted = true
    queue.pending = []
    this.queues.delete(queue.name)
    for (const subscription of this.subscriptions) {
      for (const [id, message] of subscription.hand) {
        if (message.queue === queue) this.#settle(subscription, id, 'withdrawn')
      }
    }
  }

  send(queue: ModelQueue, body: string, kind: string): void {
    const message: ModelMessage = { body, queue, kind, deliveries: 0 }
    this.messages.set(body, message)
    queue.pending.push(message)
  }

  acknowledge(subscription: ModelSubscription, deliveryId: string): void {
    const message = subscription.hand.get(deliveryId)
    if (message === undefined) return
    message.queue.pending = message.queue.pending.filter((other) => other !== message)
    this.#settle(subscription, deliveryId, 'acknowledged')
  }

  end(subscription: ModelSubscription): void {
    subscription.live = false
    for (const id of subscription.hand.keys()) this.#settle(subscription, id, 'withdrawn')
  }

  /** How a delivery to this subscription stands: in its hand, or how it ended, or not known to it. */
  standing(
    subscription: ModelSubscription,
    deliveryId: string,
  ): 'held' | 'acknowledged' | 'withdrawn' | 'unknown' {
    if (subscription.hand.has(deliveryId)) return 'held'
    return this.settled.get(`${subscription.id} ${deliveryId}`) ?? 'unknown'
  }

  #settle(subscription: ModelSubscription, deliveryId: string, how: 'acknowledged' | 'withdrawn'): void {
    subscription.hand.delete(deliveryId)
    this.settled.set(`${subscription.id} ${deliveryId}`, how)
  }

  /**
   * Looks at the broker after a command, and learns who has what.
   *
   * @param atOnce how many leases ended in it: with two, a message may have passed through a hand unseen
   * @returns what may not be, as sentences
   */
  judge(broker: Broker, atOnce: number): string[] {
    const wrong: string[] = []
    const check = (holds: boolean, sentence: string) => {
      if (!holds) wrong.push(sentence)
    }
    check(
      broker.parts.subscriptions.size === this.subscriptions.filter(({ live }) => live).length,
      'just the subscriptions live whose lease is not over',
    )
    check(broker.parts.queues.size === this.queues.size, 'just the queues are there that were made')
    const arrivals: [ModelSubscription, ModelMessage][] = []
    for (const subscription of this.subscriptions) {
      if (!subscription.live) continue
      const actual = broker.subscription(subscription.id)
      check(
        actual.leaseEndsAt === subscription.leaseEndsAt,
        'a lease ends its timeout after the last renewal',
      )
      for (const [id, message] of subscription.hand) {
        check(actual.held.has(id), `${message.body} stays in its hand until it is settled`)
      }
      for (const [id, { message }] of actual.held) {
        const known = this.messages.get(bodyOf(message)) as ModelMessage
        if (subscription.hand.get(id) === known) continue
        subscription.hand.set(id, known)
        arrivals.push([subscription, known])
        check(covers(subscription, known.queue), `${known.body} went to a subscription of its queue`)
        check(picks(subscription, known, message.deliveries), `${known.body} is as the selector asks`)
        known.deliveries++
      }
      check(actual.held.size <= subscription.prefetch, 'nobody holds more than the prefetch')
    }
    const held = new Set<ModelMessage>()
    for (const { hand } of this.subscriptions) {
      for (const message of hand.values()) {
        check(!held.has(message), `${message.body} is in one hand only`)
        held.add(message)
      }
    }
    for (const queue of this.queues.values()) this.#judgeQueue(queue, broker, held, atOnce, check)
    if (atOnce === 0) {
      for (const [subscription, message] of arrivals) {
        const older = message.queue.pending.slice(0, message.queue.pending.indexOf(message))
        check(
          !older.some((other) => !held.has(other) && picks(subscription, other, other.deliveries + 1)),
          `${message.body} did not go before an older one`,
        )
      }
    }
    return wrong
  }

  #judgeQueue(
    queue: ModelQueue,
    broker: Broker,
    held: ReadonlySet<ModelMessage>,
    atOnce: number,
    check: (holds: boolean, sentence: string) => void,
  ): void {
    const shown: string[] = []
    let cursor: string | undefined
    do {
      const page = broker.browse(queue.name, { cursor, limit: 3 })
      for (const message of page.items) {
        shown.push(bodyOf(message))
        check(broker.message(message.id) === message, 'a message is found by its id')
        const known = this.messages.get(bodyOf(message)) as ModelMessage
        check((message.holder !== undefined) === held.has(known), 'what has a holder is in a hand')
        if (atOnce > 1) known.deliveries = Math.max(known.deliveries, message.deliveries)
        check(message.deliveries === known.deliveries, `${known.body} counts its deliveries`)
      }
      cursor = page.next
    } while (cursor !== undefined)
    const expected = queue.pending.map(({ body }) => body)
    check(shown.join() === expected.join(), `${queue.name}: shows ${shown}, and ${expected} are pending`)
    for (const subscription of this.subscriptions) {
      if (!subscription.live || subscription.hand.size >= subscription.prefetch) continue
      if (!covers(subscription, queue)) continue
      for (const message of queue.pending) {
        check(
          held.has(message) || !picks(subscription, message, message.deliveries + 1),
          `${message.body} waits although there is a consumer with room for it`,
        )
      }
    }
  }
}

function picks({ selector }: ModelSubscription, message: ModelMessage, deliveries: number): boolean {
  return selector === undefined || selector.picks(message, deliveries)
}

/** `*` is one segment, a last `>` one or more. */
function covers({ destinations }: ModelSubscription, queue: ModelQueue): boolean {
  return destinations.some((destination) => {
    const pattern = destination.replaceAll('.', '/').replaceAll('*', '[^/]+').replace(/>$/, '.+')
    return new RegExp(`^${pattern}$`).test(queue.name)
  })
}
