import t from 'tap'
import { skipIdleTime } from '../../virtual-time.test.helper.js'
import { HttpClient } from '../http-client.js'
import { HttpTarget } from '../http-target.js'
import { parseProfile } from '../parse-profile.js'
import { serve } from '../serve.test.helper.js'
import { Sockets } from '../sockets.js'

skipIdleTime()

/** A server whose queue is there 200 ms after it was made, and what a target of so many seconds to settle sees there. */
async function lagging(settleSeconds: number) {
  let since = Number.POSITIVE_INFINITY
  const server = await serve(({ method, path }) => {
    if (method === 'DELETE') since = Number.POSITIVE_INFINITY
    if (method === 'DELETE') return {}
    if (path !== '/queues') return { status: performance.now() - since >= 200 ? 200 : 404 }
    since = performance.now()
    return { status: 201, headers: { Location: '/queues/a' } }
  })
  const client = new HttpClient(new Sockets())
  t.teardown(() => client.close())
  const profile = parseProfile({ settleSeconds })
  const target = new HttpTarget({ baseUrl: server.url, profile, client, answerTimeout: 1000 })
  const ask = async (method: string, path: string, more = {}) =>
    (await target.request(method, target.at(path), more)).status
  return { ask, got: server.got, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

t.test('what a target has made is asked for again for as long as its effects take', async (t) => {
  await using server = await lagging(0.5)
  t.equal(await server.ask('POST', '/queues'), 201)
  t.equal(await server.ask('GET', '/queues/b'), 404, 'of what it has not made nothing is awaited')
  t.equal(await server.ask('GET', '/queues/a', { as: {} }), 404, 'nor for anybody else')
  t.equal(server.got.length, 3)
  t.equal(await server.ask('POST', '/queues/a?guid=g'), 200)
  t.equal(await server.ask('DELETE', '/queues/a'), 200)
  const before = server.got.length
  t.equal(await server.ask('GET', '/queues/a'), 404, 'what it has deleted is gone')
  t.equal(server.got.length, before + 1)
})

t.test('what does not come is not there', async (t) => {
  await using server = await lagging(0.1)
  t.equal(await server.ask('POST', '/queues'), 201)
  const start = performance.now()
  t.equal(await server.ask('GET', '/queues/a'), 404)
  t.ok(performance.now() - start < 200)
})

t.test('of a target without delay nothing is awaited', async (t) => {
  await using server = await lagging(0)
  t.equal(await server.ask('POST', '/queues'), 201)
  t.equal(await server.ask('GET', '/queues/a'), 404)
  t.equal(server.got.length, 2)
})
