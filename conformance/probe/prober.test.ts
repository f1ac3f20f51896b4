import t from 'tap'
import { Blocked, Inconclusive } from '../client/findings.js'
import { FEATURES } from '../client/profile.js'
import { serve } from '../client/serve.test.helper.js'
import { fakeBroker } from '../trial/fake-broker.test.helper.js'
import { probeTarget } from './probe.js'
import { noteOf, proberOf } from './prober.test.helper.js'

t.test('requests are counted, and none is sent beyond their number', async (t) => {
  await using server = await serve(() => ({ status: 404 }))
  using prober = proberOf(server.url, {}, { requests: 5 })
  const trial = prober.trial()
  await prober.find('x', async () => {
    for (;;) await trial.target.request('GET', server.url)
  })
  t.equal(server.got.length, 4)
  t.equal(prober.isOver, true)
  t.equal(noteOf(prober, 'x'), 'Could not be seen: too many requests would have been needed.')
})

t.test('time is bounded, also that of a wait', async (t) => {
  await using server = await serve(() => ({ status: 404 }))
  using prober = proberOf(server.url, {}, { time: 60 })
  prober.timeout = 60_000
  const began = performance.now()
  const trial = prober.trial()
  await prober.find('x', async () => void (await trial.eventually(async () => undefined)))
  t.ok(performance.now() - began < 5000)
  t.equal(noteOf(prober, 'x'), 'Could not be seen: the time for it was over.')
})

t.test('whatever a finding throws is a note', async (t) => {
  using prober = proberOf('http://127.0.0.1:1')
  const cases: [error: unknown, note: string][] = [
    [new Blocked('a.b', 'the answer was bad'), 'Could not be seen: the answer was bad (see a.b).'],
    [new Inconclusive('too slow'), 'Could not be seen: too slow.'],
    [new TypeError('oops'), 'Could not be seen: the kit failed, not the target: oops.'],
    ['text', 'Could not be seen: the kit failed, not the target: text.'],
  ]
  for (const [index, [error, note]] of cases.entries()) {
    await prober.find(String(index), async () => {
      throw error
    })
    t.equal(noteOf(prober, String(index)), note)
  }
  t.equal(
    await prober.attempt(async () => {
      throw new Blocked('a.b', 'x')
    }),
    undefined,
  )
  await t.rejects(
    prober.attempt(async () => {
      throw new Error('other')
    }),
    /other/,
  )
})

t.test('a probe that is stopped ends at once, with a draft', async (t) => {
  await using broker = await fakeBroker()
  const stopping = new AbortController()
  broker.intercept = ({ path }) => {
    if (path === '/mq/subscriptions') stopping.abort()
    return undefined
  }
  const began = performance.now()
  const { useful, profile, notes } = await probeTarget(broker.url, { signal: stopping.signal })
  t.ok(performance.now() - began < 5000)
  t.equal(useful, true)
  t.equal(profile.features.batch, false)
  t.match(notes.at(-1)?.text, /Could not be seen: /)
})

t.test(
  'of what wants credentials to be subscribed to, nothing is said that only a subscriber sees',
  async (t) => {
    await using broker = await fakeBroker()
    broker.intercept = ({ path }) => (path.startsWith('/mq/subscri') ? { status: 401 } : undefined)
    const { profile, unseen } = await probeTarget(broker.url, { quick: true })
    t.match(unseen, { destination: /wants credentials for subscriptions, which --header/ })
    for (const feature of ['wildcards', 'selector', 'auth'])
      t.ok(profile.unknown.includes(`features.${feature}`), feature)
    t.notOk(profile.unknown.includes('features.guid'))
    t.equal(profile.subscription.parameters.selector, 'selector')
  },
)

t.test('features that stand on what was not found are unknown', async (t) => {
  await using broker = await fakeBroker()
  const openAt = async (start: string) => {
    broker.intercept = ({ method, path }) =>
      method === 'POST' && path.startsWith(start) ? { status: 422, body: 'no' } : undefined
    return (await probeTarget(broker.url, { quick: true })).profile.unknown
  }
  const withoutForm = await openAt('/mq/subscriptions')
  for (const feature of ['wildcards', 'selector', 'auth', 'ack-in-post'])
    t.ok(withoutForm.includes(`features.${feature}`), feature)
  t.notOk(withoutForm.includes('features.guid'))
  const withoutQueues = await openAt('/mq/queues')
  t.strictSame(
    FEATURES.filter((feature) => !withoutQueues.includes(`features.${feature}`)),
    [],
  )
})

t.test('nothing that answers is told at once', async (t) => {
  await using server = await serve((_, response) => {
    response.destroy()
    return undefined
  })
  const { useful, notes, unseen } = await probeTarget(server.url)
  t.equal(useful, false)
  t.strictSame(unseen, {})
  t.match(notes, [{ about: 'base URL', text: 'The target takes connections and answers nothing in HTTP.' }])
  await t.rejects(probeTarget('http://127.0.0.1:1'), { name: 'Unreachable' })
  await t.rejects(probeTarget('nonsense'), { name: 'BaseUrlError' })
})
