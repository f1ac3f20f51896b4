import t from 'tap'
import { kindOf, makeBroker, text } from './harness.test.kit.js'
import { violations } from './invariants.test.kit.js'

type Made = ReturnType<typeof makeBroker>

function repeat(times: number, act: (index: number) => unknown): void {
  for (let index = 0; index < times; index++) act(index)
}

function finish({ broker, clock }: Made): void {
  for (let round = 0; broker.parts.context.slices.busy && round < 20; round++) clock.advance(1)
}

t.test('a few names are passed at once, be they covered or not', (t) => {
  const { broker } = makeBroker()
  repeat(9, (index) => broker.createQueue(`${index}/a`))
  for (const act of ['subscribeConsumer', 'unsubscribeConsumer'] as const) {
    broker[act]('c', '*.b')
    t.equal(broker.parts.context.slices.busy, false, act)
  }
  t.end()
})

t.test('queues that it was not bound to yet are passed at once when it lets go of them', (t) => {
  const { broker } = makeBroker()
  repeat(4000, (index) => broker.createQueue(`q/${index}`))
  broker.subscribeConsumer('c', '>')
  const { bindings } = broker.consumer('c')
  t.ok(bindings.size > 0 && bindings.size < 4000)
  broker.unsubscribeConsumer('c', '>')
  t.same([bindings.size, broker.parts.context.slices.busy], [0, false])
  t.end()
})

t.test('what has ended lets go of many queues in slices, and is handed nothing from them', (t) => {
  const made = makeBroker()
  const { broker } = made
  repeat(9000, (index) => broker.createQueue(`q/${index}`))
  const one = broker.subscribe({ destinations: ['>'] })
  finish(made)
  broker.unsubscribe(one.id)
  const { queue } = broker.send('q/999', text('m'))
  t.ok(broker.parts.context.slices.busy)
  t.equal(queue.subscriptions, 1, 'this one is still to come')
  t.same([queue.held, one.held.size], [0, 0])
  finish(made)
  t.same([broker.parts.dispatch.bindings, broker.parts.context.slices.busy], [0, false])
  t.same(violations(broker), [])
  t.end()
})

t.test('what ends while it lets go of a destination leaves nothing either', (t) => {
  const made = makeBroker()
  const { broker } = made
  repeat(8000, (index) => broker.createQueue(`q/${index}`))
  broker.subscribeConsumer('c', '>')
  finish(made)
  const consumer = broker.consumer('c')
  broker.unsubscribeConsumer('c', '>')
  t.ok(consumer.bindings.size > 0)
  broker.parts.context.waiters.runThenWake(() => broker.parts.subscriptions.end(consumer, 'expired'))
  finish(made)
  t.same([broker.parts.dispatch.bindings, broker.parts.context.slices.busy], [0, false])
  t.same(violations(broker), [])
  t.end()
})

t.test('it is bound to a new queue once, and to none that is gone, however its destinations change', (t) => {
  const made = makeBroker()
  const { broker } = made
  repeat(4000, () => broker.subscribe({ destinations: ['>'] }))
  for (const destination of ['>', 'x', 'y']) broker.subscribeConsumer('c', destination)
  for (const name of ['a', 'b', 'gone']) broker.createQueue(name)
  broker.deleteQueue('gone')
  const { bindings } = broker.consumer('c')
  t.equal(bindings.size, 0, 'not yet')
  for (const destination of ['x', 'y']) {
    broker.unsubscribeConsumer('c', destination)
    t.same(
      [...bindings].map(([{ name }, binding]) => [name, binding.destinations]),
      [
        ['a', 1],
        ['b', 1],
      ],
    )
  }
  finish(made)
  t.equal(broker.parts.dispatch.bindings, 2 * 4001)
  t.end()
})

t.test('so many bindings as the limit says fit, and no more', (t) => {
  const { broker } = makeBroker({ limits: { maxBindings: 4 } })
  for (const name of ['a', 'b']) broker.createQueue(name)
  const subscribe = () => kindOf(() => broker.subscribe({ destinations: ['*'] }))
  t.same([subscribe(), subscribe(), subscribe()], ['done', 'done', 'too-many-bindings'])
  t.same(violations(broker), [])
  t.end()
})

t.test('who covers nothing needs no room, though a new queue may be counted twice on the way', (t) => {
  const { broker } = makeBroker({ limits: { maxBindings: 4001 } })
  repeat(4000, () => broker.subscribe({ destinations: ['>'] }))
  for (const destination of ['>', 'x']) broker.subscribeConsumer('c', destination)
  broker.createQueue('a')
  broker.unsubscribeConsumer('c', 'x')
  t.ok(broker.parts.context.slices.busy)
  t.equal(
    kindOf(() => broker.subscribe({ destinations: ['nowhere'] })),
    'done',
  )
  t.end()
})

t.test('bindings take memory, for which there must be room', (t) => {
  const subscribe = (maxMemory: number) => {
    const { broker } = makeBroker({ limits: { maxMemory } })
    repeat(100, (index) => broker.createQueue(`q/${index}`))
    const outcome = kindOf(() => broker.subscribe({ destinations: ['q/*'] }))
    return { outcome, memory: broker.memory }
  }
  const { memory } = subscribe(1e9)
  t.same([subscribe(memory).outcome, subscribe(memory - 1).outcome], ['done', 'out-of-memory'])
  t.end()
})
