import { createHash } from 'node:crypto'
import fc from 'fast-check'
import t from 'tap'
import type { Credential } from '../auth/principals-file.js'
import { RawClient, request } from '../http/node/raw-client.test.helper.js'
import type { FaultSpec } from './faults/fault.js'
import { FAULT_KINDS } from './faults/fault.js'
import { mock, turn } from './mock.test.helper.js'
import { normalise } from './normalise.js'

const SEND = { method: 'POST', path: '/addresses/*' } as const

t.test('reset-after-commit: who repeats to the same address gets one message through', async (t) => {
  const { mq, ask } = await mock(t)
  mq.faults.add({ ...SEND, fault: 'reset-after-commit', times: 2 })
  const { headers } = await ask('POST /queues/orders/new')
  const address = headers.get('location') as string
  let lost = 0
  for (;;) {
    const answer = await ask(`POST ${address}`, 'order 1').catch(() => undefined)
    if (answer === undefined) {
      lost++
      continue
    }
    t.equal(answer.status, 200)
    t.equal(answer.headers.get('idempotent-replayed'), 'true')
    break
  }
  t.equal(lost, 2)
  t.match(mq.state().queues, [{ pending: 1 }])
  t.match(mq.faults.list(), [{ fired: 2 }])
})

t.test('reset-after-commit: who asks for a new address each time sends twice', async (t) => {
  const { mq, ask } = await mock(t)
  mq.faults.add({ ...SEND, fault: 'reset-after-commit', times: 1 })
  for (let sent = false; !sent; ) {
    const { headers } = await ask('POST /queues/orders/new')
    sent = await ask(`POST ${headers.get('location')}`, 'order 1').then(
      () => true,
      () => false,
    )
  }
  t.match(mq.state().queues, [{ pending: 2 }])
})

t.test('reset-before: the effect does not happen', async (t) => {
  const { mq, ask } = await mock(t)
  mq.faults.add({ fault: 'reset-before', times: 1 })
  const failure = await ask('POST /queues/orders/new?guid=1', 'x').catch((error) => error)
  t.equal(failure.cause.code, 'ECONNRESET')
  t.match(mq.state(), { queues: [{ pending: 0 }], guids: { remembered: 0 } })
  t.equal((await ask('POST /queues/orders/new?guid=1', 'x')).headers.get('idempotent-replayed'), null)
  t.match(mq.journal.entries(), [{ faults: [{ id: 'f1', fault: 'reset-before' }] }, { faults: [] }])
  t.notOk('response' in mq.journal.entries()[0]!)
})

t.test('truncate: the effect happens, the answer comes in part', async (t) => {
  const { mq, ask } = await mock(t)
  mq.faults.add({ fault: 'truncate', method: 'GET', path: '/queues', times: 1 })
  const text = await RawClient.exchange(mq.port, request('GET /queues'))
  const [head = '', body = ''] = text.split('\r\n\r\n')
  const length = Number(/Content-Length: (\d+)/.exec(head)?.[1])
  t.equal(body.length, length >> 1)
  t.match((await ask('GET /queues')).text, /<\/feed>/)
  mq.faults.add({ fault: 'truncate', method: 'POST', times: 1 })
  await t.rejects(ask('POST /queues/orders/new?guid=1', 'x'))
  t.match(mq.state().queues, [{ pending: 1 }])
})

t.test('status: answered and not handled', async (t) => {
  const { mq, ask } = await mock(t)
  mq.faults.add({
    fault: 'status',
    code: 503,
    answer: { body: 'later', headers: { 'Retry-After': '2' } },
    times: 1,
  })
  mq.faults.add({ fault: 'status', code: 204, times: 1 })
  mq.faults.add({
    fault: 'status',
    code: 500,
    answer: { body: '{}', headers: { 'content-type': 'application/json' } },
    times: 1,
  })
  const first = await ask('POST /queues/orders/new?guid=1', 'x')
  t.same([first.status, first.text, first.headers.get('retry-after')], [503, 'later', '2'])
  t.match(first.headers.get('content-type'), /^text\/plain/)
  const second = await ask('POST /queues/orders/new?guid=1', 'x')
  t.same([second.status, second.text], [204, ''])
  const third = await ask('POST /queues/orders/new?guid=1', 'x')
  t.same([third.status, third.headers.get('content-type')], [500, 'application/json'])
  t.match(mq.state(), { queues: [{ pending: 0 }], guids: { remembered: 0 } })
  t.equal((await ask('POST /queues/orders/new?guid=1', 'x')).status, 200)
})

t.test('a fault fires at a refusal too, and an answer that was waited for', async (t) => {
  const { mq, ask, subscribe, parked } = await mock(t)
  mq.faults.add({ fault: 'reset-after-commit', path: '/queues/unknown', times: 1 })
  await t.rejects(ask('GET /queues/unknown'))
  t.match(mq.journal.entries(), [{ response: { status: 404 }, faults: [{ fault: 'reset-after-commit' }] }])
  const subscription = await subscribe('orders.new')
  mq.faults.add({ fault: 'truncate', method: 'GET', path: '/subscriptions/*', times: 1 })
  const waiting = ask(`GET ${subscription}`, undefined, { Prefer: 'wait=20' })
  await parked(1)
  await ask('POST /queues/orders/new?guid=1', 'x')
  await t.rejects(waiting)
})

t.test('delay: handled later, by the clock of the server', async (t) => {
  const { mq, ask } = await mock(t)
  mq.faults.add({ ...SEND, fault: 'delay', ms: 1000, times: 1 })
  const { headers } = await ask('POST /queues/orders/new')
  const sent = ask(`POST ${headers.get('location')}`, 'x')
  while (mq.faults.list()[0]?.fired === 0) await turn()
  await mq.clock.advance(999)
  t.match(mq.state().queues, [{ pending: 0 }])
  await mq.clock.advance(1)
  t.match(mq.state().queues, [{ pending: 1 }])
  t.equal((await sent).status, 200)
  t.match(mq.journal.entries().at(-1), {
    duration: 1000,
    faults: [{ fault: 'delay' }],
    response: { status: 200 },
  })
})

t.test('delay in real time, together with another fault', async (t) => {
  const { mq, ask } = await mock(t, { clock: 'system' })
  mq.faults.add({ fault: 'delay', ms: 20, times: 1 })
  mq.faults.add({ fault: 'reset-after-commit', times: 1 })
  await t.rejects(ask('POST /queues/orders/new?guid=1', 'x'))
  t.match(mq.state().queues, [{ pending: 1 }])
  const [entry] = mq.journal.entries()
  t.match(entry, { faults: [{ fault: 'delay' }, { fault: 'reset-after-commit' }] })
  t.ok(entry!.duration >= 19)
})

t.test('delay: a client that goes away meanwhile has not asked', async (t) => {
  const { mq, ask } = await mock(t)
  mq.faults.add({ fault: 'delay', ms: 1000, times: 1 })
  mq.faults.add({ fault: 'reset-after-commit', times: 1 })
  const client = await RawClient.open(mq.port)
  client.say(request('POST /queues/orders/new?guid=1', [], 'x'))
  while (mq.faults.list()[0]?.fired === 0) await turn()
  client.socket.destroy()
  await mq.journal.waitFor({ fault: 'delay' })
  await mq.clock.advance(2000)
  t.match(mq.state(), { queues: [{ pending: 0 }], guids: { remembered: 0 } })
  t.match(mq.faults.list(), [{ fired: 1 }, { fired: 0 }], 'the other fault is still to come')
  await t.rejects(ask('POST /queues/orders/new?guid=1', 'x'))
})

t.test(
  'delay: when its fault goes, the request goes on; when the server is reset, it is refused',
  async (t) => {
    const { mq, ask } = await mock(t)
    for (const end of ['clear', 'reset'] as const) {
      mq.faults.add({ fault: 'delay', ms: 1000 })
      const sent = ask('POST /queues/made', undefined)
      const listed = ask('GET /queues')
      while (mq.faults.list()[0]?.fired !== 2) await turn()
      if (end === 'clear') mq.faults.clear()
      else await mq.reset()
      t.equal((await listed).status, end === 'clear' ? 200 : 503)
      t.match((await sent).text, end === 'clear' ? /unknown-queue/ : /reset-meanwhile/)
    }
    t.same(mq.journal.entries(), [], 'what began before a reset is not in the journal after it')
  },
)

t.test('duplicate-delivery: one message, two consumers, and both acknowledge', async (t) => {
  const { mq, ask, subscribe, feed } = await mock(t)
  mq.faults.add({ fault: 'duplicate-delivery', times: 1 })
  await ask('POST /queues/orders/new?guid=0', 'nobody is there')
  t.match(mq.faults.list(), [{ fired: 0 }])
  const [one, two] = [await subscribe('orders.new'), await subscribe('orders.new')]
  t.match(mq.faults.list(), [{ fired: 0 }], 'the first consumer had no second beside it')
  await ask('POST /queues/orders/new?guid=1', 'x')
  t.match(mq.faults.list(), [{ fired: 1 }])
  t.match(mq.journal.entries({ fault: 'duplicate-delivery' }), [{ query: 'guid=1' }])
  const [, state] = [mq.state().queues, mq.state().subscriptions]
  const holds = state.flatMap((subscription) => subscription.holds)
  t.equal(holds.filter(({ duplicate }) => duplicate).length, 1)
  const uris = [...(await feed(one)), ...(await feed(two))]
  t.equal(uris.length, 3)
  const ids = (text: string) => [...text.matchAll(/<id>(urn:uuid:[^<]+)<\/id>/g)].slice(1).map(([, id]) => id)
  const entries = [...ids((await ask(`GET ${one}`)).text), ...ids((await ask(`GET ${two}`)).text)]
  t.equal(new Set(entries).size, 2, 'one of them is in both feeds under the same id')
  for (const uri of uris) t.equal((await ask(`DELETE ${uri}`)).status, 200)
  t.match(mq.state(), { queues: [{ pending: 0 }] })
})

t.test('the extras themselves, and health, meet no fault and are not in the journal', async (t) => {
  const { mq, ask } = await mock(t)
  mq.faults.add({ fault: 'reset-before' })
  for (const path of ['/_health', '/_control/state', '/%5Fcontrol/state', '/_%63ontrol/state']) {
    t.equal((await ask(`GET ${path}`)).status, 200, path)
  }
  t.equal((await ask('GET /_control/unknown')).status, 404)
  await t.rejects(ask('GET /%zz'), 'what only looks like it meets the fault')
  t.same(mq.journal.entries({ path: '/_*/**' }), [])
})

t.test('a defect is answered as one, and told', async (t) => {
  const { mq, ask } = await mock(t)
  const told: unknown[] = []
  const { error } = console
  console.error = (defect: unknown) => told.push(defect)
  t.teardown(() => {
    console.error = error
  })
  mq.broker.listQueues = () => {
    throw new TypeError('defect')
  }
  t.equal((await ask('GET /queues')).status, 500)
  t.match(told, [{ message: 'defect' }])
  t.match(mq.journal.entries(), [{ response: { status: 500 } }])
})

t.test('any list of faults, cleared, leaves the server as it was', async (t) => {
  const spec: fc.Arbitrary<FaultSpec> = fc
    .record(
      {
        fault: fc.constantFrom(...FAULT_KINDS),
        method: fc.constantFrom('GET', 'POST', '*'),
        path: fc.constantFrom('/**', '/queues', '/queues/**', '/addresses/*'),
        times: fc.integer({ min: 1, max: 3 }),
        probability: fc.double({ min: 0, max: 1, noNaN: true }),
        seed: fc.nat(1000),
      },
      { requiredKeys: ['fault'] },
    )
    .map((given) => ({
      ...given,
      ...(given.fault === 'delay' && { ms: 10 }),
      ...(given.fault === 'status' && { code: 500 }),
    }))
  const story = async ({ mq, ask, subscribe, feed }: Awaited<ReturnType<typeof mock>>) => {
    const subscription = await subscribe('orders.new')
    const { headers } = await ask('POST /queues/orders/new')
    const posted = await ask(`POST ${headers.get('location')}`, 'x')
    const uris = await feed(subscription)
    const acknowledged = await ask(`DELETE ${uris[0]}`)
    const listing = await ask('GET /queues')
    return normalise([posted.status, uris.length, acknowledged.status, listing.text, mq.state()])
  }
  const expected = await story(await mock(t))
  const fired = await mock(t)
  await fc.assert(
    fc.asyncProperty(fc.array(spec, { maxLength: 4 }), async (specs) => {
      await fired.mq.reset()
      fired.mq.broker.createQueue('orders/new')
      for (const fault of specs) fired.mq.faults.add(fault)
      const asked = [fired.ask('GET /queues'), fired.ask('GET /queues/orders/new')]
      await fired.mq.clock.advance(5)
      fired.mq.faults.clear()
      await Promise.allSettled(asked)
      await fired.mq.reset()
      fired.mq.broker.createQueue('orders/new')
      t.strictSame(await story(fired), expected)
    }),
    { numRuns: 25 },
  )
})

t.test('a fault is for one principal', async (t) => {
  const credential = (name: string, token: string): Credential => ({
    principal: { name, roles: new Set(['produce', 'consume']) },
    hash: createHash('sha256').update(token).digest(),
  })
  const { mq, ask } = await mock(t, { principals: [credential('shop', 'one'), credential('till', 'two')] })
  mq.faults.add({ fault: 'status', code: 503, principal: 'shop' })
  const statusFor = async (token: string) =>
    (await ask('GET /queues/orders/new', undefined, { Authorization: `Bearer ${token}` })).status
  t.same([await statusFor('one'), await statusFor('two'), await statusFor('three')], [503, 200, 401])
  t.same(
    mq.journal.entries({ principal: 'till' }).map(({ number, principal }) => [number, principal]),
    [[2, 'till']],
  )
})

t.test('the scenario away: for ten seconds nothing is handled, then everything is as before', async (t) => {
  const { mq, ask } = await mock(t)
  mq.faults.add({ scenario: 'away' })
  await t.rejects(ask('GET /queues'))
  await mq.clock.advance(9_999)
  await t.rejects(ask('GET /queues'))
  await mq.clock.advance(1)
  t.equal((await ask('GET /queues')).status, 200)
  t.match(mq.faults.list(), [{ scenario: 'away', fault: 'reset-before', fired: 2 }])
})

t.test('the scenario slow: every answer is late by its own time, the same with the same seed', async (t) => {
  const { mq, ask } = await mock(t)
  const times = async () => {
    mq.faults.add({ scenario: 'slow', seed: 7 })
    const asked = Array.from({ length: 5 }, async (_, n) => ask(`GET /queues/orders/new?limit=${n + 1}`))
    while (mq.faults.list()[0]?.fired !== 5) await turn()
    await mq.clock.advance(2000)
    await Promise.all(asked)
    const taken = mq.journal.entries().map(({ duration }) => duration)
    await mq.reset({ seed: true })
    return taken.sort((a, b) => a - b)
  }
  const first = await times()
  t.ok(first.every((taken) => taken >= 500 && taken <= 2000))
  t.ok(new Set(first).size > 1)
  t.same(await times(), first)
})

t.test('the scenario losing-answers: about a third of the answers, and none of the effects', async (t) => {
  const { mq, ask } = await mock(t)
  mq.faults.add({ scenario: 'losing-answers' })
  let lost = 0
  for (let n = 0; n < 60; n++) await ask(`POST /queues/orders/new?guid=${n}`, 'x').catch(() => lost++)
  t.ok(lost > 10 && lost < 30, `${lost} of 60`)
  t.match(mq.state().queues, [{ pending: 60 }])
})

t.test('duplicate-delivery through the alternative mappings: the next who asks has it too', async (t) => {
  const { mq, ask } = await mock(t, { queues: ['a'] })
  const doubled = async (send: string, first: string, second: string, mark = send) => {
    await mq.send('a', send)
    mq.faults.add({ fault: 'duplicate-delivery', times: 1 })
    const [one, two] = [await ask(first), await ask(second)]
    t.match(mq.journal.entries({ fault: 'duplicate-delivery' }).at(-1), { path: first.split(/[ ?]/)[1] })
    return [one, two].map(({ text }) => text.includes(mark))
  }
  for (const id of ['me', 'you']) await ask(`POST /subscribe/${id}/a`)
  t.same(await doubled('tea', 'POST /nextMessageForMe/me', 'POST /nextMessageForMe/you'), [true, true])
  await ask('DELETE /_control/faults')
  const acknowledge = async () => {
    for (const { id, holds } of mq.state().consumers) {
      for (const hold of holds) t.equal((await ask(`POST /ack/${id.slice(9)}/${hold.id}`)).status, 200)
    }
  }
  await acknowledge()
  t.match(mq.messages(), [{ status: 'acknowledged', delivered: 2 }])
  t.same(await doubled('hat', 'POST /lockNextMessage/me', 'POST /lockNextMessage/you', '/message/'), [
    true,
    true,
  ])
  await acknowledge()
  t.same(await doubled('cup', 'GET /queue/a?jsessionId=one', 'GET /queue/a?jsessionId=two'), [true, true])
  t.equal((await ask('GET /queue/a?jsessionId=one')).status, 204)
  t.equal((await ask('GET /queue/a?jsessionId=two')).status, 204)
  t.same(await doubled('pot', 'GET /queue/a', 'GET /queue/a'), [true, true])
  t.match(mq.state(), { queues: [{ pending: 0, held: 0 }], sessions: [] })
  t.equal((await ask('GET /queue/a')).status, 204)
  t.same(await doubled('jug', 'GET /queue/a?jsessionId=one', 'POST /nextMessageForMe/me'), [true, true])
  await ask('DELETE /queues/a')
  t.equal((await ask('POST /nextMessageForMe/you')).status, 204)
})
