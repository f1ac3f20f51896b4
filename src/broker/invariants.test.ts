import t from 'tap'
import type { Broker } from './broker.js'
import type { Binding, Delivery, Message, Queue, Subscription } from './entities.js'
import { makeBroker, text } from './harness.test.kit.js'
import { violations } from './invariants.test.kit.js'

/** What a broken broker is made from: one subscription that holds `one`, one that is full, and `two` and `three` ready. */
interface Sound {
  readonly broker: Broker
  readonly queue: Queue
  readonly other: Queue
  readonly subscription: Subscription
  readonly binding: Binding
  readonly delivery: Delivery
  readonly one: Message
  readonly two: Message
  readonly three: Message
}

function sound(): Sound {
  const { broker } = makeBroker()
  const { queue } = broker.createQueue('q')
  const other = broker.createQueue('other').queue
  const subscription = broker.subscribe({ destinations: ['q'], prefetch: 1, selector: 'deliveries > 0' })
  const [one, two, three] = [1, 2, 3].map((body) => broker.send('q', text(`${body}`))) as [
    Message,
    Message,
    Message,
  ]
  const [delivery] = subscription.held.values()
  const [binding] = queue.bindings
  return {
    ...{ broker, queue, other, subscription, one, two, three },
    delivery: delivery as Delivery,
    binding: binding as Binding,
  }
}

/** Sets what only the broker itself is to set. */
function force<T>(target: T, change: { -readonly [K in keyof T]?: T[K] | undefined }): void {
  Object.assign(target as object, change)
}

function move(binding: Binding, list: Binding['list']): void {
  binding.list.remove(binding)
  binding.list = list
  list.append(binding)
}

const CORRUPTIONS: [sentence: RegExp, corrupt: (broker: Sound) => void][] = [
  [/^the tree counts its queues$/, ({ broker, other }) => broker.parts.tree.insert(other, 0)],
  [/^memory is \d+ bytes, and counted as \d+$/, ({ broker }) => broker.parts.memory.free(1)],
  [
    /^queues say that 1 messages are held, subscriptions hold 0$/,
    ({ subscription }) => subscription.held.clear(),
  ],
  [/^q: messages stand in their order$/, ({ two }) => force(two, { sequence: 9 })],
  [/^q: a pending message is this queue's, and not gone$/, ({ two, other }) => force(two, { queue: other })],
  [/^q: a pending message is this queue's, and not gone$/, ({ two }) => force(two, { consumed: true })],
  [/^q: a held message is not ready$/, ({ queue, one }) => queue.makeReady(one)],
  [/^q: a held message is in its holder's hand$/, ({ subscription }) => subscription.held.clear()],
  [/^q: a held message was delivered$/, ({ one }) => force(one, { deliveries: 0 })],
  [
    /^q: 4 are pending, and 3 are counted$/,
    ({ queue, three }) => {
      Object.defineProperty(queue.order, 'from', {
        value: () => [...queue.ready, three, three].values(),
      })
    },
  ],
  [/^q: pending are the held and the ready$/, ({ queue }) => queue.unready(queue.ready.first as Message)],
  [
    /^q: ready are, in order, all that nobody holds$/,
    ({ queue, two }) => {
      queue.unready(two)
      queue.ready.add({ ...two, sequence: 99 } as Message)
    },
  ],
  [/^q: ready are, in order, all that nobody holds$/, ({ queue, two }) => queue.unready(two)],
  [/^q: a queue is found by its name$/, ({ queue }) => force(queue, { segments: ['other'] })],
  [
    /^q: a consumer with room is bound to the queue$/,
    ({ queue, binding }) => void queue.inTurn.append(binding),
  ],
  [
    /^q: no consumer with room accepts what is ready: it would have it$/,
    ({ queue, binding }) => move(binding, queue.inTurn),
  ],
  [/^q: a binding is the queue's own$/, ({ binding, other }) => force(binding, { queue: other })],
  [/^q: selective are the bindings with a selector$/, ({ queue }) => void queue.selective++],
  [/^q: it is in a list$/, ({ binding, other }) => move(binding, other.inTurn)],
  [/^q: a binding stands in the list that it names$/, ({ binding }) => binding.list.remove(binding)],
  [/^q: its subscription knows the binding$/, ({ subscription }) => subscription.bindings.clear()],
  [
    /^q: nothing acceptable stands before the place that is scanned from$/,
    ({ binding }) => {
      binding.scanFrom = 99
    },
  ],
  [/: holds 1, more than 0\.5$/, ({ subscription }) => force(subscription.terms, { prefetch: 0.5 })],
  [
    /: has room, and yet something waits for it$/,
    ({ subscription }) => force(subscription.terms, { prefetch: 2 }),
  ],
  [
    /: lives on after its lease$/,
    ({ subscription, broker }) => {
      subscription.leaseEndsAt = broker.clock.now()
    },
  ],
  [/: what it holds is its own$/, ({ delivery }) => force(delivery, { id: 'another' })],
  [
    /: what it holds is its own$/,
    ({ delivery, subscription }) => {
      force(delivery, { subscription: Object.create(subscription) as Subscription })
    },
  ],
  [
    /: no message is in two hands$/,
    ({ one, delivery }) => {
      one.holder = { ...delivery }
    },
  ],
  [
    /^30001 places are taken$/,
    ({ broker }) => {
      broker.parts.dispatch.placesTaken = 30_001
    },
  ],
  [
    /: what was acknowledged is nowhere$/,
    ({ broker, one }) => {
      broker.parts.dispatch.acknowledge({ ...(one.holder as Delivery), id: 'another' })
    },
  ],
  [
    /: asks for messages only in a command$/,
    ({ subscription }) => {
      subscription.asked = 1
    },
  ],
  [
    /: holds what it was not told of yet$/,
    ({ subscription, delivery }) => {
      subscription.unreported.add({ ...delivery })
    },
  ],
  [
    /, by as many as match$/,
    ({ binding }) => {
      binding.destinations = 2
    },
  ],
  [
    /: is bound to just the queues that its destinations match, by as many as match$/,
    ({ broker, subscription, other }) => {
      broker.parts.dispatch.bind(subscription, other)
    },
  ],
  [
    /: is bound to just the queues that its destinations match, by as many as match$/,
    ({ broker, binding }) => {
      broker.parts.dispatch.unbind(binding)
    },
  ],
]

t.test('a sound broker violates nothing', (t) => {
  t.same(violations(sound().broker), [])
  t.end()
})

t.test('each sentence is said of a broker that is broken in its way', (t) => {
  for (const [sentence, corrupt] of CORRUPTIONS) {
    const made = sound()
    corrupt(made)
    const found = violations(made.broker)
    t.ok(
      found.some((said) => sentence.test(said)),
      `${sentence}`,
      { found },
    )
  }
  t.end()
})

t.test('a consumer without prefetch may hold as many as it asked for', (t) => {
  const { broker, subscription } = sound()
  force(subscription.terms, { kind: 'consumer', prefetch: 0 })
  t.same(violations(broker), [])
  t.end()
})
