import t from 'tap'
import { ManualClock } from '../clock/manual.js'
import { kindOf, seeded } from './harness.test.kit.js'
import { Ids } from './ids.js'
import { type BrokerLimits, DEFAULT_LIMITS } from './limits.js'
import { Posting } from './posting.js'
import { Queue } from './queue.js'

function make(limits: Partial<BrokerLimits> = {}) {
  const clock = new ManualClock(0)
  const all = { ...DEFAULT_LIMITS, addressTimeout: 100, ...limits }
  const queue = new Queue('00000000-0000-4000-8000-000000000000', ['q'], 'q', 0)
  return { clock, queue, posting: new Posting(clock, new Ids(seeded(1)), all) }
}

t.test('an address leads to its queue until it is used, and says then that it was', (t) => {
  const { posting, queue, clock } = make()
  const address = posting.issue(queue)
  t.not(posting.issue(queue), address, 'each address is another')
  t.equal(posting.resolve(address), queue)
  t.equal(posting.resolve(address), queue, 'asking does not use it')
  posting.spend(address)
  t.equal(posting.resolve(address), 'used')
  t.equal(posting.openAddresses, 1)
  clock.advance(10_000)
  posting.makeRoom()
  t.equal(posting.resolve(address), 'used', 'however late')
  queue.deleted = true
  t.equal(posting.resolve(address), 'used', 'and when its queue is gone')
  t.end()
})

t.test('an unused address expires when its time is over, also before anybody clears up', (t) => {
  const { posting, queue, clock } = make()
  const address = posting.issue(queue)
  clock.advance(99)
  t.equal(posting.resolve(address), queue)
  clock.advance(1)
  t.equal(
    kindOf(() => posting.resolve(address)),
    'address-expired',
  )
  posting.issue(queue)
  posting.makeRoom()
  t.equal(posting.openAddresses, 1)
  t.equal(
    kindOf(() => posting.resolve(address)),
    'address-expired',
    'it is remembered as expired',
  )
  t.end()
})

t.test('an address of a deleted queue says so; one never issued is unknown', (t) => {
  const { posting, queue, clock } = make()
  const address = posting.issue(queue)
  queue.deleted = true
  t.equal(
    kindOf(() => posting.resolve(address)),
    'queue-deleted',
  )
  t.equal(
    kindOf(() => posting.resolve('nobody')),
    'unknown-address',
  )
  clock.advance(100)
  t.equal(
    kindOf(() => posting.resolve(address)),
    'address-expired',
  )
  t.end()
})

t.test('so many addresses may be open; used and expired ones make room', (t) => {
  const { posting, queue, clock } = make({ maxAddresses: 2 })
  const address = posting.issue(queue)
  posting.makeRoom()
  clock.advance(50)
  posting.issue(queue)
  t.equal(
    kindOf(() => posting.makeRoom()),
    'too-many-addresses',
  )
  posting.spend(address)
  posting.makeRoom()
  clock.advance(20)
  posting.issue(queue)
  t.equal(
    kindOf(() => posting.makeRoom()),
    'too-many-addresses',
  )
  clock.advance(80)
  posting.makeRoom()
  t.equal(posting.openAddresses, 1, 'just the one that is over is closed')
  t.end()
})

t.test('spent addresses are remembered up to the limit, the oldest forgotten first', (t) => {
  const { posting, queue } = make({ dedupLimit: 2 })
  const [a, b, c] = [posting.issue(queue), posting.issue(queue), posting.issue(queue)]
  for (const address of [a, b, c]) posting.spend(address)
  t.equal(
    kindOf(() => posting.resolve(a)),
    'unknown-address',
  )
  t.same([posting.resolve(b), posting.resolve(c)], ['used', 'used'])
  t.end()
})

t.test('guids are remembered with their case, up to the limit, the oldest forgotten first', (t) => {
  const { posting } = make({ dedupLimit: 2 })
  posting.remember('a')
  posting.remember('b')
  t.same([posting.knows('a'), posting.knows('A'), posting.knows('c')], [true, false, false])
  posting.remember('c')
  t.same([posting.knows('a'), posting.knows('b'), posting.knows('c')], [false, true, true])
  t.equal(posting.rememberedGuids, 2)
  t.end()
})

t.test('a guid has 1 to 255 characters', (t) => {
  const { posting } = make()
  t.equal(
    kindOf(() => posting.knows('')),
    'bad-guid',
  )
  t.equal(
    kindOf(() => posting.knows('g'.repeat(256))),
    'bad-guid',
  )
  t.equal(posting.knows('g'.repeat(255)), false)
  t.equal(posting.knows(' '), false)
  t.end()
})
