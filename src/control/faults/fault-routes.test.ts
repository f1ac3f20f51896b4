import t from 'tap'
import { mock } from '../mock.test.helper.js'

t.test('faults are added, listed with how often they fired, removed and cleared over HTTP', async (t) => {
  const { mq, ask } = await mock(t)
  const added = await ask('POST /_control/faults', { fault: 'status', code: 500, path: '/queues', times: 1 })
  t.equal(added.status, 201)
  t.same(added.json, { id: 'f1', fault: 'status', code: 500, path: '/queues', times: 1, seed: 1, fired: 0 })
  t.equal((await ask('GET /queues')).status, 500)
  t.equal((await ask('GET /queues')).status, 200)
  t.match((await ask('GET /_control/faults')).json, { faults: [{ id: 'f1', fired: 1 }] })
  t.match((await ask('GET /_control/faults/f1')).json, { id: 'f1', fired: 1 })
  t.equal((await ask('GET /_control/faults/f2')).status, 404)
  await ask('POST /_control/faults', { fault: 'truncate' })
  t.match((await ask('DELETE /_control/faults/f1')).json, { faults: [{ id: 'f2' }] })
  t.equal((await ask('DELETE /_control/faults/f1')).status, 404)
  t.same((await ask('DELETE /_control/faults')).json, { faults: [] })
  t.same(mq.faults.list(), [])
})

t.test('what is no fault is refused with the place of the mistake', async (t) => {
  const { ask } = await mock(t)
  const answer = await ask('POST /_control/faults', { fault: 'delay' })
  t.equal(answer.status, 400)
  t.match(answer.json, { type: 'urn:atom-mq:problem:malformed-request', at: 'ms' })
  t.equal((await ask('POST /_control/faults', 'fault=delay')).status, 400)
  t.equal((await ask('PUT /_control/faults', {})).status, 405)
  t.equal((await ask('DELETE /_control/state')).status, 405)
})

t.test('a query that cannot be read is refused, also where a fault has asked for it before', async (t) => {
  const { mq, ask } = await mock(t)
  mq.faults.add({ fault: 'status', code: 500, query: { guid: '1' } })
  t.match((await ask('POST /queues/orders/new?a=b&guid=%ff')).json, {
    type: 'urn:atom-mq:problem:bad-percent-encoding',
  })
})
