import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { parseProfile } from '../client/parse-profile.js'
import type { Got, Reply } from '../client/serve.test.helper.js'
import { fakeBroker, feed } from '../trial/fake-broker.test.helper.js'
import type { Command } from './command.js'
import { explore } from './explore.js'

type Intercept = (got: Got) => Reply | undefined | Promise<Reply | undefined>

const REFUSED: Reply = { status: 409 }
const CREATE: Command = { do: 'create', queue: 'a' }
const SEND: Command = { do: 'send', queue: 'a', message: 'm1', by: 'two-step' }
const REPEAT: Command = { do: 'repeat', message: 'm1' }
const SUBSCRIBE: Command = { do: 'subscribe', consumer: 'A', to: ['a'], prefetch: 5 }
const READ: Command = { do: 'read', consumer: 'A' }

/** What explore finds of a sequence at a broker that an intercept changes. */
async function walked(replay: readonly Command[], intercept: Intercept, profile: object = {}) {
  await using broker = await fakeBroker()
  broker.intercept = intercept
  return await explore(broker.url, {
    profile: parseProfile({ subscription: { leaseSeconds: 30 }, ...profile }),
    replay,
  })
}

const isPost = ({ method, path }: Got) => method === 'POST' && path.startsWith('/mq/new/')

t.test('a repeat that is refused while the first is under way is asked again', async (t) => {
  const together: Command = { do: 'together', commands: [REPEAT, REPEAT] }
  let underWay = 0
  const oneAtATime: Intercept = async (got) => {
    if (!isPost(got)) return undefined
    if (underWay > 0) return REFUSED
    underWay += 1
    await sleep(15)
    underWay -= 1
    return undefined
  }
  const met = await walked([CREATE, SEND, together, REPEAT, { do: 'browse', queue: 'a' }], oneAtATime)
  t.same(met.counterexample?.told ?? [], [])
  t.same(met.unconfirmed, [])

  let posts = 0
  const late = await walked([CREATE, SEND, REPEAT], (got) =>
    isPost(got) && ++posts === 2 ? REFUSED : undefined,
  )
  t.same(late.counterexample?.told ?? [], [], 'and taken then')
  t.equal(posts, 3)

  const seen = new Set<string>()
  const never = await walked([CREATE, SEND, REPEAT], (got) => {
    if (seen.has(got.path)) return REFUSED
    if (isPost(got)) seen.add(got.path)
    return undefined
  })
  t.equal(never.counterexample?.clause, 'send.two-step.repeat.status', 'but not refused for ever')
  t.match(never.counterexample?.told.at(-1), { what: 'posts m1 again', came: /^409/ })
})

t.test('what came or went has its time to do so', async (t) => {
  const settleMs = 150
  const since = new Map<string, number>()
  const slowly: Intercept = (got) => {
    const isNew = (path: string) => performance.now() - (since.get(path) ?? 0) < settleMs
    if (got.method === 'POST' && got.path === '/mq/queues')
      since.set(`/mq/queues/${got.body}`, performance.now())
    else if (got.method === 'POST' && isNew(got.path)) return { status: 404 }
    if (got.method === 'DELETE' && /subscriptions\/\d+$/.test(got.path)) {
      since.set(got.path, performance.now())
      return {}
    }
    if (got.method === 'GET' && since.has(got.path) && got.path.includes('subscriptions'))
      return isNew(got.path) ? feed([]) : { status: 410 }
    return undefined
  }
  const both: Command = { do: 'together', commands: [READ, READ] }
  const commands: Command[] = [CREATE, SEND, SUBSCRIBE, { do: 'end', consumer: 'A' }, both]
  const patient = await walked(commands, slowly, { settleSeconds: settleMs / 1000 })
  t.same(patient.counterexample?.told ?? [], [])
  t.ok(patient.commands > 5)
  const hasty = await walked(commands, slowly)
  // On a busy machine it may be there when it is asked again.
  const broken = [hasty.counterexample?.clause, ...hasty.unconfirmed]
  t.ok(broken.includes('send.step-1.status'), 'as much as the profile says')
})

t.test('what a POST of acknowledgements does not show is held still', async (t) => {
  const acknowledged: string[] = []
  const onlyNew: Intercept = (got) => {
    if (got.method === 'DELETE') acknowledged.push(got.path)
    return got.method === 'POST' && /subscriptions\/\d+$/.test(got.path) ? feed([]) : undefined
  }
  const more: Command = { ...SEND, message: 'm2' }
  const post: Command = { do: 'acknowledge in a post', consumer: 'A', count: 1 }
  const left: Command = { do: 'acknowledge', consumer: 'A', nth: 0 }
  await walked([CREATE, SEND, more, SUBSCRIBE, READ, post, left], onlyNew)
  t.ok(acknowledged.some((path) => /subscriptions\/\d+\/\d+$/.test(path)))
})

t.test('what came of many sends is told as it was', async (t) => {
  let posts = 0
  const paced: Intercept = (got) => (isPost(got) && ++posts % 5 === 0 ? { status: 503 } : undefined)
  const many: Command = { do: 'send many', queue: 'a', message: 'm', count: 10 }
  const gone: Intercept = (got) =>
    got.method === 'GET' && /queues\/./.test(got.path) ? { status: 404 } : paced(got)
  const { counterexample, unanswered } = await walked([CREATE, many, { do: 'browse', queue: 'a' }], gone)
  t.match(counterexample?.told[1], {
    what: /sends m\.1 to m\.10/,
    came: '200 for 8, 503 for 2',
  })
  t.ok(unanswered >= 4)
})
