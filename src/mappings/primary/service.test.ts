import t from 'tap'
import { spoken } from '../speak.test.helper.js'

t.test('the service document names the collections', async (t) => {
  const mq = await spoken(t)
  const answer = await mq.speak('GET', '/')
  t.equal(answer.status, 200)
  t.equal(answer.headers.get('content-type'), 'application/atomsvc+xml;charset=utf-8')
  t.equal(answer.headers.get('cache-control'), 'no-cache')
  t.strictSame(
    [...answer.text.matchAll(/<collection href="([^"]+)"/g)].map((match) => match[1]),
    ['/queues', '/subscriptions'],
  )
  t.match(answer.text, /generator version="\d/)
  t.equal((await mq.speak('HEAD', '/')).headers.get('content-length'), String(answer.bytes.length))
  t.equal((await mq.speak('POST', '/')).headers.get('allow'), 'GET, HEAD, OPTIONS')
})

t.test('below a base path, every link and Location begins with it', async (t) => {
  const mq = await spoken(t, { basePath: '/mq', queues: ['a'] })
  t.match((await mq.speak('GET', '/mq')).text, 'href="/mq/queues"')
  t.equal((await mq.speak('POST', '/mq/queues/a')).location.slice(0, 14), '/mq/addresses/')
  t.equal((await mq.speak('GET', '/queues')).status, 404)
})

t.test('with a public URL, links and Location are absolute', async (t) => {
  const mq = await spoken(t, { basePath: '/mq', publicUrl: 'https://example.org/else/', queues: ['a'] })
  const { location } = await mq.speak('POST', '/mq/queues/a')
  t.match(location, /^https:\/\/example\.org\/else\/addresses\/[0-9a-f]{32}$/)
  t.match((await mq.speak('GET', '/mq/')).text, 'href="https://example.org/else/subscriptions"')
})
