import t from 'tap'
import type { Handler, Request } from './exchange.js'
import { Problem } from './problems.js'
import { createRouter } from './router.js'

const says =
  (what: string): Handler =>
  ({ method }, ...params) => ({ status: 200, body: JSON.stringify([what, method, params]) })

const router = createRouter([
  { pattern: '/', methods: { GET: says('root') } },
  { pattern: '/queues', methods: { GET: says('queues'), POST: says('create') } },
  { pattern: '/queues/**', methods: { GET: says('queue'), DELETE: says('delete') } },
  { pattern: '/message/:consumer/:message', methods: { GET: says('message') } },
  { pattern: '/ack/:consumer', methods: { POST: says('ack') } },
  { pattern: '/:consumer/messages/:message', methods: { DELETE: says('settle') } },
])

function request(method: string, path: string): Request {
  return {
    method,
    path,
    segments: path.slice(1).split('/'),
    query: new URLSearchParams(),
    headers: {},
    body: Buffer.alloc(0),
    whenGone: () => () => {},
  }
}

async function ask(method: string, path: string) {
  const reply = await router.handle(request(method, path))
  return typeof reply.body === 'string' ? JSON.parse(reply.body) : reply
}

t.test('paths find their rows and params', async (t) => {
  const cases: [method: string, path: string, what: string, params: string[]][] = [
    ['GET', '/', 'root', []],
    ['GET', '/queues', 'queues', []],
    ['POST', '/queues', 'create', []],
    ['GET', '/queues/', 'queue', ['']],
    ['GET', '/queues/a%2Fb/c/', 'queue', ['a%2Fb/c/']],
    ['DELETE', '/queues//', 'delete', ['/']],
    ['GET', '/%71ueues/a', 'queue', ['a']],
    ['GET', '/message/a%20b/%C3%A9', 'message', ['a b', 'é']],
    ['DELETE', '/me/messages/1', 'settle', ['me', '1']],
    ['DELETE', '/%/messages', 'none', []],
  ]
  for (const [method, path, what, params] of cases) {
    if (what === 'none')
      t.throws(() => router.handle(request(method, path)), { message: /\.$/, kind: 'no-such-resource' }, path)
    else t.same(await ask(method, path), [what, method, params], path)
  }
})

t.test('what fits no row is nowhere', async (t) => {
  for (const path of [
    '/x',
    '/queue',
    '/ack',
    '/ack/',
    '/ack/a/b',
    '/ack/messages/1',
    '/message/a/',
    '//messages/1',
  ]) {
    t.throws(() => router.handle(request('GET', path)), { message: /\.$/, kind: 'no-such-resource' }, path)
  }
})

t.test('a param is percent-encoded UTF-8', async (t) => {
  for (const path of ['/ack/%', '/ack/%C3', '/ack/%ED%A0%80', '/%ff/messages/1']) {
    const method = path.startsWith('/ack') ? 'POST' : 'DELETE'
    t.throws(
      () => router.handle(request(method, path)),
      { message: /\.$/, kind: 'bad-percent-encoding' },
      path,
    )
  }
})

t.test('OPTIONS lists what is allowed, and so does a refusal', async (t) => {
  const allow = async (path: string) => {
    const { status, headers } = await ask('OPTIONS', path)
    t.equal(status, 204)
    return headers.Allow
  }
  t.equal(await allow('/queues'), 'GET, HEAD, POST, OPTIONS')
  t.equal(await allow('/ack/me'), 'POST, OPTIONS')
  t.equal(await allow('*'), 'GET, HEAD, POST, DELETE, OPTIONS')
  t.throws(() => router.handle(request('DELETE', '/queues')), {
    message: /\.$/,
    kind: 'method-not-allowed',
    headers: { Allow: 'GET, HEAD, POST, OPTIONS' },
  })
  t.throws(() => router.handle(request('OPTIONS', '/x')), { message: /\.$/, kind: 'no-such-resource' })
})

t.test('a method that no row has is not implemented anywhere', async (t) => {
  for (const [method, path] of [
    ['REPORT', '/queues'],
    ['LOCK', '/x'],
    ['constructor', '/queues'],
  ] as const) {
    t.throws(() => router.handle(request(method, path)), {
      message: /\.$/,
      kind: 'not-implemented',
      headers: { Allow: 'GET, HEAD, POST, DELETE, OPTIONS' },
    })
  }
  t.throws(() => createRouter([]).handle(request('GET', '/')), Problem)
  t.throws(() => router.handle(request('TRACE', '/nowhere')), {
    message: /^There is nothing/,
    kind: 'no-such-resource',
  })
  for (const method of ['PUT', 'PATCH', 'TRACE']) {
    t.throws(() => router.handle(request(method, '/queues')), {
      message: /^[A-Z]+ is not allowed here; allowed are GET, HEAD, /,
      kind: 'method-not-allowed',
    })
  }
})
