import { readFileSync } from 'node:fs'
import { DOMParser, type Element } from '@xmldom/xmldom'
import fc from 'fast-check'
import t from 'tap'
import { createLinks } from '../http/links.js'
import { textOf, type Written } from '../platform/bytes.js'
import { dateTime, deliveryDocument, messageDocument } from './entry.js'
import { isXmlLegal } from './escape.js'
import { listingFeed, queueFeed, subscriptionFeed, subscriptionsFeed } from './feed.js'
import { fill } from './fill.js'
import { nameUuid } from './name-uuid.js'
import { ATOM, EXTENSIONS, GENERATOR } from './names.js'
import { serviceDocument } from './service.js'
import type { DeliveryView, MessageView, QueueView } from './views.js'

const links = createLinks({ basePath: '/mq' })

function parse(written: Written): Element {
  const xml = textOf(written)
  const strict = new DOMParser({
    // As XML 1.0 has them; the parser's own default also turns U+2028 and U+2029 into line ends.
    normalizeLineEndings: (text) => text.replace(/\r\n?/g, '\n'),
    onError(level, message) {
      // It warns of U+FFFD, which is meant here.
      if (level !== 'warning') throw new Error(message)
    },
  })
  return strict.parseFromString(xml, 'text/xml').documentElement!
}

const textsOf = (element: Element, local: string, namespace = ATOM) =>
  [...element.getElementsByTagNameNS(namespace, local)].map((found) => found.textContent)

const hrefs = (element: Element, rel: string) =>
  [...element.getElementsByTagNameNS(ATOM, 'link')]
    .filter((link) => link.getAttribute('rel') === rel)
    .map((link) => link.getAttribute('href'))

function queueNamed(name: string): QueueView {
  return { id: 'q', name, createdAt: 0, updatedAt: 0, pending: 3, held: 2, subscriptions: 1 }
}

function message(queue: QueueView, more: Partial<MessageView> = {}): MessageView {
  return {
    id: 'm',
    sequence: 7,
    queue,
    content: { body: Buffer.from('b'), contentType: 'text/plain', properties: new Map() },
    publishedAt: 0,
    updatedAt: 0,
    deliveries: 0,
    holder: undefined,
    ...more,
  }
}

function delivery(of: MessageView): DeliveryView {
  const subscription = {
    id: 's',
    destinations: [of.queue.name],
    prefetch: 4,
    selector: of.queue.name,
    updatedAt: 0,
    leaseEndsAt: 0,
  }
  return { id: 'd', message: of, subscription }
}

/** Names as the broker accepts them, and some more. */
const names = fc
  .array(
    fc
      .string({ unit: 'grapheme', minLength: 1 })
      .filter((segment) => segment.isWellFormed() && !segment.includes('/')),
    { minLength: 1, maxLength: 4 },
  )
  .map((segments) => segments.join('/'))

/** What a name is in XML; its links carry it exactly. */
const inXml = (name: string) => [...name].map((char) => (isXmlLegal(char) ? char : '\ufffd')).join('')
const fromHref = (href: string | null | undefined) =>
  decodeURIComponent((href ?? '').replace('/mq/queues/', ''))

t.test('any queue name comes through every document, which is well-formed', async (t) => {
  fc.assert(
    fc.property(names, (name) => {
      const queue = queueNamed(name)
      const listing = parse(
        listingFeed(
          name,
          {
            items: [
              { kind: 'queue', name, queue },
              { kind: 'category', name, updatedAt: 0 },
            ],
            next: name,
            updatedAt: 0,
          },
          links,
        ),
      )
      const [asQueue, asCategory] = hrefs(listing, 'alternate')
      const next = new URL(hrefs(listing, 'next')[0]!, 'http://localhost')
      const browsed = parse(
        queueFeed({ queue, items: [message(queue)], next: undefined, updatedAt: 0 }, links),
      )
      const consumed = parse(
        subscriptionFeed(delivery(message(queue)).subscription, [delivery(message(queue))], links),
      )
      return (
        textsOf(listing, 'title')[1] === inXml(name) &&
        textsOf(listing, 'title')[2] === inXml(name) &&
        fromHref(asQueue) === name &&
        fromHref(asCategory) === `${name}/` &&
        fromHref(hrefs(listing, 'edit')[0]) === name &&
        next.searchParams.get('cursor') === name &&
        textsOf(browsed, 'title')[0] === inXml(name) &&
        textsOf(browsed, 'queue', EXTENSIONS)[0] === inXml(name) &&
        fromHref(hrefs(browsed, 'self')[0]) === name &&
        textsOf(consumed, 'queue', EXTENSIONS)[0] === inXml(name) &&
        textsOf(consumed, 'destination', EXTENSIONS)[0] === inXml(name) &&
        textsOf(consumed, 'selector', EXTENSIONS)[0] === inXml(name)
      )
    }),
  )
  t.pass('for every case')
})

t.test('any properties come through an entry', async (t) => {
  const texts = fc.string({ unit: 'binary' }).filter(isXmlLegal)
  fc.assert(
    fc.property(fc.uniqueArray(fc.tuple(texts, texts), { selector: ([name]) => name }), (pairs) => {
      const content = { body: Buffer.from(''), properties: new Map(pairs) }
      const entry = parse(messageDocument(message(queueNamed('a'), { content }), links))
      const back = [...entry.getElementsByTagNameNS(EXTENSIONS, 'property')].map((property) => [
        property.getAttribute('name'),
        property.textContent,
      ])
      return JSON.stringify(back) === JSON.stringify(pairs)
    }),
  )
  t.pass('for every case')
})

t.test('a delivered message has one edit link, and a browsed one none', async (t) => {
  const held = message(queueNamed('a'), { deliveries: 2, holder: {} })
  const delivered = parse(deliveryDocument(delivery(held), links))
  t.same(hrefs(delivered, 'edit'), ['/mq/subscriptions/s/messages/d'])
  t.same(hrefs(delivered, 'enclosure'), ['/mq/subscriptions/s/messages/d/content'])
  t.same(textsOf(delivered, 'deliveries', EXTENSIONS), ['2'])
  t.same(textsOf(delivered, 'held', EXTENSIONS), [])
  for (const [browsed, isHeld] of [
    [parse(messageDocument(held, links)), 'true'],
    [parse(messageDocument(message(queueNamed('a')), links)), 'false'],
  ] as const) {
    t.same(hrefs(browsed, 'edit'), [])
    t.same(hrefs(browsed, 'alternate'), ['/mq/messages/m'])
    t.same(hrefs(browsed, 'enclosure'), ['/mq/messages/m/content'])
    t.same(textsOf(browsed, 'held', EXTENSIONS), [isHeld])
  }
})

t.test('pages name themselves and the next', async (t) => {
  const page = (next: string | undefined, request = {}) =>
    parse(queueFeed({ queue: queueNamed('a'), items: [], next, updatedAt: 0 }, links, request))
  t.same(hrefs(page(undefined), 'self'), ['/mq/queues/a'])
  t.same(hrefs(page(undefined), 'first'), ['/mq/queues/a'])
  t.same(hrefs(page(undefined), 'next'), [])
  const middle = page('c2', { cursor: 'c1', limit: 5 })
  t.same(hrefs(middle, 'self'), ['/mq/queues/a?cursor=c1&limit=5'])
  t.same(hrefs(middle, 'first'), ['/mq/queues/a?limit=5'])
  t.same(hrefs(middle, 'next'), ['/mq/queues/a?cursor=c2&limit=5'])
})

t.test('a page ends where it would become too long', async (t) => {
  const queue = queueNamed('a')
  const body = Buffer.from('&'.repeat(1000))
  const content = { body, contentType: 'text/plain', properties: new Map() }
  const items = [1, 2, 3].map((sequence) => message(queue, { id: `m${sequence}`, sequence, content }))
  const making = { maxBytes: 12_000, nextAfter: (shown: number) => `after ${shown}` }
  const browsed = parse(queueFeed({ queue, items, next: undefined, updatedAt: 0 }, links, making))
  t.equal(textsOf(browsed, 'entry').length, 2)
  t.same(hrefs(browsed, 'next'), ['/mq/queues/a?cursor=after+2'])
  const one = queueFeed({ queue, items, next: undefined, updatedAt: 0 }, links, { ...making, maxBytes: 1 })
  t.equal(textsOf(parse(one), 'entry').length, 1, 'one entry at least')
  t.same(
    [fill(['ab', 'cd'], 4, String), fill(['ab', 'cd'], 3, String)],
    [
      { parts: ['abcd'], count: 2 },
      { parts: ['ab'], count: 1 },
    ],
  )

  const { subscription } = delivery(items[0]!)
  const deliveries = items.map((item) => ({ ...delivery(item), id: item.id }))
  const held = parse(subscriptionFeed(subscription, deliveries, links, making))
  t.same(
    [...held.getElementsByTagNameNS(ATOM, 'content')].map((each) => each.hasAttribute('src')),
    [false, true, true],
    'what a consumer holds is one page, and its bodies are linked where they have no room',
  )
  t.same([...hrefs(held, 'first'), ...hrefs(held, 'next')], [])
  const several = parse(subscriptionFeed({ ...subscription, destinations: ['a', 'b/*'] }, [], links))
  t.equal(textsOf(several, 'title')[0], 'Messages for a subscription to a, b/*')
  const none = subscriptionsFeed(0, links, '')
  t.same(hrefs(parse(none), 'first'), [])
  t.match(none, '<link rel="self" type="application/atom+xml;type=feed" href="/mq/subscriptions"/>')
  t.match(none, `<id>urn:uuid:${nameUuid('/subscriptions', '')}</id>`)
  for (const [category, title] of Object.entries({ '': 'Queues', a: 'Queues below a' })) {
    const listing = parse(listingFeed(category, { items: [], next: undefined, updatedAt: 0 }, links))
    t.equal(textsOf(listing, 'title')[0], title)
  }
  const all = parse(subscriptionFeed({ ...subscription, selector: undefined }, [], links))
  t.same(textsOf(all, 'selector', EXTENSIONS), [])
  const cut = parse(subscriptionFeed(subscription, deliveries, links, { ...making, maxBytes: 1000 }))
  t.same(hrefs(cut, 'first'), ['/mq/subscriptions/s'])
  t.same(hrefs(cut, 'next'), ['/mq/subscriptions/s?cursor=after+1'])
})

t.test(
  'a listing is as young as the youngest of its entries, and its ids are those of one server',
  async (t) => {
    const items = [
      { kind: 'queue', name: 'a', queue: { ...queueNamed('a'), updatedAt: 2000 } },
      { kind: 'category', name: 'b', updatedAt: 1000 },
    ] as const
    const listing = (seed: string) =>
      parse(listingFeed('', { items, next: undefined, updatedAt: 0 }, links, { seed }))
    t.equal(textsOf(listing('x'), 'updated')[0], dateTime(2000))
    const [here, there] = [textsOf(listing('x'), 'id'), textsOf(listing('y'), 'id')]
    t.equal(here[1], there[1], "a queue's id is its own")
    t.notSame([here[0], here[2]], [there[0], there[2]])
    t.not(here[0], there[0])
    t.not(here[2], there[2])
  },
)

t.test('the generator is the version of the package', async (t) => {
  const { name, version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  t.same(GENERATOR, { name, version })
  t.match(serviceDocument(links), `version="${version}">${name}<`)
})

t.test('dates and names', async (t) => {
  t.equal(dateTime(1_767_355_200_001), '2026-01-02T12:00:00.001Z')
  t.match(nameUuid('a', 's'), /^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
  t.equal(nameUuid('name', 'seed'), 'd111e101-71d6-866a-953d-638a9de4d2d0', 'the same for ever')
  t.not(nameUuid('a', 's'), nameUuid('a/', 's'))
})
