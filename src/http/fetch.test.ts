import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { createCors } from './cors.js'
import type { Request as Asked, Outlet, Reply } from './exchange.js'
import { createFetch } from './fetch.js'
import type { FrontOptions } from './front.js'
import { Problem } from './problems.js'

const HOST = 'http://localhost'

const asked = (path: string, init: RequestInit = {}) => new Request(HOST + path, init)
const posted = (body: ReadableStream, init: RequestInit = {}) =>
  new Request(`${HOST}/a`, { method: 'POST', body, duplex: 'half', ...init })

/** A front, and what its handler was asked. */
function start(reply: (request: Asked) => Reply | Promise<Reply> = () => ({ status: 200 }), options = {}) {
  const seen: Asked[] = []
  const all: FrontOptions = {
    handle(request) {
      seen.push(request)
      if (request.refusal !== undefined) throw request.refusal
      return reply(request)
    },
    ...options,
  }
  return { seen, ...createFetch(all) }
}

/** A body of these pieces, which then ends or is broken off. */
function streamed(pieces: readonly string[], broken?: Error): ReadableStream {
  const left = [...pieces]
  return new ReadableStream({
    pull(controller) {
      const piece = left.shift()
      if (piece !== undefined) controller.enqueue(Buffer.from(piece))
      else if (broken === undefined) controller.close()
      else controller.error(broken)
    },
  })
}

const kindOf = async (answer: Response) => {
  const { type, status } = (await answer.json()) as { type: string; status: number }
  t.equal(status, answer.status)
  return type.slice('urn:atom-mq:problem:'.length)
}

t.test('a request arrives whole, and the answer leaves whole', async (t) => {
  const { fetch, seen } = start(() => ({ status: 201, headers: { Location: '/b' }, body: 'a h\u00e4t' }))
  const answer = await fetch(
    new Request(`${HOST}:8080/q/a%2Fb?x=1&x=2#part`, {
      method: 'POST',
      headers: { 'Content-Type': 'text/plain', 'Property-Colour': 'blue' },
      body: streamed(['a ', '', 'hat']),
      duplex: 'half',
    }),
  )
  const [request] = seen as [Asked]
  t.same([request.method, request.path, request.headOnly], ['POST', '/q/a%2Fb', false])
  t.same(request.segments, ['q', 'a%2Fb'])
  t.same(request.query.getAll('x'), ['1', '2'])
  t.equal(request.authority, 'localhost:8080')
  t.match(request.headers, { 'content-type': 'text/plain', 'property-colour': 'blue' })
  t.equal(Buffer.from(request.body).toString(), 'a hat')
  t.equal(answer.status, 201)
  t.match(Object.fromEntries(answer.headers), {
    location: '/b',
    'content-length': '6',
    'x-content-type-options': 'nosniff',
    date: / GMT$/,
  })
  t.equal(await answer.text(), 'a h\u00e4t')
  t.notOk(answer.headers.has('content-type'), 'nothing is made up')
})

t.test('answers without a body have none', async (t) => {
  const { fetch, seen } = start(({ path }) => ({
    status: Number(path.slice(1)),
    body: path === '/204' ? '' : 'text',
  }))
  for (const status of [204, 205, 304]) t.equal((await fetch(asked(`/${status}`))).body, null)
  const head = await fetch(asked('/200', { method: 'HEAD' }))
  t.equal(head.body, null)
  t.equal(head.headers.get('content-length'), '4')
  t.ok(seen.at(-1)!.headOnly)
  t.equal(seen.at(-1)!.method, 'GET')
})

t.test('what is no request for this server is refused', async (t) => {
  const { fetch, seen } = start(undefined, {
    basePath: '/mq',
    allowHosts: ['mq.test'],
    limits: { maxTarget: 20, maxHeader: 100, maxBody: 4 },
  })
  for (const [kind, request] of [
    ['misdirected', new Request('http://elsewhere.test/mq/')],
    ['no-such-resource', asked('/other')],
    ['target-too-long', asked(`/mq/${'x'.repeat(20)}`)],
    ['header-too-large', asked('/mq/', { headers: { 'Property-A': 'x'.repeat(100) } })],
    ['body-too-large', new Request(`${HOST}/mq/`, { method: 'POST', body: '12345' })],
    [
      'body-too-large',
      new Request(`${HOST}/mq/`, { method: 'POST', body: '1', headers: { 'Content-Length': '5' } }),
    ],
    ['expectation-failed', asked('/mq/', { headers: { Expect: 'more' } })],
  ] as const) {
    t.equal(await kindOf(await fetch(request)), kind)
  }
  t.equal(seen.length, 0)
  t.equal((await fetch(new Request('http://mq.test/mq', { method: 'POST', body: '1234' }))).status, 200)
})

t.test('what is thrown is a problem, and a defect is told', async (t) => {
  const defects: unknown[] = []
  const defect = new Error('inside')
  const { fetch } = start(
    ({ path }) => {
      if (path === '/defect') throw defect
      return Promise.reject(new Problem('overloaded', 'No room.', {}, { 'Retry-After': '1' }))
    },
    { onDefect: (each: unknown) => defects.push(each) },
  )
  t.equal(await kindOf(await fetch(asked('/defect'))), 'internal-error')
  t.same(defects, [defect])
  const refused = await fetch(asked('/'))
  t.equal(refused.headers.get('retry-after'), '1')
  t.equal(await kindOf(refused), 'overloaded')
})

t.test('who may not is refused before the body is read', async (t) => {
  const { fetch, seen } = start(undefined, {
    admit() {
      throw new Problem('forbidden', 'Not you.')
    },
  })
  let read = 0
  const body = new ReadableStream({ pull: () => void read++ }, { highWaterMark: 0 })
  t.equal(await kindOf(await fetch(posted(body))), 'forbidden')
  t.equal(read, 0)
  t.equal(seen.length, 1, 'who looks on sees it')
})

t.test('a body may come in very many pieces, and no more of it is taken than may be', async (t) => {
  const { fetch, seen } = start(undefined, { limits: { maxBody: 5000 } })
  const pieces = Array.from({ length: 5000 }, (_, n) => ['', String(n % 10)]).flat()
  t.equal((await fetch(posted(streamed(pieces)))).status, 200)
  t.equal(Buffer.from(seen[0]!.body).toString(), pieces.join(''))
  t.equal(await kindOf(await fetch(posted(streamed([...pieces, '', 'x'])))), 'body-too-large')
  t.equal(seen.length, 1)
})

t.test('a body that breaks off is no request', async (t) => {
  const { fetch, seen } = start()
  const broken = new Error('the client is gone')
  await t.rejects(fetch(posted(streamed(['a'], broken))), broken)
  t.equal(seen.length, 0)
})

t.test('who goes away before, within the body, or while it waits has no answer', async (t) => {
  let gone = 0
  let wake = (_: Reply) => {}
  const { fetch, seen } = start(
    (request) =>
      new Promise((resolve) => {
        wake = resolve
        request.whenGone(() => gone++)
      }),
  )
  const left = new Error('left')
  await t.rejects(fetch(asked('/', { signal: AbortSignal.abort(left) })), left)
  const within = new AbortController()
  const cut = fetch(posted(new ReadableStream(), { signal: within.signal }))
  within.abort(left)
  await t.rejects(cut, left)
  t.equal(seen.length, 0)
  const waiting = new AbortController()
  const answer = fetch(asked('/', { signal: waiting.signal }))
  while (seen.length === 0) await sleep(1)
  waiting.abort(left)
  await t.rejects(answer, left)
  t.equal(gone, 1)
  wake({ status: 200 })
  seen[0]!.whenGone(() => gone++)
  await sleep(1)
  t.equal(gone, 2, 'who asks later is told at once')
})

t.test('a fault breaks the connection', async (t) => {
  const { fetch } = start(({ path }) => ({
    status: path === '/none' ? 204 : 200,
    body: path === '/empty' ? '' : '12345678',
    cut: path === '/reset' ? 'reset' : 'truncate',
  }))
  await t.rejects(fetch(asked('/reset')), TypeError)
  await t.rejects(fetch(asked('/none')), TypeError)
  await t.rejects(fetch(asked('/', { method: 'HEAD' })), TypeError)
  const half = await fetch(asked('/half'))
  t.equal(half.headers.get('content-length'), '8')
  const reader = half.body!.getReader()
  t.equal(Buffer.from((await reader.read()).value!).toString(), '1234')
  await t.rejects(reader.read(), TypeError)
  const empty = await fetch(asked('/empty'))
  t.equal(empty.headers.get('content-length'), '1', 'something is missing')
  await t.rejects(empty.text(), TypeError)
})

t.test('an answer that goes on', async (t) => {
  const outlets: Outlet[] = []
  let stopped = 0
  const { fetch } = start(() => ({
    status: 200,
    stream(out) {
      outlets.push(out)
      out.write('begun ')
      return () => stopped++
    },
  }))
  const left = new Error('left')

  t.test('until the server ends it', async (t) => {
    const answer = await fetch(asked('/'))
    const out = outlets.pop()!
    await new Promise<void>((resolve) => out.write(Buffer.from('sent'), resolve))
    out.end()
    out.end()
    out.write('late')
    t.equal(await answer.text(), 'begun sent')
    t.equal(stopped, 1)
  })

  t.test('until the client reads no more', async (t) => {
    const answer = await fetch(asked('/'))
    await answer.body!.cancel()
    t.equal(stopped, 2)
    outlets.pop()!.write('late')
  })

  t.test('until the client goes away', async (t) => {
    const client = new AbortController()
    const answer = await fetch(asked('/', { signal: client.signal }))
    client.abort(left)
    await t.rejects(answer.text(), left)
    t.equal(stopped, 3)
  })

  t.test('until the client is too far behind', async (t) => {
    const answer = await fetch(asked('/'))
    const out = outlets.pop()!
    let sent = 0
    for (let pieces = 0; pieces < 20; pieces++) out.write('x'.repeat(100_000), () => sent++)
    await t.rejects(answer.text(), TypeError)
    t.equal(sent, 0)
    t.equal(stopped, 4)
  })

  t.test('but not for HEAD', async (t) => {
    outlets.length = 0
    t.equal((await fetch(asked('/', { method: 'HEAD' }))).body, null)
    t.equal(outlets.length, 0)
  })
})

t.test('pages of other sites', async (t) => {
  const origin = 'http://page.test'
  const { fetch, seen } = start(undefined, { cors: createCors(new Set([origin])) })
  const headers = { Origin: origin, 'Access-Control-Request-Method': 'POST' }
  const preflight = await fetch(asked('/', { method: 'OPTIONS', headers }))
  t.equal(preflight.status, 204)
  t.equal(preflight.headers.get('access-control-allow-origin'), origin)
  t.equal(seen.length, 0)
  const answer = await fetch(asked('/', { headers: { Origin: origin } }))
  t.equal(answer.headers.get('access-control-allow-origin'), origin)
})

t.test('only so many wait at once, and nobody when it is closed', async (t) => {
  const wakes: (() => void)[] = []
  const { fetch, close } = start(() => new Promise((resolve) => wakes.push(() => resolve({ status: 200 }))), {
    limits: { maxRequests: 2 },
  })
  const waiting = [fetch(asked('/')), fetch(asked('/'))]
  t.equal(await kindOf(await fetch(asked('/'))), 'too-many-requests')
  for (const wake of wakes) wake()
  for (const answer of await Promise.all(waiting)) t.equal(answer.status, 200)
  close()
  t.equal(await kindOf(await fetch(asked('/'))), 'shutting-down')
})
