import t from 'tap'
import { type Got, type Reply, serve } from '../client/serve.test.helper.js'
import { consumeByAlternative } from './alternatives.js'
import { bodyOf } from './client.js'
import { soaking } from './shared.test.helper.js'

/** Consumes by a mapping of section 4.2 until nothing comes. @returns the addresses by which it was acknowledged, in vain or not */
async function acknowledged(
  mapping: 'one-at-a-time' | 'batch',
  answer: (got: Got, body: string) => Reply | undefined,
): Promise<{ yes: string[]; no: string[] }> {
  const tried: { path: string; status: number }[] = []
  const isDone = () => tried.some(({ status }) => status === 200)
  const message = { body: '' }
  await using server = await serve((got) => {
    const isAck = got.path.startsWith('/ack/') || got.method === 'DELETE'
    const reply = (!isDone() && answer(got, message.body)) || { status: isAck ? 404 : 200 }
    if (isAck) tried.push({ path: decodeURI(got.path), status: reply.status ?? 200 })
    return reply
  })
  using soak = soaking(server.url)
  const { client, shared } = soak
  message.body = bodyOf(shared.profile, shared.prefix, 1)
  shared.alternativeQueue = { name: 'd', uri: '/queues/d' }
  await consumeByAlternative(client, mapping, 'x', () => false)
  const paths = (good: boolean) =>
    tried.filter(({ status }) => (status === 200) === good).map(({ path }) => path)
  return { yes: paths(true).slice(0, 1), no: paths(false) }
}

t.test(
  'locked messages are listed in whatever form, and their ids hold whatever an address may',
  async (t) => {
    const lists: Record<string, (uri: string) => Reply> = {
      lines: (uri) => ({ body: `${uri}\r\n` }),
      'JSON as PHP writes it': (uri) => ({ body: JSON.stringify([uri]).replaceAll('/', '\\/') }),
      'JSON objects': (uri) => ({ body: JSON.stringify({ messages: [{ href: uri }] }) }),
    }
    for (const [name, list] of Object.entries(lists)) {
      const { yes } = await acknowledged('batch', ({ method, path }, body) => {
        if (path.startsWith('/lockNextMessage/')) return list('/message/kit-x/bTE==')
        if (path === '/message/kit-x/bTE==') return { body }
        return method === 'DELETE' && path === '/kit-x/messages/bTE==' ? {} : undefined
      })
      t.same(yes, ['/kit-x/messages/bTE=='], name)
    }
  },
)

t.test(
  'a locked message that its returned address does not give is fetched from that of section 4.2',
  async (t) => {
    const { yes } = await acknowledged('batch', ({ method, path }, body) => {
      if (path.startsWith('/lockNextMessage/')) return { body: '/elsewhere/m1' }
      if (path === '/elsewhere/m1') return { status: 404 }
      if (path === '/message/kit-x/m1') return { body }
      return method === 'DELETE' ? {} : undefined
    })
    t.same(yes, ['/kit-x/messages/m1'])
  },
)

t.test('an id may be written as an address that ends in it', async (t) => {
  const { yes, no } = await acknowledged('one-at-a-time', ({ path }, body) => {
    if (path.startsWith('/nextMessageForMe/')) return { headers: { 'Message-Id': '/message/m1' }, body }
    return path === '/ack/kit-x/m1' ? {} : undefined
  })
  t.same(yes, ['/ack/kit-x/m1'])
  t.equal(no[0], '/ack/kit-x/%2Fmessage%2Fm1', 'the whole of it was tried first')
})
