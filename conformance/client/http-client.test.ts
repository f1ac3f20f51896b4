import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'
import t from 'tap'
import { makeContact } from './contact.js'
import { HttpClient } from './http-client.js'
import { HttpTarget } from './http-target.js'
import { DEFAULT_PROFILE } from './parse-profile.js'
import { serve } from './serve.test.helper.js'
import { Sockets } from './sockets.js'
import { IDLE, type Outgoing } from './transport.js'

const client = new HttpClient(new Sockets())
t.teardown(() => client.close())

function outgoing(url: string, more: Partial<Outgoing> = {}): Outgoing {
  return { method: 'GET', url, headers: {}, body: Buffer.alloc(0), timeout: 2000, ...more }
}

/** A TCP server that answers each connection's data with these bytes and then, if asked to, closes. */
async function rawServer(answer: (count: number) => { bytes: string; close: boolean }) {
  let count = 0
  const sockets = new Set<Socket>()
  const server = createTcpServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('data', () => {
      const { bytes, close } = answer(count++)
      if (bytes !== '') socket.write(bytes)
      if (close) socket.destroy()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    asked: () => count,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  }
}

t.test('an exchange holds what was sent and what came', async (t) => {
  await using server = await serve(() => ({
    status: 207,
    headers: { 'X-Two': ['a', 'b'], 'Content-Type': 'text/x' },
    body: Buffer.from([0, 255, 10]),
  }))
  const body = Buffer.from([1, 2, 0])
  const exchange = await client.send(
    outgoing(`${server.url}/p?q=1`, { method: 'POST', headers: { 'X-A': 'b' }, body }),
  )
  t.match(exchange, {
    method: 'POST',
    url: `${server.url}/p?q=1`,
    status: 207,
    error: undefined,
    connected: true,
  })
  t.strictSame(exchange.requestHeaders, { 'X-A': 'b' })
  t.strictSame(exchange.requestBody, body)
  t.strictSame(exchange.body, Buffer.from([0, 255, 10]))
  t.equal(exchange.headers['x-two'], 'a, b')
  t.equal(exchange.headers['content-type'], 'text/x')
  t.ok(exchange.receivedAt >= exchange.sentAt)
  t.match(server.got[0], { method: 'POST', path: '/p?q=1', headers: { 'x-a': 'b', 'content-length': '3' } })
  t.strictSame(server.got[0]!.body, body)
})

t.test('a body goes with any method, and none is announced as such', async (t) => {
  await using server = await serve(() => ({}))
  await client.send(outgoing(server.url, { method: 'DELETE', body: Buffer.from('x') }))
  await client.send(outgoing(server.url, { method: 'POST' }))
  t.equal(server.got[0]!.body.toString(), 'x')
  t.equal(server.got[1]!.headers['content-length'], '0')
  t.equal(server.got[1]!.headers['user-agent'], 'atom-mq-conformance')
  t.equal(server.got[1]!.headers['accept-encoding'], 'identity', 'without it, any coding would be right')
})

t.test('an address is taken as a URL writes it', async (t) => {
  await using server = await serve(() => ({}))
  const url = new URL(server.url)
  Object.assign(url, { username: 'me', password: 'p@ss', pathname: '/a%2Fb/', search: '?q=%20&r', hash: 'x' })
  await client.send(outgoing(url.href))
  t.match(server.got[0], { path: '/a%2Fb/?q=%20&r', headers: { host: url.host } })
  t.equal(server.got[0]!.headers.authorization, `Basic ${Buffer.from('me:p@ss').toString('base64')}`)
  // This machine by an IPv6 address, where it speaks IPv6; in brackets it would be looked up as a name.
  const mapped = await client.send(outgoing(`http://[::ffff:127.0.0.1]:${url.port}/`))
  t.notMatch(String(mapped.error), /ENOTFOUND|EAI_AGAIN/)
})

t.test('redirects are not followed', async (t) => {
  await using server = await serve(() => ({ status: 303, headers: { Location: '/elsewhere' } }))
  t.match(await client.send(outgoing(server.url)), { status: 303, headers: { location: '/elsewhere' } })
  t.equal(server.got.length, 1)
})

t.test('a target follows a redirect only where nothing but the slash at the end differs', async (t) => {
  const REDIRECTS: [method: string, status: number, location: string, path: string][] = [
    ['GET', 301, '/mq/queues/?x=1', '/mq/queues/?x=1'],
    ['POST', 308, '/mq/queues/?x=1', '/mq/queues/?x=1'],
    ['POST', 301, '/mq/queues/?x=1', ''],
    ['GET', 303, '/mq/queues/?x=1', ''],
    ['GET', 301, '/mq/queues/', ''],
    ['GET', 301, '/login', ''],
    ['GET', 301, 'http://elsewhere.invalid/mq/queues/?x=1', ''],
  ]
  for (const [method, status, location, path] of REDIRECTS) {
    const paths: string[] = []
    await using server = await serve((got) => {
      paths.push(got.path)
      return paths.length === 1 ? { status, headers: { Location: location } } : { status: 200 }
    })
    const target = new HttpTarget({
      baseUrl: `${server.url}/mq`,
      profile: DEFAULT_PROFILE,
      client,
      answerTimeout: 2000,
    })
    const { status: seen } = await target.request(method, target.at('/queues?x=1'), { body: '' })
    t.equal(seen, path === '' ? status : 200, `${method} ${status} ${location}`)
    t.strictSame(paths.slice(1), path === '' ? [] : [path])
    t.equal(target.exchanges.length, paths.length, 'each request is evidence')
  }
})

t.test('a server that never answers is given up in time', async (t) => {
  await using server = await serve(() => undefined)
  const exchange = await client.send(outgoing(server.url, { timeout: 60 }))
  t.match(exchange, { status: 0, error: 'no answer within 60 ms', connected: true })
  t.strictSame(exchange.headers, {})
  t.ok(exchange.receivedAt - exchange.sentAt < 1000)
})

t.test('half an answer is none', async (t) => {
  await using slow = await rawServer(() => ({
    bytes: 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc',
    close: false,
  }))
  t.match(await client.send(outgoing(slow.url, { timeout: 60 })), {
    status: 0,
    error: 'no answer within 60 ms',
  })
  await using cut = await rawServer(() => ({
    bytes: 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc',
    close: true,
  }))
  const exchange = await client.send(outgoing(cut.url))
  t.match(exchange, { status: 0, error: 'the connection was closed before the answer was whole' })
  t.equal(exchange.body.length, 0)
})

t.test('interim answers are passed over, and not without an end', async (t) => {
  const interim = 'HTTP/1.1 102 Processing\r\n\r\n'
  await using some = await rawServer(() => ({
    bytes: `${interim.repeat(1000)}HTTP/1.1 204 No Content\r\n\r\n`,
    close: false,
  }))
  t.equal((await client.send(outgoing(some.url))).status, 204)
  await using endless = await rawServer(() => ({ bytes: interim.repeat(1001), close: false }))
  const { status, error, isOverLimit } = await client.send(outgoing(endless.url))
  t.match(
    { status, error, isOverLimit },
    { status: 0, error: 'more than 1000 interim answers', isOverLimit: true },
  )
})

t.test('what is not HTTP is said to be so', async (t) => {
  await using server = await rawServer(() => ({ bytes: 'SSH-2.0-x\r\n\r\n', close: true }))
  t.match(await client.send(outgoing(server.url)), { status: 0, error: /^the answer is not HTTP/ })
  const secure = outgoing(server.url.replace('http:', 'https:'))
  t.match(await client.send(secure), { status: 0, error: /^it does not speak TLS/ })
})

t.test('a closed connection is an error of the exchange, and the request is not repeated', async (t) => {
  await using server = await rawServer(() => ({ bytes: '', close: true }))
  const exchange = await client.send(outgoing(server.url, { method: 'POST', body: Buffer.from('x') }))
  t.match(exchange, { status: 0, error: /closed before the answer|socket hang up/, connected: true })
  t.equal(server.asked(), 1)
})

t.test('a safe request put on a connection that was kept and is closed goes out once more', async (t) => {
  const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'
  await using server = await rawServer((count) =>
    count % 2 === 1 ? { bytes: '', close: true } : { bytes: ok, close: false },
  )
  const own = new HttpClient(new Sockets())
  t.equal((await own.send(outgoing(server.url))).status, 200)
  t.equal((await own.send(outgoing(server.url))).status, 200, 'repeated on a new connection')
  t.equal(server.asked(), 3)
  const post = await own.send(outgoing(server.url, { method: 'POST' }))
  t.match(post, { status: 0, isLost: true }, 'a POST is not repeated')
  t.equal(server.asked(), 4)
  own.close()
})

t.test('connections are opened a few at a time', async (t) => {
  let [most, wanted] = [0, 4]
  const waiting: (() => void)[] = []
  await using server = await serve(async () => {
    await new Promise<void>((resolve) => {
      waiting.push(resolve)
      most = Math.max(most, waiting.length)
      if (waiting.length < wanted) return
      setImmediate(() => {
        for (const go of waiting.splice(0)) go()
      })
    })
    return { headers: { Connection: 'close' } }
  })
  const own = new HttpClient(new Sockets())
  const ask = () => Promise.all(Array.from({ length: 2 * wanted }, () => own.send(outgoing(server.url))))
  t.ok((await ask()).every(({ status }) => status === 200))
  t.equal(most, 4, 'a server may keep five waiting, and no more')
  own.transport.allow(10)
  wanted = 10
  await ask()
  t.equal(most, 10, 'of one that is far away more are opened')
  own.close()
})

t.test('more connections are opened where a server keeps them', async (t) => {
  const waiting: (() => void)[] = []
  let wanted = 1
  await using server = await serve(async () => {
    await new Promise<void>((resolve) => {
      waiting.push(resolve)
      if (waiting.length === wanted) for (const go of waiting.splice(0)) go()
    })
    return {}
  })
  const own = new HttpClient(new Sockets())
  for (wanted of [4, 10, 20]) {
    const all = Array.from({ length: wanted }, () => own.send(outgoing(server.url)))
    t.ok(
      (await Promise.all(all)).every(({ status }) => status === 200),
      `${wanted} at once`,
    )
  }
  own.close()
})

t.test('a server that takes no connection while another is open is asked on new ones only', async (t) => {
  const waiting: Socket[] = []
  let busy: Socket | undefined
  const next = () => {
    busy = waiting.shift()
    busy?.on('data', () => busy?.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'))
    busy?.on('close', next)
  }
  const server = createTcpServer((socket) => {
    socket.on('error', () => {})
    waiting.push(socket)
    if (busy === undefined) next()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const own = new HttpClient(new Sockets())
  const contact = await makeContact(url, DEFAULT_PROFILE, own, undefined)
  t.ok(contact.latency < IDLE / 2, `${contact.latency} ms`)
  own.close()
  server.close()
})

t.test('where nobody listens there is no connection', async (t) => {
  const gone = await serve(() => ({}))
  await gone[Symbol.asyncDispose]()
  t.match(await client.send(outgoing(gone.url)), { status: 0, error: /ECONNREFUSED/, connected: false })
})

t.test('an address that none can be asked at is an error of the exchange', async (t) => {
  for (const url of ['mailto:a@b', 'urn:uuid:1']) {
    t.match(await client.send(outgoing(url)), { status: 0, error: /^no request can be made of GET / }, url)
  }
  t.match(await client.send(outgoing('http://127.0.0.1:1/', { headers: { 'a b': 'x' } })), { status: 0 })
})

t.test('what is no address is never asked at', async (t) => {
  for (const url of [undefined as unknown as string, 'undefined?guid=1', '/queues', '', 'http://']) {
    await t.rejects(client.send(outgoing(url)), {
      name: 'TypeError',
      message: /^GET of what is no address: /,
    })
    await t.rejects(client.send(outgoing(url, { cut: 'sent' })), {
      name: 'TypeError',
      message: /^GET of what is no address: /,
    })
  }
  t.match(await client.send(outgoing('mailto:a@b', { cut: 'sent' })), {
    status: 0,
    error: /^no request can be made of GET /,
  })
})

t.test('https is spoken too', async (t) => {
  await using plain = await serve(() => ({}))
  const exchange = await client.send(outgoing(plain.url.replace('http:', 'https:')))
  t.equal(exchange.status, 0, 'a plain server cannot answer it')
  t.ok(exchange.error)
})

t.test('a stopped run ends what it waits for, and asks nothing more', async (t) => {
  await using server = await serve(() => undefined)
  const stopping = new AbortController()
  const waiting = client.send(outgoing(server.url, { signal: stopping.signal }))
  setTimeout(() => stopping.abort(), 20)
  t.match(await waiting, { status: 0, error: 'the run was stopped' })
  t.match(await client.send(outgoing(server.url, { signal: stopping.signal })), {
    error: 'the run was stopped',
  })
})

t.test('an answer without end is cut off', async (t) => {
  const chunk = Buffer.alloc(1024 * 1024)
  await using server = await serve((_, response) => {
    const go = () => {
      while (!response.destroyed && response.write(chunk));
    }
    response.on('drain', go)
    go()
    return undefined
  })
  const careful = new HttpClient(new Sockets())
  t.teardown(() => careful.close())
  const error = async () => (await careful.send(outgoing(server.url, { timeout: 15_000 }))).error
  for (let time = 1; time <= 9; time++) t.equal(await error(), 'the answer is longer than 16777216 bytes')
  t.match(await error(), /longer than 65536 bytes, which is all that is read of one after 9 answers beyond/)
})
