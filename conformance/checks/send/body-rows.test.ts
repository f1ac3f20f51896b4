import t from 'tap'
import { parseProfile } from '../../client/parse-profile.js'
import { runConformance } from '../../judge.js'
import { fakeBroker } from '../../trial/fake-broker.test.helper.js'
import { skipIdleTime } from '../../virtual-time.test.helper.js'
import { checks } from '../index.js'

skipIdleTime()

t.test('where no message is taken at all, it says nothing of a body that it is refused', async (t) => {
  await using broker = await fakeBroker()
  broker.intercept = ({ method, path }) =>
    method === 'POST' && /\/queues\/|\/queue\/|\/new\//.test(path) ? { status: 404 } : undefined
  const { results } = await runConformance(broker.url, {
    checks,
    only: ['*.body-*', '*.body', '*.bodies'],
    profile: parseProfile({
      features: { guid: true, 'single-path': true, 'one-at-a-time': true, batch: true },
    }),
  }).report
  const good = results.filter(({ status }) => status === 'pass' || status === 'observed')
  t.strictSame(
    good.map(({ id }) => id),
    [],
  )
  t.ok(results.length > 25)
})
