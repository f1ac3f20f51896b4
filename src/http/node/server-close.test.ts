import t, { type Test } from 'tap'
import type { Reply } from '../exchange.js'
import { RawClient, request } from './raw-client.test.helper.js'
import { createHttpServer, type HttpServerOptions } from './server.js'

async function start(t: Test, options: HttpServerOptions) {
  const server = createHttpServer(options)
  const { port } = await server.listen()
  t.teardown(() => server.close())
  return { server, port }
}

t.test('closing wakes parked waits, which are answered', async (t) => {
  const parked: ((reply: Reply) => void)[] = []
  let wakes = 0
  const { server, port } = await start(t, {
    handle: () => new Promise((resolve) => parked.push(resolve)),
    limits: { closeTimeout: 60_000 },
    onClosing() {
      wakes++
      for (const answer of parked) answer({ status: 200, body: 'woken' })
    },
  })
  const clients = await Promise.all([1, 2, 3].map(() => RawClient.open(port)))
  for (const client of clients) client.say(request('GET /'))
  while (parked.length < 3) await new Promise((resolve) => setImmediate(resolve))
  const closed = server.close()
  t.equal(server.close(), closed, 'closing again is the same closing')
  await closed
  t.equal(wakes, 1)
  for (const client of clients) {
    const answer = await client.untilClosed()
    t.match(answer, /Connection: close.*woken$/s)
  }
})

t.test('closing ends idle connections at once, also those that never spoke', async (t) => {
  const { server, port } = await start(t, {
    handle: () => ({ status: 200 }),
    limits: { closeTimeout: 60_000 },
  })
  const silent = await RawClient.open(port)
  const begun = await RawClient.open(port)
  begun.say('GET / HTTP/1.1\r\n')
  const idle = await RawClient.open(port)
  idle.say(request('GET /'))
  await idle.until(/\r\n\r\n/)
  await server.close()
  await Promise.all([silent, begun, idle].map((client) => client.untilClosed()))
  t.equal(silent.received + begun.received, '')
})

t.test('closing cuts off what takes too long', async (t) => {
  let asked = false
  const { server, port } = await start(t, {
    handle: () => {
      asked = true
      return new Promise(() => {})
    },
    limits: { closeTimeout: 20 },
  })
  const client = await RawClient.open(port)
  client.say(request('GET /'))
  while (!asked) await new Promise((resolve) => setImmediate(resolve))
  const slow = await RawClient.open(port)
  slow.say(request('POST /', ['Content-Length: 5']))
  await server.close()
  await client.untilClosed()
  await slow.untilClosed()
  t.equal(client.received + slow.received, '')
})

t.test('a server that never listened closes too', async () => {
  await createHttpServer({ handle: () => ({ status: 200 }) }).close()
})
