import t, { type Test } from 'tap'
import type { Reply, Request } from '../exchange.js'
import { Problem } from '../problems.js'
import { problemIn, RawClient, request } from './raw-client.test.helper.js'
import { createHttpServer, type HttpServerOptions } from './server.js'

const echo = (request: Request): Reply => ({
  status: 200,
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({
    method: request.method,
    path: request.path,
    segments: request.segments,
    query: [...request.query],
    body: Buffer.from(request.body).toString('latin1'),
  }),
})

async function start(t: Test, options: Partial<HttpServerOptions> = {}) {
  const server = createHttpServer({ handle: echo, ...options })
  const { host, port } = await server.listen()
  t.equal(host, '127.0.0.1')
  t.teardown(() => server.close())
  return { server, port, url: `http://127.0.0.1:${port}` }
}

t.test('a request is handed over whole, and answered with one head', async (t) => {
  const { url } = await start(t)
  const answer = await fetch(`${url}/a%20b/c?x=1&x=2&y=%C3%A9`, { method: 'POST', body: 'hello' })
  t.equal(answer.status, 200)
  t.equal(answer.headers.get('content-type'), 'application/json')
  t.match(answer.headers.get('date'), /GMT$/)
  const text = await answer.text()
  t.equal(answer.headers.get('content-length'), String(Buffer.byteLength(text)))
  t.same(JSON.parse(text), {
    method: 'POST',
    path: '/a%20b/c',
    segments: ['a%20b', 'c'],
    query: [
      ['x', '1'],
      ['x', '2'],
      ['y', 'é'],
    ],
    body: 'hello',
  })
})

t.test('a query that is not percent-encoded UTF-8 is refused when it is read', async (t) => {
  const { url } = await start(t)
  for (const query of ['%', '%zz', '%ff', 'a=%C3']) {
    const answer = await fetch(`${url}/?${query}`)
    t.equal(answer.status, 400, query)
    t.match(await answer.json(), { type: 'urn:atom-mq:problem:bad-percent-encoding' })
  }
})

t.test('HEAD arrives as GET and is answered without the body, but with its length', async (t) => {
  const { port } = await start(t, { handle: () => ({ status: 200, body: 'é' }) })
  const client = await RawClient.open(port)
  client.say(request('HEAD /') + request('GET /', ['Connection: close']))
  const [head, get, rest] = (await client.untilClosed()).split('\r\n\r\n')
  t.match(head, /^HTTP\/1\.1 200 OK\r\n/)
  t.match(head, /Content-Length: 2/)
  t.match(get, /^HTTP\/1\.1 200 OK\r\n/, 'the next answer follows the head at once')
  t.equal(rest, 'Ã©')
})

t.test('answers without a body have no length where HTTP forbids one', async (t) => {
  let status = 204
  const { url } = await start(t, { handle: () => ({ status, headers: { ETag: '"1"' } }) })
  const none = await fetch(url)
  t.equal(none.status, 204)
  t.equal(none.headers.has('content-length'), false)
  status = 304
  const same = await fetch(url)
  t.equal(same.status, 304)
  t.equal(same.headers.get('etag'), '"1"')
  status = 200
  t.equal((await fetch(url)).headers.get('content-length'), '0')
})

t.test('a body of bytes is sent as it is', async (t) => {
  const bytes = Uint8Array.from({ length: 256 }, (_, index) => index)
  const { url } = await start(t, { handle: () => ({ status: 200, body: bytes }) })
  t.same(new Uint8Array(await (await fetch(url)).arrayBuffer()), bytes)
})

t.test('a body in several chunks is put together', async (t) => {
  const { port } = await start(t)
  const client = await RawClient.open(port)
  client.say(request('POST /', ['Content-Length: 6', 'Connection: close']))
  client.say('abc')
  await new Promise((resolve) => setImmediate(resolve))
  client.say('def')
  t.match(await client.untilClosed(), /"body":"abcdef"/)

  const chunked = request('POST /', ['Transfer-Encoding: chunked', 'Connection: close'])
  t.match(await RawClient.exchange(port, `${chunked}3\r\nabc\r\n3\r\ndef\r\n0\r\n\r\n`), /"body":"abcdef"/)
  t.match(await RawClient.exchange(port, `${chunked}0\r\n\r\n`), /"body":""/)
})

t.test('everything below the base path is served, and nothing else', async (t) => {
  const { port, url } = await start(t, { basePath: '/mq/' })
  const pathOf = async (path: string) => ((await (await fetch(url + path)).json()) as { path: string }).path
  t.equal(await pathOf('/mq'), '/')
  t.equal(await pathOf('/mq?a'), '/')
  t.equal(await pathOf('/mq/'), '/')
  t.equal(await pathOf('/mq/a//b/'), '/a//b/')
  for (const path of ['/', '/mqa', '/other/mq']) {
    const answer = await fetch(url + path)
    t.equal(answer.status, 404, path)
    t.match(await answer.json(), {
      type: 'urn:atom-mq:problem:no-such-resource',
      detail: /begins with \/mq\//,
    })
  }
  t.match(await RawClient.exchange(port, request('OPTIONS *', ['Connection: close'])), /"path":"\*"/)
  t.throws(() => createHttpServer({ handle: echo, basePath: 'mq' }), /write it like "\/mq"/)
})

t.test('a handler may answer later, and requests on one connection keep their order', async (t) => {
  const answers = new Map<string, (reply: Reply) => void>()
  const { port } = await start(t, {
    handle: ({ path }) =>
      path === '/now' ? { status: 200, body: 'now' } : new Promise((resolve) => answers.set(path, resolve)),
  })
  const client = await RawClient.open(port)
  client.say(request('GET /first') + request('GET /now') + request('GET /second', ['Connection: close']))
  while (answers.size < 2) await new Promise((resolve) => setImmediate(resolve))
  answers.get('/second')!({ status: 200, body: 'second' })
  t.equal(client.received, '', 'nothing overtakes')
  answers.get('/first')!({ status: 200, body: 'first' })
  t.match(await client.untilClosed(), /\r\n\r\nfirstHTTP.*\r\n\r\nnowHTTP.*\r\n\r\nsecond$/s)
})

t.test('a problem that a handler throws is its answer; anything else is a defect', async (t) => {
  const defects: unknown[] = []
  const thrown = new Map<string, unknown>([
    [
      '/problem',
      new Problem('unsupported-media-type', 'Send text.', { accept: 'text/plain' }, { Accept: 'x' }),
    ],
    ['/defect', new Error('a secret')],
  ])
  const { url } = await start(t, {
    handle({ path, query }) {
      if (query.has('late')) return Promise.reject(thrown.get(path))
      throw thrown.get(path)
    },
    onDefect: (defect) => defects.push(defect),
  })
  for (const when of ['', '?late']) {
    const problem = await fetch(`${url}/problem${when}`)
    t.equal(problem.status, 415)
    t.equal(problem.headers.get('accept'), 'x')
    t.match(await problem.json(), { detail: 'Send text.', accept: 'text/plain' })
    t.equal(defects.length, 0)
    const defect = await fetch(`${url}/defect${when}`)
    t.equal(defect.status, 500)
    t.notMatch(await defect.text(), /secret/)
    t.equal(defects.pop(), thrown.get('/defect'))
  }
})

t.test('a defect is told to the console unless somebody listens', async (t) => {
  const said = t.capture(console, 'error', () => {})
  const { url } = await start(t, {
    handle() {
      throw new Error('unheard of')
    },
  })
  t.equal((await fetch(url)).status, 500)
  t.match(said(), [{ args: [{ message: 'unheard of' }] }])
})

t.test('an address that cannot be had rejects', async (t) => {
  const { port } = await start(t)
  await t.rejects(createHttpServer({ handle: echo, port }).listen(), { code: 'EADDRINUSE' })
})

t.test('a client that goes away while its answer is due is noticed once', async (t) => {
  const asked: Request[] = []
  let answer!: (reply: Reply) => void
  const { port } = await start(t, {
    handle(request) {
      if (request.path !== '/parked') return { status: 200 }
      asked.push(request)
      return new Promise((resolve) => {
        answer = resolve
      })
    },
  })
  for (const behind of [0, 1]) {
    // Also when its answer stands behind another that is not given either.
    const client = await RawClient.open(port)
    asked.length = 0
    client.say(request('GET /parked').repeat(behind + 1))
    while (asked.length <= behind) await new Promise((resolve) => setImmediate(resolve))
    const parked = asked.at(-1)!
    const gone: string[] = []
    const cancel = parked.whenGone(() => gone.push('cancelled'))
    await new Promise<void>((resolve) => {
      parked.whenGone(() => {
        gone.push('gone')
        resolve()
      })
      cancel()
      client.socket.destroy()
    })
    const late = new Promise<void>((resolve) => parked.whenGone(resolve))
    t.same(gone, ['gone'])
    await late
    const taken = parked.whenGone(() => gone.push('taken back'))
    taken()
    answer({ status: 200, body: 'for nobody' })
    await new Promise((resolve) => setImmediate(resolve))
    t.same(gone, ['gone'])
  }
})

t.test('a client that has its answer is not gone when it leaves', async (t) => {
  let gone = 0
  const { port } = await start(t, {
    handle(request) {
      request.whenGone(() => gone++)
      return { status: 200 }
    },
  })
  const client = await RawClient.open(port)
  client.say(request('GET /'))
  await client.until(/\r\n\r\n/)
  client.say(request('GET /', ['Connection: close']))
  await client.untilClosed()
  client.socket.destroy()
  await fetch(`http://127.0.0.1:${port}`)
  t.equal(gone, 0)
})

t.test('a client that leaves in the middle of its body has asked for nothing', async (t) => {
  const seen: string[] = []
  const { port, server } = await start(t, {
    handle({ path }) {
      seen.push(path)
      return { status: 200 }
    },
  })
  for (const framing of ['Content-Length: 10', 'Transfer-Encoding: chunked']) {
    const client = await RawClient.open(port)
    client.say(`${request('POST /half', [framing])}5\r\nab`)
    client.say('c')
    await fetch(`http://127.0.0.1:${port}/other`)
    client.socket.destroy()
  }
  await server.close()
  t.same(seen, ['/other', '/other'])
})

t.test('a request that comes while the server closes is not done', async (t) => {
  const asked: string[] = []
  let answer!: (reply: Reply) => void
  const { server, port } = await start(t, {
    handle({ path }) {
      asked.push(path)
      return new Promise((resolve) => {
        answer = resolve
      })
    },
  })
  const client = await RawClient.open(port)
  client.say(`${request('GET /early')}GET /late HTTP/1.1\r\n`)
  while (!answer) await new Promise((resolve) => setImmediate(resolve))
  const closed = server.close()
  client.say('Host: localhost\r\n\r\n')
  // A round trip of another client: by then the server has read it.
  await t.rejects(fetch(`http://127.0.0.1:${port}`))
  answer({ status: 200, body: 'in time' })
  await closed
  t.match(await client.untilClosed(), /Connection: close.*in time$/s)
  t.same(asked, ['/early'])
  client.socket.destroy()
})

t.test('an answer that HTTP cannot carry is a defect, now or later', async (t) => {
  const defects: unknown[] = []
  const reply = { status: 200, headers: { 'X-Bad': 'a\nb' } }
  const { url } = await start(t, {
    handle: ({ path }) => (path === '/late' ? Promise.resolve(reply) : reply),
    onDefect: (defect) => defects.push(defect),
  })
  for (const path of ['/', '/late']) t.equal((await fetch(url + path)).status, 500, path)
  t.match(defects, [{ code: 'ERR_INVALID_CHAR' }, { code: 'ERR_INVALID_CHAR' }])
})

t.test('what a refusal says', async (t) => {
  const { port } = await start(t, { limits: { maxTarget: 10 } })
  const answer = await RawClient.exchange(port, request('GET /123456789a'))
  t.match(answer, /^HTTP\/1\.1 414 URI Too Long\r\n/)
  t.match(answer, /Content-Type: application\/problem\+json\r\n/)
  t.same(problemIn(answer), {
    type: 'urn:atom-mq:problem:target-too-long',
    title: 'The request target is longer than the limit.',
    status: 414,
    detail: 'The request target may be 10 bytes long; shorten it.',
    limit: 10,
  })
})
