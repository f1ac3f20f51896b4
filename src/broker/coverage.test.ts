import t from 'tap'
import { kindOf, makeBroker, text } from './harness.test.kit.js'
import { violations } from './invariants.test.kit.js'

t.test('a subscription is bound to each queue once, however its destinations come and go', (t) => {
  const { broker } = makeBroker()
  for (const name of ['a', 'b', 'deep/x', 'gone']) broker.createQueue(name)
  for (const destination of ['>', '*', 'x']) broker.subscribeConsumer('c', destination)
  broker.deleteQueue('gone')
  broker.createQueue('x')
  const bindings = () =>
    [...broker.consumer('c').bindings].map(([{ name }, { destinations }]) => [name, destinations])
  t.same(bindings(), [
    ['a', 2],
    ['b', 2],
    ['deep/x', 1],
    ['x', 3],
  ])
  for (const destination of ['*', '*', 'never']) broker.unsubscribeConsumer('c', destination)
  t.same(bindings(), [
    ['a', 1],
    ['b', 1],
    ['deep/x', 1],
    ['x', 2],
  ])
  broker.unsubscribeConsumer('c', '>')
  t.same(bindings(), [['x', 1]])
  t.same(violations(broker), [])
  t.end()
})

t.test('who lets go of a destination is handed nothing from there, and what it held goes to others', (t) => {
  const { broker } = makeBroker()
  for (const name of ['q/1', 'q/2']) broker.createQueue(name)
  for (const destination of ['q/*', 'q/2']) broker.subscribeConsumer('c', destination)
  for (const name of ['q/1', 'q/2']) broker.send(name, text(name))
  t.equal(broker.lock('c', 9).length, 2)
  broker.unsubscribeConsumer('c', 'q/*')
  t.same([broker.queue('q/1').held, broker.queue('q/2').held], [0, 1])
  broker.send('q/1', text('not for it'))
  t.equal(broker.lock('c', 9).length, 0)
  broker.subscribeConsumer('c', 'q/1')
  t.equal(broker.lock('c', 9).length, 2)
  t.same(violations(broker), [])
  t.end()
})

t.test('what has ended has no bindings', (t) => {
  const { broker } = makeBroker()
  for (const name of ['a', 'b']) broker.createQueue(name)
  const { id } = broker.subscribe({ destinations: ['>', 'a'] })
  t.equal(broker.parts.dispatch.bindingCount, 2)
  broker.unsubscribe(id)
  t.equal(broker.parts.dispatch.bindingCount, 0)
  t.same(violations(broker), [])
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

t.test('bindings take memory, for which there must be room', (t) => {
  const subscribe = (maxMemory: number) => {
    const { broker } = makeBroker({ limits: { maxMemory } })
    for (let made = 0; made < 100; made++) broker.createQueue(`q/${made}`)
    const outcome = kindOf(() => broker.subscribe({ destinations: ['q/*'] }))
    return { outcome, memory: broker.memory }
  }
  const { memory } = subscribe(1e9)
  t.same([subscribe(memory).outcome, subscribe(memory - 1).outcome], ['done', 'out-of-memory'])
  t.end()
})
