import t from 'tap'
import { parseProfile } from '../../client/parse-profile.js'
import { runConformance } from '../../judge.js'
import { fakeBroker } from '../../trial/fake-broker.test.helper.js'
import { difference } from '../../trial/labels.js'
import { skipIdleTime } from '../../virtual-time.test.helper.js'
import { checks } from '../index.js'
import { SEND_BODIES } from './bodies.js'

skipIdleTime()

t.test('a difference names the first byte that is another, and shows both sides', (t) => {
  const told = difference(Buffer.from('one\r\ntwo'), Buffer.from('one\ntwo'))
  t.match(told, '7 of 8 bytes')
  t.match(told, 'from byte 3 on')
  t.match(told, '"one\\ntwo"')
  t.match(told, '"one\\r\\ntwo"')
  t.match(difference(Buffer.from('abc'), Buffer.alloc(0)), 'from byte 0 on nothing stands for "abc" (616263)')
  t.match(difference(Buffer.from('ab'), Buffer.from('abc')), 'from byte 2 on "abc"')
  t.end()
})

t.test('each kind of body has a check of its own', (t) => {
  t.ok(SEND_BODIES.length >= 15)
  for (const { id } of SEND_BODIES) t.match(id, /^send\.body-/)
  t.end()
})

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
