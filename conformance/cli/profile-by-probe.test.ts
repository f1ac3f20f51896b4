import t from 'tap'
import { runConformance } from '../judge.js'
import { fakeBroker } from '../trial/fake-broker.test.helper.js'
import { profileByProbe } from './profile-by-probe.js'

t.test('features of which a probe could not tell whether they are there are named', async (t) => {
  await using broker = await fakeBroker()
  const stopping = new AbortController()
  broker.intercept = ({ path }) => {
    if (path === '/mq/subscriptions') stopping.abort()
    return undefined
  }
  const told: string[] = []
  const known = await profileByProbe(broker.url, { signal: stopping.signal }, (lines) => told.push(lines))
  t.match(told, [/a probe of the target found/, /could not tell whether there is .*: a profile can\.\n$/])
  const { unknown = [] } = known?.profile ?? {}
  t.ok(unknown.some((path) => path.startsWith('features.')))
})

t.test('a run is incomplete where no prefetch is heeded, and all that needs none is judged', async (t) => {
  await using broker = await fakeBroker()
  broker.intercept = (got) => {
    if (got.method !== 'POST' || got.path !== '/mq/subscriptions') return undefined
    const form = new URLSearchParams(got.body.toString())
    form.set('prefetch', '10')
    ;(got as { body: Buffer }).body = Buffer.from(form.toString())
    return undefined
  }
  const told: string[] = []
  const known = await profileByProbe(broker.url, { quick: true }, (lines) => told.push(lines))
  t.match(told.join(''), 'the field of the prefetch could not be seen')
  t.match(told.join(''), /could not tell whether there is .*ack-in-post/)
  const only = ['subscribe.create', 'consume.delivers', 'prefetch.cap', 'prefetch.backlog']
  const { verdict, results } = await runConformance(broker.url, { ...known, only }).report
  t.equal(verdict, 'incomplete')
  const statuses = Object.fromEntries(results.map(({ id, status }) => [id, status]))
  t.match(statuses, {
    'subscribe.create': 'pass',
    'consume.delivers': 'pass',
    'prefetch.backlog': 'inconclusive',
  })
  const { message } = results.find(({ id }) => id === 'prefetch.backlog')!
  t.match(
    message,
    "the profile's subscription.parameters.prefetch is unknown: fill it in; it needs a prefetch of 1",
  )
})
