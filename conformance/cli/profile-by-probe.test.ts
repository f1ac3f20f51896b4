import t from 'tap'
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
