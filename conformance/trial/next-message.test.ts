import t from 'tap'
import { messageIds } from '../client/one-at-a-time.js'
import { NextConsumer } from './next-message.js'
import type { Trial } from './trial.js'
import { answerOf, readingTrial } from './trial.test.helper.js'

const ids = (messageId: string, ...args: Parameters<typeof answerOf>) =>
  messageIds(readingTrial({}, { oneAtATime: { messageId } }), answerOf(...args))
const entry = (inside: string) =>
  `<entry xmlns="http://www.w3.org/2005/Atom"><title>t</title>${inside}</entry>`

t.test('the id of a message is in a header', (t) => {
  t.strictSame(ids('header:Message-Id', '', { 'message-id': 'c07b11' }), ['c07b11'])
  t.strictSame(ids('header:X-Id', '', { 'x-id': '<a b@c>' })[0], '%3Ca%20b%40c%3E')
  t.ok(
    ids('header:X-Id', '', { 'x-id': '/message/anna/c07b11' }).includes('c07b11'),
    'at the end of an address',
  )
  t.strictSame(ids('header:Message-Id', ''), [])
  t.strictSame(ids('header:Message-Id', '', { 'message-id': '' }), [])
  t.end()
})

t.test('the id of a message is the last segment of the Location', (t) => {
  t.strictSame(ids('location', '', { location: '/ack/anna/c07%2F11/' }), ['c07%2F11'])
  t.strictSame(ids('location', '', { location: '../message/anna/7?x=1#y' }), ['7'])
  t.strictSame(ids('location', ''), [])
  t.end()
})

t.test('the id of a message is a member of the JSON of its answer', (t) => {
  t.strictSame(ids('json:id', '{"id":"c07b11","body":"x"}'), ['c07b11'])
  t.strictSame(ids('json:id', '{"id":42}'), ['42'])
  t.strictSame(ids('json:id', '{"message":{"id":"in"},"id":"out"}'), ['out'], 'the outermost of that name')
  t.strictSame(ids('json:id', '[{"message":{"id":"a/b"}}]'), ['a%2Fb', 'b'])
  for (const none of ['', 'text', '"id"', '{"id":null}', '{"id":""}', '{"ID":"x"}'])
    t.strictSame(ids('json:id', none), [])
  t.end()
})

t.test(
  'all that may be the id is acknowledged, since an ack of what nobody has may be answered with 200',
  async (t) => {
    const posted: string[] = []
    const trial = readingTrial({}, { oneAtATime: { messageId: 'entry' } })
    const request = async (_: string, url: string) => {
      posted.push(url)
      const status = url.endsWith('/42') ? 200 : [204, 404][posted.length % 2]
      return answerOf('', {}, { url, status })
    }
    const target = { ...trial.target, at: (path: string) => path, request }
    const precondition = (holds: boolean) => t.ok(holds)
    const consumer = new NextConsumer({ ...trial, target, precondition } as unknown as Trial, 'anna')
    const answer = answerOf(entry('<id>urn:message:42</id>'))
    const message = { body: Buffer.from('x'), text: 'x', address: undefined }
    t.equal((await consumer.tryAck({ message, answer })).status, 204)
    t.strictSame(posted, ['/ack/anna/urn%3Amessage%3A42', '/ack/anna/urn:message:42', '/ack/anna/42'])
  },
)

t.test('the id of a message is in its entry', (t) => {
  t.equal(ids('entry', entry('<id>urn:x:1</id><link rel="edit" href="/message/anna/c07b11"/>'))[0], 'c07b11')
  const byId = ids('entry', entry('<id>urn:uuid:17</id>'))
  t.strictSame(byId, ['urn%3Auuid%3A17', 'urn:uuid:17', '17'])
  t.strictSame(ids('entry', entry('')), [])
  t.strictSame(ids('entry', 'no entry'), [])
  t.end()
})
