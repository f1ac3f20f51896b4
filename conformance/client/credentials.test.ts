import t, { type Test } from 'tap'
import { Credentials } from './credentials.js'
import { HttpClient } from './http-client.js'
import { HttpTarget } from './http-target.js'
import { Pace } from './pace.js'
import { parseProfile } from './parse-profile.js'
import { serve } from './serve.test.helper.js'
import { Sockets } from './sockets.js'

const profile = parseProfile({
  headers: { Authorization: 'Bearer owner', 'X-Tenant': 'kit' },
  unauthorized: [{ 'X-Key': 'somebody' }],
})
/** All that a party may be known by. */
const GIVEN = { authorization: 'a', COOKIE: 'b', 'x-tenant': 'c', 'X-KEY': 'd', Accept: 'e' }

/** A target at a base URL, and its client, that shows credentials to these origins as well. */
function targetOf(t: Test, baseUrl: string, origins: readonly string[] = []) {
  const credentials = new Credentials(profile, [baseUrl, ...origins])
  const client = new HttpClient(new Sockets(), new Pace(null), credentials)
  t.teardown(() => client.close())
  return { client, target: new HttpTarget({ baseUrl, profile, client, answerTimeout: 2000 }) }
}

t.test('credentials go to the target’s own origin and to those that are named, and nowhere else', (t) => {
  const own = new Credentials(profile, ['http://one.test:81/mq', 'https://named.test'])
  for (const [url, isShown] of [
    ['http://one.test:81/elsewhere', true],
    ['https://named.test:443/x', true],
    ['http://ONE.test:81/x', true],
    ['http://one.test:82/mq', false],
    ['http://one.test/mq', false],
    ['https://one.test:81/mq', false],
    ['http://127.0.0.1:81/mq', false],
    ['http://one.test.other.test:81/mq', false],
    ['http://one.test:81@other.test/mq', false],
    ['http://named.test/x', false],
    ['no address', false],
  ] as const) {
    const headers = own.headersFor(url, GIVEN)
    if (isShown) t.equal(headers, GIVEN, url)
    else t.strictSame(headers, { Accept: 'e' }, url)
  }
  t.end()
})

t.test(
  'no request shows them to another origin, whatever it is, and it is told as it was sent',
  async (t) => {
    await using other = await serve(() => ({ status: 403 }))
    await using server = await serve(() => ({ status: 404 }))
    const { target } = targetOf(t, server.url)
    for (const method of ['GET', 'HEAD', 'POST', 'DELETE', 'PUT'])
      await target.request(method, `${other.url}/a`)
    const somebody = { 'X-Key': 'somebody' }
    await target.request('GET', `${other.url}/a`, { as: somebody, headers: { Authorization: 'x' } })
    await target.request('POST', `${other.url}/a`, { body: 'x', cut: 'answer' })
    const bare = target.headersFor(`${other.url}/raw`, profile.headers)
    t.strictSame(bare, {})
    const secrets = ['authorization', 'x-tenant', 'x-key', 'cookie']
    const shown = (headers: object) =>
      Object.keys(headers).filter((name) => secrets.includes(name.toLowerCase()))
    t.equal(other.got.length, 7)
    t.strictSame(
      other.got.flatMap(({ headers }) => shown(headers)),
      [],
    )
    const told = target.exchanges.filter(({ url }) => url.startsWith(other.url))
    t.strictSame(
      told.flatMap(({ requestHeaders }) => shown(requestHeaders)),
      [],
    )
    t.match(
      target.doubt,
      /GET http.*\/a gave status 403 without them: "--origin http:\/\/127.0.0.1:\d+" sends/,
    )
  },
)

t.test('an origin that is named is shown them', async (t) => {
  await using other = await serve(({ headers }) => ({ status: headers.authorization ? 200 : 401 }))
  await using server = await serve(() => ({ status: 404 }))
  const { target } = targetOf(t, server.url, [`${other.url}/`])
  t.equal((await target.request('DELETE', `${other.url}/a`)).status, 200)
  t.equal(target.doubt, undefined)
})

t.test('what another origin refuses without them may be the target’s own by another name', async (t) => {
  await using server = await serve(({ headers }) => ({ status: headers.authorization ? 200 : 401 }))
  const { target } = targetOf(t, server.url)
  const alias = `${server.url.replace('127.0.0.1', 'localhost')}/a`
  for (const method of ['GET', 'POST', 'DELETE']) {
    const { url, status } = await target.request(method, alias)
    t.strictSame([url, status], [alias, 200])
  }
  t.equal(target.doubt, undefined)
})

t.test('a page of another origin that wants a login says nothing of the target', async (t) => {
  for (const [type, isDoubtful] of [
    ['text/html; charset=utf-8', true],
    ['application/atom+xml', false],
  ] as const) {
    await using other = await serve(() => ({ headers: { 'Content-Type': type } }))
    await using server = await serve(() => ({ status: 404 }))
    const { target } = targetOf(t, server.url)
    await target.request('GET', `${other.url}/a`)
    t.equal(target.doubt !== undefined, isDoubtful, type)
  }
})

t.test('an answer that nobody waited for is no refusal', async (t) => {
  await using other = await serve(() => ({ status: 200 }))
  await using server = await serve(() => ({ status: 404 }))
  const { target } = targetOf(t, server.url)
  for (const cut of ['head', 'body', 'sent'] as const) await target.request('GET', `${other.url}/a`, { cut })
  t.equal(target.doubt, undefined)
  await target.request('GET', `${other.url}/a`)
  t.equal(target.doubt, undefined)
})
