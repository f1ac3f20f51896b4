import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import t from 'tap'
import { HttpClient } from './http-client.js'
import { Pace } from './pace.js'
import { Sockets } from './sockets.js'

t.test('a request is cut where it is to be, whether it has a body or not', async (t) => {
  let got = ''
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', (data) => {
      got += data
    })
  }).listen(0, '127.0.0.1')
  t.teardown(() => server.close())
  await once(server, 'listening')
  const client = new HttpClient(new Sockets(), new Pace(null))
  t.teardown(() => client.close())
  const bodyAfter = async (cut: 'head' | 'body' | 'sent', body: string) => {
    got = ''
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    const { status, error } = await client.send({
      ...{ method: 'DELETE', url, headers: {}, body: Buffer.from(body), timeout: 2000, cut },
    })
    t.same({ status, isCut: error?.startsWith('the client') }, { status: 0, isCut: true })
    const [head = '', sent = ''] = got.split('\r\n\r\n')
    return `${/content-length: \d+/i.exec(head)?.[0].toLowerCase() ?? 'no length'}, ${sent.length} came`
  }
  t.equal(await bodyAfter('head', 'four'), 'content-length: 4, 0 came')
  t.equal(await bodyAfter('body', 'four'), 'content-length: 4, 2 came')
  t.equal(await bodyAfter('sent', 'four'), 'content-length: 4, 4 came')
  t.equal(await bodyAfter('head', ''), 'content-length: 2, 0 came')
  t.equal(await bodyAfter('body', ''), 'content-length: 2, 1 came')
  t.equal(await bodyAfter('sent', ''), 'no length, 0 came')
})

t.test('who is cut within a request goes on when the server has seen it', async (t) => {
  const seen: string[] = []
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => {})
    socket.resume()
    // A busy server gets to it late.
    socket.on('end', () => setTimeout(() => socket.end(() => seen.push('server')), 100))
  }).listen(0, '127.0.0.1')
  t.teardown(() => server.close())
  await once(server, 'listening')
  const client = new HttpClient(new Sockets(), new Pace(null))
  t.teardown(() => client.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  await client.send({
    ...{ method: 'POST', url, headers: {}, body: Buffer.from('four'), timeout: 2000, cut: 'body' },
  })
  seen.push('client')
  t.same(seen, ['server', 'client'])
})
