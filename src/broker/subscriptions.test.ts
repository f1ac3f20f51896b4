import t from 'tap'
import { kindOf, makeBroker, refusalOf } from './harness.test.kit.js'

t.test('too many destinations are refused with what is asked too much of', (t) => {
  const { broker } = makeBroker({ limits: { maxDestinations: 2 } })
  const refusal = refusalOf(() => broker.subscribe({ destinations: ['a', 'b', 'c'] }))
  t.equal(refusal?.message, 'The number of destinations takes 1 to 2, not 3.')
  t.same(refusal?.facts, { parameter: 'destination', least: 1, most: 2 })
  t.end()
})

t.test('a lease that was made shorter leaves no timer for its old end', (t) => {
  const { broker, clock } = makeBroker()
  broker.subscribeConsumer('c', 'a', { timeout: 1000 })
  broker.subscribeConsumer('c', 'a', { timeout: 100 })
  clock.advance(100)
  t.equal(
    kindOf(() => broker.consumer('c')),
    'consumer-ended',
  )
  t.equal(clock.nextDue, undefined)
  t.end()
})

t.test('who has ended, and who is closed, leaves no timer', (t) => {
  const { broker, clock } = makeBroker()
  const { id } = broker.subscribe({ destinations: ['a'] })
  t.ok(clock.nextDue)
  broker.unsubscribe(id)
  t.equal(clock.nextDue, undefined)
  broker.subscribe({ destinations: ['a'] })
  broker.close()
  t.equal(clock.nextDue, undefined)
  t.end()
})
