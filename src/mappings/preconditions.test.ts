import t from 'tap'
import { form, links, spoken } from './speak.test.helper.js'

t.test('a write whose precondition does not hold is refused, and nothing is done', async (t) => {
  const mq = await spoken(t, { queues: ['a', 'b', 'b/c', 'b/d'] })
  await mq.speak('POST', '/queue/a', { body: '1' })
  const { location } = await mq.speak('POST', '/subscriptions', form(['destination', 'a']))
  const [entry = ''] = links((await mq.speak('GET', location)).text, 'edit')
  const address = (await mq.speak('POST', '/queues/a')).location
  const etagOf = async (path: string, headers = {}) =>
    (await mq.speak('GET', path, { headers })).headers.get('etag') ?? ''
  const html = { Accept: 'text/html' }
  const [look = ''] = links((await mq.speak('GET', '/queues/a')).text, 'alternate')
  const { next } = mq.broker.listQueues('b', { limit: 1 })
  const past = new Date(mq.clock.now() - 5000).toUTCString()
  const now = new Date(mq.clock.now()).toUTCString()
  const state = () =>
    JSON.stringify([mq.broker.listQueues('', { limit: 9 }).items.length, mq.broker.queue('a').version])
  const before = state()
  for (const [line, headers] of [
    ['DELETE /queues/a', { 'If-Match': '"other"' }],
    ['DELETE /queues/a', { 'If-Match': `W/${await etagOf('/queues/a')}` }],
    ['DELETE /queues/a', { 'If-None-Match': '*' }],
    ['DELETE /queues/a', { 'If-None-Match': await etagOf('/queues/a') }],
    ['DELETE /queues/a', { 'If-None-Match': await etagOf('/queues/a', html) }],
    ['DELETE /queues/a', { 'If-Unmodified-Since': past }],
    ['POST /queues/a?guid=1', { 'If-Match': '""' }],
    ['POST /queues', { 'If-None-Match': '*' }],
    ['POST /queues', { 'If-Match': '"other"' }],
    [`DELETE ${location}`, { 'If-Match': await etagOf(location) }],
    [`DELETE ${location}`, { 'If-Unmodified-Since': past }],
    [`POST ${location}`, { 'If-None-Match': await etagOf(location) }],
    [`POST ${location}`, { 'If-None-Match': await etagOf(location, html) }],
    [`POST ${location}?cursor=x`, { 'If-None-Match': await etagOf(`${location}?cursor=x`) }],
    ['GET /queues/b/', { 'If-Match': '"other"' }],
    [`DELETE ${entry}`, { 'If-Match': '"other"' }],
    [`DELETE ${entry}`, { 'If-None-Match': await etagOf(entry) }],
    [`POST ${address}`, { 'If-Match': '*' }],
    ['POST /queue/a', { 'If-Match': '"x"' }],
    ['GET /queue/a', { 'If-Match': '*' }],
    ['GET /queues/a', { 'If-Match': '"other"' }],
    ['GET /queues/a', { 'If-Unmodified-Since': past }],
    ['GET /queues', { 'If-Match': '"other"' }],
    ['GET /subscriptions', { 'If-Match': '"other"' }],
    ['GET /', { 'If-Match': '"other"' }],
    [`GET ${entry}`, { 'If-Match': '"other"' }],
  ] as const) {
    const [method = '', path = ''] = line.split(' ')
    const answer = await mq.speak(method, path, { headers })
    t.strictSame(
      [answer.status, answer.problem],
      [412, 'precondition-failed'],
      `${line} ${JSON.stringify(headers)}`,
    )
  }
  t.equal(state(), before)
  for (const [line, headers, status] of [
    ['GET /queues/a', { 'If-Match': await etagOf('/queues/a') }, 200],
    ['GET /queues/a', { 'If-Match': '*', 'If-Unmodified-Since': past }, 200],
    ['GET /queues/a', { 'If-Unmodified-Since': 'no date' }, 200],
    ['GET /queues', { 'If-Match': await etagOf('/queues') }, 200],
    ['GET /queues', { 'If-Match': await etagOf('/queues'), 'If-None-Match': await etagOf('/queues') }, 304],
    ['GET /queues/b/', { 'If-Match': await etagOf('/queues/b/') }, 200],
    ['GET /queues/', { 'If-Match': await etagOf('/queues/') }, 200],
    [`GET /queues/b?cursor=${encodeURIComponent(next!)}`, { 'If-Match': '"x"' }, 400],
    [`GET ${look}`, { 'If-Match': await etagOf(look) }, 200],
    ['GET /', { 'If-Match': await etagOf('/') }, 200],
    ['GET /', { 'If-None-Match': await etagOf('/') }, 304],
    ['GET /subscriptions', { 'If-Match': await etagOf('/subscriptions') }, 200],
    ['GET /subscriptions', { ...html, 'If-Match': await etagOf('/subscriptions', html) }, 200],
    ['GET /subscriptions', { 'If-None-Match': await etagOf('/subscriptions') }, 304],
    [`POST ${location}`, { 'If-Match': '*' }, 200],
    [`GET ${location}`, { ...html, 'If-None-Match': await etagOf(location, html) }, 304],
    [`GET ${entry}/content`, { 'If-Match': await etagOf(`${entry}/content`) }, 200],
    [`POST ${address}`, { 'If-None-Match': '*' }, 200],
    [`DELETE ${entry}`, { 'If-Match': await etagOf(entry), 'If-Unmodified-Since': past }, 200],
    ['DELETE /queues/none', { 'If-Match': '"x"' }, 404],
    ['GET /nowhere', { 'If-Match': '"x"' }, 404],
    ['GET /queues?limit=0', { 'If-Match': '"x"' }, 400],
    [
      'DELETE /queues/a',
      { 'If-Match': `"x", ${await etagOf('/queues/a')}`, 'If-Unmodified-Since': now },
      412,
    ],
  ] as const) {
    const [method = '', path = ''] = line.split(' ')
    const answer = await mq.speak(method, path, { headers: headers as Record<string, string> })
    t.equal(answer.status, status, `${line} ${JSON.stringify(headers)}`)
  }
  const current = await etagOf('/queues/a')
  t.equal((await mq.speak('DELETE', '/queues/a', { headers: { 'If-Match': `"x", ${current}` } })).status, 200)
})

t.test('with auto-create nothing stands where a queue is to be made', async (t) => {
  const mq = await spoken(t, { autoCreate: true })
  const send = (headers: Record<string, string>) => mq.speak('POST', '/queues/new?guid=1', { headers })
  t.equal((await send({ 'If-Match': '*' })).status, 412)
  t.equal((await send({ 'If-None-Match': '*' })).status, 200)
  t.equal((await send({ 'If-None-Match': '*' })).status, 412, 'now it does')
})
