import t from 'tap'
import { SystemClock } from '../clock/system.js'
import { createBroker } from './broker.js'
import { hand, isCollected, kindOf, makeBroker, pending, snapshot, text } from './harness.test.kit.js'
import { violations } from './invariants.test.kit.js'
import { DEFAULT_LIMITS } from './limits.js'

t.test('a reset forgets queues, messages, leases, addresses and guids', (t) => {
  const { broker, clock } = makeBroker({ limits: { maxAddresses: 1 } })
  broker.createQueue('q')
  const { id } = broker.subscribe({ destinations: ['q'], timeout: 100 })
  const gone = broker.subscribe({ destinations: ['q'] }).id
  broker.unsubscribe(gone)
  const used = broker.newAddress('q')
  broker.post(used, text('m'))
  const open = broker.newAddress('q')
  broker.sendOnce('q', 'guid', text('g'))
  const message = broker.browse('q', { limit: 1 }).items[0]
  broker.reset()
  t.equal(
    kindOf(() => broker.queue('q')),
    'unknown-queue',
  )
  t.equal(
    kindOf(() => broker.message(message?.id as string)),
    'unknown-message',
  )
  for (const subscription of [id, gone]) {
    t.equal(
      kindOf(() => broker.consume(subscription)),
      'unknown-subscription',
    )
  }
  for (const address of [used, open])
    t.equal(
      kindOf(() => broker.post(address, text('m'))),
      'unknown-address',
    )
  t.same(broker.listQueues('', { limit: 1 }).items, [])
  t.equal(broker.memory, 0)
  broker.createQueue('q')
  t.same(broker.sendOnce('q', 'guid', text('again')), { replayed: false })
  t.equal(
    kindOf(() => broker.newAddress('q')),
    'done',
  )
  clock.advance(1000)
  t.same(pending(broker, 'q'), ['again'])
  t.same(violations(broker), [])
  t.end()
})

t.test('a reset takes the timers of the leases with it', (t) => {
  const { broker, clock } = makeBroker()
  broker.subscribe({ destinations: ['q'], timeout: 100 })
  broker.reset()
  broker.createQueue('q')
  const { id } = broker.subscribe({ destinations: ['q'], timeout: 1000 })
  broker.send('q', text('m'))
  const before = snapshot(broker)
  clock.advance(500)
  t.strictSame({ ...(snapshot(broker) as object), now: 0 }, { ...(before as object), now: 0 })
  t.same(hand(broker, id), ['m'])
  t.end()
})

t.test('a reset lets go of everything', async (t) => {
  const { broker } = makeBroker()
  const fill = () => {
    broker.createQueue('q')
    broker.subscribe({ destinations: ['q'], timeout: 100 })
    return new WeakRef(broker.send('q', text('m')))
  }
  const message = fill()
  broker.reset()
  t.ok(await isCollected(message))
})

t.test('who is woken by a reset finds a broker that is empty and works', (t) => {
  const { broker } = makeBroker()
  broker.createQueue('q')
  broker.whenQueueChanges('q', () => {
    t.equal(
      kindOf(() => broker.queue('q')),
      'unknown-queue',
    )
    broker.createQueue('q')
  })
  broker.reset()
  t.equal(
    kindOf(() => broker.queue('q')),
    'done',
  )
  t.end()
})

t.test('closed, the broker has no timers, and what is stored stays readable', (t) => {
  const { broker, clock } = makeBroker()
  broker.createQueue('q')
  const { id } = broker.subscribe({ destinations: ['q'], timeout: 100 })
  broker.send('q', text('m'))
  broker.close()
  clock.advance(1000)
  t.same(pending(broker, 'q'), ['m'])
  t.equal([...broker.parts.subscriptions].length, 1, 'nobody ended the lease')
  t.equal(
    kindOf(() => broker.consume(id)),
    'subscription-ended',
    'it is over all the same',
  )
  broker.close()
  t.end()
})

t.test('a broker that is told nothing has real time, the default limits and ids of its own', (t) => {
  const one = createBroker()
  t.type(one.clock, SystemClock)
  t.same(one.limits, DEFAULT_LIMITS)
  const other = createBroker({ limits: { maxPrefetch: 7 } })
  t.same(other.limits, { ...DEFAULT_LIMITS, maxPrefetch: 7 })
  t.not(one.createQueue('q').queue.id, other.createQueue('q').queue.id)
  t.equal(
    kindOf(() => one.send('nowhere', text('m'))),
    'unknown-queue',
    'nothing is created by a send',
  )
  t.end()
})
