import t, { type Test } from 'tap'
import type { Outlet, Reply } from '../exchange.js'
import { RawClient, request } from './raw-client.test.helper.js'
import { createHttpServer } from './server.js'

/** A server whose one answer is a stream that the test writes. */
async function serve(t: Test) {
  const open: Outlet[] = []
  let stops = 0
  let opened = () => {}
  const server = createHttpServer({
    handle: ({ path }): Reply => {
      if (path === '/plain') return { status: 200, body: 'plain' }
      return {
        status: 200,
        headers: { 'Content-Type': 'text/event-stream' },
        stream: (out) => {
          open.push(out)
          opened()
          return () => {
            stops++
            stopped()
          }
        },
      }
    },
    // Whatever ends, ends by itself, or the test does not.
    limits: { closeTimeout: 3_600_000 },
    onClosing: () => {
      for (const out of open) out.end()
    },
  })
  let stopped = () => {}
  const { port } = await server.listen()
  t.teardown(() => server.close())
  return {
    port,
    server,
    open,
    opening: () =>
      new Promise<void>((resolve) => {
        opened = resolve
      }),
    stopping: () =>
      new Promise<void>((resolve) => {
        stopped = resolve
      }),
    stops: () => stops,
  }
}

t.test('pieces arrive as they are written, until the server ends it', async (t) => {
  const { port, open, stops } = await serve(t)
  const client = await RawClient.open(port)
  client.say(request('GET /'))
  const head = await client.until(/\r\n\r\n/)
  t.match(head, /Content-Type: text\/event-stream/)
  t.notMatch(head, /Content-Length/)
  open[0]?.write('one')
  await client.until(/one/)
  open[0]?.write('two')
  await client.until(/two/)
  open[0]?.end()
  t.match(await client.untilClosed(), /\r\n0\r\n\r\n$/)
  open[0]?.write('late')
  open[0]?.end()
  t.equal(stops(), 1)
})

t.test('HEAD gets the head alone', async (t) => {
  const { port, open } = await serve(t)
  const text = await RawClient.exchange(port, request('HEAD /'))
  t.match(text, /^HTTP\/1.1 200 OK\r\n/)
  t.ok(text.endsWith('\r\n\r\n'))
  t.equal(open.length, 0)
})

t.test('a client that goes away ends it; writing on is harmless', async (t) => {
  const { port, open, stops, stopping } = await serve(t)
  const client = await RawClient.open(port)
  client.say(request('GET /'))
  await client.until(/\r\n\r\n/)
  const stop = stopping()
  client.socket.destroy()
  await stop
  open[0]?.write('to nobody')
  open[0]?.end()
  t.equal(stops(), 1)
})

t.test('one behind another answer on its connection is told when the connection ends', async (t) => {
  const { port, opening, stopping, stops } = await serve(t)
  const client = await RawClient.open(port)
  client.say(request('GET /'))
  await client.until(/\r\n\r\n/)
  const second = opening()
  client.say(request('GET /behind'))
  await second
  const stop = stopping()
  client.socket.destroy()
  await stop
  await new Promise((resolve) => setImmediate(resolve))
  t.equal(stops(), 2)
})

t.test('a client that does not read is cut off before it costs memory', async (t) => {
  const { port, open, opening, stopping } = await serve(t)
  const opened = opening()
  const client = await RawClient.open(port)
  client.socket.pause()
  client.say(request('GET /'))
  await opened
  const stop = stopping()
  const piece = 'x'.repeat(256 * 1024)
  for (let written = 0; written < 400; written++) open[0]?.write(piece)
  await stop
  t.pass('it was stopped, and what was to be written after that is dropped')
  client.socket.destroy()
})

t.test('the server closes at once over open streams', async (t) => {
  const { port, server } = await serve(t)
  const client = await RawClient.open(port)
  client.say(request('GET /'))
  await client.until(/\r\n\r\n/)
  await server.close()
  await client.untilClosed()
})
