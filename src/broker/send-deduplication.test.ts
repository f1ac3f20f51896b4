import fc from 'fast-check'
import t from 'tap'
import { ManualClock } from '../clock/manual.js'
import { kindOf, makeBroker, makeQueue, pending, seeded, text } from './harness.test.kit.js'
import type { BrokerLimits } from './limits.js'
import { MemoryBudget } from './memory-budget.js'
import { contextOf } from './parts.js'
import { bytesOfSent, SendDeduplication } from './send-deduplication.js'

function make(limits: Partial<BrokerLimits> = {}) {
  const clock = new ManualClock(0)
  const context = contextOf({ clock, random: seeded(1), limits: { addressTimeout: 100, ...limits } })
  return { clock, queue: makeQueue(), deduplication: new SendDeduplication(context, new MemoryBudget(1e9)) }
}

t.test('an address leads to its queue until it is used, and says then that it was', (t) => {
  const { deduplication, queue, clock } = make()
  const address = deduplication.issue(queue)
  t.not(deduplication.issue(queue), address, 'each address is another')
  t.equal(deduplication.resolve(address), queue)
  t.equal(deduplication.resolve(address), queue, 'asking does not use it')
  deduplication.spend(address)
  t.equal(deduplication.resolve(address), 'used')
  t.equal(deduplication.openAddresses, 1)
  clock.advance(10_000)
  deduplication.checkAddress()
  t.equal(deduplication.resolve(address), 'used', 'however late')
  queue.reference.queue = undefined
  t.equal(deduplication.resolve(address), 'used', 'and when its queue is gone')
  t.end()
})

t.test('an unused address expires when its time is over, also before anybody clears up', (t) => {
  const { deduplication, queue, clock } = make()
  const address = deduplication.issue(queue)
  clock.advance(99)
  t.equal(deduplication.resolve(address), queue)
  clock.advance(1)
  t.equal(
    kindOf(() => deduplication.resolve(address)),
    'address-expired',
  )
  deduplication.issue(queue)
  deduplication.checkAddress()
  t.equal(deduplication.openAddresses, 1)
  t.equal(
    kindOf(() => deduplication.resolve(address)),
    'address-expired',
    'it is remembered as expired',
  )
  t.end()
})

t.test('an address of a deleted queue says so; one never issued is unknown', (t) => {
  const { deduplication, queue, clock } = make()
  const address = deduplication.issue(queue)
  queue.reference.queue = undefined
  t.equal(
    kindOf(() => deduplication.resolve(address)),
    'queue-deleted',
  )
  t.equal(
    kindOf(() => deduplication.resolve('nobody')),
    'unknown-address',
  )
  clock.advance(100)
  t.equal(
    kindOf(() => deduplication.resolve(address)),
    'address-expired',
  )
  t.end()
})

t.test('so many addresses may be open; used and expired ones make room', (t) => {
  const { deduplication, queue, clock } = make({ maxAddresses: 2 })
  const address = deduplication.issue(queue)
  deduplication.checkAddress()
  clock.advance(50)
  deduplication.issue(queue)
  t.equal(
    kindOf(() => deduplication.checkAddress()),
    'too-many-addresses',
  )
  deduplication.spend(address)
  deduplication.checkAddress()
  clock.advance(20)
  deduplication.issue(queue)
  t.equal(
    kindOf(() => deduplication.checkAddress()),
    'too-many-addresses',
  )
  clock.advance(80)
  deduplication.checkAddress()
  t.equal(deduplication.openAddresses, 1, 'just the one that is over is closed')
  t.end()
})

t.test('spent addresses are remembered up to the limit, the oldest forgotten first', (t) => {
  const { deduplication, queue } = make({ dedupLimit: 2 })
  const [a, b, c] = [deduplication.issue(queue), deduplication.issue(queue), deduplication.issue(queue)]
  for (const address of [a, b, c]) deduplication.spend(address).pending = false
  t.equal(
    kindOf(() => deduplication.resolve(a)),
    'unknown-address',
  )
  t.same([deduplication.resolve(b), deduplication.resolve(c)], ['used', 'used'])
  t.end()
})

t.test('guids are remembered with their case, up to the limit, the oldest forgotten first', (t) => {
  const { deduplication, queue } = make({ dedupLimit: 2 })
  for (const guid of ['a', 'b']) deduplication.remember(guid, queue).pending = false
  t.same([deduplication.knows('a'), deduplication.knows('A'), deduplication.knows('c')], [true, false, false])
  deduplication.remember('c', queue)
  t.same([deduplication.knows('a'), deduplication.knows('b'), deduplication.knows('c')], [false, true, true])
  t.equal(deduplication.rememberedGuids, 2)
  t.end()
})

t.test('while a message is pending its guid and its address are known, however many came after it', (t) => {
  const sends = fc.array(
    fc.record({
      act: fc.constantFrom('guid', 'address', 'take', 'acknowledge', 'delete'),
      queue: fc.constantFrom('a', 'b'),
    }),
    { maxLength: 80 },
  )
  fc.assert(
    fc.property(sends, (steps) => {
      const { broker } = makeBroker({ autoCreate: true, limits: { dedupLimit: 2 } })
      for (const name of ['a', 'b']) broker.createQueue(name)
      broker.subscribeConsumer('c', 'a')
      steps.forEach(({ act, queue }, step) => {
        if (act === 'guid') broker.sendOnce(queue, `${step}`, text(`guid ${step}`))
        if (act === 'address') {
          const address = broker.newAddress(queue)
          broker.post(address, text(`address ${address}`))
        }
        if (act === 'delete' && kindOf(() => broker.deleteQueue(queue)) === 'done') broker.createQueue(queue)
        if (act === 'take') broker.take(queue)
        const next = act === 'acknowledge' ? broker.next('c') : undefined
        if (next !== undefined) broker.acknowledgeConsumer('c', next.id)
        for (const body of [...pending(broker, 'a'), ...pending(broker, 'b')]) {
          const [kind, key] = body.split(' ') as [string, string]
          const repeat = () =>
            kind === 'guid' ? broker.sendOnce('a', key, text('')) : broker.post(key, text(''))
          if (!repeat().replayed) throw new Error(`${body} is forgotten`)
        }
      })
    }),
  )
  t.end()
})

t.test(
  'the last guids are known whatever became of their messages, older ones while theirs are pending',
  (t) => {
    const { broker } = makeBroker({ limits: { dedupLimit: 2 } })
    broker.createQueue('q')
    broker.createQueue('other')
    const isKnown = (guid: string) => broker.sendOnce('q', guid, text('m')).replayed
    for (let guid = 0; guid < 10; guid++) broker.sendOnce('q', `${guid}`, text('m'))
    for (const guid of ['a', 'b']) {
      broker.sendOnce('other', guid, text('m'))
      broker.take('other')
    }
    t.same([isKnown('a'), isKnown('b'), broker.parts.deduplication.rememberedGuids], [true, true, 12])
    while (broker.take('q') !== undefined);
    for (let guid = 0; guid < 5; guid++) broker.sendOnce('other', `other ${guid}`, text('m'))
    broker.deleteQueue('other')
    broker.sendOnce('q', 'c', text('m'))
    broker.sendOnce('q', 'd', text('m'))
    t.equal(
      broker.parts.deduplication.rememberedGuids,
      2,
      'what is looked at and need not be kept is forgotten',
    )
    t.same([isKnown('c'), isKnown('d')], [true, true])
    t.end()
  },
)

t.test('where all memory is used a send is refused, and no guid of a pending message is forgotten', (t) => {
  const { broker } = makeBroker({ limits: { maxMemory: 20_000 } })
  broker.createQueue('q')
  const guids: string[] = []
  for (let guid = 0; ; guid++) {
    if (kindOf(() => broker.sendOnce('q', `guid ${guid}`, text('m'))) !== 'done') break
    guids.push(`guid ${guid}`)
  }
  t.ok(guids.length * bytesOfSent('guid 1') > 20_000 / 4, 'more than their share')
  t.same(
    guids.filter((guid) => !broker.sendOnce('q', guid, text('m')).replayed),
    [],
  )
  t.end()
})

t.test('a send is refused unless there is room for its message and for its guid', (t) => {
  const memoryWith = (maxMemory: number) => {
    const { broker } = makeBroker({ limits: { maxMemory } })
    broker.createQueue('q')
    return { outcome: kindOf(() => broker.sendOnce('q', 'guid', text('m'))), memory: broker.memory }
  }
  const { memory } = memoryWith(1e9)
  t.same([memoryWith(memory).outcome, memoryWith(memory - 1).outcome], ['done', 'out-of-memory'])
  t.end()
})

t.test('a guid has 1 to 255 characters', (t) => {
  const { deduplication } = make()
  t.equal(
    kindOf(() => deduplication.knows('')),
    'bad-guid',
  )
  t.equal(
    kindOf(() => deduplication.knows('g'.repeat(256))),
    'bad-guid',
  )
  t.equal(deduplication.knows('g'.repeat(255)), false)
  t.equal(deduplication.knows(' '), false)
  t.end()
})
