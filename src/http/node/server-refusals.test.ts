import t, { type Test } from 'tap'
import { Scheduler } from '../scheduler.js'
import { problemIn, RawClient, request } from './raw-client.test.helper.js'
import { createHttpServer, type HttpServerOptions } from './server.js'

/** A server that counts what gets past the edge. */
async function start(t: Test, options: Partial<HttpServerOptions> = {}) {
  const seen: string[] = []
  const server = createHttpServer({
    handle({ path, body }) {
      seen.push(path)
      return { status: 200, body: `${body.length} bytes` }
    },
    onDefect: (defect) => t.fail('a defect', { defect }),
    ...options,
  })
  const { port } = await server.listen()
  t.teardown(() => server.close())
  return { server, port, seen }
}

const refusals: [name: string, text: string, status: number][] = [
  ['a request line that is none', 'hello\r\n\r\n', 400],
  ['a TLS greeting', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc', 400],
  ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
  ['a field without a colon', 'GET / HTTP/1.1\r\nHost localhost\r\n\r\n', 400],
  ['a field with a line break in it', 'GET / HTTP/1.1\r\nHost: localhost\r\nA: b\rc\r\n\r\n', 400],
  ['no Host', 'GET / HTTP/1.1\r\n\r\n', 400],
  ['two Hosts', request('GET /', ['host: localhost']), 400],
  ['an empty Host', 'GET / HTTP/1.1\r\nHost:\r\n\r\n', 400],
  ['a Host that is none', 'GET / HTTP/1.1\r\nHost: a b\r\n\r\n', 400],
  ['a Host with userinfo', 'GET / HTTP/1.1\r\nHost: me@localhost\r\n\r\n', 400],
  ['the name of another host', 'GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n', 421],
  ['a name that only begins well', 'GET / HTTP/1.1\r\nHost: 127.0.0.1.evil.example\r\n\r\n', 421],
  ['another authority in the target', request('GET http://evil.example/'), 421],
  ['userinfo in the target', request('GET http://me@localhost/'), 400],
  ['a target of another scheme', request('GET ftp://localhost/'), 400],
  ['an asterisk without OPTIONS', request('GET *'), 400],
  ['a target with a fragment', request('GET /a#b'), 400],
  ['a target with a byte that is not ASCII', request('GET /\xe9'), 400],
  ['a method that is unknown', request('FROBNICATE /'), 501],
  ['an unknown method after a line', `\r\n${request('FROBNICATE /')}`, 501],
  ['a tunnel', 'CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\n', 501],
  ['a length that is no number', request('POST /', ['Content-Length: 1x']), 400],
  ['two lengths', request('POST /', ['Content-Length: 1', 'Content-Length: 2']), 400],
  ['a length beside chunks', request('POST /', ['Content-Length: 1', 'Transfer-Encoding: chunked']), 400],
  ['a body with a coding', request('POST /', ['Transfer-Encoding: gzip, chunked']), 501],
  ['a body whose end is unknown', request('POST /', ['Transfer-Encoding: gzip']), 501],
  ['a chunk without a size', `${request('POST /', ['Transfer-Encoding: chunked'])}zz\r\n`, 400],
  ['a chunk that ends wrongly', `${request('POST /', ['Transfer-Encoding: chunked'])}1\r\nabc\r\n`, 400],
  ['an expectation', request('POST /', ['Expect: the-unexpected', 'Content-Length: 1']), 417],
  ['an expectation too many', request('POST /', ['Expect: x, 100-continue', 'Content-Length: 1']), 417],
  ['a length over the limit', request('POST /', ['Content-Length: 101']), 413],
  ['a length beyond all numbers', request('POST /', ['Content-Length: 99999999999999999999']), 400],
  [
    'a length over the limit, expecting',
    request('POST /', ['Content-Length: 101', 'Expect: 100-continue']),
    413,
  ],
  ['a target over the limit', request(`GET /${'a'.repeat(300)}`), 414],
  ['a target over every limit', request(`GET /${'a'.repeat(100_000)}`), 414],
  ['a header over the limit', request('GET /', [`A: ${'a'.repeat(3000)}`]), 431],
  ['very many small fields', request('GET /', Array(3000).fill('a:')), 431],
]

for (const [name, text, status] of refusals) {
  t.test(`${name} is refused with ${status}`, async (t) => {
    const { port, seen } = await start(t, {
      limits: { maxBody: 100, maxTarget: 300, maxHeader: 2000, lingerTimeout: 100 },
    })
    const client = await RawClient.open(port)
    client.say(text)
    client.socket.end()
    const answer = await client.untilClosed()
    t.match(answer, new RegExp(`^HTTP/1.1 ${status} [A-Z]`))
    t.match(answer, /Connection: close/)
    t.match(answer, /Date: \w{3}, /)
    t.equal(answer.split('HTTP/1.1 ').length, 2, 'one answer')
    t.equal(problemIn(answer).status, status)
    t.match(problemIn(answer).detail, /^[A-Z].*\.$/)
    t.same(seen, [])
  })
}

t.test('these are served', async (t) => {
  const { port } = await start(t, {
    allowHosts: ['MQ.example', 'fe80::1'],
    limits: { maxBody: 5, maxHeader: 4000 },
  })
  const close = 'Connection: close\r\n\r\n'
  for (const text of [
    `GET / HTTP/1.1\r\nHost: mq.EXAMPLE.:1234\r\n${close}`,
    `GET / HTTP/1.1\r\nHost: [fe80::1]\r\n${close}`,
    `GET / HTTP/1.1\r\nHost: [::1]:80\r\n${close}`,
    `GET / HTTP/1.1\r\nHost: 127.8.9.1\r\n${close}`,
    `GET / HTTP/1.1\r\nHost: any.localhost\r\n${close}`,
    `GET http://localhost:1/a?b HTTP/1.1\r\nHost: evil.example\r\n${close}`,
    `GET http://localhost HTTP/1.1\r\nHost: evil.example\r\n${close}`,
    'GET / HTTP/1.0\r\n\r\n',
    'POST / HTTP/1.0\r\nContent-Length: 1\r\nExpect: 100-continue\r\n\r\nx',
    request('POST /', ['Connection: close'], '12345'),
    request('POST /', ['Connection: close', 'Content-Length: 0']),
    request('GET /', ['Connection: close', ...Array(30).fill('a:')]),
    request('GET /', ['Connection: close, upgrade', 'Upgrade: h2c']),
  ]) {
    t.match(await RawClient.exchange(port, text), /^HTTP\/1\.1 200 OK/, JSON.stringify(text.slice(0, 60)))
  }
})

t.test('a client that asks first is told to go on, once its head was accepted', async (t) => {
  const { port } = await start(t, { limits: { maxBody: 5 } })
  const client = await RawClient.open(port)
  client.say(request('POST /', ['Content-Length: 5', 'Expect: 100-Continue', 'Connection: close']))
  t.equal(await client.until(/\r\n\r\n/), 'HTTP/1.1 100 Continue\r\n\r\n')
  client.say('12345')
  t.match(await client.untilClosed(), /HTTP\/1\.1 200 OK.*5 bytes$/s)
})

t.test('chunks are counted while they come', async (t) => {
  const { port, seen } = await start(t, { limits: { maxBody: 10 } })
  const client = await RawClient.open(port)
  client.say(`${request('POST /', ['Transfer-Encoding: chunked'])}5\r\n12345\r\n`)
  client.say('5\r\n12345\r\n')
  client.say('1\r\n1\r\n')
  t.match(await client.until(/\n$/), /^HTTP\/1\.1 413 /, 'refused before the last chunk came')
  client.say('1\r\n1\r\n0\r\n\r\n')
  await client.untilClosed()
  t.equal(client.error, undefined)
  t.same(seen, [])
})

t.test('a refusal arrives although a large body is on its way', async (t) => {
  const { port } = await start(t, { limits: { maxBody: 10, lingerTimeout: 60_000 } })
  const client = await RawClient.open(port)
  client.say(request('POST /', ['Content-Length: 3000000']))
  client.say(Buffer.alloc(3_000_000))
  t.match(await client.untilClosed(), /^HTTP\/1\.1 413 /)
  t.equal(client.error, undefined)
})

t.test('a refused body is not read for ever', async (t) => {
  const { port } = await start(t, { limits: { maxBody: 10, lingerBytes: 1000, lingerTimeout: 60_000 } })
  for (const framing of ['Content-Length: 100000000', 'Transfer-Encoding: chunked']) {
    const client = await RawClient.open(port)
    const chunk = framing.startsWith('C') ? Buffer.alloc(3000) : Buffer.from(`bb8\r\n${'a'.repeat(3000)}\r\n`)
    client.say(request('POST /', [framing]))
    client.say(chunk)
    await client.until(/^HTTP\/1\.1 413 /)
    client.say(chunk)
    client.say(chunk)
    await client.untilClosed()
    client.socket.destroy()
  }
})

t.test('a stream that is not HTTP is not read for ever', async (t) => {
  const { port } = await start(t, { limits: { lingerBytes: 1000, lingerTimeout: 60_000 } })
  const client = await RawClient.open(port)
  client.say('nonsense\r\n\r\n')
  await client.until(/^HTTP\/1\.1 400 /)
  client.say(Buffer.alloc(3000))
  client.say(Buffer.alloc(3000))
  await client.untilClosed()
  client.socket.destroy()
})

t.test('nothing that follows a refused request is done', async (t) => {
  const { port, seen } = await start(t, { limits: { maxBody: 3 } })
  const answer = await RawClient.exchange(
    port,
    request('POST /a', [], '123') + request('POST /b', [], '1234') + request('POST /c', [], '123'),
  )
  t.match(answer, /^HTTP\/1\.1 200 .*HTTP\/1\.1 413 /s)
  t.same(seen, ['/a'])
})

t.test('what was asked before the stream broke off is answered first', async (t) => {
  let answer!: () => void
  const { port } = await start(t, {
    handle: () =>
      new Promise((resolve) => {
        answer = () => resolve({ status: 200, body: 'good' })
      }),
  })
  const client = await RawClient.open(port)
  client.say(`${request('GET /')}nonsense\r\n\r\n`)
  while (!answer) await new Promise((resolve) => setImmediate(resolve))
  await new Promise((resolve) => setTimeout(resolve, 10))
  t.equal(client.received, '')
  answer()
  t.match(await client.untilClosed(), /^HTTP\/1\.1 200 .*goodHTTP\/1\.1 400 /s)
  client.socket.destroy()
})

t.test('a tunnel is refused when what was asked before has its answer', async (t) => {
  let answer: (() => void) | undefined
  let gone!: () => void
  const left = new Promise<void>((resolve) => {
    gone = resolve
  })
  const { port } = await start(t, {
    handle(request) {
      request.whenGone(gone)
      return new Promise((resolve) => {
        answer = () => resolve({ status: 200, body: 'good' })
      })
    },
  })
  const tunnel = `${request('GET /')}CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n`
  const client = await RawClient.open(port)
  client.say(tunnel)
  const asked = async () => {
    while (!answer) await new Promise((resolve) => setImmediate(resolve))
    return answer
  }
  ;(await asked())()
  t.match(await client.untilClosed(), /^HTTP\/1\.1 200 .*goodHTTP\/1\.1 501 .*\}\n$/s)
  client.socket.destroy()
  const other = await RawClient.open(port)
  answer = undefined
  other.say(tunnel)
  await asked()
  other.socket.destroy()
  await left
})

t.test('a refusal arrives whole, whatever follows the request', async (t) => {
  const { port } = await start(t)
  const after = ['CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n', request('GET /'), 'nonsense\r\n\r\n', '\0']
  for (const text of after) {
    const answer = await RawClient.exchange(port, `${request('GET http://evil.example/')}${text}`)
    t.match(answer, /^HTTP\/1\.1 421 .*\}\n$/s, JSON.stringify(text))
    t.equal(problemIn(answer).status, 421)
  }
})

t.test('one connection cannot pile up requests without end', async (t) => {
  let wake!: () => void
  const woken = new Promise<void>((resolve) => {
    wake = resolve
  })
  let asked = 0
  const { port } = await start(t, {
    limits: { maxPipelined: 3 },
    async handle() {
      asked++
      await woken
      return { status: 200 }
    },
  })
  const client = await RawClient.open(port)
  client.say(request('GET /').repeat(9))
  while (asked < 3) await new Promise((resolve) => setImmediate(resolve))
  wake()
  const answers = await client.untilClosed()
  t.equal(asked, 3)
  t.same(answers.match(/HTTP\/1\.1 \d+/g), [...Array(3).fill('HTTP/1.1 200'), 'HTTP/1.1 429'])
  client.socket.destroy()
})

t.test('requests that are answered at once do not pile up', async (t) => {
  // At a clock that stands still every turn has time left: on a busy machine some would wait for the next.
  const scheduler = new Scheduler(() => 0)
  const { port, seen } = await start(t, { limits: { maxPipelined: 1 }, scheduler })
  await RawClient.exchange(port, request('GET /').repeat(20) + request('GET /', ['Connection: close']))
  t.equal(seen.length, 21)
})

t.test('late heads, late bodies and idle connections are ended', async (t) => {
  const { port, seen } = await start(t, {
    limits: { headersTimeout: 40, requestTimeout: 80, keepAliveTimeout: 40, lingerTimeout: 40 },
  })
  t.match(await RawClient.exchange(port, 'GET / HTTP/1.1\r\nHost: loc'), /^HTTP\/1\.1 408 /)
  const half = await RawClient.exchange(port, `${request('POST /', ['Content-Length: 5'])}12`)
  t.match(half, /^HTTP\/1\.1 408 /)
  t.equal(half.split('HTTP/1.1').length, 2, 'answered once')
  const slow = await RawClient.open(port)
  slow.say(`${request('POST /', ['Content-Length: 5'])}12`)
  await slow.until(/^HTTP\/1\.1 408 .*\n$/s)
  slow.say('345')
  await slow.untilClosed()
  t.equal(await RawClient.exchange(port, ''), '', 'who says nothing is told nothing')
  t.same(seen, [])
  // A machine that stops just then makes this one late too.
  let answer = ''
  while (!answer.startsWith('HTTP/1.1 200 ')) answer = await RawClient.exchange(port, request('GET /'))
})
