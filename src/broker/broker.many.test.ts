import t from 'tap'
import { bodyOf, hand, kindOf, makeBroker, pending, text } from './harness.test.kit.js'
import { violations } from './invariants.test.kit.js'

/** What is more than one slice: about so many bindings, names or declining consumers. */
const MANY = 8000
const HALF = MANY / 2

function repeat(times: number, act: (index: number) => unknown): void {
  for (let index = 0; index < times; index++) act(index)
}

/** A queue with so many consumers that decline everything, that to ask them takes longer than a slice. */
function declining() {
  const made = makeBroker()
  made.broker.createQueue('q')
  const selector = `kind = 'x' AND (${Array.from({ length: 100 }, (_, index) => `a <> ${index}`).join(' AND ')})`
  repeat(1000, () => made.broker.subscribe({ destinations: ['q'], selector }))
  return made
}

t.test('a message whose offer goes on in slices may be taken, and others wait behind it', (t) => {
  const { broker, clock } = declining()
  const late = broker.subscribe({ destinations: ['q'], selector: "kind = 'm'", prefetch: 1 })
  const last = broker.subscribe({ destinations: ['q'], prefetch: 2 })
  broker.send('q', text('1', { kind: 'm' }))
  t.ok(broker.parts.context.slices.busy)
  broker.send('q', text('2', { kind: 'other' }))
  broker.send('q', text('3', { kind: 'm' }))
  t.same([hand(broker, late.id), hand(broker, last.id)], [[], []], 'nobody was passed over')
  t.same(violations(broker), [])
  t.equal(bodyOf(broker.take('q')!), '1', 'who asks for it by itself has it')
  clock.advance(1)
  clock.advance(1)
  t.same([hand(broker, late.id), hand(broker, last.id)], [['3'], ['2']])
  t.equal(broker.parts.context.slices.busy, false)
  t.equal(broker.parts.dispatch.isOffering(broker.queue('q')), false)
  t.same(violations(broker), [])
  t.end()
})

t.test('a message that is released while others are offered comes before them', (t) => {
  const { broker, clock } = declining()
  const first = broker.subscribe({ destinations: ['q'], prefetch: 1 })
  broker.send('q', text('1'))
  clock.advance(1)
  t.same(hand(broker, first.id), ['1'])
  broker.send('q', text('2'))
  broker.unsubscribe(first.id)
  const next = broker.subscribe({ destinations: ['q'], selector: 'a IS NULL', prefetch: 1 })
  const other = broker.subscribe({ destinations: ['q'], prefetch: 9 })
  clock.advance(1)
  clock.advance(1)
  t.same([hand(broker, next.id), hand(broker, other.id)], [['1'], ['2']])
  t.same(violations(broker), [])
  t.end()
})

t.test('a wildcard that passes many names and covers none of them keeps nobody waiting either', (t) => {
  const { broker, clock } = makeBroker()
  repeat(26_000, (index) => broker.createQueue(`${index}/a`))
  for (const act of ['subscribeConsumer', 'unsubscribeConsumer'] as const) {
    broker[act]('c', '*.b')
    t.ok(broker.parts.context.slices.busy, act)
    clock.advance(1)
    t.equal(broker.parts.context.slices.busy, false)
  }
  t.end()
})

t.test('a queue deleted, and a broker closed, while a message is offered', (t) => {
  const { broker, clock } = declining()
  const { id } = broker.subscribe({ destinations: ['q'] })
  broker.send('q', text('1'))
  broker.deleteQueue('q')
  broker.createQueue('q')
  clock.advance(1)
  t.same(hand(broker, id), [])
  t.equal(broker.parts.context.slices.busy, false)
  t.same(violations(broker), [])
  const other = declining()
  other.broker.subscribe({ destinations: ['q'] })
  other.broker.send('q', text('1'))
  other.broker.close()
  t.same([pending(other.broker, 'q'), other.broker.parts.context.slices.busy], [['1'], false])
  t.end()
})

t.test('a new queue below many wildcards is bound in slices, and misses nobody', (t) => {
  const { broker, clock } = makeBroker()
  const ids: string[] = []
  repeat(HALF, () => ids.push(broker.subscribe({ destinations: ['>', 'a.*'], prefetch: 1 }).id))
  broker.subscribeConsumer('c', '>')
  broker.subscribeConsumer('c', '*.b')
  broker.createQueue('a/b')
  const { queue } = broker.createQueue('a/c')
  t.ok(broker.parts.context.slices.busy)
  broker.unsubscribeConsumer('c', '*.b')
  broker.unsubscribe(ids.pop()!)
  const { id } = broker.subscribe({ destinations: ['>'], prefetch: 1 })
  repeat(HALF, (index) => broker.send('a/c', text(`${index}`)))
  broker.deleteQueue('a/b')
  for (let round = 0; broker.parts.context.slices.busy && round < 20; round++) clock.advance(1)
  t.equal(queue.held, HALF)
  t.equal(hand(broker, id).length, 1)
  t.same(violations(broker), [])
  t.end()
})

t.test('who waits has its message of a new queue, though it lets go of another meanwhile', (t) => {
  const { broker, clock } = makeBroker()
  repeat(HALF, () => broker.subscribe({ destinations: ['>'], selector: 'wanted' }))
  for (const destination of ['>', 'x']) broker.subscribeConsumer('c', destination)
  let woken = 0
  broker.whenConsumerChanges('c', () => woken++)
  broker.createQueue('q')
  t.equal(broker.consumer('c').bindings.size, 0, 'not yet')
  broker.unsubscribeConsumer('c', 'x')
  broker.send('q', text('m'))
  for (let round = 0; broker.parts.context.slices.busy && round < 20; round++) clock.advance(1)
  t.equal(woken, 1)
  t.end()
})

t.test('a consumer lets go of many queues in slices, and is handed nothing from them meanwhile', (t) => {
  const { broker, clock } = makeBroker()
  repeat(MANY, (index) => broker.createQueue(`q/${index}`))
  broker.createQueue('q/last')
  broker.subscribeConsumer('c', 'q/*')
  broker.subscribeConsumer('c', 'q/last')
  clock.advance(5)
  broker.send('q/7999', text('held'))
  t.equal(bodyOf(broker.next('c')!.message), 'held')
  broker.unsubscribeConsumer('c', 'q/*')
  t.ok(broker.parts.context.slices.busy)
  t.same(pending(broker, 'q/7999'), ['held'])
  t.equal(broker.queue('q/7999').ready.size, 1, 'what it held from there goes to others at once')
  broker.send('q/7998', text('not for it'))
  broker.send('q/last', text('for it'))
  t.equal(bodyOf(broker.next('c')!.message), 'for it')
  t.same(broker.lock('c', 9), [])
  broker.subscribeConsumer('c', 'q/*')
  clock.advance(5)
  clock.advance(5)
  t.equal(broker.parts.context.slices.busy, false)
  t.same(
    broker
      .lock('c', 9)
      .map(({ message }) => bodyOf(message))
      .sort(),
    ['held', 'not for it'],
  )
  t.same(violations(broker), [])
  broker.unsubscribeConsumer('c', 'q/*')
  t.equal(broker.lock('c', 9).length, 0)
  broker.send('q/999', text('the last'))
  t.equal(broker.lock('c', 9).length, 0)
  t.ok(broker.parts.context.slices.busy)
  broker.subscribeConsumer('c', 'q/999')
  t.equal(broker.lock('c', 9).length, 1, 'what was passed over a moment ago')
  broker.unsubscribeConsumer('c', 'q/999')
  broker.unsubscribeConsumer('c', 'q/last')
  broker.parts.subscriptions.end(broker.consumer('c'), 'deleted')
  clock.advance(5)
  t.same([broker.parts.dispatch.bindings, broker.parts.context.slices.busy], [0, false])
  t.same(violations(broker), [])
  t.end()
})

t.test('a consumer lets go of queues in the middle of being bound to them', (t) => {
  const { broker, clock } = makeBroker()
  // Wherever that is interrupted, queues below the last one are still to come.
  repeat(200, (index) => repeat(20, (depth) => broker.createQueue(`${index}${'/a'.repeat(depth)}`)))
  broker.subscribeConsumer('c', '>')
  for (const name of ['0/new', 'new']) broker.createQueue(name)
  t.ok(broker.parts.context.slices.busy)
  broker.unsubscribeConsumer('c', '>')
  for (let round = 0; broker.parts.context.slices.busy && round < 20; round++) clock.advance(1)
  t.equal(broker.consumer('c').bindings.size, 0)
  t.same(violations(broker), [])
  t.end()
})

t.test('what ended in the middle of being bound leaves nothing', (t) => {
  const { broker, clock } = makeBroker({ limits: { maxBindings: 2 * MANY } })
  repeat(MANY, (index) => broker.createQueue(`q/${index}`))
  const one = broker.subscribe({ destinations: ['>'] })
  broker.deleteQueue('q/7000')
  t.equal(
    kindOf(() => broker.subscribe({ destinations: ['q/*', 'q/1', 'q/2'] })),
    'too-many-bindings',
    'what is still to be bound counts',
  )
  broker.unsubscribe(one.id)
  clock.advance(5)
  clock.advance(5)
  t.same([broker.parts.dispatch.bindings, broker.parts.context.slices.busy], [0, false])
  const two = broker.subscribe({ destinations: ['q/*', '>'] })
  for (let round = 0; broker.parts.context.slices.busy && round < 20; round++) clock.advance(1)
  t.equal(two.bindings.size, MANY - 1)
  t.same(violations(broker), [])
  t.end()
})

t.test('wildcards in the middle are compared with so many names at most', (t) => {
  const { broker } = makeBroker({ limits: { maxWildcardNames: 40 } })
  repeat(20, (index) => broker.createQueue(`a/${index}/x`))
  t.equal(
    kindOf(() => broker.subscribe({ destinations: ['a/*/y'] })),
    'done',
  )
  t.equal(
    kindOf(() => broker.subscribe({ destinations: ['a/*/y', 'a/*/z'] })),
    'too-many-bindings',
  )
  t.equal(
    kindOf(() => broker.subscribe({ destinations: ['a/>', '>', 'a/*', 'a/1/*'] })),
    'done',
    'others cost nothing',
  )
  t.same([...broker.parts.subscriptions].length, 2)
  t.same(violations(broker), [])
  t.end()
})
