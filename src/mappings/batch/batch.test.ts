import t from 'tap'
import { list, type Spoken, spoken } from '../speak.test.helper.js'

/** A server with so many messages in queue `a`, of which `anna` and `ben` are consumers. */
async function withConsumers(mq: Spoken, messages: number): Promise<Spoken> {
  for (const name of ['anna', 'ben']) await mq.speak('POST', `/subscribe/${name}/a`)
  for (let n = 1; n <= messages; n++) await mq.speak('POST', '/queue/a', { body: String(n) })
  return mq
}

async function lock(mq: Spoken, name: string, max: number | string = 1, said = {}): Promise<string[]> {
  const answer = await mq.speak('POST', `/lockNextMessage/${name}?max=${max}`, said)
  if (answer.status !== 200) throw new Error(answer.text)
  return answer.text.split('\r\n').slice(0, -1)
}

/** `/anna/messages/<id>`, by which a locked message is acknowledged. */
function ackOf(address: string): string {
  const [, , name, id] = address.split('/')
  return `/${name}/messages/${id}`
}

t.test('a lock call lists further messages, up to max', async (t) => {
  const mq = await withConsumers(await spoken(t, { queues: ['a'] }), 5)
  const first = await mq.speak('POST', '/lockNextMessage/anna')
  t.equal(first.status, 200)
  t.equal(first.headers.get('content-type'), 'text/uri-list')
  t.equal(first.headers.get('cache-control'), 'no-store')
  t.match(first.text, /^\/message\/anna\/[0-9a-f]{32}\r\n$/, 'one, where no max is given')
  const next = await lock(mq, 'anna', 2)
  t.equal(next.length, 2)
  t.equal(new Set([first.text.trim(), ...next]).size, 3)
  const rest = await lock(mq, 'ben', 1000)
  t.equal(rest.length, 2)
  const bodies = []
  for (const address of [...next, ...rest]) bodies.push((await mq.speak('GET', address)).text)
  t.strictSame(bodies, ['2', '3', '4', '5'])
  const none = await mq.speak('POST', '/lockNextMessage/anna?max=3')
  t.equal(none.status, 200)
  t.equal(none.headers.get('content-type'), 'text/uri-list')
  t.equal(none.text, '')
})

t.test('a max that is no number from 1 to 1000 is refused', async (t) => {
  const mq = await withConsumers(await spoken(t, { queues: ['a'] }), 1)
  for (const max of ['0', '1001', '-1', '1.5', 'x', '', '%31%20', '1&max=1', '99999999999']) {
    const refused = await mq.speak('POST', `/lockNextMessage/anna?max=${max}`)
    t.equal(refused.status, 400, max)
    t.match(refused.text, /"parameter":"max"/)
  }
  t.equal(mq.broker.queue('a').held, 0)
  t.equal((await lock(mq, 'anna', '%31')).length, 1)
})

t.test('a locked message is read and acknowledged by its own consumer', async (t) => {
  const mq = await withConsumers(await spoken(t, { queues: ['a'] }), 0)
  await mq.speak('POST', '/queue/a', { body: Buffer.from([0, 255]), headers: { 'Content-Type': 'x/y' } })
  await mq.speak('POST', '/queue/a', { body: 'other' })
  const [address, other] = await lock(mq, 'anna', 2)
  for (let n = 0; n < 2; n++) {
    const got = await mq.speak('GET', address!)
    t.equal(got.status, 200)
    t.strictSame(got.bytes, Buffer.from([0, 255]))
    t.equal(got.headers.get('content-type'), 'x/y')
    t.equal(got.headers.get('cache-control'), 'no-store')
  }
  const foreign = address!.replace('anna', 'ben')
  t.equal((await mq.speak('GET', foreign)).problem, 'unknown-message')
  t.equal((await mq.speak('DELETE', ackOf(foreign))).problem, 'unknown-message')
  t.equal((await mq.speak('DELETE', '/anna/messages/nothing')).problem, 'unknown-message')
  t.equal((await mq.speak('DELETE', ackOf(address!).replace('anna', 'carl'))).problem, 'unknown-consumer')
  for (let n = 0; n < 2; n++) t.equal((await mq.speak('DELETE', ackOf(address!))).status, 200, 'and repeated')
  const gone = await mq.speak('GET', address!)
  t.equal(gone.status, 410)
  t.equal(gone.problem, 'delivery-released')
  t.equal((await mq.speak('GET', other!)).text, 'other', 'the other of the batch stays locked')
  t.equal(mq.broker.queue('a').held, 1)
})

t.test('fetching a locked message renews the lease; looking at it does not', async (t) => {
  const mq = await withConsumers(await spoken(t, { queues: ['a'] }), 1)
  const [address] = await lock(mq, 'anna')
  const { leaseEndsAt } = mq.broker.consumer('anna')
  mq.clock.advance(1000)
  await mq.speak('HEAD', address!)
  await mq.speak('GET', address!, { headers: { Accept: 'text/html' } })
  t.equal(mq.broker.consumer('anna').leaseEndsAt, leaseEndsAt)
  await mq.speak('GET', address!)
  t.equal(mq.broker.consumer('anna').leaseEndsAt, leaseEndsAt + 1000)
})

t.test('the path of an acknowledgement has only DELETE, and hides no other path', async (t) => {
  const mq = await withConsumers(await spoken(t, { queues: ['a'] }), 1)
  for (const method of ['GET', 'HEAD', 'POST']) {
    const refused = await mq.speak(method, '/anna/messages/x')
    t.equal(refused.status, 405, method)
    t.equal(refused.headers.get('allow'), 'DELETE, OPTIONS')
  }
  t.equal((await mq.speak('DELETE', '/message/anna/x')).headers.get('allow'), 'GET, HEAD, OPTIONS')
  t.equal((await mq.speak('DELETE', '/queues/messages/x')).problem, 'unknown-queue')
  t.equal((await mq.speak('DELETE', '/anna/other/x')).problem, 'no-such-resource')
})

t.test('acknowledging a message that was handed out one at a time, and the other way round', async (t) => {
  const mq = await withConsumers(await spoken(t, { queues: ['a'] }), 2)
  const [address] = await lock(mq, 'anna')
  const next = await mq.speak('POST', '/nextMessageForMe/anna')
  t.equal(
    `/message/anna/${next.headers.get('message-id')}`,
    address,
    'who holds one is handed no further one',
  )
  t.equal((await mq.speak('POST', next.location)).status, 200)
  const second = await mq.speak('POST', '/nextMessageForMe/anna')
  t.strictSame(await lock(mq, 'anna'), [], 'further than what it has')
  t.equal((await mq.speak('DELETE', `/anna/messages/${second.headers.get('message-id')}`)).status, 200)
  t.equal(mq.broker.queue('a').pending, 0)
})

t.test('the end of the lease unlocks what was locked, in its old place', async (t) => {
  const mq = await withConsumers(await spoken(t, { queues: ['a'] }), 3)
  const [first] = await lock(mq, 'anna', 2)
  mq.clock.advance(29_999)
  t.equal((await lock(mq, 'ben', 9)).length, 1)
  mq.clock.advance(1)
  const unlocked = await lock(mq, 'ben', 9)
  t.strictSame(await Promise.all(unlocked.map(async (address) => (await mq.speak('GET', address)).text)), [
    '1',
    '2',
  ])
  t.equal((await mq.speak('GET', first!)).problem, 'consumer-ended')
  t.equal((await mq.speak('DELETE', ackOf(first!))).problem, 'consumer-ended')
  t.equal((await mq.speak('POST', '/lockNextMessage/anna', list(first!))).problem, 'consumer-ended')
  t.equal(mq.broker.queue('a').pending, 3)
})

t.test('a lock call acknowledges what its body lists, in any of its spellings, and then locks', async (t) => {
  const mq = await withConsumers(await spoken(t, { queues: ['a'] }), 6)
  const [one, two, three, four] = await lock(mq, 'anna', 4)
  const said = list(
    '# what is done',
    '',
    one!,
    `http://elsewhere.example${two}`,
    ackOf(three!),
    ` ${four!.replace('message', 'ack')} `,
    one!,
  )
  t.equal((await lock(mq, 'anna', 1, said)).length, 1)
  t.equal(mq.broker.queue('a').pending, 2)
  t.equal((await lock(mq, 'anna', 1, said)).length, 1, 'a repeat acknowledges no more, and locks on')
  t.equal(mq.broker.queue('a').pending, 2)
})

t.test('where one of the list is not held, none is acknowledged and nothing is locked', async (t) => {
  const mq = await withConsumers(await spoken(t, { queues: ['a'] }), 4)
  const [mine] = await lock(mq, 'anna')
  const [foreign] = await lock(mq, 'ben')
  const wrong = [
    foreign!,
    foreign!.replace('ben', 'anna'),
    `${mine!}/x`,
    mine!.slice(1),
    `/message/anna/%ff`,
    'urn:x',
    'http://[',
    '//message/anna/x',
    '/message/anna/',
  ]
  const refused = await mq.speak('POST', '/lockNextMessage/anna', list(mine!, ...wrong))
  t.equal(refused.status, 422)
  t.equal(refused.problem, 'message-not-held')
  t.strictSame(JSON.parse(refused.text).messages, wrong, 'they are listed as they were given')
  t.match(JSON.parse(refused.text).detail, /9 of the list are not held/)
  t.strictSame([mq.broker.queue('a').pending, mq.broker.queue('a').held], [4, 2])
  const one = await mq.speak('POST', '/lockNextMessage/anna', list(mine!, 'x'))
  t.match(JSON.parse(one.text).detail, /1 of the list is not held/)
})

t.test('a list of another media type, or that is no text, is refused', async (t) => {
  const mq = await withConsumers(await spoken(t, { queues: ['a'] }), 2)
  const [mine] = await lock(mq, 'anna')
  const wrong = await mq.speak('POST', '/lockNextMessage/anna', {
    body: mine!,
    headers: { 'Content-Type': 'text/plain' },
  })
  t.equal(wrong.status, 415)
  t.equal(wrong.problem, 'unsupported-media-type')
  t.equal(wrong.headers.get('accept-post'), 'text/uri-list')
  const garbled = await mq.speak('POST', '/lockNextMessage/anna', {
    body: Buffer.from([0xff]),
    headers: { 'Content-Type': 'text/uri-list' },
  })
  t.equal(garbled.status, 400)
  t.equal(garbled.problem, 'malformed-request')
  t.equal((await mq.speak('POST', '/lockNextMessage/anna?max=0', list(mine!))).status, 400)
  t.strictSame([mq.broker.queue('a').pending, mq.broker.queue('a').held], [2, 1])
  const lines = { body: `${mine}\n#\r`, headers: { 'Content-Type': 'Text/URI-List; charset=utf-8' } }
  t.equal((await lock(mq, 'anna', 1, lines)).length, 1, 'lines may end in other ways')
  t.equal(mq.broker.queue('a').pending, 1)
})

t.test('a lock call that waits ends with the first message that comes', async (t) => {
  const mq = await withConsumers(await spoken(t, { queues: ['a'] }), 1)
  const anna = mq.broker.consumer('anna')
  const [done] = await lock(mq, 'anna')
  const { headers, body } = list(done!)
  const waiting = mq.speak('POST', '/lockNextMessage/anna?max=5', {
    headers: { ...headers, Prefer: 'wait=10' },
    body: body!,
  })
  await mq.until(() => anna.waiters.size === 1)
  t.equal(mq.broker.queue('a').pending, 0, 'it acknowledges before it waits')
  await mq.speak('POST', '/queue/a', { body: 'came' })
  const answer = await waiting
  t.match(answer.text, /^\/message\/anna\/\w+\r\n$/)
  t.equal(answer.headers.get('preference-applied'), 'wait=10')
  const vain = mq.speak('POST', '/lockNextMessage/anna', { headers: { Prefer: 'wait=10' } })
  await mq.until(() => anna.waiters.size === 1)
  mq.clock.advance(10_000)
  t.equal((await vain).text, '')
})

t.test('two lock calls of one consumer that wait share no message', async (t) => {
  const mq = await withConsumers(await spoken(t, { queues: ['a'] }), 0)
  const anna = mq.broker.consumer('anna')
  const wait = () => mq.speak('POST', '/lockNextMessage/anna', { headers: { Prefer: 'wait=10' } })
  const waiting = [wait(), wait()]
  await mq.until(() => anna.waiters.size === 2)
  await mq.speak('POST', '/queue/a', { body: '1' })
  const first = await Promise.race(waiting)
  await mq.until(() => anna.waiters.size === 1)
  await mq.speak('POST', '/queue/a', { body: '2' })
  const texts = (await Promise.all(waiting)).map(({ text }) => text)
  t.ok(texts.includes(first.text))
  t.equal(new Set(texts).size, 2)
})

t.test('what came to a waiter that had gone is told by the next call', async (t) => {
  const mq = await withConsumers(await spoken(t, { queues: ['a'] }), 0)
  let woken = false
  const cancel = mq.broker.whenConsumerChanges('anna', () => {
    woken = true
  })
  await mq.speak('POST', '/queue/a', { body: '1' })
  t.ok(woken)
  cancel()
  t.equal(mq.broker.queue('a').held, 1)
  await mq.speak('POST', '/queue/a', { body: '2' })
  t.equal(mq.broker.queue('a').held, 1, 'one wait, one message')
  const told = await lock(mq, 'anna', 1)
  t.equal((await mq.speak('GET', told[0]!)).text, '1')
  t.equal((await lock(mq, 'anna', 5)).length, 1)
})
