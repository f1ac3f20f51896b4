import { request } from 'node:http'
import fc from 'fast-check'
import t from 'tap'
import { createBroker } from '../../broker/broker.js'
import { startServer } from '../../server.js'
import { mock } from '../mock.test.helper.js'
import { applySeed, parseSeed, readSeed, type Seed } from './seed.js'
import { SEED_SCHEMA } from './seed-schema.js'

t.test('queues and messages are there at the start, in their order', async (t) => {
  const seed = parseSeed(
    JSON.stringify({
      queues: ['orders.new', 'empty'],
      messages: [
        {
          queue: 'orders/new',
          body: 'é',
          contentType: 'text/plain',
          properties: { Colour: 'red', 'Ship-To': 'ü' },
        },
        { queue: 'orders.new', bodyBase64: 'AAH/', guid: 'g1' },
        { queue: 'orders/new' },
      ],
    }),
  )
  await using mq = await startServer({ seed })
  const { queues, guids } = mq.state()
  t.match(queues, [
    { name: 'empty', pending: 0 },
    {
      name: 'orders/new',
      messages: [
        { body: 'é', contentType: 'text/plain', properties: { colour: 'red', ship_to: 'ü' } },
        { bodyBase64: 'AAH/', contentType: null, properties: {} },
        { bytes: 0 },
      ],
    },
  ])
  t.equal(guids.remembered, 1)
  const repeat = await fetch(`${mq.url}/queues/orders/new?guid=g1`, { method: 'POST', body: 'again' })
  t.equal(repeat.headers.get('idempotent-replayed'), 'true')
})

t.test('what a seed gives as properties comes out as header fields', async (t) => {
  await using mq = await startServer({
    seed: { queues: ['a'], messages: [{ queue: 'a', body: 'x', properties: { 'Ship-To': 'ü' } }] },
  })
  const answer = await fetch(`${mq.url}/queue/a`)
  t.equal(Buffer.from(answer.headers.get('property-ship-to') ?? '', 'latin1').toString(), 'ü')
})

const SEED: Seed = {
  queues: ['a', 'b/c', 'empty'],
  messages: [
    { queue: 'a', body: 'one', contentType: 'text/plain', properties: { colour: 'blue' } },
    { queue: 'a', bodyBase64: 'AAH/', contentEncoding: 'br', contentLanguage: 'en, fr' },
    { queue: 'b/c' },
  ],
}

t.test('what a server holds comes back as a seed that makes the same again', async (t) => {
  const { mq, ask, subscribe, feed } = await mock(t, { queues: [], seed: SEED })
  await feed(await subscribe('a'))
  t.same(mq.toSeed(), SEED, 'what is held is pending in it')
  const over = await ask('GET /_control/seed')
  t.same([over.headers.get('content-type'), over.json], ['application/json', SEED])
  const { mq: other, ask: askOther } = await mock(t, { queues: [] })
  t.equal((await askOther('POST /_control/seed', SEED)).status, 200)
  t.same(other.toSeed(), SEED)
  other.seed({ queues: ['more'] })
  t.same(other.toSeed().queues, ['a', 'b/c', 'empty', 'more'])
  const wrong = await askOther('POST /_control/seed', { messages: [{ queue: 'a', body: 1 }] })
  t.match(wrong, { status: 400, json: { detail: 'messages[0].body must be a text.' } })
  await other.reset()
  t.same((await askOther('GET /_control/seed')).json, { queues: [], messages: [] })
})

t.test('after a reset with seed the server begins anew, queues of its options included', async (t) => {
  const { mq, ask } = await mock(t, {
    queues: ['first'],
    seed: { ...SEED, messages: SEED.messages!.slice(0, 1) },
  })
  const before = mq.toSeed()
  for (const reset of ['code', 'HTTP']) {
    mq.broker.deleteQueue('a')
    mq.broker.createQueue('other')
    if (reset === 'code') await mq.reset({ seed: true })
    else await ask('POST /_control/reset', { seed: true })
    t.same(mq.toSeed(), before, reset)
  }
  t.same(before.queues, ['a', 'b/c', 'empty', 'first'])
  t.match(await ask('POST /_control/reset', { seeds: true }), { status: 400 })
  t.throws(() => mq.reset({ seed: 'yes' as never }), { message: /^seed must be true or false/ })
  t.same(mq.toSeed(), before, 'a refused reset changes nothing')
})

t.test('a seed of many messages is sent in pieces, and is whole', async (t) => {
  const messages = Array.from({ length: 200 }, (_, n) => ({ queue: 'a', body: `${n}`.padEnd(4000, 'x') }))
  const { ask } = await mock(t, { queues: [], seed: { queues: ['a'], messages } })
  t.same((await ask('GET /_control/seed')).json, { queues: ['a'], messages })
})

t.test('a bad one says where the mistake is', async (t) => {
  const wrong: [seed: unknown, message: RegExp][] = [
    [[], /^What is given must be an object/],
    [{ queue: [] }, /^There is no member "queue"; what can be given is queues, messages/],
    [{ queues: 'a' }, /^queues must be a list/],
    [{ queues: ['a', 1] }, /^queues\[1\] must be a text/],
    [{ queues: ['a', ''] }, /^queues\[1\] is refused: .*empty segment/],
    [{ queues: ['a', 'b*'] }, /^queues\[1\] is refused/],
    [{ messages: {} }, /^messages must be a list/],
    [{ messages: ['x'] }, /^messages\[0\] must be an object/],
    [{ messages: [{}] }, /^messages\[0\]\.queue must be a text/],
    [{ messages: [{ queue: 'b' }] }, /^messages\[0\] is refused: There is no queue "b"/],
    [
      { queues: ['a'], messages: [{ queue: 'a' }, { queue: 'a', bdy: '' }] },
      /^There is no member "messages\[1\]\.bdy"; /,
    ],
    [{ messages: [{ queue: 'a', body: 1 }] }, /^messages\[0\]\.body must be a text/],
    [{ messages: [{ queue: 'a', body: '', bodyBase64: '' }] }, /^messages\[0\]\.bodyBase64 must be absent/],
    [{ messages: [{ queue: 'a', bodyBase64: 'a' }] }, /^messages\[0\]\.bodyBase64 must be base64/],
    [
      { messages: [{ queue: 'a', contentType: 'a\r\nb: c' }] },
      /^messages\[0\]\.contentType must be a media type/,
    ],
    [{ messages: [{ queue: 'a', contentType: '' }] }, /contentType must be/],
    [{ messages: [{ queue: 'a', properties: [] }] }, /^messages\[0\]\.properties must be an object/],
    [{ messages: [{ queue: 'a', properties: 'x' }] }, /^messages\[0\]\.properties must be an object/],
    [{ messages: [{ queue: 'a', properties: { 'a b': '' } }] }, /properties\.a b must be named with letters/],
    [{ messages: [{ queue: 'a', properties: { a: 1 } }] }, /properties\.a must be a text/],
    [
      { messages: [{ queue: 'a', properties: { a: 'x\ny' } }] },
      /properties\.a must be a text without control/,
    ],
    [{ queues: ['a'], messages: [{ queue: 'a', guid: '' }] }, /^messages\[0\] is refused: .*guid/],
    [
      {
        queues: ['a'],
        messages: [
          { queue: 'a', guid: 'g' },
          { queue: 'a', guid: 'g' },
        ],
      },
      /^messages\[1\]\.guid must be its own: an earlier message has it/,
    ],
  ]
  for (const [seed, message] of wrong) {
    await t.rejects(startServer({ seed: seed as Seed }), { name: 'Problem', message }, JSON.stringify(seed))
  }
  t.throws(() => parseSeed('{\n  "queues": ["a",]\n}'), { message: 'It is not JSON: see line 2, column 18.' })
  t.throws(() => parseSeed('{"queues": 1}'), { message: /^queues must be a list/ })
})

t.test(
  'with autoCreate the messages make their queues; other errors of a broker are not swallowed',
  async (t) => {
    await using mq = await startServer({ autoCreate: true, seed: { messages: [{ queue: 'made/up' }] } })
    t.match(mq.state().queues, [{ name: 'made/up', pending: 1 }])
    const broker = createBroker()
    broker.createQueue = () => {
      throw new TypeError('defect')
    }
    t.throws(() => applySeed(broker, { queues: ['a'] }), { name: 'TypeError' })
  },
)

t.test('base64 is what the schema says, and as long as it likes', async (t) => {
  const large = 'QUJD'.repeat(4 * 1024 * 1024)
  t.match(
    readSeed({ messages: [{ queue: 'a', bodyBase64: large }] }).messages?.[0]?.bodyBase64?.length,
    2 ** 24,
  )
  const pattern = new RegExp(SEED_SCHEMA.properties.messages.items.properties.bodyBase64.pattern)
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('A', '/', '=', '-') }), (bodyBase64) => {
      const read = () => readSeed({ messages: [{ queue: 'a', bodyBase64 }] })
      if (pattern.test(bodyBase64)) read()
      else t.throws(read, { message: 'messages[0].bodyBase64 must be base64.' })
    }),
  )
})

t.test('a long seed keeps nobody waiting, and what is reset meanwhile does not go on', async (t) => {
  const { mq, ask } = await mock(t)
  const messages = Array.from({ length: 20_000 }, () => ({ queue: 'orders/new' }))
  const answered: string[] = []
  const seeded = ask('POST /_control/seed', { messages }).then(() => answered.push('seed'))
  await ask('GET /queues').then(() => answered.push('queues'))
  await seeded
  t.same(answered, ['queues', 'seed'])
  t.match(mq.state().queues, [{ pending: 20_000 }])
  const refused = ask('POST /_control/seed', { messages })
  await new Promise<void>((resolve) => {
    const stop = mq.broker.on(() => {
      stop()
      resolve()
    })
  })
  await mq.reset({ seed: true })
  t.equal((await refused).status, 503)
  t.match(mq.state().queues, [{ pending: 0 }])
})

t.test('of seeds at once one is put in after another', async (t) => {
  const { mq, ask } = await mock(t, { queues: ['a', 'b', 'c'] })
  const order: string[] = []
  mq.broker.on((event) => event.kind === 'sent' && order.push(event.message.queue.name))
  const seed = (queue: string) =>
    ask('POST /_control/seed', { messages: Array.from({ length: 3000 }, () => ({ queue })) })
  const answers = await Promise.all(['a', 'b', 'c'].map(seed))
  t.strictSame(
    answers.map(({ status }) => status),
    [200, 200, 200],
  )
  const turns = order.filter((queue, at) => queue !== order[at - 1])
  t.strictSame(turns.toSorted(), ['a', 'b', 'c'], 'none between those of another')
})

t.test(
  'a seed that waits for another is not put in after a reset, nor for a client that has left',
  async (t) => {
    const { mq, ask } = await mock(t, { queues: ['a', 'b', 'c'] })
    const long = { messages: Array.from({ length: 20_000 }, () => ({ queue: 'a' })) }
    const begun = () =>
      new Promise<void>((resolve) => {
        const stop = mq.broker.on(() => {
          stop()
          resolve()
        })
      })
    const pending = (name: string) => mq.state().queues.find((queue) => queue.name === name)?.pending
    let isBegun = begun()
    const first = ask('POST /_control/seed', long)
    await isBegun
    const body = JSON.stringify({ messages: [{ queue: 'b' }] })
    const leaving = new AbortController()
    const left = fetch(new URL('/_control/seed', mq.url), { method: 'POST', body, signal: leaving.signal })
    const stays = ask('POST /_control/seed', body.replace('"b"', '"c"'))
    leaving.abort()
    await t.rejects(left, { name: 'AbortError' })
    t.strictSame([(await first).status, (await stays).status], [200, 200])
    t.strictSame(['a', 'b', 'c'].map(pending), [20_000, 0, 1])

    isBegun = begun()
    const second = ask('POST /_control/seed', long)
    await isBegun
    let later: Promise<number | undefined> | undefined
    await new Promise<void>((sent) => {
      later = new Promise((resolve, reject) => {
        const url = new URL('/_control/seed', mq.url)
        const asked = request(url, { method: 'POST', agent: false }, (answer) =>
          resolve(answer.resume().statusCode),
        )
        asked.on('error', reject).end(body, sent)
      })
    })
    // Once it is taken and once it is read: who asks twice is answered behind it.
    await ask('GET /queues')
    await ask('GET /queues')
    await mq.reset({ seed: true })
    t.strictSame([(await second).status, await later], [503, 503])
    t.strictSame(['a', 'b', 'c'].map(pending), [0, 0, 0])
  },
)

t.test('a seed puts in no message that could not be handed out', async (t) => {
  const properties = Object.fromEntries(Array.from({ length: 65 }, (_, index) => [`p${index}`, '']))
  t.throws(() => readSeed({ messages: [{ queue: 'a', properties }] }), {
    message: 'messages[0].properties must be an object of at most 64 members.',
  })
})
