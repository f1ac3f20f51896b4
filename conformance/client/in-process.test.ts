import t from 'tap'
import type { Cut } from './cut.js'
import { type Fetch, InProcess } from './in-process.js'
import type { Outgoing } from './transport.js'

const URL_HERE = 'http://handler.test/queues?a=b'

function ask(fetch: Fetch, more: Partial<Outgoing> = {}) {
  const handler = new InProcess(fetch)
  const asked = { method: 'POST', url: URL_HERE, headers: { A: 'b' }, body: Buffer.from('x'), timeout: 2000 }
  return handler.send({ ...asked, ...more })
}

t.test('a handler is asked and answers as a server behind a socket does', async (t) => {
  const seen: unknown[] = []
  const exchange = await ask(async (request) => {
    seen.push(request.method, request.url, request.headers.get('a'), await request.text())
    return new Response('yes', { status: 201, headers: { Location: '/y' } })
  })
  t.strictSame(seen, ['POST', URL_HERE, 'b', 'x'])
  t.match(exchange, {
    ...{ method: 'POST', url: URL_HERE, requestHeaders: { A: 'b' }, connected: true, error: undefined },
    ...{ status: 201, headers: { location: '/y' }, body: Buffer.from('yes') },
  })
})

t.test('what goes wrong is in the exchange', async (t) => {
  const never: Fetch = ({ signal }) =>
    new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  t.match(await ask(never, { timeout: 1 }), { status: 0, error: 'no answer within 1 ms' })
  const broken: Fetch = async () => {
    throw new Error('broken')
  }
  t.match(await ask(broken), { status: 0, error: 'broken' })
  const stopping = new AbortController()
  const asked = ask(never, { signal: stopping.signal })
  stopping.abort()
  t.match(await asked, { status: 0, error: 'the run was stopped' })
})

t.test('a client that goes away within its request asks nothing, and later it has asked', async (t) => {
  for (const [cut, count] of [
    ['head', 0],
    ['body', 0],
    ['sent', 1],
    ['answer', 1],
  ] as const satisfies [Cut, number][]) {
    let asked = 0
    const exchange = await ask(
      async ({ signal }) => {
        asked += 1
        t.equal(signal.aborted, false, 'it is there when it is asked')
        if (cut === 'sent') signal.throwIfAborted()
        return new Response('x')
      },
      { cut },
    )
    t.equal(asked, count, cut)
    t.match(exchange, { status: 0, error: /^the client / }, cut)
  }
  const failing: Fetch = async () => {
    throw new Error('broken')
  }
  t.match(await ask(failing, { cut: 'sent' }), { status: 0, error: 'the client went away before the answer' })
})
