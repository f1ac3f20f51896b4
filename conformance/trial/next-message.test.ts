import t from 'tap'
import { messageIds } from './next-message.js'
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

t.test('the id of a message is in its entry', (t) => {
  t.equal(ids('entry', entry('<id>urn:x:1</id><link rel="edit" href="/message/anna/c07b11"/>'))[0], 'c07b11')
  const byId = ids('entry', entry('<id>urn:uuid:17</id>'))
  t.strictSame(byId, ['urn%3Auuid%3A17', 'urn:uuid:17', '17'])
  t.strictSame(ids('entry', entry('')), [])
  t.strictSame(ids('entry', 'no entry'), [])
  t.end()
})
