import t from 'tap'
import { spoken } from '../speak.test.helper.js'

t.test('a consumer gets one message at a time, the same until it is acknowledged', async (t) => {
  const mq = await spoken(t, { queues: ['a'] })
  t.equal((await mq.speak('POST', '/subscribe/anna/a')).status, 200)
  const none = await mq.speak('POST', '/nextMessageForMe/anna')
  t.equal(none.status, 204)
  t.equal(none.headers.get('cache-control'), 'no-store')
  await mq.speak('POST', '/queue/a', {
    body: 'one',
    headers: { 'Content-Type': 'text/plain', 'Property-N': '1' },
  })
  await mq.speak('POST', '/queue/a', { body: 'two' })
  t.equal(mq.broker.queue('a').held, 0, 'nothing is bound to a consumer that has not asked')
  const one = await mq.speak('POST', '/nextMessageForMe/anna')
  t.equal(one.status, 200)
  t.equal(one.text, 'one')
  t.equal(one.headers.get('content-type'), 'text/plain')
  t.equal(one.headers.get('property-n'), '1')
  t.equal(one.headers.get('cache-control'), 'no-store')
  t.equal(one.location, `/ack/anna/${one.headers.get('message-id')}`)
  const again = await mq.speak('POST', '/nextMessageForMe/anna')
  t.strictSame([again.text, again.location], [one.text, one.location])
  t.equal(mq.broker.queue('a').held, 1)
  for (let n = 0; n < 2; n++) t.equal((await mq.speak('POST', one.location)).status, 200, 'and repeated')
  t.equal(mq.broker.queue('a').pending, 1)
  const two = await mq.speak('POST', '/nextMessageForMe/anna')
  t.equal(two.text, 'two')
  t.not(two.location, one.location)
})

t.test('only what a consumer holds can it acknowledge', async (t) => {
  const mq = await spoken(t, { queues: ['a'] })
  for (const name of ['anna', 'ben']) await mq.speak('POST', `/subscribe/${name}/a`)
  await mq.speak('POST', '/queue/a', { body: 'x' })
  const { headers } = await mq.speak('POST', '/nextMessageForMe/anna')
  const id = headers.get('message-id')
  const foreign = await mq.speak('POST', `/ack/ben/${id}`)
  t.equal(foreign.status, 404)
  t.equal(foreign.problem, 'unknown-message')
  t.equal((await mq.speak('POST', '/ack/anna/nothing')).problem, 'unknown-message')
  t.equal(mq.broker.queue('a').held, 1)
  t.equal((await mq.speak('POST', `/ack/carl/${id}`)).problem, 'unknown-consumer')
  await mq.speak('POST', `/ack/anna/${id}`)
  t.equal(
    (await mq.speak('POST', `/ack/ben/${id}`)).problem,
    'unknown-message',
    'nor when it is acknowledged',
  )
})

t.test('subscribing again changes nothing, and unsubscribing again neither', async (t) => {
  const mq = await spoken(t, { queues: ['uk/tea'] })
  await mq.speak('POST', '/subscribe/anna/uk/tea')
  await mq.speak('POST', '/queue/uk/tea', { body: 'x' })
  await mq.speak('POST', '/nextMessageForMe/anna')
  t.equal((await mq.speak('POST', '/subscribe/anna/uk.tea')).status, 200)
  t.strictSame(mq.broker.consumer('anna').destinations, ['uk/tea'])
  t.equal(mq.broker.consumer('anna').held.size, 1)
  t.equal((await mq.speak('POST', '/unsubscribe/anna/elsewhere')).status, 200)
  t.equal(mq.broker.consumer('anna').held.size, 1)
  for (let n = 0; n < 2; n++) t.equal((await mq.speak('POST', '/unsubscribe/anna/uk.tea')).status, 200)
  t.equal(mq.broker.queue('uk/tea').held, 0, 'what it held from there is given back')
  t.equal((await mq.speak('POST', '/nextMessageForMe/anna')).status, 204, 'it is still a consumer')
})

t.test('what was given back is no longer its to acknowledge', async (t) => {
  const mq = await spoken(t, { queues: ['a'] })
  await mq.speak('POST', '/subscribe/anna/a')
  await mq.speak('POST', '/queue/a', { body: 'x' })
  const { location } = await mq.speak('POST', '/nextMessageForMe/anna')
  await mq.speak('POST', '/unsubscribe/anna/a')
  const late = await mq.speak('POST', location)
  t.equal(late.status, 410)
  t.equal(late.problem, 'delivery-released')
  await mq.speak('POST', '/subscribe/ben/a')
  t.equal((await mq.speak('POST', '/nextMessageForMe/ben')).text, 'x')
})

t.test('a destination can be a wildcard, and a queue that two cover stays covered by one', async (t) => {
  const mq = await spoken(t, { queues: ['uk/tea'] })
  await mq.speak('POST', '/subscribe/anna/uk/*')
  await mq.speak('POST', '/subscribe/anna/uk.%3E')
  await mq.speak('POST', '/queue/uk/tea', { body: 'x' })
  t.equal((await mq.speak('POST', '/nextMessageForMe/anna')).text, 'x')
  await mq.speak('POST', '/unsubscribe/anna/uk.*')
  t.equal(mq.broker.consumer('anna').held.size, 1)
  await mq.speak('POST', '/queues', { headers: { Slug: 'uk/later/on' } })
  t.equal(mq.broker.consumer('anna').bindings.size, 2)
  await mq.speak('POST', '/unsubscribe/anna/uk/%3E')
  t.equal(mq.broker.consumer('anna').held.size, 0)
  for (const bad of ['a/%3E/b', 'a*', 'a//b', '', 'a%2Fb']) {
    const refused = await mq.speak('POST', `/subscribe/anna/${bad}`)
    t.equal(refused.status, 400, bad)
    t.equal(refused.problem, 'bad-destination')
  }
  t.equal((await mq.speak('POST', '/unsubscribe/anna/a*')).problem, 'bad-destination')
  t.equal((await mq.speak('POST', '/subscribe/anna/%ff')).problem, 'bad-percent-encoding')
})

t.test('a consumer id is 1 to 255 characters, and no word with which a path begins', async (t) => {
  const mq = await spoken(t, { queues: ['a'] })
  const words =
    'queues subscriptions addresses messages queue subscribe unsubscribe nextMessageForMe ack message lockNextMessage _control _health'
  for (const word of [...words.split(' '), '%71ueues', 'x'.repeat(256), 'a%2Fb']) {
    const refused = await mq.speak('POST', `/subscribe/${word}/a`)
    t.equal(refused.status, 400, word)
    t.equal(refused.problem, 'bad-consumer-id')
  }
  t.equal(mq.broker.parts.subscriptions.size, 0)
  const reserved = [
    ['POST', '/unsubscribe/queues/a'],
    ['POST', '/nextMessageForMe/queues'],
    ['POST', '/ack/queues/x'],
    ['POST', '/lockNextMessage/queues'],
    ['GET', '/message/queues/x'],
  ] as const
  for (const [method, path] of reserved)
    t.equal((await mq.speak(method, path)).problem, 'bad-consumer-id', path)
  for (const id of ['x'.repeat(255), 'anna%20b%C3%A4r', 'consumer%3Aanna', '%3Aconsumer', '%25', 'Queues']) {
    t.equal((await mq.speak('POST', `/subscribe/${id}/a`)).status, 200, id)
    await mq.speak('POST', '/queue/a', { body: id })
    const got = await mq.speak('POST', `/nextMessageForMe/${id}`)
    t.equal(got.text, id)
    t.equal((await mq.speak('POST', got.location)).status, 200)
  }
  t.equal(mq.broker.queue('a').pending, 0)
})

t.test('consumers, sessions and subscriptions have names of their own', async (t) => {
  const mq = await spoken(t, { queues: ['a'] })
  await mq.speak('POST', '/subscribe/anna/a')
  await mq.speak('POST', '/queue/a', { body: '1' })
  await mq.speak('POST', '/queue/a', { body: '2' })
  const { headers } = await mq.speak('POST', '/nextMessageForMe/anna')
  t.equal((await mq.speak('GET', '/queue/a?jsessionId=anna')).text, '2')
  t.equal(mq.broker.queue('a').held, 2)
  for (const path of ['anna', 'consumer:anna', 'consumer%3Aanna', 'session:anna']) {
    t.equal((await mq.speak('GET', `/subscriptions/${path}`)).problem, 'unknown-subscription', path)
    t.equal((await mq.speak('DELETE', `/subscriptions/${path}`)).problem, 'unknown-subscription')
    const uri = `/subscriptions/${path}/messages/${headers.get('message-id')}`
    t.equal((await mq.speak('DELETE', uri)).problem, 'unknown-subscription')
  }
  mq.clock.advance(30_000)
  t.equal((await mq.speak('GET', '/subscriptions/consumer:anna')).status, 404, 'nor when they ended')
})

t.test('a consumer that never subscribed is unknown everywhere', async (t) => {
  const mq = await spoken(t, { queues: ['a'] })
  for (const path of [
    '/unsubscribe/anna/a',
    '/nextMessageForMe/anna',
    '/ack/anna/x',
    '/lockNextMessage/anna',
  ]) {
    const refused = await mq.speak('POST', path)
    t.equal(refused.status, 404)
    t.equal(refused.problem, 'unknown-consumer')
  }
})

t.test('the lease ends after the timeout, and the message goes to another', async (t) => {
  const mq = await spoken(t, { queues: ['a'] })
  await mq.speak('POST', '/subscribe/anna/a?timeout=0.5')
  await mq.speak('POST', '/subscribe/ben/a')
  await mq.speak('POST', '/queue/a', { body: 'x' })
  const { location } = await mq.speak('POST', '/nextMessageForMe/anna')
  mq.clock.advance(499)
  t.equal((await mq.speak('POST', '/nextMessageForMe/ben')).status, 204)
  mq.clock.advance(1)
  t.equal((await mq.speak('POST', '/nextMessageForMe/ben')).text, 'x')
  for (const path of [location, '/nextMessageForMe/anna', '/unsubscribe/anna/a', '/lockNextMessage/anna']) {
    const refused = await mq.speak('POST', path)
    t.equal(refused.status, 410, path)
    t.equal(refused.problem, 'consumer-ended')
  }
  t.equal(mq.broker.queue('a').pending, 1)
  t.equal((await mq.speak('POST', '/subscribe/anna/a')).status, 200, 'it begins anew')
  t.equal(mq.broker.consumer('anna').timeout, 30_000)
  const late = await mq.speak('POST', location)
  t.equal(late.status, 410, 'what it held before it does not hold now')
  t.equal(late.problem, 'delivery-released')
})

t.test('each request of a consumer renews its lease, but not a refused one', async (t) => {
  const mq = await spoken(t, { queues: ['a'] })
  await mq.speak('POST', '/subscribe/anna/a?timeout=1')
  await mq.speak('POST', '/queue/a', { body: 'x' })
  const { location, headers } = await mq.speak('POST', '/nextMessageForMe/anna')
  const requests = [
    ['POST', '/subscribe/anna/a'],
    ['POST', '/subscribe/anna/b'],
    ['POST', '/unsubscribe/anna/b'],
    ['POST', '/nextMessageForMe/anna'],
    ['GET', `/message/anna/${headers.get('message-id')}`],
    ['POST', '/lockNextMessage/anna'],
    ['POST', location],
    ['POST', location],
    ['DELETE', `/anna/messages/${headers.get('message-id')}`],
  ] as const
  for (const [method, path] of requests) {
    mq.clock.advance(999)
    await mq.speak(method, path)
    t.equal(mq.broker.consumer('anna').leaseEndsAt, mq.clock.now() + 1000, path)
  }
  mq.clock.advance(500)
  const refused = [
    ['POST', '/subscribe/anna/a?timeout=0'],
    ['POST', '/unsubscribe/anna/a*'],
    ['POST', '/ack/anna/nothing'],
    ['POST', '/lockNextMessage/anna?max=0'],
    ['GET', '/message/anna/nothing'],
  ] as const
  for (const [method, path] of refused) {
    await mq.speak(method, path)
    t.equal(mq.broker.consumer('anna').leaseEndsAt, mq.clock.now() + 500, path)
  }
})

t.test('a timeout given later is the length of the lease from then on', async (t) => {
  const mq = await spoken(t, { queues: ['a'] })
  await mq.speak('POST', '/subscribe/anna/a?timeout=60')
  await mq.speak('POST', '/queue/a', { body: 'x' })
  await mq.speak('POST', '/nextMessageForMe/anna')
  await mq.speak('POST', '/subscribe/anna/a?timeout=1')
  mq.clock.advance(1000)
  t.equal(mq.broker.queue('a').held, 0, 'a shorter one ends in time')
  await mq.speak('POST', '/subscribe/anna/a?timeout=1')
  await mq.speak('POST', '/subscribe/anna/b?timeout=60')
  mq.clock.advance(59_999)
  t.equal((await mq.speak('POST', '/nextMessageForMe/anna')).text, 'x')
  t.equal(mq.broker.consumer('anna').timeout, 60_000)
  for (const bad of ['', '0.049', '3601', 'x', '-1', '1e3', '5&timeout=5']) {
    const refused = await mq.speak('POST', `/subscribe/anna/a?timeout=${bad}`)
    t.equal(refused.status, 400, bad)
    t.match(refused.text, /"parameter":"timeout"/)
  }
})

t.test('what takes no body refuses one, and does nothing', async (t) => {
  const mq = await spoken(t, { queues: ['a'] })
  t.equal((await mq.speak('POST', '/subscribe/anna/a', { body: 'x' })).problem, 'unexpected-body')
  t.equal(mq.broker.parts.subscriptions.size, 0)
  await mq.speak('POST', '/subscribe/anna/a', { body: '', headers: { 'Content-Type': 'text/plain' } })
  await mq.speak('POST', '/queue/a', { body: 'x' })
  const { location } = await mq.speak('POST', '/nextMessageForMe/anna')
  for (const path of ['/unsubscribe/anna/a', '/nextMessageForMe/anna', location]) {
    const refused = await mq.speak('POST', path, { body: 'x' })
    t.equal(refused.status, 400)
    t.equal(refused.problem, 'unexpected-body')
  }
  t.equal(mq.broker.queue('a').held, 1)
})

t.test('paths that lack something, and methods that are none', async (t) => {
  const mq = await spoken(t, { queues: ['a'] })
  for (const path of ['/subscribe/anna', '/subscribe//a', '/nextMessageForMe/', '/ack/anna', '/ack/anna/']) {
    t.equal((await mq.speak('POST', path)).status, 404, path)
  }
  for (const path of ['/subscribe/anna/a', '/unsubscribe/anna/a', '/nextMessageForMe/anna', '/ack/anna/x']) {
    const refused = await mq.speak('GET', path)
    t.equal(refused.status, 405, path)
    t.equal(refused.headers.get('allow'), 'POST, OPTIONS')
  }
})

t.test('a consumer has at most so many destinations', async (t) => {
  const mq = await spoken(t, { limits: { maxDestinations: 2, maxSubscriptions: 1 } })
  for (const queue of ['a', 'b', 'b'])
    t.equal((await mq.speak('POST', `/subscribe/anna/${queue}`)).status, 200)
  const refused = await mq.speak('POST', '/subscribe/anna/c')
  t.equal(refused.status, 400)
  t.equal(refused.problem, 'bad-parameter')
  t.strictSame(mq.broker.consumer('anna').destinations, ['a', 'b'])
  await mq.speak('POST', '/unsubscribe/anna/a')
  t.equal((await mq.speak('POST', '/subscribe/anna/c')).status, 200)
  const crowded = await mq.speak('POST', '/subscribe/ben/a')
  t.equal(crowded.status, 429)
  t.equal(crowded.problem, 'too-many-subscriptions')
})

t.test('a consumer that waits takes its turn at what arrives', async (t) => {
  const mq = await spoken(t, { queues: ['a'] })
  for (const name of ['anna', 'ben']) await mq.speak('POST', `/subscribe/${name}/a`)
  const wait = (name: string) =>
    mq.speak('POST', `/nextMessageForMe/${name}`, { headers: { Prefer: 'wait=10' } })
  const waiting = [wait('anna'), wait('ben')]
  const demand = () => mq.broker.consumer('anna').room + mq.broker.consumer('ben').room
  await mq.until(() => demand() === 2)
  const { id } = mq.broker.subscribe({ destinations: ['a'], prefetch: 9 })
  for (const text of ['1', '2', '3', '4']) await mq.speak('POST', '/queue/a', { body: text })
  const answers = await Promise.all(waiting)
  t.equal(mq.broker.subscription(id).held.size, 2)
  t.strictSame(
    answers.map(({ status }) => status),
    [200, 200],
  )
  t.not(answers[0]!.text, answers[1]!.text)
  t.equal(answers[0]!.headers.get('preference-applied'), 'wait=10')
  t.equal(demand(), 0)
})

t.test('two requests of one consumer that wait get the same message', async (t) => {
  const mq = await spoken(t, { queues: ['a'] })
  await mq.speak('POST', '/subscribe/anna/a')
  const wait = () => mq.speak('POST', '/nextMessageForMe/anna', { headers: { Prefer: 'wait=10' } })
  const waiting = [wait(), wait()]
  await mq.until(() => mq.broker.consumer('anna').waiters.size === 2)
  for (const text of ['1', '2']) await mq.speak('POST', '/queue/a', { body: text })
  for (const { text } of await Promise.all(waiting)) t.equal(text, '1')
  t.equal(mq.broker.queue('a').held, 1)
})

t.test('a wait ends with its time, or with the lease', async (t) => {
  const mq = await spoken(t, { queues: ['a'] })
  await mq.speak('POST', '/subscribe/anna/a?timeout=5')
  const wait = (seconds: number) =>
    mq.speak('POST', '/nextMessageForMe/anna', { headers: { Prefer: `wait=${seconds}` } })
  const parked = () => mq.until(() => mq.broker.consumer('anna').waiters.size === 1)
  const vain = wait(3)
  await parked()
  mq.clock.advance(3000)
  const none = await vain
  t.equal(none.status, 204)
  t.equal(none.headers.get('preference-applied'), 'wait=3')
  const long = wait(60)
  await parked()
  mq.clock.advance(5000)
  t.equal((await long).problem, 'consumer-ended')
})

t.test('a client that goes away while it waits takes nothing with it', async (t) => {
  const mq = await spoken(t, { queues: ['a'] })
  await mq.speak('POST', '/subscribe/anna/a')
  const anna = mq.broker.consumer('anna')
  const client = new AbortController()
  const waiting = mq.speak('POST', '/nextMessageForMe/anna', {
    headers: { Prefer: 'wait=10' },
    signal: client.signal,
  })
  await mq.until(() => anna.waiters.size === 1)
  client.abort()
  await t.rejects(waiting)
  await mq.until(() => anna.waiters.size === 0)
  t.equal(anna.room, 0)
  await mq.speak('POST', '/queue/a', { body: 'kept' })
  t.strictSame([mq.broker.queue('a').pending, mq.broker.queue('a').held], [1, 0])
})

t.test('stopping answers what waits', async (t) => {
  const mq = await spoken(t, { queues: ['a'] })
  await mq.speak('POST', '/subscribe/anna/a')
  const waiting = mq.speak('POST', '/nextMessageForMe/anna', { headers: { Prefer: 'wait=10' } })
  await mq.until(() => mq.broker.consumer('anna').waiters.size === 1)
  mq.broker.close()
  t.equal((await waiting).status, 204)
})

t.test('a reset ends what waits, since there is no such consumer any more', async (t) => {
  const mq = await spoken(t, { queues: ['a'] })
  await mq.speak('POST', '/subscribe/anna/a')
  const waiting = mq.speak('POST', '/nextMessageForMe/anna', { headers: { Prefer: 'wait=10' } })
  await mq.until(() => mq.broker.consumer('anna').waiters.size === 1)
  mq.broker.reset()
  t.equal((await waiting).problem, 'unknown-consumer')
})
