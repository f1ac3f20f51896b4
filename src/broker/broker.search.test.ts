import t from 'tap'
import type { Subscription } from './entities.js'
import { hand, makeBroker, pending, text } from './harness.test.kit.js'
import { violations } from './invariants.test.kit.js'

const isSearching = ({ cancelSearch }: Subscription) => cancelSearch !== undefined

function repeat(times: number, act: (index: number) => unknown): void {
  for (let index = 0; index < times; index++) act(index)
}

/** What is never true of a message with an `a`, and takes about 120 microseconds to find out. */
const LONG = Array.from({ length: 200 }, (_, index) => `a = ${index + 100_000}`).join(' OR ')
const WANTED = `kind = 'wanted' OR ${LONG}`

/** A queue whose selectors take longer than one command may to be asked about one message. */
function declining() {
  const made = makeBroker()
  made.broker.createQueue('q')
  repeat(300, () => made.broker.subscribe({ destinations: ['q'], selector: LONG }))
  return made
}

t.test('a selector that has much to be asked goes on in commands of its own, and misses nothing', (t) => {
  const { broker, clock } = makeBroker()
  broker.createQueue('q')
  repeat(300, (index) => broker.send('q', text(`${index}`, { a: `${index}`, kind: 'other' })))
  broker.send('q', text('wanted', { a: '1', kind: 'wanted' }))
  const { id } = broker.subscribe({ destinations: ['q'], selector: WANTED })
  t.same(hand(broker, id), [], 'not yet')
  t.equal(isSearching(broker.subscription(id)), true)
  broker.send('q', text('later', { a: '1', kind: 'wanted' }))
  t.same(violations(broker), [])
  clock.advance(0)
  t.same(hand(broker, id), ['wanted', 'later'])
  t.equal(isSearching(broker.subscription(id)), false)
  t.same(violations(broker), [])
  broker.unsubscribe(id)
  const next = broker.subscribe({ destinations: ['q'], selector: WANTED }).id
  repeat(5, () => broker.consume(next))
  t.same(hand(broker, next), ['wanted', 'later'], 'also as its consumer reads, at a clock that stands still')
  t.end()
})

t.test('meanwhile the message is there for whoever has no selector, or asks for it by itself', (t) => {
  const { broker, clock } = declining()
  const wanting = broker.subscribe({ destinations: ['q'], selector: WANTED, prefetch: 2 })
  broker.send('q', text('1', { a: '1', kind: 'wanted' }))
  t.same(hand(broker, wanting.id), [], 'not asked yet')
  broker.take('q')
  const plain = broker.subscribe({ destinations: ['q'], prefetch: 1 })
  for (const body of ['2', '3']) broker.send('q', text(body, { a: '1', kind: 'wanted' }))
  t.same(violations(broker), [])
  repeat(9, () => clock.advance(0))
  t.same([hand(broker, plain.id), hand(broker, wanting.id)], [['2'], ['3']])
  t.same(pending(broker, 'q'), ['2', '3'])
  t.same(violations(broker), [])
  t.end()
})

t.test('what is released comes to one who is asked later, in the order of the queue', (t) => {
  const { broker, clock } = declining()
  const first = broker.subscribe({ destinations: ['q'] })
  for (const body of ['1', '2', '3']) broker.send('q', text(body, { kind: 'wanted' }))
  const wanting = broker.subscribe({ destinations: ['q'], selector: WANTED, prefetch: 2 })
  broker.unsubscribe(first.id)
  repeat(9, () => clock.advance(0))
  t.same(hand(broker, wanting.id), ['1', '2'])
  t.same(violations(broker), [])
  t.end()
})

t.test('many who search have their turns, and what each command takes is bounded', (t) => {
  const { broker, clock } = makeBroker()
  broker.createQueue('q')
  repeat(200, () => broker.send('q', text('other', { a: '1' })))
  broker.send('q', text('last', { a: '1', kind: 'wanted' }))
  const ids = Array.from({ length: 3 }, () => broker.subscribe({ destinations: ['q'], selector: WANTED }).id)
  const asked = new Map<string, number>()
  for (const subscription of broker.parts.subscriptions) {
    const accepts = subscription.accepts.bind(subscription)
    subscription.accepts = (message, effort) => {
      asked.set(subscription.id, (asked.get(subscription.id) ?? 0) + 1)
      return accepts(message, effort)
    }
  }
  t.equal(clock.runNext(clock.now()), true)
  const all = [...asked.values()].reduce((sum, count) => sum + count, 0)
  t.ok(all < 150, `${all} times in one command`)
  while (clock.runNext(clock.now()));
  t.equal(ids.flatMap((id) => hand(broker, id)).join(), 'last')
  t.same(violations(broker), [])
  t.end()
})

t.test('what ends, is deleted or closed while it searches leaves nothing to be done', (t) => {
  const made = () => {
    const { broker, clock } = makeBroker()
    broker.createQueue('q')
    repeat(300, () => broker.send('q', text('other', { a: '1' })))
    const subscription = broker.subscribe({ destinations: ['q'], selector: WANTED })
    t.equal(isSearching(subscription), true)
    return { broker, clock, subscription }
  }
  const ended = made()
  ended.broker.unsubscribe(ended.subscription.id)
  t.equal(isSearching(ended.subscription), false)
  const deleted = made()
  deleted.broker.deleteQueue('q')
  deleted.clock.advance(0)
  t.equal(isSearching(deleted.subscription), false)
  t.same(violations(deleted.broker), [])
  for (const act of ['close', 'reset'] as const) {
    const { broker, clock } = made()
    broker[act]()
    t.equal(clock.nextDue, undefined, act)
  }
  t.end()
})
