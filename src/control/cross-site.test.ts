import t from 'tap'
import { mock } from './mock.test.helper.js'

const CHANGES = [
  'POST /_control/clock',
  'POST /_control/faults',
  'DELETE /_control/faults',
  'DELETE /_control/faults/f1',
  'DELETE /_control/journal',
  'POST /_control/journal/wait',
  'POST /_control/journal/expect-none',
  'POST /_control/reset',
]

t.test('a page of another site changes nothing', async (t) => {
  const { mq, ask } = await mock(t)
  mq.faults.add({ fault: 'delay', ms: 1, path: '/never' })
  const before = JSON.stringify([mq.state(), mq.faults.list()])
  const { port } = mq
  const foreign = [
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site' },
    { Origin: 'null' },
    { Origin: 'https://evil.example' },
    { Origin: `http://evil.example:${port}` },
    { Origin: 'http://127.0.0.1:1' },
    { Origin: `http://localhost:${port}` },
    { Origin: 'not a URL' },
    { 'Sec-Fetch-Site': 'same-origin', Origin: 'https://evil.example' },
  ]
  for (const headers of foreign) {
    for (const line of CHANGES) {
      const { status, text } = await ask(line, undefined, headers as Record<string, string>)
      t.equal(status, 403, `${line} ${JSON.stringify(headers)}`)
      t.match(text, /urn:atom-mq:problem:cross-site/)
    }
  }
  t.equal(JSON.stringify([mq.state(), mq.faults.list()]), before)
})

t.test("the server's own page, and programs, may", async (t) => {
  const { mq, ask } = await mock(t, { publicUrl: 'https://mq.example/base' })
  for (const headers of [
    {},
    { 'Sec-Fetch-Site': 'none' },
    { 'Sec-Fetch-Site': 'same-origin', Origin: `http://127.0.0.1:${mq.port}` },
    { Origin: `HTTP://127.0.0.1:${mq.port}` },
    { Origin: 'https://mq.example' },
  ]) {
    const { status } = await ask('POST /_control/reset', undefined, headers as Record<string, string>)
    t.equal(status, 200, JSON.stringify(headers))
  }
})

t.test('nothing of it may be read by other sites either: no CORS', async (t) => {
  const { ask } = await mock(t)
  for (const line of ['GET /_control/state', 'GET /_control/journal', 'OPTIONS /_control/reset']) {
    const { headers } = await ask(line, undefined, { Origin: 'https://evil.example' })
    t.same(
      [...headers.keys()].filter((name) => name.startsWith('access-control-')),
      [],
      line,
    )
  }
})
