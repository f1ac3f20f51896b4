import fc from 'fast-check'
import t from 'tap'
import type { Broker } from './broker.js'
import type { BrokerEvent } from './events.js'
import { makeBroker, text } from './harness.test.kit.js'
import { formatName } from './names.js'
import { Refusal } from './refusals.js'

interface FoldedLease {
  endsAt: number
  readonly destinations: Set<string>
  readonly held: Set<string>
}

/** All that a broker is, put together from what it told alone. Whatever cannot have happened then is an error. */
class Fold {
  readonly queues = new Map<
    string,
    { readonly name: string; readonly messages: Map<string, string | null> }
  >()
  readonly leases = new Map<string, FoldedLease>()
  readonly addresses = new Set<string>()
  readonly #over = new Set<string>()
  #time = 0

  see(event: BrokerEvent): void {
    expect(event.time >= this.#time, 'no event is before another that was told before')
    this.#time = event.time
    switch (event.kind) {
      case 'queue-created':
        expect(!this.queues.has(event.queue.id), 'a queue is created once')
        this.queues.set(event.queue.id, { name: event.queue.name, messages: new Map() })
        return
      case 'queue-deleted': {
        const { messages } = this.#queue(event.queue)
        expect(messages.size === event.discarded, 'it says how many messages it took with it')
        expect(
          [...messages.values()].every((holder) => holder === null),
          'what was held was released before',
        )
        this.queues.delete(event.queue.id)
        return
      }
      case 'address-issued':
        expect(!this.addresses.has(event.address), 'an address is issued once')
        this.addresses.add(event.address)
        return
      case 'address-expired':
        expect(this.addresses.delete(event.address), 'an open address expires')
        return
      case 'sent': {
        const { messages } = this.#queue(event.message.queue)
        expect(!messages.has(event.message.id), 'a message is sent once')
        messages.set(event.message.id, null)
        if (event.address !== undefined)
          expect(this.addresses.delete(event.address), 'an open address is used')
        return
      }
      case 'delivered': {
        const { id, message, subscription } = event.delivery
        const { messages } = this.#queue(message.queue)
        expect(messages.get(message.id) === null, 'a message is handed to nobody while it is held')
        messages.set(message.id, id)
        this.#lease(subscription).held.add(id)
        return
      }
      case 'acknowledged':
      case 'released': {
        const { id, message } = event.delivery
        const { messages } = this.#queue(message.queue)
        expect(messages.get(message.id) === id, 'what ends is held')
        if (event.kind === 'acknowledged') messages.delete(message.id)
        else messages.set(message.id, null)
        const lease = this.#lease(event.delivery.subscription)
        expect(lease.held.delete(id), 'and by this lease')
        expect(!this.#over.has(id), 'a delivery ends once')
        this.#over.add(id)
        this.#forget(event.delivery.subscription, lease)
        return
      }
      case 'taken':
        expect(this.#queue(event.message.queue).messages.get(event.message.id) === null, 'it was ready')
        this.#queue(event.message.queue).messages.delete(event.message.id)
        return
      case 'lease-begun': {
        const { terms, createdAt } = event.lease
        const destinations = new Set(terms.destinations.map(({ segments }) => formatName(segments)))
        const key = keyOf(event.lease)
        expect(!this.leases.has(key), 'one that lives does not begin')
        this.leases.set(key, { endsAt: createdAt + terms.timeout, destinations, held: new Set() })
        return
      }
      case 'lease-renewed':
        this.#lease(event.lease).endsAt = event.endsAt
        return
      case 'lease-ended': {
        const lease = this.#lease(event.lease)
        if (event.reason === 'expired' && !this.endedEarly)
          expect(lease.endsAt <= event.time, 'its time was up')
        lease.endsAt = Number.NaN
        this.#forget(event.lease, lease)
        return
      }
      case 'covered':
        this.#lease(event.lease).destinations.add(event.destination)
        return
      case 'uncovered':
        expect(this.#lease(event.lease).destinations.delete(event.destination), 'it covered it')
        return
      case 'reset':
        this.queues.clear()
        this.leases.clear()
        this.addresses.clear()
    }
  }

  /** Whether leases are just being ended before their time. */
  endedEarly = false

  #queue({ id }: { readonly id: string }) {
    const queue = this.queues.get(id)
    expect(queue !== undefined, 'what happens to a queue happens while it is there')
    return queue!
  }

  #lease(lease: { readonly id: string; readonly kind: string }): FoldedLease {
    const known = this.leases.get(keyOf(lease))
    expect(known !== undefined, 'what happens to a lease happens while it lives')
    return known!
  }

  /** A lease is gone when it has ended, and what it held is given back. */
  #forget(lease: { readonly id: string; readonly kind: string }, { endsAt, held }: FoldedLease): void {
    if (Number.isNaN(endsAt) && held.size === 0) this.leases.delete(keyOf(lease))
  }

  shown() {
    return {
      queues: [...this.queues].map(([id, { name, messages }]) => [id, name, [...messages]]).sort(byText),
      leases: [...this.leases]
        .map(([key, { endsAt, destinations, held }]) => [key, endsAt, [...destinations], [...held]])
        .sort(byText),
      addresses: this.addresses.size,
    }
  }
}

/** The same of a broker itself. */
function shown({ parts }: Broker) {
  return {
    queues: [...parts.queues]
      .map(({ id, name, order }) => [
        id,
        name,
        [...order.from(0)].map((message) => [message.id, message.holder?.id ?? null]),
      ])
      .sort(byText),
    leases: [...parts.subscriptions]
      .map((lease) => [keyOf(lease), lease.leaseEndsAt, [...lease.covered.keys()], [...lease.held.keys()]])
      .sort(byText),
    addresses: parts.deduplication.openAddresses,
  }
}

const keyOf = ({ kind, id }: { readonly kind: string; readonly id: string }) => `${kind} ${id}`
const byText = (one: unknown, other: unknown) => (`${one}` < `${other}` ? -1 : 1)

function expect(holds: boolean, sentence: string): void {
  if (!holds) throw new Error(sentence)
}

const COMMANDS: Readonly<Record<string, (broker: Broker, number: number, fold: Fold) => unknown>> = {
  createQueue: (broker, number) => broker.createQueue(queueOf(number)),
  deleteQueue: (broker, number) => broker.deleteQueue(queueOf(number)),
  send: (broker, number) => broker.send(queueOf(number), text('m', { n: `${number}` })),
  sendOnce: (broker, number) => broker.sendOnce(queueOf(number), `guid ${number}`, text('g')),
  newAddress: (broker, number) => broker.newAddress(queueOf(number)),
  post: (broker, number, { addresses }) => broker.post([...addresses][number % 3] ?? 'none', text('p')),
  subscribe: (broker, number) =>
    broker.subscribe({
      destinations: number % 2 === 0 ? ['q/*'] : [queueOf(number), queueOf(number + 1)],
      prefetch: 1 + (number % 3),
      timeout: 1000 * (1 + (number % 4)),
      selector: number % 5 === 0 ? "n = '3'" : undefined,
    }),
  unsubscribe: (broker, number) => broker.unsubscribe(some(broker, 'subscription', number).id),
  consume: (broker, number) => broker.consume(some(broker, 'subscription', number).id),
  acknowledge: (broker, number) => {
    const { id, first } = some(broker, 'subscription', number)
    const delivery = first?.id ?? 'none'
    broker.acknowledge(id, delivery)
    broker.acknowledge(id, delivery)
  },
  acknowledgeAll: (broker, number) => {
    const { id, held } = some(broker, 'subscription', number)
    broker.acknowledgeAll(id, [...held.keys()].slice(0, 2))
  },
  subscribeConsumer: (broker, number) => broker.subscribeConsumer(`c${number % 2}`, queueOf(number)),
  unsubscribeConsumer: (broker, number) => broker.unsubscribeConsumer(`c${number % 2}`, queueOf(number)),
  next: (broker, number) => broker.next(`c${number % 2}`),
  lock: (broker, number) => {
    const { id, held } = some(broker, 'consumer', number)
    broker.lock(id, 1 + (number % 3), [...held.keys()].slice(0, 1))
  },
  wait: (broker, number) => broker.whenConsumerChanges(`c${number % 2}`, () => {}),
  take: (broker, number) => broker.take(queueOf(number)),
  takeFor: (broker, number) => broker.takeFor(`s${number % 2}`, queueOf(number)),
  endLeases: (broker, number, fold) => {
    fold.endedEarly = true
    broker.endLeases([...broker.parts.subscriptions].slice(0, number % 3))
    fold.endedEarly = false
  },
}

const queueOf = (number: number) => `q/${number % 3}`

function some({ parts }: Broker, kind: string, number: number) {
  const all = [...parts.subscriptions].filter((lease) => lease.kind === kind)
  const chosen = all[number % Math.max(1, all.length)]
  if (chosen === undefined) throw new Refusal('unknown-subscription')
  return chosen
}

t.test('what a broker tells is all that happens to it, once and in order', (t) => {
  const command = fc.tuple(
    fc.oneof(
      { weight: 30, arbitrary: fc.constantFrom(...Object.keys(COMMANDS)) },
      { weight: 10, arbitrary: fc.constantFrom('send', 'sendOnce', 'createQueue', 'newAddress') },
      { weight: 5, arbitrary: fc.constant('time') },
      { weight: 1, arbitrary: fc.constant('reset') },
    ),
    fc.nat({ max: 11 }),
  )
  const kinds = new Set<string>()
  fc.assert(
    fc.property(fc.array(command, { maxLength: 100, size: 'max' }), (commands) => {
      const { broker, clock } = makeBroker({ autoCreate: true, limits: { addressTimeout: 4000 } })
      const fold = new Fold()
      broker.on((event) => {
        kinds.add(event.kind)
        fold.see(event)
      })
      for (const [name, number] of commands) {
        if (name === 'time') clock.advance(number * 500)
        else if (name === 'reset') broker.reset()
        else {
          try {
            COMMANDS[name]?.(broker, number, fold)
          } catch (error) {
            if (!(error instanceof Refusal)) throw error
          }
        }
        const [told, is] = [JSON.stringify(fold.shown()), JSON.stringify(shown(broker))]
        expect(told === is, `after ${name}: told ${told}, is ${is}`)
      }
    }),
    { numRuns: 500 },
  )
  t.same(
    [...kinds].sort(),
    [
      'acknowledged',
      'acknowledgement-repeated',
      'address-expired',
      'address-issued',
      'covered',
      'delivered',
      'lease-begun',
      'lease-ended',
      'lease-renewed',
      'queue-created',
      'queue-deleted',
      'released',
      'reset',
      'send-repeated',
      'sent',
      'taken',
      'uncovered',
      'waiting',
    ],
    'every kind was told',
  )
  t.end()
})
