import t, { type Test } from 'tap'
import { Credentials } from './credentials.js'
import { HttpClient } from './http-client.js'
import { HttpTarget } from './http-target.js'
import { Pace } from './pace.js'
import { parseProfile } from './parse-profile.js'
import { serve } from './serve.test.helper.js'
import { Sockets } from './sockets.js'

/** A target of a test's server. */
function targetOf(t: Test, baseUrl: string, more = {}): HttpTarget & { readonly client: HttpClient } {
  const client = new HttpClient(new Sockets())
  t.teardown(() => client.close())
  const target = new HttpTarget({ baseUrl, profile: parseProfile({}), client, answerTimeout: 2000, ...more })
  return Object.assign(target, { client })
}

t.test(
  'an address at a name that takes no connections is asked for where the target was found',
  async (t) => {
    await using server = await serve(() => ({ body: 'here' }))
    const target = targetOf(t, server.url)
    const elsewhere = 'http://127.0.0.1:1/queues/a?b=c'
    for (let time = 0; time < 2; time++) {
      const { url, status } = await target.request('GET', elsewhere)
      t.strictSame([url, status], [elsewhere, 200])
    }
    t.strictSame(
      server.got.map(({ path }) => path),
      ['/queues/a?b=c', '/queues/a?b=c'],
    )
    await t.rejects(target.request('GET', 'no address'), /what is no address/)
  },
)

t.test(
  'a connection of its own leads to where the target was found, where nobody takes it elsewhere',
  async (t) => {
    const target = targetOf(t, 'http://127.0.0.1:2/mq')
    const asked: string[] = []
    const speak = (taken: string) => async (at: string) => {
      asked.push(at)
      return at.startsWith(taken) ? 'said' : undefined
    }
    const elsewhere = 'http://127.0.0.1:1/a?b'
    t.equal(await target.directly(elsewhere, speak('http://127.0.0.1:1')), 'said')
    t.equal(await target.directly(elsewhere, speak('http://127.0.0.1:2')), 'said')
    t.equal(await target.directly(elsewhere, speak('http://127.0.0.1:2')), 'said', 'it is known by now')
    t.equal(await target.directly('http://127.0.0.1:2/c', speak('none')), undefined)
    const here = 'http://127.0.0.1:2/a?b'
    t.strictSame(asked, [elsewhere, elsewhere, here, here, 'http://127.0.0.1:2/c'])
  },
)

t.test('what is answered with 202 is asked again until it is done', async (t) => {
  let count = 0
  await using server = await serve(({ path }) => {
    count += 1
    if (path === '/never' || path.startsWith('/lockNextMessage')) return { status: 202 }
    return { status: count < 3 ? 202 : path === '/gone' ? 404 : 201 }
  })
  const target = targetOf(t, server.url)
  const asked = async (method: string, path: string) => {
    count = 0
    const { status } = await target.request(method, target.at(path))
    return [status, count]
  }
  t.strictSame(await asked('POST', '/queues'), [201, 3])
  t.strictSame(await asked('DELETE', '/gone'), [202, 3], 'what is gone by then was deleted')
  t.strictSame(await asked('POST', '/lockNextMessage/a'), [202, 1], 'a repeat may be another message')
  target.client.neverDone.add('DELETE  0')
  t.strictSame(await asked('DELETE', '/never'), [202, 2], 'nobody waits again for what is never done')
})

t.test('a redirect is followed where it only changes the slash at the end', async (t) => {
  await using server = await serve(({ path }) => {
    if (path === '/a' || path === '/b') return { status: 307, headers: { Location: `${path}/` } }
    return path === '/c' ? { status: 308, headers: { Location: '/d' } } : { body: path }
  })
  const target = targetOf(t, server.url)
  const asked = async (method: string, path: string) => {
    const { status, body } = await target.request(method, target.at(path))
    return [status, body.toString()]
  }
  t.strictSame(await asked('GET', '/a'), [200, '/a/'])
  t.strictSame(await asked('POST', '/b'), [200, '/b/'])
  t.strictSame(await asked('GET', '/c'), [308, ''])
  t.equal(target.exchanges.length, 5, 'each exchange is kept')
})

t.test(
  'what is the target’s own: its origin, other names of this machine, and where it says it made things',
  async (t) => {
    await using server = await serve(() => ({
      status: 201,
      headers: { Location: 'http://named.test/queues/a#part' },
    }))
    const target = targetOf(t, server.url)
    const { port } = new URL(server.url)
    t.equal(target.isOwn('http://named.test/queues/a'), false)
    const made = await target.request('POST', target.at('/queues'))
    t.equal(target.location(made), 'http://named.test/queues/a')
    for (const [uri, own] of [
      ['http://named.test/other', true],
      [`http://localhost:${port}/x`, true],
      ['http://localhost:1/x', false],
      ['http://other.test/', false],
      ['no address', false],
    ] as const)
      t.equal(target.isOwn(uri), own, uri)
    const nowhere = { ...made, headers: { location: `http://named.test/${'a'.repeat(9000)}` } }
    t.equal(target.location(nowhere), undefined)
    t.equal(target.location({ ...made, headers: {} }), undefined)
  },
)

t.test('what refuses one request for want of room holds no others back, and teaches no pace', async (t) => {
  for (const status of [429, 503]) {
    for (const isPaced of [false, true]) {
      let refusals = 0
      await using server = await serve(({ method }) => {
        const refuses = refusals > 0 && (isPaced || method === 'POST')
        if (refuses) refusals -= 1
        return refuses ? { status, headers: { 'Retry-After': '5' } } : { status: 404 }
      })
      const client = new HttpClient(new Sockets())
      t.teardown(() => client.close())
      const waits: string[] = []
      let asked = ''
      const idle = async () => void waits.push(asked)
      const target = targetOf(t, server.url, { client, idle })
      for (let count = 0; count < 6; count++) await target.request('GET', target.at('/queues/a'))
      refusals = isPaced ? 2 : 1
      for (asked of ['POST', 'GET']) await target.request(asked, target.at('/queues/a'))
      t.strictSame([...new Set(waits)], isPaced ? ['POST', 'GET'] : ['POST'], `${status}`)
      t.equal(target.isPaced, isPaced && status === 429)
    }
  }
})

t.test(
  'where a pace is known, what is refused is a matter of pace, even if a reading has its turn',
  async (t) => {
    let posts = 0
    await using server = await serve(({ method }) =>
      method === 'POST' && ++posts <= 3 ? { status: 429, headers: { 'Retry-After': '2' } } : { status: 200 },
    )
    const client = new HttpClient(new Sockets(), new Pace(1000))
    t.teardown(() => client.close())
    const target = targetOf(t, server.url, { client, idle: async () => {} })
    t.equal((await target.request('POST', target.at('/queues/a'))).status, 200)
    t.equal(posts, 4)
    t.equal(server.got.filter(({ method }) => method === 'GET').length, 0, 'nothing else is asked')
  },
)

t.test('what was waited for in vain is not waited for again, until it is taken', async (t) => {
  let isFull = true
  await using server = await serve(({ method }) =>
    method === 'POST' && isFull ? { status: 503, headers: { 'Retry-After': '2' } } : { status: 200 },
  )
  let waits = 0
  const idle = async () => {
    waits += 1
  }
  const target = targetOf(t, server.url, { idle })
  const waitsFor = async (method: string) => {
    waits = 0
    await target.request(method, target.at('/queues/a'))
    return waits
  }
  t.strictSame([await waitsFor('POST'), await waitsFor('GET'), await waitsFor('POST')], [2, 0, 0])
  isFull = false
  t.equal(await waitsFor('POST'), 0)
  isFull = true
  t.equal(await waitsFor('POST'), 2)
})

t.test('a request that was lost is told, or sent again where that is asked for', async (t) => {
  let closes = 0
  await using server = await serve((_, response) => {
    if (closes-- <= 0) return { status: 200 }
    response.destroy()
    return undefined
  })
  for (const repeatsLost of [false, true]) {
    const target = targetOf(t, server.url, { repeatsLost })
    await target.request('GET', target.at('/'))
    closes = 1
    const { status } = await target.request('POST', target.at('/queues'))
    t.equal(status === 200, repeatsLost)
    t.equal(target.lost === undefined, repeatsLost)
    closes = 0
  }
})

t.test('a host that only a feed names is not shown the headers of the owner', async (t) => {
  await using server = await serve(({ path, headers }) => {
    if (path === '/queues') return { status: 201, headers: { Location: `${named.url}/queues/a` } }
    return { status: headers.authorization === 'me' && path !== '/gone' ? 200 : 401, body: 'here' }
  })
  await using store = await serve(({ path, headers }) => {
    if (headers.authorization !== undefined) return { status: 400, body: 'one mechanism only' }
    return { status: path.startsWith('/stored') ? 200 : 403, body: 'there' }
  })
  await using named = await serve(({ headers }) => ({ body: headers.authorization ?? 'nobody' }))
  const profile = parseProfile({ headers: { Authorization: 'me' } })
  const credentials = new Credentials(profile, [server.url])
  const client = new HttpClient(new Sockets(), new Pace(null), credentials)
  t.teardown(() => client.close())
  const target = targetOf(t, server.url, { profile, client })
  const get = async (uri: string) => {
    const { url, status, body } = await target.request('GET', uri)
    t.equal(url, uri)
    return [status, String(body)]
  }
  t.strictSame(await get(`${server.url}/a`), [200, 'here'])
  t.strictSame(await get(`${store.url}/stored?signature=1`), [200, 'there'])
  t.strictSame(await get(`${store.url}/b`), [200, 'here'], 'the target by another name')
  t.strictSame(await get(`${store.url}/gone`), [403, 'there'], 'refused by both')
  t.strictSame(await get(`${named.url}/a`), [200, 'nobody'])
  target.location(await target.request('POST', target.at('/queues')))
  t.strictSame(await get(`${named.url}/a`), [200, 'nobody'], 'even where it has said that it made something')
  const plain = targetOf(t, server.url)
  t.equal((await plain.request('GET', `${store.url}/b`)).status, 403, 'there is nothing to hide')
})
