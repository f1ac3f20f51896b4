import t from 'tap'
import { ManualClock } from '../clock/manual.js'
import { createBroker } from './broker.js'
import { refusalOf, kindOf as refused } from './harness.test.kit.js'
import { violations } from './invariants.test.kit.js'

function setUp(limits = {}) {
  const clock = new ManualClock()
  const broker = createBroker({ clock, limits })
  for (const name of ['a/1', 'a/2', 'b']) broker.createQueue(name)
  const send = (queue: string) => broker.send(queue, { body: new Uint8Array(1), properties: new Map() })
  return { broker, clock, send }
}

t.test('an id is 1 to 255 characters without a slash, and no dots that a link would lose', async (t) => {
  const { broker } = setUp()
  for (const id of ['', '.', '..', 'a/b', 'x'.repeat(256)]) {
    t.equal(
      refused(() => broker.subscribeConsumer(id, 'b')),
      'bad-consumer-id',
      JSON.stringify(id),
    )
  }
  for (const id of ['x', '...', 'x'.repeat(255), 'constructor', '__proto__']) {
    broker.subscribeConsumer(id, 'b')
    t.equal(broker.consumer(id).held.size, 0)
  }
  const refusal = refusalOf(() => broker.subscribeConsumer('a/b', 'b'))
  t.equal(refusal?.message, 'A consumer id has 1 to 255 characters, no slash, and is not "." or "..".')
})

t.test('one destination more than may be is refused, with what is asked too much of', async (t) => {
  const { broker } = setUp({ maxDestinations: 1 })
  broker.subscribeConsumer('anna', 'b')
  broker.subscribeConsumer('anna', 'b')
  const refusal = refusalOf(() => broker.subscribeConsumer('anna', 'a/1'))
  t.equal(refusal?.message, 'The number of destinations takes 1 to 1, not 2.')
  t.strictSame(broker.consumer('anna').destinations, ['b'])
})

t.test(
  'who made it, and how long its lease is, stays with the first subscription unless it is said again',
  async (t) => {
    const { broker } = setUp()
    broker.subscribeConsumer('anna', 'b', { timeout: 1000, owner: 'ann' })
    broker.subscribeConsumer('anna', 'a/1', { owner: 'somebody' })
    t.strictSame([broker.consumer('anna').owner, broker.consumer('anna').timeout], ['ann', 1000])
    t.equal(
      refused(() => broker.subscribeConsumer('anna', 'a/2', { timeout: 1 })),
      'bad-parameter',
    )
    t.equal(
      refused(() => broker.lock('anna', 1.5)),
      'bad-parameter',
    )
    t.strictSame(broker.consumer('anna').destinations, ['b', 'a/1'])
  },
)

t.test('the queues of a consumer take turns', async (t) => {
  const { broker, send } = setUp()
  broker.subscribeConsumer('anna', '>')
  for (const queue of ['a/1', 'a/1', 'b', 'b']) send(queue)
  const queues = broker.lock('anna', 9).map(({ message }) => message.queue.name)
  t.strictSame(queues, ['a/1', 'b', 'a/1', 'b'])
})

t.test('nothing arrives for a consumer that does not wait, and one message for each wait', async (t) => {
  const { broker, send } = setUp()
  broker.subscribeConsumer('anna', 'b')
  let woken = 0
  const cancel = broker.whenConsumerChanges('anna', () => woken++)
  t.equal(broker.consumer('anna').room, 1)
  cancel()
  cancel()
  send('b')
  t.strictSame([woken, broker.queue('b').held], [0, 0])
  broker.acknowledgeConsumer('anna', broker.next('anna')!.id)
  broker.whenConsumerChanges('anna', () => woken++)
  broker.whenConsumerChanges('anna', () => woken++)
  send('b')
  send('b')
  t.strictSame([woken, broker.queue('b').held], [2, 1])
  t.strictSame(violations(broker), [])
})

t.test('a wait for what is there already is over at once', async (t) => {
  const { broker, send } = setUp()
  broker.subscribeConsumer('anna', 'b')
  send('b')
  let woken = 0
  const cancel = broker.whenConsumerChanges('anna', () => woken++)
  t.equal(woken, 1)
  t.equal(broker.consumer('anna').unreported.size, 1)
  cancel()
  t.equal(broker.lock('anna', 5).length, 1)
})

t.test('what a waiter was given counts among those that are asked for', async (t) => {
  const { broker, send } = setUp()
  broker.subscribeConsumer('anna', 'b')
  broker.whenConsumerChanges('anna', () => {})
  for (let count = 0; count < 5; count++) send('b')
  t.equal(broker.consumer('anna').unreported.size, 1)
  t.strictSame([broker.lock('anna', 2).length, broker.queue('b').held], [2, 2])
})

t.test('a message that a waiter was given is told once, by whoever asks first', async (t) => {
  const { broker, send } = setUp()
  broker.subscribeConsumer('anna', 'b')
  broker.whenConsumerChanges('anna', () => {})
  send('b')
  const next = broker.next('anna')
  t.ok(next)
  t.strictSame(broker.lock('anna', 5), [], 'it is no further message')
  broker.whenConsumerChanges('anna', () => {})
  send('b')
  t.equal(broker.next('anna'), next, 'the first in hand')
  broker.deleteQueue('b')
  t.strictSame(broker.lock('anna', 5), [], 'what is released is not told any more')
  t.strictSame(violations(broker), [])
})

t.test(
  'a consumer that waits is reached by what is new: a queue, a destination, a message given back',
  async (t) => {
    const { broker, send } = setUp()
    broker.subscribeConsumer('anna', 'later')
    let woken = 0
    const wait = () => broker.whenConsumerChanges('anna', () => woken++)
    wait()
    broker.createQueue('later')
    send('later')
    t.equal(woken, 1)
    send('b')
    wait()
    broker.subscribeConsumer('anna', 'b')
    t.equal(woken, 2)
    const { id } = broker.subscribe({ destinations: ['a/1'] })
    send('a/1')
    broker.subscribeConsumer('anna', 'a/*')
    wait()
    broker.unsubscribe(id)
    t.equal(woken, 3)
    t.equal(broker.lock('anna', 9).length, 3)
    wait()
    broker.unsubscribeConsumer('anna', 'a/*')
    t.equal(woken, 3)
    t.strictSame([broker.queue('a/1').held, broker.queue('a/1').pending], [0, 1])
    t.strictSame(violations(broker), [])
  },
)

t.test('what a consumer gives back goes to the next, in its old place', async (t) => {
  const { broker, send } = setUp()
  broker.subscribeConsumer('anna', 'b')
  broker.subscribeConsumer('anna', 'a/1')
  const [first, second] = [send('b'), send('b')]
  send('a/1')
  broker.lock('anna', 3)
  broker.subscribeConsumer('ben', 'b')
  t.equal(broker.next('ben'), undefined)
  broker.unsubscribeConsumer('anna', 'b')
  t.equal(broker.consumer('anna').held.size, 1, 'what it still covers it keeps')
  t.strictSame(
    broker.lock('ben', 9).map(({ message }) => message),
    [first, second],
  )
  t.equal(first.deliveries, 2)
})

t.test(
  'endings are remembered as long as those of subscriptions, and a new beginning comes before them',
  async (t) => {
    const { broker, clock } = setUp({ endedLimit: 1 })
    broker.subscribeConsumer('anna', 'b', { timeout: 100 })
    clock.advance(100)
    t.equal(
      refused(() => broker.consumer('anna')),
      'consumer-ended',
    )
    t.equal(
      refused(() => broker.whenConsumerChanges('anna', () => {})),
      'consumer-ended',
    )
    broker.subscribeConsumer('anna', 'b')
    t.ok(broker.consumer('anna'))
    clock.advance(30_000)
    broker.unsubscribe(broker.subscribe({ destinations: ['b'] }).id)
    t.equal(
      refused(() => broker.consumer('anna')),
      'unknown-consumer',
      'the oldest is forgotten',
    )
  },
)

t.test('a lease that has run out has ended, also before its timer runs', async (t) => {
  const { clock } = setUp()
  const late = { now: () => clock.now() + shift, at: clock.at.bind(clock) }
  let shift = 0
  const broker = createBroker({ clock: late })
  broker.createQueue('b')
  broker.subscribeConsumer('anna', 'b', { timeout: 100 })
  broker.send('b', { body: new Uint8Array(1), properties: new Map() })
  broker.next('anna')
  shift = 100
  broker.subscribeConsumer('anna', 'b', { timeout: 100 })
  t.equal(broker.consumer('anna').held.size, 0, 'it begins anew')
  t.equal(broker.queue('b').held, 0)
})

t.test('a wait does not survive a reset or the end of the broker', async (t) => {
  const { broker, send } = setUp()
  let woken = 0
  broker.subscribeConsumer('anna', 'b')
  broker.whenConsumerChanges('anna', () => woken++)
  broker.close()
  t.equal(woken, 1)
  send('b')
  t.strictSame([broker.queue('b').held, woken], [0, 1])
  broker.reset()
  t.strictSame([broker.memory, broker.parts.subscriptions.size], [0, 0])
})
