import t from 'tap'
import { HttpClient } from './http-client.js'
import { HttpTarget } from './http-target.js'
import { Leftovers } from './leftovers.js'
import { DEFAULT_PROFILE as profile } from './parse-profile.js'
import { serve } from './serve.test.helper.js'
import { Sockets } from './sockets.js'

t.test('where a target takes only so many at once, what checks have left is deleted', async (t) => {
  for (const refusal of [507, 422]) {
    const there = new Set<string>()
    let made = 0
    await using server = await serve(({ method, path }) => {
      if (method === 'DELETE') return { status: there.delete(path) ? 200 : 404 }
      if (there.size >= 10) return { status: refusal }
      const location = `/queues/${++made}`
      there.add(location)
      return { status: 201, headers: { Location: location } }
    })
    const client = new HttpClient(new Sockets())
    t.teardown(() => client.close())
    const leftovers = new Leftovers(client, profile)
    const check = () =>
      new HttpTarget({ baseUrl: server.url, profile, client, answerTimeout: 1000, leftovers })
    const create = async (target: HttpTarget) =>
      (await target.request('POST', target.at('/queues'), { body: 'q' })).status
    const [first, second] = [check(), check()]
    for (let count = 0; count < 6; count++) await create(first)
    for (let count = 0; count < 4; count++) await create(second)
    t.equal(await create(second), refusal)

    await leftovers.makeRoom(refusal, () => create(second))
    t.equal(leftovers.checksAtOnce, Number.POSITIVE_INFINITY, 'what checks under way have made is theirs')
    await leftovers.over(first)
    t.equal(there.size, 10, 'and what they leave is left, as long as it is no burden')
    await leftovers.makeRoom(415, () => create(second))
    t.notOk(leftovers.isFull(refusal), 'a refusal for another reason is none for want of room')
    await leftovers.makeRoom(refusal, () => create(second))
    t.equal(there.size, 5)
    t.ok(leftovers.isFull(refusal))
    t.equal(leftovers.checksAtOnce, 3)
    t.equal(leftovers.ofOthers(second), 0)
    await leftovers.over(second)
    t.equal(there.size, 0, 'from then on at once')
  }
})

t.test('nothing stays of checks that are over, once that is asked', async (t) => {
  const there = new Set<string>()
  await using server = await serve(({ method, path, body }) => {
    if (method === 'DELETE') return { status: there.delete(path) ? 200 : 404 }
    there.add(`/queues/${body}`)
    return { status: 201, headers: { Location: `/queues/${body}` } }
  })
  const client = new HttpClient(new Sockets())
  t.teardown(() => client.close())
  const leftovers = new Leftovers(client, profile)
  const check = () => new HttpTarget({ baseUrl: server.url, profile, client, answerTimeout: 1000, leftovers })
  const [first, second] = [check(), check()]
  await first.request('POST', first.at('/queues'), { body: 'a' })
  await second.request('POST', second.at('/queues'), { body: 'b' })
  await leftovers.over(first)
  t.equal(there.size, 2)
  await leftovers.clearAlways()
  t.strictSame([...there], ['/queues/b'], 'what is in use stays')
  await leftovers.over(second)
  t.equal(there.size, 0)
})

t.test('for a refusal that is hardly one for want of room, few are deleted to see', async (t) => {
  let deleted = 0
  await using server = await serve(({ method, body }) => {
    if (method === 'DELETE') deleted += 1
    if (body.toString() === 'wrong') return { status: 400 }
    return { status: 201, headers: { Location: `/queues/${body}` } }
  })
  const client = new HttpClient(new Sockets())
  t.teardown(() => client.close())
  const leftovers = new Leftovers(client, profile)
  const target = new HttpTarget({ baseUrl: server.url, profile, client, answerTimeout: 1000, leftovers })
  const create = async (body: string) => (await target.request('POST', target.at('/queues'), { body })).status
  for (let count = 0; count < 40; count++) await create(`q${count}`)
  await leftovers.over(target)
  await leftovers.makeRoom(400, () => create('wrong'))
  t.ok(deleted > 0 && deleted < 20, `${deleted} of 40`)
  t.notOk(leftovers.isFull(400))
})
