import t from 'tap'
import { type Reply, serve } from '../client/serve.test.helper.js'
import { feed } from '../trial/fake-broker.test.helper.js'
import { findBase } from './find-base.js'
import { noteOf, proberOf } from './prober.test.helper.js'

const SERVICE = (href: string) =>
  `<service xmlns="http://www.w3.org/2007/app"><workspace><collection href="${href}"/></workspace></service>`

/** A server with these answers below its origin, and 404 elsewhere. */
async function site(pages: Readonly<Record<string, Reply>>) {
  return serve(({ path }) => pages[path] ?? { status: 404 })
}

const WAYS: Record<string, Readonly<Record<string, Reply>>> = {
  'a service document': { '/': { body: SERVICE('api/queues') } },
  'a Link field': { '/': { headers: { Link: '<elsewhere>; rel="next", </api/queues>; rel="queues"' } } },
  'a link in a page': { '/': { body: '<p>See <a href="/api/queues/">the queues</a> & more' } },
  'a redirect': { '/queues': { status: 307, headers: { Location: '/api/queues' } } },
  'two steps': {
    '/': { body: '<a href="/service">' },
    '/service': { body: SERVICE('/api/queues') },
  },
}

for (const [way, pages] of Object.entries(WAYS)) {
  t.test(`a longer base is suggested by ${way}`, async (t) => {
    await using server = await site({ ...pages, '/api/queues': feed([]), '/api/queues/': feed([]) })
    using prober = proberOf(server.url)
    t.equal(await findBase(prober), 'elsewhere')
    t.match(noteOf(prober, 'base URL'), `the queues are below ${server.url}/api: give that as the base URL`)
  })
}

t.test('a listing at the base is enough, and nothing else is asked', async (t) => {
  await using server = await site({ '/queues': feed([]) })
  using prober = proberOf(server.url)
  t.equal(await findBase(prober), 'here')
  t.equal(server.got.length, 1)
  t.strictSame(prober.notes, [])
})

t.test('what leads nowhere, or to another origin, is no base; something may still be there', async (t) => {
  await using server = await site({
    '/': { body: '<a href="http://127.0.0.1:1/queues"><a href="/x/queues"><a href="http://">' },
    '/queues': { body: 'hello' },
  })
  using prober = proberOf(server.url)
  t.equal(await findBase(prober), 'here')
  t.match(noteOf(prober, 'base URL'), /GET \/queues gave no feed, and nothing at the base URL leads/)
})

t.test('a site of links without end is left after some', async (t) => {
  let made = 0
  await using server = await serve(() => ({ body: `<a href="/p${++made}"><a href="/p${++made}">` }))
  using prober = proberOf(server.url)
  t.equal(await findBase(prober), 'here')
  t.ok(server.got.length <= 12)
})

for (const status of [401, 403]) {
  t.test(`${status} wants credentials`, async (t) => {
    await using server = await serve(() => ({ status }))
    using prober = proberOf(server.url, { headers: { Authorization: 'Bearer wrong' } })
    t.equal(await findBase(prober), 'closed')
    t.match(noteOf(prober, 'headers'), `GET /queues gave ${status}: the target wants credentials`)
  })
}

t.test('a Link field of any length is read in no time', async (t) => {
  await using server = await site({ '/': { headers: { Link: '<'.repeat(200_000) } } })
  using prober = proberOf(server.url)
  const started = performance.now()
  await findBase(prober)
  t.ok(performance.now() - started < 5000, String(performance.now() - started))
})
