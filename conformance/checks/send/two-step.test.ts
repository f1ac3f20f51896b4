import t from 'tap'
import { runConformance } from '../../judge.js'
import { fakeBroker } from '../../trial/fake-broker.test.helper.js'
import { skipIdleTime } from '../../virtual-time.test.helper.js'
import { checks } from '../index.js'

skipIdleTime()

t.test('step 2 is judged by what is sent in two steps, also where sends with a guid arrive', async (t) => {
  await using broker = await fakeBroker()
  broker.intercept = ({ method, path }) => {
    if (method !== 'POST') return undefined
    if (path === '/mq/lost') return { status: 200 }
    const isStep1 = path.startsWith('/mq/queues/') && !path.includes('?guid=')
    return isStep1 ? { status: 201, headers: { Location: '/mq/lost' } } : undefined
  }
  const only = ['browse.queue', 'dedup.send', 'send.own-address', 'send.post']
  const { results } = await runConformance(broker.url, { checks, only }).report
  t.match(
    results.find(({ id }) => id === 'send.post'),
    { status: 'fail', seen: /^0 entries for it in the queue’s feed, and no consumer given it once either$/ },
  )
})
