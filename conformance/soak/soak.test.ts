import t from 'tap'
import { parseProfile } from '../client/parse-profile.js'
import { FEATURES } from '../client/profile.js'
import { fakeBroker } from '../trial/fake-broker.test.helper.js'
import { giveInboxes } from '../trial/inboxes.test.helper.js'
import { inPages, PAGINGS } from '../trial/paged.test.helper.js'
import { soak } from './soak.js'

const profile = parseProfile({
  features: Object.fromEntries(FEATURES.map((feature) => [feature, false])),
  subscription: { renewedBy: [], leaseSeconds: 1 },
})

t.test('nobody is blamed for feeds whose pages shift while they are read', async (t) => {
  const soaked = await Promise.all(
    PAGINGS.map(async (paging) => {
      await using broker = await fakeBroker()
      inPages(broker, paging)
      const { acknowledged, unconsumed, violation } = await soak(broker.url, { profile, seconds: 2 })
      return { paging, worked: acknowledged > 0 && unconsumed === 0, seen: violation?.seen }
    }),
  )
  t.strictSame(
    soaked,
    PAGINGS.map((paging) => ({ paging, worked: true, seen: undefined })),
  )
})

t.test('queues whose Locations are for posting alone are read and deleted at their paths', async (t) => {
  await using broker = await fakeBroker()
  giveInboxes(broker)
  const { acknowledged, unconsumed, violation } = await soak(broker.url, { profile, seconds: 1 })
  t.equal(violation?.seen, undefined)
  t.ok(acknowledged > 0 && unconsumed === 0)
  const deleted = broker.got.filter(({ method }) => method === 'DELETE').map(({ path }) => path)
  t.ok(deleted.some((path) => path.startsWith('/mq/queues/')))
  t.notOk(deleted.some((path) => path.startsWith('/mq/inbox/')))
  const left = broker.answer({ method: 'GET', path: '/mq/queues', headers: {}, body: Buffer.alloc(0) })
  t.notMatch(left.body, '<entry>')
})
