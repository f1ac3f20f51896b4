import t from 'tap'
import { parseProfile } from '../client/parse-profile.js'
import { runConformance } from '../judge.js'
import { fakeBroker } from '../trial/fake-broker.test.helper.js'
import { skipIdleTime } from '../virtual-time.test.helper.js'
import { checks } from './index.js'

skipIdleTime()

t.test('where two steps come to nothing, rows of other topics send by guid', async (t) => {
  await using broker = await fakeBroker()
  broker.intercept = ({ method, path }) =>
    method === 'POST' && path.startsWith('/mq/queues/') && !path.includes('?guid=')
      ? { status: 405 }
      : undefined
  const only = ['send.address', 'dedup.send', 'ack.succeeds', 'ack.leaves-feed']
  const profile = parseProfile({ features: { guid: true } })
  const { results } = await runConformance(broker.url, { checks, only, profile }).report
  t.strictSame(Object.fromEntries(results.map(({ id, status }) => [id, status])), {
    ...{ 'send.address': 'fail', 'dedup.send': 'pass', 'ack.succeeds': 'pass', 'ack.leaves-feed': 'pass' },
  })
})
