import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import t from 'tap'
import { skipIdleTime } from '../virtual-time.test.helper.js'
import { brokenOff, rawHead, rawRequest, speaksHttp11, UNANSWERED } from './raw-request.js'

skipIdleTime()

async function listen(t: Tap, answer: (socket: Socket, got: string) => void): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', (bytes) => answer(socket, bytes.toString('latin1')))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mq`
}

const statusOf = async (url: string, bytes: string) => (await rawRequest(url, bytes, UNANSWERED))?.status

type Tap = { teardown(handler: () => void): void }

t.test('the status of the first answer is given, and the bytes are sent as they are', async (t) => {
  let sent = ''
  const url = await listen(t, (socket, got) => {
    sent = got
    socket.write('HTTP/1.1 400 Bad')
    socket.write(' Request\r\nContent-Length: 0\r\n\r\n')
  })
  t.equal(await statusOf(url, 'no HTTP\u0000\r\n\r\n'), 400)
  t.equal(sent, 'no HTTP\u0000\r\n\r\n')
})

t.test('a closed connection gives no status, and one that cannot be had nothing at all', async (t) => {
  const url = await listen(t, (socket) => socket.destroy())
  t.equal(await statusOf(url, 'x'), 0)
  t.equal(await brokenOff(url, Buffer.from('x')), true)
  for (const nowhere of ['http://127.0.0.1:1/', 'https://127.0.0.1:1/']) {
    t.equal(await statusOf(nowhere, 'x'), undefined)
    t.equal(await brokenOff(nowhere, Buffer.from('x')), undefined)
    t.equal(await speaksHttp11(nowhere, {}, UNANSWERED), undefined)
  }
})

t.test('what is no HTTP gives no status, and what has no end is cut', async (t) => {
  const url = await listen(t, (socket) => socket.end('220 mail.test ESMTP\r\n\r\n'))
  t.equal(await statusOf(url, 'x'), 0)
  const endless = await listen(t, (socket) => socket.write(`HTTP/1.1 200 OK\r\nX: ${'y'.repeat(100_000)}`))
  t.equal(await statusOf(endless, 'x'), 200)
})

t.test('whoever answers late is given the time of the request, and then told apart', async (t) => {
  const slow = await listen(t, (socket) => {
    setTimeout(() => socket.end('HTTP/1.1 200 OK\r\n\r\n'), 4000)
  })
  t.strictSame(await rawRequest(slow, 'x', 5000), { status: 200, version: '1.1', error: undefined })
  const bytes = Buffer.from('x')
  t.match(await rawRequest(slow, bytes, 5000, { later: bytes, wait: 150 }), { status: 200 })
  t.match(await rawRequest(slow, 'x', 3000), { status: 0, error: 'no answer within 3000 ms' })
  const away = await listen(t, (socket) => socket.destroy())
  t.match(await rawRequest(away, 'x', 3000), { status: 0, error: /^the connection was closed before/ })
})

t.test('a server that says nothing is not waited for for ever', async (t) => {
  const url = await listen(t, () => {})
  const start = performance.now()
  t.equal(await statusOf(url, 'x'), 0)
  t.ok(performance.now() - start < 5000)
})

t.test('a head lacks only the empty line at its end', (t) => {
  const head = rawHead('POST', 'http://[::1]:8080/mq/a?b', { Connection: 'Upgrade', 'X-Kit': '1' })
  const user = 'User-Agent: atom-mq-conformance\r\n'
  t.equal(head, `POST /mq/a?b HTTP/1.1\r\nHost: [::1]:8080\r\n${user}Connection: Upgrade\r\nX-Kit: 1\r\n`)
  t.end()
})
