import t from 'tap'
import { createBroker } from './broker/broker.js'
import { DEFAULT_EDGE_LIMITS } from './http/limits.js'
import { startServer } from './server.js'

t.test('several in one process, each with its own state', async (t) => {
  const [one, two] = await Promise.all([startServer({ queues: ['a'] }), startServer()])
  t.teardown(() => Promise.all([one.stop(), two.stop()]))
  t.not(one.port, two.port)
  t.equal(one.url, `http://127.0.0.1:${one.port}`)
  t.equal((await fetch(`${one.url}/queues/a`)).status, 200)
  t.equal((await fetch(`${two.url}/queues/a`)).status, 404)
})

t.test('below a base path, with links below it', async (t) => {
  const server = await startServer({ basePath: '/deep/mq', queues: ['a'] })
  t.teardown(() => server.stop())
  t.equal(server.url, `http://127.0.0.1:${server.port}/deep/mq`)
  const made = await fetch(`${server.url}/queues/a`, { method: 'POST' })
  t.match(made.headers.get('Location'), /^\/deep\/mq\/addresses\//)
  t.equal((await fetch(`http://127.0.0.1:${server.port}/queues/a`)).status, 404)
})

t.test('behind a proxy: links are absolute, and the host of the public URL is answered', async (t) => {
  const server = await startServer({ publicUrl: 'https://mq.example.org/x/', queues: ['a'] })
  t.teardown(() => server.stop())
  t.equal(server.url, `http://127.0.0.1:${server.port}`, 'the URL is still where it listens')
  const made = await fetch(`${server.url}/queues/a`, { method: 'POST' })
  t.match(made.headers.get('Location'), /^https:\/\/mq\.example\.org\/x\/addresses\//)
  t.equal(await statusFor(server.port, 'mq.example.org'), 200)
  t.equal(await statusFor(server.port, 'evil.example.org'), 421)
})

t.test('on IPv6', async (t) => {
  const server = await startServer({ host: '::1', queues: ['a'] })
  t.teardown(() => server.stop())
  t.equal(server.url, `http://[::1]:${server.port}`)
  t.equal((await fetch(`${server.url}/queues/a`)).status, 200)
})

t.test('limits reach the broker and the edge', async (t) => {
  const server = await startServer({ limits: { maxBody: 10, maxPrefetch: 3 }, autoCreate: true })
  t.teardown(() => server.stop())
  const post = (path: string, body: string, type: string) =>
    fetch(`${server.url}${path}`, { method: 'POST', body, headers: { 'Content-Type': type } })
  t.equal((await post('/queues/a?guid=1', 'x'.repeat(11), 'text/plain')).status, 413)
  t.equal((await post('/queues/a?guid=1', 'x'.repeat(10), 'text/plain')).status, 200)
  t.throws(() => server.broker.subscribe({ destinations: ['a'], prefetch: 4 }), {
    kind: 'bad-parameter',
  } as never)
})

t.test('a broker of the caller’s', async (t) => {
  const broker = createBroker()
  const server = await startServer({ broker, queues: ['a'] })
  t.equal(server.broker, broker)
  t.equal(broker.queue('a').pending, 0)
  await server.stop()
  t.ok(broker.closed)
  await server.stop()
})

t.test('what cannot be started leaves nothing open', async (t) => {
  await t.rejects(startServer({ queues: ['a//b'] }), { name: 'Refusal' })
  const first = await startServer()
  t.teardown(() => first.stop())
  await t.rejects(startServer({ port: first.port }), { code: 'EADDRINUSE' })
})

t.test('what cannot be meant is refused by name', async (t) => {
  const cases: [options: unknown, message: RegExp][] = [
    [null, /^What is given must be an object/],
    [{ seeds: {} }, /^There is no member "seeds"; what can be given is port, host/],
    [{ port: '0' }, /^port must be a whole number from 0 to 65535/],
    [{ port: 65_536 }, /^port must be a whole number/],
    [{ host: '' }, /^host must be the name or the number of an address, such as 127\.0\.0\.1/],
    [{ host: null }, /^host must be a text/],
    [{ basePath: 5 }, /^basePath must be a text/],
    [{ publicUrl: new URL('http://a/') }, /^publicUrl must be a text/],
    [{ allowHosts: 'a' }, /^allowHosts must be a list/],
    [{ principals: [null] }, /^principals\[0\] must be a credential, as parsePrincipals makes it/],
    [{ principals: [{ name: 'a', tokenSha256: '0'.repeat(64), roles: [] }] }, /^principals\[0\] must be/],
    [{ queues: 'orders' }, /^queues must be a list/],
    [{ queues: ['a', 5] }, /^queues\[1\] must be a text/],
    [{ limits: { maxBdy: 1 } }, /^There is no member "limits\.maxBdy"; limits can have/],
    [{ limits: { maxBody: -1 } }, /^limits\.maxBody must be a number, 0 or more/],
    [{ limits: { maxBody: Number.NaN } }, /^limits\.maxBody must be a number/],
    [{ limits: { maxBody: '1' } }, /^limits\.maxBody must be a number/],
    [{ limits: { closeTimeout: 2 ** 31 } }, /^limits\.closeTimeout must be 0 to 2147483647 milliseconds/],
    [{ limits: { keepAliveTimeout: Infinity } }, /^limits\.keepAliveTimeout must be 0 to 2147483647/],
    [{ limits: { maxTimeout: 1e300 } }, /^limits\.maxTimeout must be 0 to 31536000000 milliseconds/],
    [
      { broker: createBroker({ limits: { defaultTimeout: 1e300 } }) },
      /^broker\.limits\.defaultTimeout must be 0 to 31536000000/,
    ],
    [{ principals: {} }, /^principals must be a list/],
    [{ autoCreate: 'no' }, /^autoCreate must be true or false/],
    [{ broker: {} }, /^broker must be a broker, as createBroker makes it/],
    [{ broker: 'b' }, /^broker must be/],
    [{ control: 1 }, /^control must be true or false/],
    [{ clock: 'manuel' }, /^clock must be "system", "manual" or a clock/],
    [{ clock: null }, /^clock must be/],
    [{ clock: { now: () => 0 } }, /^clock must be/],
    [{ clock: { at: () => 0 } }, /^clock must be/],
    [{ journal: 'on' }, /^journal must be true, false or an object/],
    [{ journal: null }, /^journal must be/],
    [
      { journal: { entrys: 1 } },
      /^There is no member "journal\.entrys"; journal can have entries, bytes, body/,
    ],
    [{ journal: { entries: -1 } }, /^journal\.entries must be a whole number/],
    [{ seed: null }, /^seed must be an object/],
    [{ seed: 'queues.json' }, /^seed must be an object/],
  ]
  for (const [options, message] of cases) {
    await t.rejects(startServer(options as never), { name: 'Problem', message }, JSON.stringify(options))
  }
  const mq = await startServer({
    port: undefined,
    host: undefined,
    clock: undefined,
    journal: { entries: undefined, bytes: 2000 },
    limits: { maxBody: undefined },
    autoCreate: true,
  } as never)
  t.teardown(() => mq.stop())
  const body = 'x'.repeat(DEFAULT_EDGE_LIMITS.maxBody + 1)
  const { status } = await fetch(`${mq.url}/queues/a?guid=1`, { method: 'POST', body })
  t.equal(status, 413, 'what is undefined is the default')
})

/** Fetch does not let its caller choose the Host. */
async function statusFor(port: number, host: string): Promise<number> {
  const { request } = await import('node:http')
  return new Promise((resolve, reject) => {
    request({ port, host: '127.0.0.1', path: '/queues', headers: { Host: host } }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
      .once('error', reject)
      .end()
  })
}
