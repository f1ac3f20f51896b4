import t from 'tap'
import { sentOnTo } from './base-url.js'
import { serve } from './serve.test.helper.js'
import { Sockets } from './sockets.js'

const { signal } = new AbortController()

t.test('a base that redirects is followed once, on its own origin', async (t) => {
  const leads: Record<string, string> = {
    '/old': '/api/v1/queues',
    '/slash': '/slash/queues/',
    '/login': '/login?then=queues',
    '/query': '/queues?a=b',
    '/away': 'http://localhost:1/queues',
    '/broken': 'http://[',
  }
  await using server = await serve(({ path }) => {
    const to = leads[path.replace('/queues', '')]
    return to === undefined ? { status: 200 } : { status: 308, headers: { Location: to } }
  })
  const { origin } = new URL(server.url)
  const led = async (base: string) => sentOnTo(`${origin}${base}`, {}, new Sockets(), signal)
  t.equal(await led('/old'), `${origin}/api/v1`)
  leads['/up'] = `${origin}/queues`
  t.equal(await led('/up'), origin)
  for (const base of ['', '/slash', '/login', '/query', '/away', '/broken'])
    t.equal(await led(base), undefined, base)
  t.equal(await sentOnTo('http://127.0.0.1:1', {}, new Sockets(), signal), undefined, 'where nothing answers')
})
