import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import type { Reply, Request } from '../exchange.js'
import type { EdgeLimits } from '../limits.js'
import { problemIn, RawClient, request } from './raw-client.test.helper.js'
import { createHttpServer } from './server.js'

const LARGE = 'x'.repeat(8 * 1024 * 1024)

/** A server that tells which requests it has handled: `/large` is larger than what a system takes by itself. */
async function start(
  t: Test,
  limits: Partial<EdgeLimits>,
  handle?: (request: Request) => Reply | Promise<Reply>,
) {
  const seen: string[] = []
  const server = createHttpServer({
    handle(request) {
      seen.push(request.path)
      return handle?.(request) ?? { status: 200, body: request.path === '/large' ? LARGE : 'small' }
    },
    onDefect: (defect) => t.fail('a defect', { defect }),
    limits: { lingerTimeout: 50, ...limits },
  })
  const { port } = await server.listen()
  t.teardown(() => server.close())
  const ask = async () =>
    (await RawClient.exchange(port, request('GET /', ['Connection: close']))).slice(9, 12)
  return { port, seen, ask }
}

async function silent(port: number): Promise<RawClient> {
  const client = await RawClient.open(port)
  client.socket.pause()
  return client
}

const turns = async (done: () => boolean) => {
  while (!done()) await sleep(1)
}

t.test('a request waits until enough of the answers before it was taken', async (t) => {
  const { port, seen } = await start(t, { maxUnsentOfOne: 1000 })
  const client = await silent(port)
  client.say(request('GET /large').repeat(3) + request('GET /last', ['Connection: close']))
  await turns(() => seen.length > 0)
  await sleep(30)
  t.same(seen, ['/large'])
  client.socket.resume()
  const answers = await client.untilClosed()
  t.same(seen, ['/large', '/large', '/large', '/last'])
  t.equal(answers.match(/HTTP\/1\.1 200/g)?.length, 4)
})

t.test('a request that has no room to wait is refused in its turn', async (t) => {
  const { port, seen } = await start(t, { maxUnsentOfOne: 1000, maxInFlight: 1000 })
  const client = await silent(port)
  client.say(request('GET /large').repeat(3))
  await turns(() => seen.length > 0)
  client.socket.resume()
  const answers = await client.untilClosed()
  t.same(answers.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 200', 'HTTP/1.1 503'])
  t.equal(problemIn(answers).type, 'urn:atom-mq:problem:overloaded')
  t.same(seen, ['/large'])
})

t.test('where answers that are not taken have no room, the oldest is cut off', async (t) => {
  const { port, seen, ask } = await start(t, { maxUnsent: 10_000_000 })
  const first = await silent(port)
  first.say(request('GET /large'))
  await turns(() => seen.length === 1)
  const second = await silent(port)
  second.say(request('GET /large', ['Connection: close']))
  await turns(() => seen.length === 2)
  first.socket.resume()
  await first.untilClosed()
  t.ok(first.received.length < LARGE.length, 'the first is cut')
  second.socket.resume()
  t.ok((await second.untilClosed()).length > LARGE.length, 'the second is whole')
  t.equal(await ask(), '200')
})

t.test('an answer that is not taken in time is cut off', async (t) => {
  const { port, seen, ask } = await start(t, { answerTimeout: 40 })
  const client = await silent(port)
  client.say(request('GET /large'))
  await turns(() => seen.length === 1)
  await sleep(150)
  client.socket.resume()
  await client.untilClosed()
  t.ok(client.received.length < LARGE.length)
  t.equal(await ask(), '200')
})

t.test('where bodies have no room, the one that has been on its way the longest is refused', async (t) => {
  const { port, seen } = await start(t, { maxInFlight: 10_000 })
  const first = await RawClient.open(port)
  first.say(`${request('POST /slow', ['Content-Length: 8000'])}${'a'.repeat(7000)}`)
  await sleep(20)
  const second = await RawClient.open(port)
  second.say(`${request('POST /quick', ['Content-Length: 8000', 'Connection: close'])}${'a'.repeat(7000)}`)
  t.equal(problemIn(await first.until(/\n$/)).type, 'urn:atom-mq:problem:overloaded')
  t.match(first.received, /^HTTP\/1\.1 503 .*Retry-After: 1/s)
  second.say('a'.repeat(1000))
  t.match(await second.untilClosed(), /^HTTP\/1\.1 200/)
  t.same(seen, ['/quick'])
  first.socket.destroy()
})

t.test('a body that alone has no room is refused, and what it took is given back', async (t) => {
  const { port } = await start(t, { maxInFlight: 5000 })
  const large = request('POST /', ['Content-Length: 9000', 'Connection: close'])
  for (let round = 0; round < 3; round++) {
    const client = await RawClient.open(port)
    client.say(large + 'a'.repeat(8000))
    t.match(await client.untilClosed(), /^HTTP\/1\.1 503/)
    const gone = await RawClient.open(port)
    gone.say(`${request('POST /', ['Content-Length: 4096'])}a`)
    await sleep(5)
    gone.socket.destroy()
    await sleep(5)
    const good = await RawClient.open(port)
    good.say(`${request('POST /', ['Content-Length: 4096', 'Connection: close'])}a`)
    await sleep(5)
    good.say('a'.repeat(4095))
    t.match(await good.untilClosed(), /^HTTP\/1\.1 200/)
  }
})

t.test('a body comes together whatever its pieces are', async (t) => {
  let body: Uint8Array = new Uint8Array()
  const { port } = await start(t, {}, (request) => {
    body = request.body
    return { status: 200 }
  })
  const bytes = Buffer.from(Array.from({ length: 30_000 }, (_, index) => index & 255))
  for (const framing of ['Content-Length: 30000', 'Transfer-Encoding: chunked']) {
    const client = await RawClient.open(port)
    client.say(request('POST /', [framing, 'Connection: close']))
    for (let at = 0, length = 1; at < bytes.length; at += length, length = (length * 7) % 3001) {
      const piece = bytes.subarray(at, at + length)
      const chunked = framing.startsWith('T')
      client.say(
        chunked
          ? Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')])
          : piece,
      )
      await sleep(0)
    }
    if (framing.startsWith('T')) client.say('0\r\n\r\n')
    await client.untilClosed()
    t.ok(bytes.equals(body), framing)
    t.equal(body.buffer.byteLength, bytes.length, 'and keeps nothing else')
  }
})

t.test('a body of very many tiny chunks is refused', async (t) => {
  const { port, seen } = await start(t, {})
  const client = await RawClient.open(port)
  client.say(request('POST /', ['Transfer-Encoding: chunked']) + '1\r\na\r\n'.repeat(16_385))
  t.match(await client.until(/\n$/), /^HTTP\/1\.1 413/)
  t.same(seen, [])
  client.socket.destroy()
})

t.test('requests that wait have a bound on all connections, and so has what they take', async (t) => {
  const wake: (() => void)[] = []
  const handle = () => new Promise<Reply>((resolve) => wake.push(() => resolve({ status: 200 })))
  for (const [limits, problem] of [
    [{ maxRequests: 3 }, 'too-many-requests'],
    // A request with such a field takes about 30 KB while it waits.
    [{ maxInFlight: 200_000 }, 'overloaded'],
  ] as const) {
    wake.length = 0
    const { port, seen } = await start(t, limits, handle)
    const clients: RawClient[] = []
    for (let index = 0; index < 4; index++) {
      const client = await RawClient.open(port)
      client.say(request('POST /', [`A: ${'a'.repeat(12_000)}`], 'abc'))
      await turns(() => seen.length > index || client.received !== '')
      clients.push(client)
    }
    t.equal(problemIn(await clients[3]!.until(/\n$/)).type, `urn:atom-mq:problem:${problem}`)
    for (const one of wake) one()
    for (const client of clients.slice(0, 3)) t.match(await client.until(/\r\n\r\n/), /^HTTP\/1\.1 200/)
    const later = await RawClient.open(port)
    const before = wake.length
    later.say(request('POST /', [], 'abc'))
    await turns(() => wake.length > before)
    wake.at(-1)!()
    t.match(await later.until(/\r\n\r\n/), /^HTTP\/1\.1 200/, 'given back')
    for (const client of [...clients, later]) client.socket.destroy()
  }
})

t.test('the parts of a target take room while a request waits', async (t) => {
  const wake: (() => void)[] = []
  const handle = () => new Promise<Reply>((resolve) => wake.push(() => resolve({ status: 200 })))
  const { port, seen } = await start(t, { maxInFlight: 400_000 }, handle)
  const client = await RawClient.open(port)
  for (const path of [`/?${'a=b&'.repeat(1000)}`, '/'.repeat(1000)]) client.say(request(`GET ${path}`))
  await turns(() => seen.length === 2)
  const other = await RawClient.open(port)
  other.say(request(`GET /${'?a=b&'.repeat(300)}`))
  t.equal(problemIn(await other.until(/\n$/)).type, 'urn:atom-mq:problem:overloaded')
  for (const one of wake) one()
  t.match(await client.until(/200 OK\r[\s\S]*200 OK\r/), /^HTTP/)
  for (const one of [client, other]) one.socket.destroy()
})

t.test('a connection too many is closed at once, and others are served', async (t) => {
  const { port, ask } = await start(t, { maxConnections: 2 })
  const clients = [await RawClient.open(port), await RawClient.open(port)]
  const third = await RawClient.open(port)
  t.equal(await third.untilClosed(), '')
  clients[0]!.say(request('GET /'))
  t.match(await clients[0]!.until(/small/), /^HTTP\/1\.1 200/)
  for (const client of clients) client.socket.destroy()
  // When the server has seen them leave.
  let answer = ''
  for (let tries = 0; tries < 100 && answer !== '200'; tries++) {
    await sleep(10)
    answer = await ask()
  }
  t.equal(answer, '200')
})

t.test('the more connections are open, the less their heads may have', async (t) => {
  const limits = { maxInFlight: 4 * 5 * 1024, maxHeader: 4096 }
  const head = (bytes: number, fields: number) =>
    request('GET /', ['Connection: close', ...Array(fields).fill('a:'), `B: ${'b'.repeat(bytes)}`])
  /** What the last one that connects is answered, and what a refusal says that it may have. */
  const told = async (open: number, bytes: number, fields: number) => {
    const { port } = await start(t, limits)
    const others = await Promise.all(Array.from({ length: open - 1 }, () => RawClient.open(port)))
    const answer = await RawClient.exchange(port, head(bytes, fields))
    for (const { socket } of others) socket.destroy()
    if (!answer.includes(' 431 ')) return answer.slice(9, 12)
    const { limit, detail } = problemIn(answer)
    return `${limit} bytes, ${/ have (\d+) fields/.exec(detail)?.[1]} fields`
  }
  t.strictSame(
    {
      alone: await told(1, 3800, 10),
      'alone, with more': await told(1, 4200, 10),
      'alone, with as many fields as may be': await told(1, 10, 125),
      'alone, with more fields': await told(1, 10, 126),
      'beside one': await told(2, 2300, 10),
      'beside one, with more': await told(2, 2600, 10),
      'beside nine': await told(10, 800, 10),
      'beside nine, with more': await told(10, 1100, 10),
      'beside nine, with more fields': await told(10, 10, 30),
    },
    {
      alone: '200',
      'alone, with more': '4096 bytes, 128 fields',
      'alone, with as many fields as may be': '200',
      'alone, with more fields': '4096 bytes, 128 fields',
      'beside one': '200',
      'beside one, with more': '2560 bytes, 80 fields',
      'beside nine': '200',
      'beside nine, with more': '1024 bytes, 32 fields',
      'beside nine, with more fields': '1024 bytes, 32 fields',
    },
  )
})

t.test('those who have left make room for heads', async (t) => {
  const { port } = await start(t, { maxInFlight: 4 * 4096, maxHeader: 2048 })
  const ask = async () => {
    const answer = await RawClient.exchange(
      port,
      request('GET /', ['Connection: close', `A: ${'a'.repeat(1500)}`]),
    )
    return answer.slice(9, 12)
  }
  const others = [await RawClient.open(port), await RawClient.open(port), await RawClient.open(port)]
  t.equal(await ask(), '431')
  for (const { socket } of others) socket.destroy()
  let answer = ''
  for (let tries = 0; tries < 100 && answer !== '200'; tries++) answer = await ask()
  t.equal(answer, '200')
})

t.test('many parked requests on one connection make no noise, and are all told when it ends', async (t) => {
  const warnings: Error[] = []
  const listen = (warning: Error) => warnings.push(warning)
  process.on('warning', listen)
  t.teardown(() => process.off('warning', listen))
  let gone = 0
  const { port, seen } = await start(t, {}, (request) => {
    request.whenGone(() => gone++)
    return new Promise(() => {})
  })
  const client = await RawClient.open(port)
  client.say(request('GET /').repeat(100))
  await turns(() => seen.length === 100)
  client.socket.destroy()
  await turns(() => gone === 100)
  t.equal(gone, 100)
  t.same(warnings, [])
})

t.test('requests behind one that ended the connection are not kept', async (t) => {
  const { port, seen } = await start(t, { lingerTimeout: 5000 })
  const client = await RawClient.open(port)
  client.say(`${request('POST /', ['Content-Length: 9999999'])}`)
  await client.until(/^HTTP\/1\.1 413 /)
  client.say(Buffer.alloc(9_999_999))
  await client.untilClosed()
  const other = await RawClient.open(port)
  other.say(`GET /bad HTTP/1.1\r\nHost: evil.example\r\n\r\n${request('GET /').repeat(50)}`)
  await other.untilClosed()
  t.same(seen, [])
})

t.test('what the head refuses is refused before the body, and is told to those who look on', async (t) => {
  const refusals: unknown[] = []
  const server = createHttpServer({
    admit(request) {
      if (request.path === '/no') throw new Error('not you')
    },
    handle(request) {
      refusals.push([request.path, (request.refusal as Error | undefined)?.message, request.body.length])
      return { status: request.refusal === undefined ? 200 : 403, body: 'answer' }
    },
  })
  const { port } = await server.listen()
  t.teardown(() => server.close())
  const client = await RawClient.open(port)
  client.say(request('POST /no', ['Content-Length: 1000000', 'Expect: 100-continue']))
  t.match(await client.until(/answer$/), /^HTTP\/1\.1 403 /)
  client.socket.end()
  await client.untilClosed()
  t.match(
    await RawClient.exchange(port, request('POST /yes', ['Connection: close'], 'abc')),
    /^HTTP\/1\.1 200 /,
  )
  t.same(refusals, [
    ['/no', 'not you', 0],
    ['/yes', undefined, 3],
  ])
})
