import t from 'tap'
import { whereRead } from './posts-alone.js'
import { answering, outgoing } from './sending.test.helper.js'

t.test('what takes posts alone is read and deleted elsewhere, with its query', async (t) => {
  const { asked, send } = answering(() => ({}))
  const ask = whereRead(send, new Map([['http://a.test/inbox/a', 'http://a.test/queues/a']]))
  for (const [method, path] of [
    ['POST', '/inbox/a?guid=1'],
    ['GET', '/inbox/a?page=2'],
    ['DELETE', '/inbox/a'],
    ['GET', '/inbox/ab'],
  ] as const)
    await ask(outgoing(method, `http://a.test${path}`))
  t.strictSame(asked, [
    'POST http://a.test/inbox/a?guid=1',
    'GET http://a.test/queues/a?page=2',
    'DELETE http://a.test/queues/a',
    'GET http://a.test/inbox/ab',
  ])
})
