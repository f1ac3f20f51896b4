import t from 'tap'
import type { Entry } from '../client/feed.js'
import { comparable, countDifferent, messageUriOf, withQuery } from './addresses.js'

t.test('addresses are compared without what no server sees', (t) => {
  t.equal(comparable('http://HOST.example:80/a#b'), comparable('http://host.example/a'))
  t.not(comparable('http://host.example/a'), comparable('http://host.example/a/'))
  t.equal(comparable(undefined), undefined)
  t.equal(countDifferent(['http://h.example/a', 'http://h.example/a#1', 'http://h.example/a?1']), 2)
  t.end()
})

t.test('a query is added to the one that an address has', (t) => {
  t.equal(withQuery('http://h.example/a', 'limit=2'), 'http://h.example/a?limit=2')
  t.equal(withQuery('http://h.example/a?q=1', 'limit=2'), 'http://h.example/a?q=1&limit=2')
  t.end()
})

t.test('an address that nobody gave blocks what needs it', (t) => {
  t.throws(() => messageUriOf({ messageUri: undefined } as Entry), {
    name: 'Blocked',
    by: 'consume.message-uri',
  })
  t.equal(messageUriOf({ messageUri: 'http://h/m' } as Entry), 'http://h/m')
  t.end()
})
