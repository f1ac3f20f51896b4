import { createHash } from 'node:crypto'
import t from 'tap'
import { parsePrincipals } from '../auth/principals-file.js'
import { ManualClock } from '../clock/manual.js'
import { LATEST, LONGEST_SPAN } from '../clock/spans.js'
import { RawClient, request } from '../http/node/raw-client.test.helper.js'
import { createBroker, startServer } from '../index.js'
import { mock, turn } from './mock.test.helper.js'

t.test('health is answered always, and by everybody; the rest only where it is switched on', async (t) => {
  await using mq = await startServer({ basePath: '/mq' })
  const health = await fetch(`${mq.url}/_health`)
  t.equal(health.status, 200)
  t.same(await health.json(), { status: 'ok' })
  t.equal((await fetch(`${mq.url}/_health`, { method: 'HEAD' })).status, 200)
  const refused = await fetch(`${mq.url}/_health`, { method: 'POST' })
  t.same([refused.status, refused.headers.get('allow')], [405, 'GET, HEAD, OPTIONS'])
  t.equal((await fetch(`${mq.url}/_health`, { method: 'OPTIONS' })).status, 204)
  for (const path of ['state', 'clock', 'faults', 'journal', 'journal/stream', 'reset', '']) {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const { status } = await fetch(`${mq.url}/_control/${path}`, { method })
      t.ok(status === 404 || status === 405, `${method} ${path}: ${status}`)
    }
  }
})

t.test(
  'code can use the extras without their being reachable; the journal has to be asked for',
  async (t) => {
    await using mq = await startServer({ clock: 'manual', queues: ['a'] })
    mq.faults.add({ fault: 'status', code: 500, times: 1 })
    t.equal((await fetch(`${mq.url}/queues`)).status, 500)
    await mq.clock.advance(1)
    t.match(mq.state().queues, [{ name: 'a' }])
    t.throws(() => mq.journal.entries(), { message: /keeps no journal/ })
    await mq.reset()
    t.same(mq.state().queues, [])
    await using quiet = await startServer({ journal: { entries: 1 } })
    await fetch(`${quiet.url}/1`)
    await fetch(`${quiet.url}/2`)
    t.match(quiet.journal.entries(), [{ number: 2 }])
  },
)

t.test('the clock can be one of its own, but not beside a broker that has one', async (t) => {
  const clock = new ManualClock(5)
  await using mq = await startServer({ clock })
  await mq.clock.advance(1)
  t.equal(clock.now(), 6)
  const broker = createBroker({ clock })
  await using served = await startServer({ broker, clock })
  await served.clock.advance(1)
  t.equal(clock.now(), 7)
  await t.rejects(startServer({ broker, clock: 'manual' }), { message: /give the clock to createBroker/ })
})

t.test('however late it is, a lease ends at a date that a feed can tell', async (t) => {
  const { mq, ask, subscribe } = await mock(t, { limits: { maxTimeout: LONGEST_SPAN } })
  await mq.clock.advance(LATEST - mq.clock.now())
  const subscription = await subscribe('orders.new', { timeout: String(LONGEST_SPAN / 1000) })
  t.match((await ask(`GET ${subscription}`)).text, /lease-ends>9999-12-31T23:59:59\.999Z</)
  await t.rejects(mq.clock.advance(1), { message: 'advance must be a whole number from 0 to 0.' })
})

t.test('several servers in one process know nothing of each other', async (t) => {
  const [one, two] = [await mock(t), await mock(t)]
  await one.ask('POST /queues/orders/new?guid=1', 'x')
  one.mq.faults.add({ fault: 'status', code: 500 })
  await one.mq.clock.advance(1000)
  t.match(two.mq.state(), {
    queues: [{ pending: 0 }],
    guids: { remembered: 0 },
    clock: { now: Date.UTC(2000, 0, 1) },
  })
  t.same(two.mq.journal.entries(), [])
  await one.mq.reset()
  t.equal((await two.ask('GET /queues/orders/new')).status, 200)
  await one.mq.stop()
  t.equal((await two.ask('GET /queues')).status, 200)
})

t.test('with principals the extras are for admins, and health for everybody', async (t) => {
  const hash = (token: string) => createHash('sha256').update(token).digest('hex')
  const principals = parsePrincipals(
    JSON.stringify({
      principals: [
        { name: 'root', tokenSha256: hash('root'), roles: ['admin'] },
        { name: 'app', tokenSha256: hash('app'), roles: ['produce', 'consume'] },
      ],
    }),
  )
  const { mq, ask } = await mock(t, { principals })
  const as = (token: string) => ({ Authorization: `Bearer ${token}` })
  t.equal((await ask('GET /_health')).status, 200)
  const lines = [
    'GET /_control/clock',
    'POST /_control/clock',
    'GET /_control/faults',
    'POST /_control/faults',
    'DELETE /_control/faults',
    'GET /_control/faults/f1',
    'DELETE /_control/faults/f1',
    'GET /_control/journal',
    'DELETE /_control/journal',
    'POST /_control/journal/wait',
    'POST /_control/journal/expect-none',
    'GET /_control/state',
    'POST /_control/reset',
  ]
  for (const line of [...lines, 'GET /_control/journal/stream']) {
    t.equal((await ask(line)).status, 401, line)
    t.equal((await ask(line, undefined, as('app'))).status, 403, line)
  }
  for (const line of lines) {
    const { status } = await ask(line, line.startsWith('POST') ? { timeout: 1 } : undefined, as('root'))
    t.not(status === 401 || status === 403, true, `${line}: ${status}`)
  }
  await ask('GET /queues', undefined, as('app'))
  t.notMatch(JSON.stringify(mq.journal.entries()), /Bearer/)
  t.match(mq.journal.entries(), [{ request: { headers: { authorization: '***' } } }])
})

t.test('stop waits for nothing: no parked wait, pending delay or open connection', async (t) => {
  const { mq, ask, subscribe, parked } = await mock(t, { limits: { closeTimeout: 3_600_000 } })
  const idle = await RawClient.open(mq.port)
  const subscription = await subscribe('orders.new')
  const waiting = ask(`GET ${subscription}`, undefined, { Prefer: 'wait=20' })
  await parked(1)
  mq.faults.add({ fault: 'delay', ms: 1000, path: '/queues' })
  const delayed = ask('GET /queues')
  while (mq.faults.list()[0]?.fired === 0) await turn()
  await mq.stop()
  t.equal((await waiting).status, 200)
  t.match(await delayed, { status: 503, text: /shutting-down/ })
  await idle.untilClosed()
  await mq.stop()
  await mq[Symbol.asyncDispose]()
})

t.test('behind the stop all can be read, and nothing can be done', async (t) => {
  const { mq, ask, subscribe } = await mock(t)
  await subscribe('orders.new')
  await ask('POST /queues/orders/new?guid=1', 'a hat')
  mq.faults.add({ fault: 'delay', ms: 5, path: '/nowhere' })
  const [before, seed, now] = [mq.state(), mq.toSeed(), mq.clock.now()]
  await mq.stop()
  const refusal = { kind: 'shutting-down', message: /^The server is shutting down; nothing of this has/ }
  await t.rejects(mq.send('orders/new', 'a scarf'), refusal)
  await t.rejects(mq.clock.advance(30_000), refusal)
  await t.rejects(mq.messages.waitFor({ guid: '2' }), refusal)
  await t.rejects(mq.journal.waitFor({ method: 'PUT' }), refusal)
  await t.rejects(mq.idle(), refusal)
  for (const act of [
    () => mq.endLease('A'),
    () => mq.reset(),
    () => mq.seed(seed),
    () => mq.setDialect('prefixed'),
    () => mq.faults.add({ scenario: 'slow' }),
  ]) {
    t.throws(act, refusal, `${act}`)
  }
  t.same(mq.state(), before)
  t.same(mq.toSeed(), seed)
  t.equal(mq.clock.now(), now)
  t.match(mq.subscriptions(), [{ name: 'A', held: 1 }])
  t.match(mq.faults.list(), [{ id: 'f1' }])
  t.equal(mq.journal.entries().length, 2)
  t.match(mq.journal.toScenario(), /send/)
  mq.messages.expect({ guid: '1', status: 'held' }, 1)
  t.match(await mq.messages.waitFor({ guid: '1' }), { body: 'a hat' }, 'it is there already')
  t.equal(mq.judgeClient().exchanges, 2)
  t.throws(() => mq.verify(), { message: /held/ })
})

t.test('a client that is gone takes nothing, and a wait does not outlive its queue', async (t) => {
  const { mq, ask, subscribe, parked, feed } = await mock(t)
  await ask('POST /subscribe/c1/orders/new')
  const client = await RawClient.open(mq.port)
  client.say(request('POST /nextMessageForMe/c1', ['Prefer: wait=20']))
  await parked(1)
  client.socket.destroy()
  while (mq.state().consumers[0]?.waiting !== 0) await turn()
  await ask('POST /queues/orders/new?guid=1', 'x')
  t.match(mq.state().queues, [{ pending: 1, held: 0 }])
  const subscription = await subscribe('orders.new')
  t.equal((await feed(subscription)).length, 1, 'it is there for the next')
  const waiting = ask('GET /queue/orders/new', undefined, { Prefer: 'wait=20' })
  await parked(1)
  await ask('DELETE /queues/orders/new')
  t.equal((await waiting).status, 404)
})

t.test('await using stops a server at the end of its block', async (t) => {
  let url = ''
  {
    await using mq = await startServer()
    url = mq.url
    t.equal((await fetch(`${url}/_health`)).status, 200)
  }
  await t.rejects(fetch(`${url}/_health`))
})
