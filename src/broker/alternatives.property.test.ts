import fc from 'fast-check'
import t from 'tap'
import { ManualClock } from '../clock/manual.js'
import { type Broker, createBroker } from './broker.js'
import { violations } from './invariants.test.kit.js'
import { Refusal } from './refusals.js'
import type { LeaseKind } from './terms.js'

const QUEUES = ['a/1', 'a/2', 'b']
const DESTINATIONS = ['a/1', 'a.1', 'a/*', 'b', '>', 'later']
const NAMES = ['anna', 'ben']

/** One step: what is done, and two numbers that choose with what. */
const step = fc.record({
  what: fc.constantFrom(
    'send',
    'send',
    'send',
    'send',
    'take',
    'takeFor',
    'takeFurtherFor',
    'subscribe',
    'unsubscribe',
    'acknowledge',
    'subscribeConsumer',
    'subscribeConsumer',
    'unsubscribeConsumer',
    'next',
    'lock',
    'acknowledgeConsumer',
    'acknowledgeAndLock',
    'wait',
    'leave',
    'advance',
    'deleteQueue',
    'createQueue',
  ),
  x: fc.nat(1000),
  y: fc.nat(1000),
})
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

const pick = <T>(from: readonly T[], by: number): T => from[by % from.length] as T

/** A broker, and everything that its clients remember. */
class World {
  readonly clock = new ManualClock()
  readonly broker: Broker = createBroker({ clock: this.clock })
  readonly sent: string[] = []
  /** Message ids that somebody has acknowledged, in the order in which that happened. */
  readonly done: string[] = []
  readonly lost = new Set<string>()
  readonly subscriptions: string[] = []
  /** Every delivery that anybody was told of: who, delivery id, message id. */
  readonly told: [who: string, delivery: string, message: string][] = []
  readonly waits: (() => void)[] = []

  constructor() {
    for (const name of QUEUES) this.broker.createQueue(name)
  }

  do({ what, x, y }: Step): void {
    const { broker } = this
    const name = pick(NAMES, x)
    const queue = pick(QUEUES, y)
    switch (what) {
      case 'send':
        this.sent.push(broker.send(queue, { body: new Uint8Array(x % 5), properties: new Map() }).id)
        return
      case 'take': {
        const message = broker.take(queue)
        if (message !== undefined) this.done.push(message.id)
        return
      }
      case 'takeFor': {
        const held = this.heldBy('session', name)
        broker.takeFor(name, queue)
        this.done.push(...held)
        return
      }
      case 'takeFurtherFor':
        broker.takeFurtherFor(name, queue)
        return
      case 'subscribe':
        this.subscriptions.push(
          broker.subscribe({
            destinations: [pick(DESTINATIONS, y), pick(DESTINATIONS, x)],
            prefetch: (x % 3) + 1,
            timeout: 1000 + y,
          }).id,
        )
        return
      case 'unsubscribe':
        if (this.subscriptions.length > 0) broker.unsubscribe(pick(this.subscriptions, x))
        return
      case 'acknowledge': {
        if (this.subscriptions.length === 0) return
        const id = pick(this.subscriptions, x)
        for (const { id: delivery, message } of broker.consume(id).deliveries.slice(0, 1)) {
          broker.acknowledge(id, delivery)
          this.done.push(message.id)
        }
        return
      }
      case 'subscribeConsumer':
        broker.subscribeConsumer(name, pick(DESTINATIONS, y), x % 3 === 0 ? { timeout: 500 + y } : {})
        return
      case 'unsubscribeConsumer':
        broker.unsubscribeConsumer(name, pick(DESTINATIONS, y))
        return
      case 'next': {
        const before = this.heldBy('consumer', name)
        const delivery = broker.next(name)
        if (delivery !== undefined) this.told.push([name, delivery.id, delivery.message.id])
        if (before.length > 0 && delivery?.message.id !== before[0]) throw new Error('next gave another')
        if (this.heldBy('consumer', name).length > Math.max(before.length, 1)) throw new Error('one too many')
        return
      }
      case 'lock':
        this.lock(name, (y % 4) + 1, [])
        return
      case 'acknowledgeConsumer': {
        if (this.told.length === 0) return
        const [who, delivery, message] = pick(this.told, y)
        if (!broker.acknowledgeConsumer(x % 5 === 0 ? name : who, delivery).repeated) this.done.push(message)
        return
      }
      case 'acknowledgeAndLock': {
        const mine = this.told.filter(([who]) => who === name).slice(-3)
        const held = new Set(this.heldBy('consumer', name))
        this.lock(
          name,
          (x % 3) + 1,
          mine.map(([, delivery]) => delivery),
        )
        this.done.push(...new Set(mine.map(([, , message]) => message).filter((id) => held.has(id))))
        return
      }
      case 'wait':
        this.waits.push(broker.whenConsumerChanges(name, () => {}))
        return
      case 'leave':
        for (const cancel of this.waits.splice(0, (x % 2) + 1)) cancel()
        return
      case 'advance':
        this.clock.advance(x)
        return
      case 'deleteQueue':
        if (x % 4 > 0) return
        for (const { id } of broker.browse(queue, { limit: 1000 }).items) this.lost.add(id)
        broker.deleteQueue(queue)
        return
      case 'createQueue':
        broker.createQueue(pick([...QUEUES, 'later'], y))
        return
    }
  }

  lock(name: string, max: number, acknowledged: readonly string[]): void {
    const deliveries = this.broker.lock(name, max, acknowledged)
    if (deliveries.length > max) throw new Error('more than max')
    for (const { id, message } of deliveries) {
      if (this.told.some(([, delivery]) => delivery === id)) throw new Error('not a further message')
      this.told.push([name, id, message.id])
    }
  }

  /** Messages in the hand of a lease, without asking anything that could change it. */
  heldBy(kind: LeaseKind, id: string): string[] {
    const { held } = this.broker.parts.subscriptions.find(id, kind) ?? {}
    return [...(held?.values() ?? [])].map(({ message }) => message.id)
  }
}

t.test(
  'however the mappings are mixed, the broker stays whole and a message is acknowledged once',
  async (t) => {
    let refused = 0
    let done = 0
    fc.assert(
      fc.property(fc.array(step, { minLength: 20, maxLength: 80, size: 'max' }), (steps) => {
        const world = new World()
        for (const each of steps) {
          try {
            world.do(each)
          } catch (error) {
            if (!(error instanceof Refusal)) throw error
            refused++
          }
          const broken = violations(world.broker)
          if (broken.length > 0) throw new Error(`after ${each.what}: ${broken.join('; ')}`)
        }
        done += world.done.length
        if (new Set(world.done).size < world.done.length) throw new Error('a message was acknowledged twice')
        world.clock.advance(3_600_000)
        const left: string[] = []
        for (const queue of world.broker.parts.queues) {
          for (let next = world.broker.take(queue.name); next !== undefined; ) {
            left.push(next.id)
            next = world.broker.take(queue.name)
          }
        }
        const found = [...world.done.filter((id) => !world.lost.has(id)), ...left, ...world.lost].toSorted()
        if (String(found) !== String(world.sent.toSorted()))
          throw new Error('a message was lost, or came twice')
        for (const { name } of [...world.broker.parts.queues]) world.broker.deleteQueue(name)
        if (world.broker.memory !== world.broker.parts.memory.remembered)
          throw new Error('memory is taken by nothing')
      }),
      { numRuns: 500 },
    )
    t.ok(done > 1000, 'it comes to acknowledgements')
    t.ok(refused > 1000, 'and to refusals')
  },
)
