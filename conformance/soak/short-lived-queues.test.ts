import t from 'tap'
import { DEFAULT_PROFILE } from '../client/parse-profile.js'
import type { Got, Reply } from '../client/serve.test.helper.js'
import { fakeBroker } from '../trial/fake-broker.test.helper.js'
import { soaking } from './shared.test.helper.js'
import { comeAndGo } from './short-lived-queues.js'

/** Lets queues come and go for so many turns. */
async function turns(
  count: number,
  intercept: (got: Got, hasMessages: ReadonlySet<string>) => Reply | undefined,
  settle = 0,
) {
  const hasMessages = new Set<string>()

  await using broker = await fakeBroker()
  using soak = soaking(broker.url, DEFAULT_PROFILE, settle)
  const { client, shared } = soak
  await client.createQueue('1/a')
  const asked: string[] = []
  broker.intercept = (got) => {
    if (/^(?:POST \/mq\/queues$|DELETE)/.test(`${got.method} ${got.path}`))
      asked.push(`${got.method} ${got.path} ${got.body}`)
    const filled = /\/(kit-[^?]*)\?guid=|\/new\/\d+\?(.*)/.exec(got.path)
    if (filled !== null) hasMessages.add(filled[1] ?? filled[2]!)
    const reply = intercept(got, hasMessages)
    if (reply !== undefined) return reply
    if (got.method === 'DELETE') hasMessages.delete(got.path.replace('/mq/queues/', ''))
    // Queues are read only when they have gone.
    return { GET: { status: 404 }, DELETE: {} }[got.method]
  }
  await comeAndGo(client, () => asked.length < count && !shared.isOver)
  return { asked, found: shared.violation?.clause, left: shared.shortLived.map(({ name }) => name) }
}

t.test('a queue above others may be refused: then none is made there any more', async (t) => {
  const { asked, found } = await turns(12, ({ method, path, body }) =>
    method === 'POST' && path === '/mq/queues' && body.toString() === 'kit-1' ? { status: 409 } : undefined,
  )
  t.equal(found, undefined)
  t.equal(asked.filter((each) => each.startsWith('POST') && each.endsWith(' kit-1')).length, 1)
  t.ok(asked.filter((each) => each.startsWith('DELETE')).length > 2, 'others come and go')
})

t.test('a queue beside the others may not be refused', async (t) => {
  const { found } = await turns(12, ({ path }) => (path === '/mq/queues' ? { status: 409 } : undefined))
  t.equal(found, 'queues.create.status')
})

t.test('a queue with messages may stay, and is there once', async (t) => {
  const { found, left } = await turns(16, ({ method, path }, hasMessages) =>
    method === 'DELETE' && hasMessages.has(path.replace('/mq/queues/', '')) ? { status: 409 } : undefined,
  )
  t.equal(found, undefined)
  t.same(left.toSorted(), [...new Set(left)].toSorted())
  t.ok(left.length > 0)
})

t.test('a new queue is not used before its creation has had the time to show', async (t) => {
  let made = 0
  const { found } = await turns(
    8,
    ({ method, path }) => {
      if (method === 'POST' && path === '/mq/queues') made = performance.now()
      const isEarly = method === 'POST' && path !== '/mq/queues' && performance.now() - made < 30
      return isEarly ? { status: 404 } : undefined
    },
    40,
  )
  t.equal(found, undefined)
})
