import t from 'tap'
import { startServer } from '../server.js'
import { form, spoken } from './speak.test.helper.js'

const FOREIGN: Readonly<Record<string, string>>[] = [
  { 'Sec-Fetch-Site': 'cross-site' },
  { 'Sec-Fetch-Site': 'same-site' },
  { 'Sec-Fetch-Site': 'same-origin', Origin: 'https://evil.example' },
  { Origin: 'null' },
  { Origin: 'https://evil.example' },
  { Origin: 'http://127.0.0.1:1' },
  { Referer: 'http://evil.example/page' },
  { Referer: 'not a URL' },
]

t.test('a page of another site neither changes nor takes anything', async (t) => {
  const mq = await spoken(t, { queues: ['a'] })
  const subscription = await mq.speak('POST', '/subscriptions', form(['destination', 'a'], ['prefetch', 1]))
  await mq.speak('POST', '/subscribe/c/a')
  const address = (await mq.speak('POST', '/queues/a')).location
  for (const body of ['1', '2', '3']) await mq.speak('POST', '/queue/a', { body })
  const held = `${subscription.location}/messages/${[...mq.broker.subscription(subscription.location.split('/')[2]!).held.keys()][0]}`
  const lines = [
    ...['POST /queues', 'POST /queues/a', 'POST /queues/a?guid=1', 'DELETE /queues/a', `POST ${address}`],
    ...['POST /subscriptions', `GET ${subscription.location}`, `HEAD ${subscription.location}`],
    ...[`POST ${subscription.location}`, `DELETE ${subscription.location}`, `DELETE ${held}`],
    ...['POST /queue/a', 'GET /queue/a', 'HEAD /queue/a', 'GET /%71ueue/a', 'GET /queue/a?jsessionId=1'],
    ...['POST /subscribe/c/a', 'POST /unsubscribe/c/a', 'POST /nextMessageForMe/c', 'POST /ack/c/1'],
    ...['POST /lockNextMessage/c', 'DELETE /c/messages/1'],
  ]
  const state = () =>
    JSON.stringify(mq.broker.browse('a', { limit: 9 }).items.map(({ id, deliveries }) => [id, deliveries]))
  const before = state()
  mq.clock.advance(10_000)
  const { leaseEndsAt } = mq.broker.subscription(subscription.location.split('/')[2]!)
  const taken: string[] = []
  for (const line of lines) {
    for (const headers of FOREIGN) {
      const [method = '', path = ''] = line.split(' ')
      const body = method === 'POST' ? { body: 'name=b' } : {}
      const answer = await mq.speak(method, path, {
        headers: { ...headers, 'Content-Type': 'text/plain' },
        ...body,
      })
      if (answer.status !== 403 || (method !== 'HEAD' && answer.problem !== 'cross-site'))
        taken.push(`${line} ${JSON.stringify(headers)} gave ${answer.status}`)
    }
  }
  t.strictSame(taken, [])
  t.equal(state(), before)
  t.equal(mq.broker.subscription(subscription.location.split('/')[2]!).leaseEndsAt, leaseEndsAt)
  t.equal(mq.broker.listQueues('', { limit: 9 }).items.length, 1)
  for (const path of ['/', '/queues', '/queues/a', '/subscriptions', held]) {
    const answer = await mq.speak('GET', path, { headers: { 'Sec-Fetch-Site': 'cross-site' } })
    t.equal(answer.status, 200, `a link from elsewhere leads to ${path}`)
  }
})

t.test("the server's own pages, and programs, may", async (t) => {
  const mq = await spoken(t, { queues: ['a'], publicUrl: 'https://mq.example/base' })
  for (const headers of [
    {},
    { 'Sec-Fetch-Site': 'none' },
    { 'Sec-Fetch-Site': 'same-origin' },
    { 'Sec-Fetch-Site': 'same-origin', Origin: mq.url },
    { Origin: mq.url.toUpperCase() },
    { Origin: 'https://mq.example' },
    { Referer: `${mq.url}/queues` },
  ] as Record<string, string>[]) {
    t.equal((await mq.speak('POST', '/queue/a', { headers })).status, 200, JSON.stringify(headers))
  }
})

t.test('who is allowed may, and may read the answer', async (t) => {
  const origin = 'http://localhost:3000'
  const mq = await spoken(t, { queues: ['a'], allowOrigins: [`${origin}/`] })
  const friend = { Origin: origin, 'Sec-Fetch-Site': 'same-site' }
  const sent = await mq.speak('POST', '/queues/a', { headers: friend })
  t.equal(sent.status, 201)
  t.equal(sent.headers.get('access-control-allow-origin'), origin)
  t.match(sent.headers.get('access-control-expose-headers'), /Location/)
  t.equal(sent.headers.get('vary'), 'Origin')
  t.equal((await mq.speak('GET', '/queues/a', { headers: friend })).headers.get('vary'), 'Accept, Origin')
  const refused = await mq.speak('GET', '/queues/none', { headers: friend })
  t.strictSame([refused.status, refused.headers.get('access-control-allow-origin')], [404, origin])
  const asks = { 'Access-Control-Request-Method': 'DELETE', 'Access-Control-Request-Headers': 'x-y' }
  const preflight = await mq.speak('OPTIONS', '/queues/a', { headers: { ...friend, ...asks } })
  t.equal(preflight.status, 204)
  t.match(preflight.headers.get('access-control-allow-methods'), /DELETE/)
  t.equal(preflight.headers.get('access-control-allow-headers'), 'x-y')
  for (const foreign of ['https://evil.example', `${origin}0`, 'null']) {
    for (const [method, more] of [
      ['POST', {}],
      ['OPTIONS', asks],
    ] as const) {
      const answer = await mq.speak(method, '/queues/a', { headers: { Origin: foreign, ...more } })
      t.equal(answer.status, method === 'POST' ? 403 : 204)
      t.equal(answer.headers.get('access-control-allow-origin'), null)
      t.equal(answer.headers.get('access-control-allow-methods'), null)
    }
  }
  for (const none of ['localhost:3000', 'http://a/b', '*', 'null', 'file:///a']) {
    await t.rejects(startServer({ allowOrigins: [none] }), { message: /is not an origin/ }, none)
  }
})
