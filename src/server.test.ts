import t from 'tap'
import { createBroker } from './broker/broker.js'
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
