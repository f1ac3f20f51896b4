import t from 'tap'
import type { Got } from '../client/serve.test.helper.js'
import { fakeBroker, feed } from '../trial/fake-broker.test.helper.js'
import { holding } from '../trial/holding.test.helper.js'
import { skipIdleTime } from '../virtual-time.test.helper.js'
import { findLease } from './find-lease.js'
import { leaseLength } from './lease-length.js'
import { findRenewal } from './lease-renewal.js'
import { longerLease } from './longer-lease.js'
import type { Prober } from './prober.js'
import { noteOf, proberOf } from './prober.test.helper.js'
import { findLongestLease } from './timeout-format.js'

skipIdleTime()

const SECONDS = { s: 1, ms: 0.001, min: 60 }

/** A broker whose field of the timeout has another name and unit; without it a lease lasts `own` seconds. */
async function leasing(field: string | undefined, unit: keyof typeof SECONDS, own = 120) {
  const broker = await fakeBroker()
  broker.intercept = (got: Got) => {
    if (got.method !== 'POST' || got.path !== '/mq/subscriptions') return undefined
    const form = new URLSearchParams(got.body.toString())
    const given = field === undefined ? null : form.get(field)
    form.set('timeout', String(given === null ? own : Number(given) * SECONDS[unit]))
    ;(got as { body: Buffer }).body = Buffer.from(form.toString())
    return undefined
  }
  return broker
}

for (const [field, unit] of [
  ['timeout', 's'],
  ['ttl', 'ms'],
  ['duration', 'min'],
] as const) {
  t.test(`a lease that ${field} gives in ${unit} is found by its end`, async (t) => {
    await using broker = await leasing(field, unit)
    using prober = proberOf(broker.url)
    t.equal(await findLease(prober, { quick: false }), true)
    t.match(prober.draft.subscription, {
      parameters: { timeout: field },
      timeoutFormat: `{${unit}}`,
      renewedBy: [],
    })
    t.equal(prober.draft.subscription.leaseSeconds, unit === 'min' ? 60 : 1)
    if (unit === 'min') {
      t.match(noteOf(prober, 'subscription.renewedBy'), /was not waited for.*by hand/)
      t.strictSame(prober.draft.unknown, ['subscription.renewedBy'])
    }
  })
}

for (const [unit, shorter] of [
  ['s', 'refused'],
  ['ms', 'taken for five seconds'],
] as const) {
  t.test(`a lease of at least 5 s in ${unit}, where a shorter one is ${shorter}`, async (t) => {
    await using broker = await leasing('timeout', unit)
    const given = broker.intercept
    broker.intercept = (got) => {
      const form = new URLSearchParams(got.body.toString())
      const least = 5 / SECONDS[unit]
      if (got.path === '/mq/subscriptions' && form.has('timeout') && Number(form.get('timeout')) < least) {
        if (shorter === 'refused') return { status: 400, body: 'timeout is at least 5' }
        form.set('timeout', String(least))
        ;(got as { body: Buffer }).body = Buffer.from(form.toString())
      }
      return given(got)
    }
    using prober = proberOf(broker.url)
    t.equal(await findLease(prober, { quick: false }), true)
    t.match(prober.draft.subscription, {
      ...{ parameters: { timeout: 'timeout' }, timeoutFormat: `{${unit}}`, leaseSeconds: 5, renewedBy: [] },
    })
    const note = noteOf(prober, 'subscription.parameters.timeout')
    t.match(note, shorter === 'refused' ? /from 5 s on; .*"timeout is at least 5"/ : /from 5 s on\.$/)
  })
}

t.test(
  'readings that wait for a message hide neither the length of a lease nor that none renews it',
  async (t) => {
    await using broker = await leasing(undefined, 's', 3)
    await using target = await holding(2000, broker)
    using prober = proberOf(target.url)
    t.equal(await findLease(prober, { quick: false }), true)
    t.match(prober.draft.subscription, { parameters: { timeout: null }, leaseSeconds: 3, renewedBy: [] })
    t.strictSame(prober.draft.unknown, [])
  },
)

t.test('readings that are held for long are found, noted, and waited for', async (t) => {
  await using target = await holding(10_000)
  using prober = proberOf(target.url)
  await prober.findHeldReadings()
  t.match(noteOf(prober, 'readings'), /held for 10\.\d s/)
  await using trial = prober.trial()
  const consumer = await trial.subscribe(await prober.queue(trial))
  t.strictSame(await consumer.read(), [])
})

t.test("a target's own lease is watched until it ends", async (t) => {
  await using broker = await leasing(undefined, 's', 1)
  using prober = proberOf(broker.url)
  t.equal(await findLease(prober, { quick: false }), true)
  t.match(prober.draft.subscription, { parameters: { timeout: null }, leaseSeconds: 1, renewedBy: [] })
  t.match(
    noteOf(prober, 'subscription.leaseSeconds'),
    /No field changed it.*at 0\.\d s it was there, at 1\.\d s/,
  )
})

t.test('a lease of no round length, and one that does not end', async (t) => {
  await using broker = await leasing(undefined, 's', 0.7)
  using prober = proberOf(broker.url)
  const stop = new AbortController()
  const { seconds } = await leaseLength(prober, stop.signal, 3000)
  t.ok(seconds! >= 0.5 && seconds! <= 1, String(seconds))
  await using endless = await leasing(undefined, 's')
  using other = proberOf(endless.url)
  t.match(await leaseLength(other, stop.signal, 1000), { seconds: undefined, why: /within 1\.0 s.*by hand/ })
  stop.abort()
  const began = performance.now()
  t.equal((await leaseLength(other, stop.signal)).seconds, undefined)
  t.ok(performance.now() - began < 3000, 'it is not watched further')
})

t.test(
  'a lease that does not end is known to be long; a field that is known is for the checks to judge',
  async (t) => {
    await using broker = await leasing(undefined, 's')
    using prober = proberOf(broker.url)
    t.equal(await findLease(prober, { quick: false, longest: 3000 }), false)
    t.match(prober.draft.subscription, { parameters: { timeout: null }, leaseSeconds: 3 })
    t.match(noteOf(prober, 'subscription.leaseSeconds'), /No subscription ended by itself within 3\.0 s/)
    const own = broker.intercept
    broker.intercept = (got) => {
      const fields = [...new URLSearchParams(got.body.toString()).keys()]
      const known = ['destination', 'prefetch', 'leaseMs']
      return got.path === '/mq/subscriptions' && !fields.every((name) => known.includes(name))
        ? { status: 400 }
        : own(got)
    }
    using other = proberOf(broker.url)
    t.equal(await findLease(other, { quick: false, longest: 3000 }), true)
    t.match(other.draft.subscription, { parameters: { timeout: 'leaseMs' }, timeoutFormat: '{ms}' })
    t.match(noteOf(other, 'subscription.parameters.timeout'), /leaseMs is a field that the target knows, but/)
  },
)

t.test('a quick look waits for nothing', async (t) => {
  await using broker = await leasing('timeout', 's')
  using prober = proberOf(broker.url)
  const began = performance.now()
  t.equal(await findLease(prober, { quick: true }), false)
  t.ok(performance.now() - began < 2500)
  t.match(noteOf(prober, 'subscription.leaseSeconds'), /tells no end of a lease, and none was waited for/)
  t.equal(prober.draft.subscription.parameters.timeout, null)
})

/** A broker that tells in its feeds when a lease ends: never, but that is not the question. */
async function telling(field: string, unit: keyof typeof SECONDS, renews: boolean, longest = 1e9) {
  const broker = await fakeBroker()
  const leases = new Map<string, { length: number; end: number }>()
  broker.intercept = ({ method, path, body }) => {
    if (method === 'POST' && path === '/mq/subscriptions') {
      const value = Number(new URLSearchParams(body.toString()).get(field) ?? Number.NaN)
      const length = Math.min(longest, value * SECONDS[unit]) * 1000
      const uri = `/mq/subscriptions/t${leases.size}`
      leases.set(uri, { length, end: Date.now() + length })
      return { status: 201, headers: { Location: uri } }
    }
    const lease = leases.get(path)
    if (!lease || method !== 'GET') return undefined
    if (renews) lease.end = Date.now() + lease.length
    const told = Number.isNaN(lease.end) ? '' : `<x xmlns="u:x">${new Date(lease.end).toISOString()}</x>`
    return feed([], told)
  }
  return broker
}

for (const [field, unit, renews] of [
  ['timeout', 's', true],
  ['lease', 'min', false],
] as const) {
  t.test(`an end that is told moves with ${field}, in ${unit}`, async (t) => {
    await using broker = await telling(field, unit, renews)
    using prober = proberOf(broker.url)
    t.equal(await findLease(prober, { quick: true }), true)
    t.match(prober.draft.subscription, { parameters: { timeout: field }, timeoutFormat: `{${unit}}` })
    t.strictSame(prober.draft.subscription.renewedBy, renews ? ['read'] : [])
    t.match(noteOf(prober, 'subscription.renewedBy'), renews ? /tells moves/ : /tells stays/)
  })
}

t.test('what renews a lease that ends too late, or is too long, is not seen', async (t) => {
  await using broker = await telling('timeout', 's', false)
  using prober = proberOf(broker.url, { subscription: { renewedBy: ['ack'] } })
  prober.timed = true
  await findRenewal(prober, { told: true, quick: false })
  t.match(noteOf(prober, 'subscription.renewedBy'), /ended too late/)
  t.strictSame(prober.draft.subscription.renewedBy, ['ack'], 'and stays what it was')
  using long = proberOf(broker.url, { subscription: { parameters: { timeout: null }, leaseSeconds: 60 } })
  await findRenewal(long, { told: false, quick: false })
  t.match(noteOf(long, 'subscription.renewedBy'), /not waited for a second time/)
  using quiet = proberOf(broker.url)
  await findRenewal(quiet, { told: false, quick: true })
  t.match(noteOf(quiet, 'subscription.renewedBy'), /No lease was waited for/)
  t.strictSame(quiet.draft.unknown, ['subscription.renewedBy'])
})

t.test('a lease that is cut without a word is found where its end is told', async (t) => {
  await using broker = await telling('timeout', 's', false, 60)
  using prober = proberOf(broker.url)
  t.equal(await findLease(prober, { quick: true }), true)
  t.match(prober.draft.subscription, { parameters: { timeout: 'timeout' }, timeoutFormat: '{s}' })
  await findLongestLease(prober)
  t.equal(prober.draft.subscription.maxLeaseSeconds, 60)
  t.match(noteOf(prober, 'subscription.maxLeaseSeconds'), /of 120 s was asked for.*ends after 60 s/)
})

/** What may be asked all in all, and what looks for more. */
const LOOKS: Readonly<Record<string, readonly [requests: number, (prober: Prober) => Promise<unknown>]>> = {
  'at longer leases': [14, (prober) => longerLease(prober, ['timeout'])],
  'for the length of its own': [50, (prober) => leaseLength(prober, new AbortController().signal)],
}

for (const [what, [requests, look]] of Object.entries(LOOKS)) {
  t.test(`a probe that may ask no more while it looks ${what} fails once`, async (t) => {
    await using broker = await leasing(undefined, 's')
    using prober = proberOf(broker.url, {}, { requests })
    await t.rejects(look(prober))
    // What nobody waits for would be told here.
    await new Promise((resolve) => setTimeout(resolve, 1000))
  })
}
