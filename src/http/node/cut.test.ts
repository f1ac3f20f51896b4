import t, { type Test } from 'tap'
import type { Reply } from '../exchange.js'
import { RawClient, request } from './raw-client.test.helper.js'
import { createHttpServer } from './server.js'

async function serve(t: Test, handle: (path: string) => Reply) {
  const server = createHttpServer({ handle: ({ path }) => handle(path) })
  const { port } = await server.listen()
  t.teardown(() => server.close())
  return port
}

t.test('a reset answer: the connection is reset and not a byte arrives', async (t) => {
  const client = await RawClient.open(await serve(t, () => ({ status: 200, body: 'x', cut: 'reset' })))
  client.say(request('GET /'))
  t.equal(await client.untilClosed(), '')
  t.equal((client.error as NodeJS.ErrnoException).code, 'ECONNRESET')
})

t.test('a truncated answer: the head announces all of it, half of it comes', async (t) => {
  const reply = { status: 200, headers: { 'Content-Type': 'text/plain' }, body: '0123456789' }
  const client = await RawClient.open(await serve(t, () => ({ ...reply, cut: 'truncate' })))
  client.say(request('GET /'))
  const [head, body] = (await client.untilClosed()).split('\r\n\r\n')
  t.match(head, /^HTTP\/1.1 200 OK\r\n/)
  t.match(head, /Content-Length: 10\b/)
  t.match(head, /Content-Type: text\/plain/)
  t.equal(body, '01234')
  t.notOk(client.error, 'it ends, and is not reset')
})

t.test('of a large answer too only half arrives', async (t) => {
  const body = Buffer.alloc(3_000_001, 'a')
  const client = await RawClient.open(await serve(t, () => ({ status: 200, body, cut: 'truncate' })))
  client.say(request('GET /'))
  const text = await client.untilClosed()
  t.equal(text.length - text.indexOf('\r\n\r\n') - 4, 1_500_000)
})

t.test('an empty or tiny body announces a byte that does not come', async (t) => {
  for (const body of ['', 'x']) {
    const port = await serve(t, () => ({ status: 200, body, cut: 'truncate' }))
    const text = await RawClient.exchange(port, request('DELETE /'))
    t.match(text, /Content-Length: 1\r\n/)
    t.ok(text.endsWith('\r\n\r\n'))
  }
})

t.test('an answer that never has a body is reset', async (t) => {
  for (const [method, status] of [
    ['GET', 204],
    ['GET', 304],
    ['HEAD', 200],
  ] as const) {
    const client = await RawClient.open(await serve(t, () => ({ status, cut: 'truncate' })))
    client.say(request(`${method} /`))
    t.equal(await client.untilClosed(), '', `${method} ${status}`)
  }
})

t.test('a truncated answer waits for its turn behind others on its connection', async (t) => {
  let answerFirst = () => {}
  let bothAsked = () => {}
  const asked = new Promise<void>((resolve) => {
    bothAsked = resolve
  })
  const server = createHttpServer({
    handle: ({ path }) => {
      if (path !== '/slow') {
        bothAsked()
        return { status: 200, body: 'short', cut: 'truncate' }
      }
      return new Promise<Reply>((resolve) => {
        answerFirst = () => resolve({ status: 200, body: 'whole' })
      })
    },
  })
  const { port } = await server.listen()
  t.teardown(() => server.close())
  const client = await RawClient.open(port)
  client.say(request('GET /slow') + request('GET /cut'))
  await asked
  answerFirst()
  const text = await client.untilClosed()
  t.match(text, /\r\n\r\nwholeHTTP\/1.1 200 OK/)
  t.ok(text.endsWith('\r\n\r\nsh'))
})
