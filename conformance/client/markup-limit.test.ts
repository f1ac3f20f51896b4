import t from 'tap'
import type { Exchange } from './exchange.js'
import { MarkupLimit } from './markup-limit.js'
import { parseFeedPage } from './parse-feed.js'
import { withEntry } from './site.test.helper.js'

const ids = (count: number, first = 0) =>
  Array.from({ length: count }, (_, index) => `urn:x:${first + index}`)

t.test(
  'a listing of 2,000 pages, or of one long page, that is read again and again does not reach the limit',
  (t) => {
    const limit = new MarkupLimit()
    for (let page = 0; page < 2000; page++) {
      limit.count(300)
      limit.takeOffKnown(300, ids(10, page * 10))
    }
    for (let read = 0; read < 100; read++) {
      limit.count(60_000)
      limit.takeOffKnown(60_000, ids(2000))
    }
    for (let read = 0; read < 20_000; read++) {
      limit.count(3000)
      limit.takeOffKnown(3000, ids(100, read % 100))
    }
    t.notOk(limit.isReached)
    t.end()
  },
)

t.test('other pages each time reach it, however short; only short documents are parsed then', (t) => {
  const limit = new MarkupLimit()
  let pages = 0
  for (; !limit.isReached; pages++) {
    limit.count(9000)
    limit.takeOffKnown(9000, ids(90, pages * 90))
  }
  t.equal(pages, 167)
  t.match(limit.count(9000), 'more than 1500000 pieces of markup')
  t.equal(limit.count(30), undefined)
  t.end()
})

t.test('six documents of very much markup reach it', (t) => {
  const limit = new MarkupLimit()
  for (let page = 0; page < 5; page++) limit.count(59_000)
  t.notOk(limit.isReached)
  limit.count(59_000)
  t.ok(limit.isReached)
  t.end()
})

t.test('an entry that was listed before excuses no more markup than an entry has', (t) => {
  const limit = new MarkupLimit()
  let pages = 0
  for (; !limit.isReached; pages++) {
    limit.count(9000)
    limit.takeOffKnown(9000, [`${'x'.repeat(1000)}`])
  }
  t.equal(pages, 169)
  t.end()
})

t.test(
  'a document that is refused by its markup is not parsed, and the reading ends with that reason',
  (t) => {
    const answer = {
      status: 200,
      url: 'http://mq.test/queues',
      headers: { 'content-type': 'application/atom+xml' },
      body: Buffer.from(withEntry('')),
    } as unknown as Exchange
    const parsed: unknown[] = []
    const onParsed = (pieces: number, ids: readonly string[]) => parsed.push([pieces, ids])
    const context = { onParsed } as never as Parameters<typeof parseFeedPage>[1]
    parseFeedPage(answer, context)
    t.same(parsed, [[21, ['urn:x:1']]])
    const refusal = new Error('too much')
    const onMarkup = () => {
      throw refusal
    }
    t.throws(() => parseFeedPage(answer, { ...context, onMarkup }), refusal)
    t.equal(parsed.length, 1)
    t.end()
  },
)
