import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { ManualClock } from '../clock/manual.js'
import { seededRandom } from '../control/faults/random.js'
import { type Broker, type BrokerOptions, createBroker } from './broker.js'
import type { Content } from './content.js'
import { Queue } from './entities.js'
import { MemoryBudget } from './memory-budget.js'
import { parseQueueName } from './names.js'
import { Refusal } from './refusals.js'

/** A broker at a manual clock whose ids are the same in every run. */
export function makeBroker(options: Omit<BrokerOptions, 'clock' | 'random'> = {}, seed = 1) {
  const clock = new ManualClock()
  return { clock, broker: createBroker({ ...options, clock, random: seeded(seed) }) }
}

/** A queue of no broker. */
export function makeQueue(name = 'q', id = '00000000-0000-4000-8000-000000000000', now = 0): Queue {
  return new Queue(id, parseQueueName(name), new MemoryBudget(Number.POSITIVE_INFINITY), now)
}

/** Fills arrays with bytes that depend on the seed alone. */
export function seeded(seed: number): (bytes: Uint8Array) => void {
  const random = seededRandom(seed)
  return (bytes) => {
    for (let index = 0; index < bytes.length; index++) bytes[index] = random() * 256
  }
}

/** A text message. */
export function text(body: string, properties: Record<string, string> = {}): Content {
  return {
    body: new TextEncoder().encode(body),
    contentType: 'text/plain',
    properties: new Map(Object.entries(properties)),
  }
}

/** The body of a message as text. */
export function bodyOf({ content }: { readonly content: Content }): string {
  return new TextDecoder().decode(content.body)
}

/** The kind of the refusal that a command meets; `done` when it is not refused. Any other error is thrown on. */
export function kindOf(command: () => unknown): string {
  return refusalOf(command)?.kind ?? 'done'
}

/** The refusal that a command meets. */
export function refusalOf(command: () => unknown): Refusal | undefined {
  try {
    command()
    return undefined
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

/** What is pending in a queue, oldest first, as bodies. */
export function pending(broker: Broker, name: string): string[] {
  return broker.browse(name, { limit: 1000 }).items.map(bodyOf)
}

/** What a subscription holds, as bodies, without renewing its lease. */
export function hand(broker: Broker, id: string): string[] {
  return [...broker.subscription(id).held.values()].map(({ message }) => bodyOf(message))
}

/** The delivery id of the message with this body in a subscription's hand. */
export function deliveryOf(broker: Broker, id: string, body: string): string {
  for (const delivery of broker.subscription(id).held.values()) {
    if (bodyOf(delivery.message) === body) return delivery.id
  }
  throw new Error(`${body} is not in that hand`)
}

/** All there is, as plain data: two brokers with equal snapshots went the same way. */
export function snapshot(broker: Broker): unknown {
  const { queues, deduplication, dispatch, subscriptions } = broker.parts
  return {
    now: broker.clock.now(),
    memory: broker.memory,
    addresses: deduplication.openAddresses,
    guids: deduplication.rememberedGuids,
    settled: dispatch.settled.size,
    queues: [...queues].map((queue) => ({
      id: queue.id,
      name: queue.name,
      version: queue.version,
      updatedAt: queue.updatedAt,
      inTurn: [...queue.inTurn].map(({ subscription }) => subscription.id),
      messages: [...queue.order.from(0)].map((message) => ({
        id: message.id,
        body: bodyOf(message),
        deliveries: message.deliveries,
        updatedAt: message.updatedAt,
        holder: message.holder?.id,
      })),
    })),
    subscriptions: [...subscriptions].map((subscription) => ({
      id: subscription.id,
      version: subscription.version,
      updatedAt: subscription.updatedAt,
      leaseEndsAt: subscription.leaseEndsAt,
      held: [...subscription.held.keys()],
      backlog: [...subscription.backlog].map(({ queue, scanFrom }) => [queue.id, scanFrom]),
    })),
  }
}

/** Whether nothing keeps an object in memory any more. */
export async function isCollected(ref: WeakRef<object>): Promise<boolean> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  for (let tries = 0; tries < 5 && ref.deref() !== undefined; tries++) {
    // What was looked at through the reference is kept until the turn of the event loop is over.
    await new Promise((resolve) => setImmediate(resolve))
    collect()
  }
  return ref.deref() === undefined
}
