import t from 'tap'
import { ManualClock } from '../clock/manual.js'
import { kindOf, makeQueue, seeded } from './harness.test.kit.js'
import type { BrokerLimits } from './limits.js'
import { MemoryBudget } from './memory-budget.js'
import { contextOf } from './parts.js'
import { SendDeduplication } from './send-deduplication.js'

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
  deduplication.makeRoom()
  t.equal(deduplication.resolve(address), 'used', 'however late')
  queue.deleted = true
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
  deduplication.makeRoom()
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
  queue.deleted = true
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
  deduplication.makeRoom()
  clock.advance(50)
  deduplication.issue(queue)
  t.equal(
    kindOf(() => deduplication.makeRoom()),
    'too-many-addresses',
  )
  deduplication.spend(address)
  deduplication.makeRoom()
  clock.advance(20)
  deduplication.issue(queue)
  t.equal(
    kindOf(() => deduplication.makeRoom()),
    'too-many-addresses',
  )
  clock.advance(80)
  deduplication.makeRoom()
  t.equal(deduplication.openAddresses, 1, 'just the one that is over is closed')
  t.end()
})

t.test('spent addresses are remembered up to the limit, the oldest forgotten first', (t) => {
  const { deduplication, queue } = make({ dedupLimit: 2 })
  const [a, b, c] = [deduplication.issue(queue), deduplication.issue(queue), deduplication.issue(queue)]
  for (const address of [a, b, c]) deduplication.spend(address)
  t.equal(
    kindOf(() => deduplication.resolve(a)),
    'unknown-address',
  )
  t.same([deduplication.resolve(b), deduplication.resolve(c)], ['used', 'used'])
  t.end()
})

t.test('guids are remembered with their case, up to the limit, the oldest forgotten first', (t) => {
  const { deduplication } = make({ dedupLimit: 2 })
  deduplication.remember('a')
  deduplication.remember('b')
  t.same([deduplication.knows('a'), deduplication.knows('A'), deduplication.knows('c')], [true, false, false])
  deduplication.remember('c')
  t.same([deduplication.knows('a'), deduplication.knows('b'), deduplication.knows('c')], [false, true, true])
  t.equal(deduplication.rememberedGuids, 2)
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
