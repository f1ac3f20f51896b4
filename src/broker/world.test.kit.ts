import type { Broker } from './broker.js'
import type { Command } from './commands.test.kit.js'
import { kindOf, makeBroker, snapshot, text } from './harness.test.kit.js'
import { violations } from './invariants.test.kit.js'
import { Model, type ModelSubscription } from './model.test.kit.js'

const ADDRESS_TIMEOUT = 400
/** A broker and the model of it, driven side by side. */
export class World {
  readonly #made = makeBroker({ limits: { addressTimeout: ADDRESS_TIMEOUT } })
  readonly broker: Broker = this.#made.broker
  readonly model = new Model()
  /** Every delivery id ever seen, and one never issued. */
  readonly #deliveries: string[] = ['0'.repeat(32)]
  #sent = 0

  /** Gives a command, and looks whether everything is as it should be. */
  run(command: Command): void {
    this.#give(command)
    this.#judge()
  }

  #give(command: Command): void {
    const { broker, model } = this
    switch (command.do) {
      case 'create':
        this.#try('done', () => broker.createQueue(spelling(command.name)))
        model.create(command.name.queue)
        return
      case 'delete': {
        const known = model.queues.get(command.name.queue)
        this.#try(known === undefined ? 'unknown-queue' : 'done', () =>
          broker.deleteQueue(spelling(command.name)),
        )
        if (known !== undefined) model.delete(known)
        return
      }
      case 'address': {
        const known = model.queues.get(command.name.queue)
        this.#try(known === undefined ? 'unknown-queue' : 'done', () => {
          const id = broker.newAddress(spelling(command.name))
          const expiresAt = broker.clock.now() + ADDRESS_TIMEOUT
          if (known !== undefined) model.addresses.push({ id, queue: known, expiresAt, used: false })
        })
        return
      }
      case 'post': {
        const address = pick(model.addresses, command.which)
        if (address === undefined) return
        const repeat = address.used
        const late = address.expiresAt <= broker.clock.now()
        const expected = repeat
          ? 'done'
          : late
            ? 'address-expired'
            : address.queue.deleted
              ? 'queue-deleted'
              : 'done'
        const body = this.#body()
        this.#try(expected, () => {
          expect(
            broker.post(address.id, text(body, { kind: command.kind })).replayed === repeat,
            'a repeat is known',
          )
        })
        if (expected === 'done' && !repeat) {
          model.send(address.queue, body, command.kind)
          address.used = true
        }
        return
      }
      case 'guid': {
        const guid = `guid ${command.which}`
        const known = model.queues.get(command.name.queue)
        const repeat = model.guids.has(guid)
        const body = this.#body()
        this.#try(known === undefined && !repeat ? 'unknown-queue' : 'done', () => {
          const sent = broker.sendOnce(spelling(command.name), guid, text(body, { kind: command.kind }))
          expect(sent.replayed === repeat, 'a guid seen before is ignored')
        })
        if (known !== undefined && !repeat) {
          model.send(known, body, command.kind)
          model.guids.add(guid)
        }
        return
      }
      case 'send': {
        const known = model.queues.get(command.name.queue)
        const body = this.#body()
        this.#try(known === undefined ? 'unknown-queue' : 'done', () =>
          broker.send(spelling(command.name), text(body, { kind: command.kind })),
        )
        if (known !== undefined) model.send(known, body, command.kind)
        return
      }
      case 'subscribe': {
        const { destinations, prefetch, selector, timeout } = command
        const { id } = broker.subscribe({ destinations, prefetch, selector: selector?.text, timeout })
        const leaseEndsAt = broker.clock.now() + timeout
        model.subscriptions.push({
          ...{ id, destinations, prefetch, selector, timeout, leaseEndsAt },
          live: true,
          hand: new Map(),
        })
        return
      }
      case 'unsubscribe': {
        const subscription = pick(model.subscriptions, command.which)
        if (subscription === undefined) return
        this.#try(ended(subscription) ?? 'done', () => broker.unsubscribe(subscription.id))
        if (subscription.live) model.end(subscription)
        return
      }
      case 'consume': {
        const subscription = pick(model.subscriptions, command.which)
        if (subscription === undefined) return
        this.#try(ended(subscription) ?? 'done', () => {
          const { deliveries } = broker.consume(subscription.id)
          expect(
            deliveries.map(({ id }) => id).join() === [...subscription.hand.keys()].join(),
            'a feed shows the hand in the order in which it was filled',
          )
        })
        this.#renewed(subscription)
        return
      }
      case 'ack':
      case 'ack any': {
        const subscription = pick(model.subscriptions, command.which)
        if (subscription === undefined) return
        const from = command.do === 'ack' ? [...subscription.hand.keys()] : this.#deliveries
        const id = pick(from, command.what)
        if (id === undefined) return
        const standing = model.standing(subscription, id)
        const refusal = {
          unknown: 'unknown-message',
          withdrawn: 'delivery-released',
          held: 'done',
          acknowledged: 'done',
        }
        const expected = ended(subscription) ?? refusal[standing]
        this.#try(expected, () => {
          const { repeated } = broker.acknowledge(subscription.id, id)
          expect(repeated === (standing === 'acknowledged'), 'a repeat is known')
        })
        if (expected === 'done') {
          this.#renewed(subscription)
          model.acknowledge(subscription, id)
        }
        return
      }
      case 'ack all': {
        const subscription = pick(model.subscriptions, command.which)
        if (subscription === undefined) return
        const own = [...subscription.hand.keys()]
        const ids = command.what
          .map((what) => pick(what % 8 === 0 ? this.#deliveries : own, what))
          .filter(isThere)
        const foreign = ids.some((id) => !['held', 'acknowledged'].includes(model.standing(subscription, id)))
        const expected = ended(subscription) ?? (foreign ? 'message-not-held' : 'done')
        this.#try(expected, () => broker.acknowledgeAll(subscription.id, ids))
        if (expected === 'done') {
          this.#renewed(subscription)
          for (const id of ids) model.acknowledge(subscription, id)
        }
        return
      }
      case 'advance': {
        const target = broker.clock.now() + command.by
        for (;;) {
          const live = model.subscriptions.filter((subscription) => subscription.live)
          const next = Math.min(target, ...live.map(({ leaseEndsAt }) => leaseEndsAt))
          this.#made.clock.advance(next - broker.clock.now())
          const over = live.filter(({ leaseEndsAt }) => leaseEndsAt <= next)
          for (const subscription of over) model.end(subscription)
          this.#judge(over.length)
          if (over.length === 0) return
        }
      }
    }
  }

  #renewed(subscription: ModelSubscription): void {
    if (subscription.live) subscription.leaseEndsAt = this.broker.clock.now() + subscription.timeout
  }

  #body(): string {
    return `m${++this.#sent}`
  }

  #try(expected: string, act: () => unknown): void {
    const before = expected === 'done' ? '' : JSON.stringify(snapshot(this.broker))
    const kind = kindOf(act)
    expect(kind === expected, `the answer is ${kind}, and should be ${expected}`)
    if (expected !== 'done') {
      expect(JSON.stringify(snapshot(this.broker)) === before, 'a refused command changes nothing')
    }
  }

  #judge(atOnce = 0): void {
    const wrong = [...violations(this.broker), ...this.model.judge(this.broker, atOnce)]
    expect(wrong.length === 0, wrong.join('\n'))
    for (const { hand } of this.model.subscriptions) {
      for (const id of hand.keys()) if (!this.#deliveries.includes(id)) this.#deliveries.push(id)
    }
  }
}

function spelling({ queue, dotted }: { queue: string; dotted: boolean }): string {
  return dotted ? queue.replaceAll('/', '.') : queue
}

function ended({ live }: ModelSubscription): string | undefined {
  return live ? undefined : 'subscription-ended'
}

/** The one that a number stands for, the latest first, so that what is drawn small is what just happened. */
function pick<T>(from: readonly T[], which: number): T | undefined {
  return from[from.length - 1 - (which % from.length)]
}

function isThere<T>(value: T | undefined): value is T {
  return value !== undefined
}

export function expect(holds: boolean, sentence: string): void {
  if (!holds) throw new Error(sentence)
}
