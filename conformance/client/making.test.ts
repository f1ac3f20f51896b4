import t from 'tap'
import { Inconclusive } from './findings.js'
import { HttpClient } from './http-client.js'
import { HttpTarget } from './http-target.js'
import { Leftovers } from './leftovers.js'
import { make } from './making.js'
import { DEFAULT_PROFILE as profile } from './parse-profile.js'
import { serve } from './serve.test.helper.js'
import { Sockets } from './sockets.js'

t.test(
  'a refusal that asks to come again is not waited for where there is no room, and is where the pace is too fast',
  async (t) => {
    for (const [isPaced, refusal] of [
      [false, 429],
      [true, 429],
      [false, 503],
      [true, 503],
    ] as const) {
      const there = new Set<string>()
      let [made, refusals, waits] = [0, 0, 0]
      await using server = await serve(({ method, path }) => {
        if (method === 'DELETE') return { status: there.delete(path) ? 200 : 404 }
        const isRefused = isPaced ? refusals < 2 : method === 'POST' && there.size >= 7
        if (isRefused) refusals += 1
        if (isRefused) return { status: refusal, headers: { 'Retry-After': isPaced ? '0' : '5' } }
        if (method === 'GET') return { status: 404 }
        const location = `/queues/${++made}`
        there.add(location)
        return { status: 201, headers: { Location: location } }
      })
      const client = new HttpClient(new Sockets())
      t.teardown(() => client.close())
      const leftovers = new Leftovers(client, profile)
      const wait = async () => {
        waits += 1
      }
      const options = { baseUrl: server.url, profile, client, answerTimeout: 1000, leftovers, idle: wait }
      const of = () => new HttpTarget(options)
      const idle = <T>(pause: () => Promise<T>) => pause()
      const first = of()
      for (let count = 0; count < 7; count++)
        t.equal((await make({ target: first, leftovers, idle }, '/queues', { body: 'q' })).status, 201)
      await leftovers.over(first)
      t.equal((await make({ target: of(), leftovers, idle }, '/queues', { body: 'q' })).status, 201)
      t.strictSame([leftovers.isFull(refusal), there.size, waits], isPaced ? [false, 8, 0] : [true, 1, 0])
    }
  },
)

t.test('a target that says it is full, and deletes nothing, is not blamed', async (t) => {
  let made = 0
  await using server = await serve(({ method }) => {
    if (method === 'DELETE') return { status: 409 }
    if (made === 7) return { status: 507 }
    return { status: 201, headers: { Location: `/queues/${++made}` } }
  })
  const client = new HttpClient(new Sockets())
  t.teardown(() => client.close())
  const leftovers = new Leftovers(client, profile)
  const idle = <T>(pause: () => Promise<T>) => pause()
  const options = { baseUrl: server.url, profile, client, answerTimeout: 1000, leftovers, idle }
  const first = new HttpTarget(options)
  const makeOne = (target: HttpTarget) => make({ target, leftovers, idle }, '/queues', { body: 'q' })
  for (let count = 0; count < 7; count++) t.equal((await makeOne(first)).status, 201)
  await leftovers.over(first)
  await t.rejects(
    makeOne(new HttpTarget(options)),
    new Inconclusive('507 for one more while what other checks made is there'),
  )
})

t.test('what is there is not refused for want of room', async (t) => {
  for (const isThere of [false, true]) {
    let [made, refused, deleted] = [0, 0, 0]
    await using server = await serve(({ method, path }) => {
      if (method === 'DELETE') return { status: 200, headers: { 'X-Deleted': String(++deleted) } }
      if (made === 7 && refused === 0) return { status: 409, headers: { 'X-Refused': String(++refused) } }
      return { status: 201, headers: { Location: `${path}/${++made}` } }
    })
    const client = new HttpClient(new Sockets())
    t.teardown(() => client.close())
    const leftovers = new Leftovers(client, profile)
    const idle = <T>(pause: () => Promise<T>) => pause()
    const options = { baseUrl: server.url, profile, client, answerTimeout: 1000, leftovers, idle }
    const makeOne = async (target: HttpTarget) =>
      (await make({ target, leftovers, idle, isThere: () => isThere }, '/queues', { body: 'q' })).status
    const first = new HttpTarget(options)
    for (let count = 0; count < 7; count++) t.equal(await makeOne(first), 201)
    await leftovers.over(first)
    t.strictSame([await makeOne(new HttpTarget(options)), deleted], isThere ? [409, 0] : [201, 7])
  }
})
