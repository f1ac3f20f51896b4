import fc from 'fast-check'
import t from 'tap'
import { parseProfile } from './parse-profile.js'
import { leaseAsked, leaseParameter } from './subscription-request.js'
import { deriveTiming } from './timing.js'

const profile = (subscription: object, settleSeconds = 0) => parseProfile({ subscription, settleSeconds })

t.test('a quick target', async (t) => {
  t.strictSame(deriveTiming(parseProfile({}), 2), {
    latency: 2,
    held: 0,
    settle: 0,
    timeout: 1500,
    lease: 2000,
    briefLease: 1000,
    ampleLease: 5000,
    leaseGrace: 2020,
  })
})

t.test('a slow target gets more of everything', async (t) => {
  const timing = deriveTiming(profile({}, 3), 400)
  t.match(timing, {
    latency: 400,
    settle: 3000,
    timeout: 10_000,
    lease: 6000,
    briefLease: 4000,
    ampleLease: 23_000,
    leaseGrace: 16_000,
  })
})

t.test('a target that holds readings gets leases that some of them fit into', async (t) => {
  const { timeout, lease, briefLease, ampleLease, held } = deriveTiming(parseProfile({}), 2, 10_000)
  t.strictSame(
    { timeout, lease, briefLease, ampleLease, held },
    {
      ...{ timeout: 11_500, lease: 31_000, briefLease: 31_000, ampleLease: 35_000, held: 10_000 },
    },
  )
  t.equal(deriveTiming(profile({ maxLeaseSeconds: 20 }), 2, 10_000).ampleLease, 20_000)
})

t.test('a lease that the target chooses is as it is', async (t) => {
  const timing = deriveTiming(profile({ parameters: { timeout: null }, leaseSeconds: 30 }), 10_000)
  t.equal(timing.lease, 30_000)
  t.equal(timing.briefLease, 30_000)
  t.equal(timing.ampleLease, 30_000)
  t.equal(deriveTiming(profile({ maxLeaseSeconds: 3 }), 1).ampleLease, 3000)
  t.equal(timing.leaseGrace, 130_000)
})

t.test('the lease as the parameter says it', async (t) => {
  t.equal(leaseParameter(profile({}), 2000), '2')
  t.equal(leaseParameter(profile({}), 250), '0.25')
  t.equal(leaseParameter(profile({ timeoutFormat: '{ms}' }), 2000.2), '2001')
  t.equal(leaseParameter(profile({ timeoutFormat: '{min}' }), 60_001), '2')
  t.equal(deriveTiming(profile({ timeoutFormat: '{min}' }), 1).lease, 60_000, 'minutes are whole')
  t.equal(deriveTiming(profile({ leaseSeconds: 0.2 }), 1).lease, 200)
  t.equal(deriveTiming(profile({ leaseSeconds: 0.2 }), 100).lease, 2000, 'the kit chooses whole seconds')
})

t.test('what is asked for is never less than what is meant', async (t) => {
  const units = fc.constantFrom('{ms}', 'PT{min}M')
  fc.assert(
    fc.property(units, fc.double({ min: 1, max: 1e7, noNaN: true }), (timeoutFormat, lease) => {
      const own = profile({ timeoutFormat })
      return leaseAsked(own, lease) >= lease
    }),
  )
  t.pass()
})
