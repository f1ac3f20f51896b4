import t from 'tap'
import { createBroker } from '../../broker/broker.js'
import type { Request } from '../../http/exchange.js'
import { RawClient, request } from '../../http/node/raw-client.test.helper.js'
import { Control } from '../control.js'
import { mock, turn } from '../mock.test.helper.js'
import { journalStream } from './journal-stream.js'

t.test('the journal is read, asked and cleared over HTTP', async (t) => {
  const { ask } = await mock(t)
  await ask('GET /queues')
  await ask('POST /queues/orders/new?guid=1', 'x')
  await ask('GET /queues/unknown')
  const numbers = async (query: string) => {
    const { json } = await ask(`GET /_control/journal${query}`)
    return (json as { entries: { number: number }[] }).entries.map(({ number }) => number)
  }
  t.same(await numbers(''), [1, 2, 3])
  t.same(await numbers('?method=GET'), [1, 3])
  t.same(await numbers('?path=/queues/**&status=404'), [3])
  t.same(await numbers('?after=1'), [2, 3])
  for (const query of ['?status=x', '?after=-1', '?path=queues']) {
    t.equal((await ask(`GET /_control/journal${query}`)).status, 400, query)
  }
  for (const [line, detail] of [
    [
      'GET /_control/journal?verb=GET',
      'There is no parameter "verb"; the query can have method, path, body, principal, fault, status, after, header.NAME, query.NAME.',
    ],
    ['GET /_control/journal?status=200&status=404', 'status is given twice; give it once.'],
    ['GET /_control/journal/stream?since=1', 'There is no parameter "since"; the query can have after.'],
    [
      'GET /_control/state?message=1',
      'There is no parameter "message"; the query can have queue, afterQueue, messages, after, queues.',
    ],
  ] as const) {
    t.match(await ask(line), { status: 400, json: { detail } }, line)
  }
  t.same((await ask('DELETE /_control/journal')).json, { entries: [], last: 3, forgotten: 3 })
  t.same(await numbers(''), [])
})

t.test('a long journal is told while it is sent', async (t) => {
  const { ask, mq } = await mock(t)
  const body = '"'.repeat(50_000)
  for (let n = 0; n < 4; n++) await ask(`POST /queues/orders/new?guid=${n}`, body)
  const { json } = await ask('GET /_control/journal')
  const { entries, last, forgotten } = json as ReturnType<typeof JSON.parse>
  t.strictSame({ entries, last, forgotten }, { entries: mq.journal.entries(), last: 4, forgotten: 0 })
})

t.test('waiting over HTTP: for what is there, for what comes, in vain', async (t) => {
  const { ask } = await mock(t)
  await ask('GET /queues')
  const there = await ask('POST /_control/journal/wait', { pattern: { path: '/queues' } })
  t.equal(there.status, 200)
  t.match(there.json, { number: 1, path: '/queues' })
  const coming = ask('POST /_control/journal/wait', { pattern: { method: 'GET' }, count: 2, timeout: 5000 })
  await turn()
  await ask('GET /queues/orders/new')
  t.match((await coming).json, { number: 2 })
  const vain = await ask('POST /_control/journal/wait', { pattern: { method: 'DELETE' }, timeout: 1 })
  t.equal(vain.status, 404)
  t.match(vain.json, { detail: /What came last: #1 GET \/queues 200; #2/, came: ['#1 GET /queues 200'] })
  t.equal((await ask('POST /_control/journal/wait', { timeout: -1 })).status, 400)
  t.equal((await ask('POST /_control/journal/wait', { pattern: [] })).status, 400)
  t.match(
    (await ask('POST /_control/journal/wait')).json,
    { number: 1 },
    'without a pattern anything will do',
  )
})

t.test('expecting none over HTTP', async (t) => {
  const { ask } = await mock(t)
  await ask('GET /queues')
  t.equal((await ask('POST /_control/journal/expect-none', { pattern: { method: 'DELETE' } })).status, 200)
  const refused = await ask('POST /_control/journal/expect-none', { pattern: { method: 'GET' } })
  t.equal(refused.status, 409)
  t.match(refused.json, { type: 'urn:atom-mq:problem:unexpected-exchange', entry: { number: 1 } })
  t.equal((await ask('POST /_control/journal/expect-none', { count: 1 })).status, 400)
})

t.test('a client that goes away while it waits leaves nothing behind', async (t) => {
  const { mq } = await mock(t)
  const client = await RawClient.open(mq.port)
  client.say(request('POST /_control/journal/wait', [], '{"timeout": 60000}'))
  await turn()
  client.socket.destroy()
  await turn()
  t.pass('the wait of 60 seconds does not outlive the test')
})

/** The events of a stream as they come. */
async function watch(url: string, headers: Record<string, string> = {}) {
  const abort = new AbortController()
  const response = await fetch(url, { headers, signal: abort.signal })
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const until = async (pattern: RegExp) => {
    while (!pattern.test(text)) {
      const { done, value } = await reader.read()
      if (done) throw new Error(`it ended with ${JSON.stringify(text)}`)
      text += value
    }
    return text
  }
  const ended = async () => {
    while (!(await reader.read()).done);
  }
  return { response, until, ended, stop: () => abort.abort() }
}

t.test('the stream tells what happens', async (t) => {
  const { mq, ask } = await mock(t)
  await ask('GET /before')
  const { response, until, stop } = await watch(`${mq.url}/_control/journal/stream`)
  t.equal(response.headers.get('content-type'), 'text/event-stream')
  await until(/^: .*\n\n/)
  await ask('GET /queues')
  const text = await until(/event: exchange\nid: 2\ndata: \{"number":2,.*\}\n\n/)
  t.notMatch(text, /before/)
  await ask('POST /_control/clock', { advance: 5 })
  await until(/event: clock\ndata: \{"now":946684800005,.*\}\n\n/)
  await ask('POST /_control/faults', { fault: 'truncate', path: '/never' })
  await until(/event: faults\ndata: \[\{"id":"f1".*\]\n\n/)
  await ask('DELETE /_control/journal')
  await until(/event: clear\ndata: \{\}\n\n/)
  await ask('POST /_control/reset')
  await until(/event: reset\ndata: \{\}\n\n/)
  await ask('GET /after')
  await until(/id: 1\ndata: \{"number":1,.*after/)
  stop()
})

t.test('the stream tells of what no request has done, once in a turn', async (t) => {
  const { mq, ask } = await mock(t)
  const { until, stop } = await watch(`${mq.url}/_control/journal/stream`)
  await until(/^: .*\n\n/)
  await ask('POST /queues', 'a', { 'Content-Type': 'text/plain' })
  for (const body of ['1', '2', '3']) mq.broker.send('a', { body: Buffer.from(body), properties: new Map() })
  await ask('GET /last')
  const text = await until(/id: 2\n.*last.*\n\n/)
  t.same(
    [...text.matchAll(/^event: (\w+)/gm)].map(([, event]) => event),
    ['exchange', 'state', 'exchange'],
  )
  stop()
})

t.test('the stream goes on where it broke off', async (t) => {
  const { mq, ask } = await mock(t)
  for (const path of ['/1', '/2', '/3']) await ask(`GET ${path}`)
  const url = `${mq.url}/_control/journal/stream`
  const told = async (query: string, headers?: Record<string, string>) => {
    const { until, stop } = await watch(url + query, headers)
    const text = await until(/id: 3\n.*\n\n/)
    stop()
    return [...text.matchAll(/^id: (\d+)/gm)].map(([, id]) => Number(id))
  }
  t.same(await told('?after=0'), [1, 2, 3])
  t.same(await told('?after=1'), [2, 3])
  t.same(await told('', { 'Last-Event-ID': '2' }), [3])
  t.same(await told('?after=0', { 'Last-Event-ID': '2' }), [3], 'the browser knows better where it was')
  t.same(await told('', { 'Last-Event-ID': '99' }), [1, 2, 3], 'a number from before a reset')
  t.same(await told('?after=0', { 'Last-Event-ID': 'x' }), [1, 2, 3])
  t.equal((await ask('GET /_control/journal/stream?after=x')).status, 400)
})

t.test('stop ends streams and waits', async (t) => {
  const { mq, ask } = await mock(t, { limits: { closeTimeout: 3_600_000 } })
  const { until, ended } = await watch(`${mq.url}/_control/journal/stream`)
  await until(/\n\n/)
  const waiting = ask('POST /_control/journal/wait', { timeout: 60_000 })
  const fromCode = mq.journal.waitFor({}, { timeout: 60_000 })
  const refused = t.rejects(fromCode, { message: /shutting down/ })
  await turn()
  await turn()
  await Promise.all([mq.stop(), ended(), waiting.catch(() => {}), refused])
})

t.test('with the journal off there is none to read', async (t) => {
  const { ask } = await mock(t, { journal: false })
  t.equal((await ask('GET /_control/journal')).status, 404)
  t.equal((await ask('POST /_control/journal/wait')).status, 404)
  t.equal((await ask('GET /_control/journal/stream')).status, 404)
})

t.test('a stream begins with the whole journal, however much that is', async (t) => {
  const { mq, ask } = await mock(t)
  for (let guid = 1; guid <= 40; guid++) {
    await ask(`POST /queues/orders/new?guid=${guid}`, 'x'.repeat(60_000))
  }
  const { until, stop } = await watch(`${mq.url}/_control/journal/stream?after=0`)
  await until(/id: 40\ndata: .*\n\n/)
  stop()
})

t.test('the stream tells of faults that are changed from code too', async (t) => {
  const { mq } = await mock(t)
  const { until, stop } = await watch(`${mq.url}/_control/journal/stream`)
  await until(/^: .*\n\n/)
  mq.faults.add({ fault: 'truncate', path: '/never' })
  await until(/event: faults\ndata: \[\{"id":"f1".*\]\n\n/)
  mq.faults.remove('f1')
  await until(/event: faults\ndata: \[\]\n\n/)
  stop()
})

t.test('a hundred may watch, who are told one and the same bytes; the next is refused', async (t) => {
  const control = new Control(createBroker(), { journal: true })
  const stops: (() => void)[] = []
  const pieces: unknown[] = []
  const watchOnce = () => {
    const request = { headers: {}, query: new URLSearchParams() } as unknown as Request
    const { stream } = journalStream(control, request)
    stops.push(stream!({ write: (piece) => void pieces.push(piece), end() {} }))
  }
  for (let count = 0; count < 100; count++) watchOnce()
  t.throws(watchOnce, { message: '100 watch already; end one of them first.' })
  pieces.length = 0
  control.journal.clear()
  t.equal(pieces.length, 100)
  t.equal(new Set(pieces).size, 1)
  for (const stop of stops) stop()
  t.doesNotThrow(watchOnce)
})
