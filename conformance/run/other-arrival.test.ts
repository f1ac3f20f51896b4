import t from 'tap'
import type { Exchange } from '../client/exchange.js'
import { parseProfile } from '../client/parse-profile.js'
import { Arrivals } from './other-arrival.js'

const BASE = 'http://mq.test/mq'

function exchange(line: string, body = '', requestBody = ''): Exchange {
  const [method = '', path = ''] = line.split(' ')
  return {
    ...{ method, url: BASE + path, requestHeaders: {}, requestBody: Buffer.from(requestBody) },
    ...{ status: 200, headers: {}, body: Buffer.from(body), error: undefined, sentAt: 0, receivedAt: 0 },
  }
}

const feed = (content: string) =>
  `<feed xmlns="http://www.w3.org/2005/Atom"><entry><content type="application/xml">${content}</content></entry></feed>`
const post = exchange('POST /new/1', '', 'kit-1')

t.test('a message in an envelope shows that message.arrives is another', (t) => {
  const found = (...read: Exchange[]) => new Arrivals().otherIn(parseProfile({}), [post, ...read])
  const enveloped = feed('<m xmlns="urn:x"><body>kit-1</body></m>')
  t.match(
    found(exchange('GET /s/1', enveloped)),
    /message\.arrives is "same".*say "contains" there; it came as "<m /,
  )
  t.ok(found(exchange('GET /c/1', '{"message":"a2l0LTE2"}'), exchange('GET /c/2', '{"text":"kit-1"}')))
  t.equal(found(exchange('GET /c/1', '"kit-1"')), undefined, 'a text that is quoted is no envelope')
  t.equal(found(exchange('GET /c/1', 'kit-1 '), exchange('GET /c/2', ' ')), undefined)
  t.equal(
    found(exchange('GET /s/1', enveloped), exchange('GET /c/1', 'kit-1')),
    undefined,
    'one came as it was',
  )
  t.equal(
    found(exchange('POST /queues/q'), exchange('GET /queues/q?page=2', enveloped)),
    undefined,
    'a queue may tell',
  )
  const other = exchange('GET /queues', enveloped.replace('http://www.w3.org/2005/Atom', ''))
  t.equal(found(other), undefined, 'what looks like a feed is no message')
  const contains = parseProfile({ message: { arrives: 'contains' } })
  t.equal(new Arrivals().otherIn(contains, [post, exchange('GET /s/1', enveloped)]), undefined)
  t.end()
})

t.test('an envelope about one message is a fault where another has come as it was sent', (t) => {
  const profile = parseProfile({})
  const enveloped = [post, exchange('GET /c/1', '{"text":"kit-1"}')]
  const arrivals = new Arrivals()
  arrivals.note(profile, enveloped)
  t.ok(arrivals.otherIn(profile, enveloped))
  arrivals.note(profile, [post, exchange('GET /c/1', 'kit-1')])
  t.equal(arrivals.otherIn(profile, enveloped), undefined)
  t.end()
})

t.test('what a POST made is a list of messages, also where it is no feed', (t) => {
  const made = { ...exchange('POST /subscriptions', '', 'destination=q'), headers: { location: '/mq/s/1' } }
  const list = exchange('GET /s/1', '{"messages":["kit-1"]}')
  t.equal(new Arrivals().otherIn(parseProfile({}), [made, post, list]), undefined)
  t.ok(new Arrivals().otherIn(parseProfile({}), [post, list]))
  t.end()
})
