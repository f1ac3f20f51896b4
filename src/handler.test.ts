import t from 'tap'
import { createHandler } from './handler.js'

const ask = (path: string, init: RequestInit = {}) => new Request(`http://localhost${path}`, init)

t.test('a message goes its whole way without a socket', async (t) => {
  const { fetch, send: give, close } = createHandler()
  const made = await fetch(ask('/queues', { method: 'POST', body: 'orders' }))
  t.equal(made.status, 201)
  const body = new URLSearchParams({ destination: 'orders', prefetch: '10', timeout: '30' })
  const lease = await fetch(ask('/subscriptions', { method: 'POST', body }))
  t.equal(lease.status, 201)
  const send = () => fetch(ask('/queues/orders?guid=1', { method: 'POST', body: 'a hat' }))
  t.equal((await send()).status, 200)
  t.equal((await send()).headers.get('idempotent-replayed'), 'true')
  const feed = await (await fetch(ask(lease.headers.get('location')!))).text()
  t.match(feed, 'a hat')
  const edit = /rel="edit"[^>]* href="([^"]+)"/.exec(feed)![1]!
  t.equal((await fetch(ask(edit, { method: 'DELETE' }))).status, 200)
  close()
  t.equal((await fetch(ask('/queues'))).status, 503)
  await t.rejects(give('orders', 'a hat'), { message: /^The server is shutting down; / })
})

t.test('a wait ends with a message, with its time, or with its client', async (t) => {
  const { fetch, clock, broker, close } = createHandler({ clock: 'manual', queues: ['a'] })
  const wait = (signal?: AbortSignal) =>
    fetch(ask('/queue/a', { headers: { Prefer: 'wait=20' }, ...(signal && { signal }) }))
  const first = wait()
  await new Promise((resolve) => setImmediate(resolve))
  await fetch(ask('/queue/a', { method: 'POST', body: 'a hat' }))
  t.equal(await (await first).text(), 'a hat')
  const second = wait()
  await new Promise((resolve) => setImmediate(resolve))
  await clock.advance(20_000)
  t.equal((await second).status, 204)
  const client = new AbortController()
  const third = wait(client.signal)
  await new Promise((resolve) => setImmediate(resolve))
  client.abort()
  await t.rejects(third, { name: 'AbortError' })
  await fetch(ask('/queue/a', { method: 'POST', body: 'another' }))
  t.equal(broker.queue('a').pending, 1, 'who is gone takes nothing')
  const fourth = wait()
  t.equal(await (await fourth).text(), 'another')
  const last = wait()
  await new Promise((resolve) => setImmediate(resolve))
  close()
  t.equal((await last).status, 204)
})

t.test('the extras are there: faults, journal, control, page', async (t) => {
  const { fetch, faults, journal, messages, close } = createHandler({ control: true, queues: ['a'] })
  faults.add({ fault: 'reset-after-commit', method: 'POST', times: 1 })
  const send = () => fetch(ask('/queues/a?guid=1', { method: 'POST', body: 'a hat' }))
  await t.rejects(send(), TypeError)
  t.equal((await send()).status, 200)
  messages.expect({ guid: '1' }, 1)
  t.match(
    journal.entries().map(({ response }) => response?.status),
    [200, 200],
  )
  t.equal((await fetch(ask('/_health'))).status, 200)
  t.match(await (await fetch(ask('/_control/'))).text(), /<title>/)
  const events = (await fetch(ask('/_control/journal/stream?after=1'))).body!.getReader()
  t.match(Buffer.from((await events.read()).value!).toString(), /what happens/)
  close()
  await events.cancel()
})

t.test('credentials are asked for', async (t) => {
  const hash = Buffer.from('9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08', 'hex')
  const { fetch } = createHandler({
    principals: [{ principal: { name: 'shop', roles: new Set(['produce']) }, hash }],
  })
  t.equal((await fetch(ask('/queues'))).status, 401)
  for (const authorization of ['Bearer test', `Basic ${btoa('shop:test')}`]) {
    t.equal((await fetch(ask('/queues', { headers: { authorization } }))).status, 200)
  }
  const broken = await fetch(ask('/queues', { headers: { authorization: 'Basic !' } }))
  t.equal(broken.status, 401)
})

t.test('what cannot be meant is refused by name', async (t) => {
  t.throws(() => createHandler({ port: 1 } as object), { message: /^There is no member "port"/ })
  t.throws(() => createHandler({ queues: ['a//b'] }), { name: 'Refusal' })
  t.throws(() => createHandler({ basePath: 'x' }), { message: /not a path/ })
})
