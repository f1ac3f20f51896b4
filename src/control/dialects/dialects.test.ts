import { DOMParser, type Element } from '@xmldom/xmldom'
import fc from 'fast-check'
import t from 'tap'
import { createHandler } from '../../handler.js'
import { mock } from '../mock.test.helper.js'
import { DIALECT_NAMES, type Dialect } from './dialects.js'

const ATOM = 'http://www.w3.org/2005/Atom'
const XML = 'http://www.w3.org/XML/1998/namespace'
const BASE = 'http://localhost/'

/** What an Atom document says to who reads it by its standards. */
interface Read {
  readonly id: string
  readonly title: string
  readonly links: readonly string[]
  readonly content: readonly string[]
  readonly extensions: readonly string[]
  readonly entries: readonly Read[]
}

/** Every address resolved by the `xml:base` that it stands in, what is of Atom alone, in an order of its own. */
function read(element: Element, outer = BASE): Read {
  const base = new URL(element.getAttributeNS(XML, 'base') ?? '', outer).href
  const children = [...element.childNodes].filter((node): node is Element => node.nodeType === 1)
  const all = (name: string) => children.filter((one) => one.namespaceURI === ATOM && one.localName === name)
  const text = (name: string) => all(name)[0]?.textContent ?? ''
  const at = (one: Element, name: string) => {
    const value = one.getAttribute(name)
    return value === null ? '' : new URL(value, new URL(one.getAttributeNS(XML, 'base') ?? '', base)).href
  }
  return {
    id: text('id'),
    title: text('title'),
    links: all('link')
      .map((one) => `${one.getAttribute('rel')} ${one.getAttribute('type')} ${at(one, 'href')}`)
      .filter((link) => !link.startsWith('urn:'))
      .sort(),
    content: all('content').map((one) => `${one.getAttribute('type')} ${at(one, 'src')} ${one.textContent}`),
    extensions: children
      .filter((one) => one.namespaceURI === 'urn:atom-mq:extensions')
      .map((one) => `${one.localName} ${one.getAttribute('name')} ${one.textContent}`)
      .sort(),
    entries: all('entry').map((one) => read(one, base)),
  }
}

/** Parses, and fails at the first thing that is not well-formed. */
function parsed(xml: string): Read {
  const strict = new DOMParser({
    onError(level, message) {
      if (level !== 'warning') throw new Error(message)
    },
  })
  const root = strict.parseFromString(xml, 'text/xml').documentElement as Element
  t.equal(root.namespaceURI, ATOM)
  return read(root)
}

/** What cannot be told otherwise stays as it is in pages. */
const WHOLE = DIALECT_NAMES.filter((name) => name !== 'paged' && name !== 'all')

t.test('a client that reads Atom notices no dialect', async (t) => {
  const bodies = fc.string({
    unit: fc.constantFrom('a', ' ', '&', '<', '>', ']]>', "'", '"', '\r', '\n', '/', 'é', ':'),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(bodies, { maxLength: 3 }), bodies, async (texts, property) => {
      const { fetch: ask, setDialect, send, close } = createHandler({ queues: ['a:b/c', 'd'] })
      for (const text of texts)
        await send('a:b/c', text, {
          type: 'text/plain',
          properties: { note: property.replaceAll(/[\r\n]/g, '').trim() },
        })
      const body = new URLSearchParams({ destination: 'a:b/c', timeout: '20' })
      const made = await ask(new Request(`${BASE}subscriptions`, { method: 'POST', body }))
      const subscription = made.headers.get('location') as string
      for (const path of ['/queues', '/queues/a%3Ab', '/queues/a%3Ab/c', '/subscriptions', subscription]) {
        const tellings: Read[] = []
        for (const dialect of WHOLE) {
          setDialect(dialect)
          const text = await (await ask(new Request(new URL(path, BASE)))).text()
          const told = parsed(text.replace(/(lease-ends[^>]*>)[^/]*</, '$1<'))
          tellings.push({
            ...told,
            extensions: told.extensions.filter((one) => !one.startsWith('lease-ends')),
          })
        }
        for (const [index, told] of tellings.entries()) t.strictSame(told, tellings[0], `${WHOLE[index]}`)
      }
      close()
    }),
    { numRuns: 40 },
  )
})

t.test('each dialect is what it is called', async (t) => {
  const { mq, ask } = await mock(t, { queues: ['orders'] })
  await mq.send('orders', 'a & b', { type: 'text/plain' })
  const marks: Readonly<Record<Dialect, RegExp>> = {
    plain: /<feed xmlns="[^"]*" xmlns:mq="[^"]*">\n {2}<id>/,
    prefixed: /<a:feed xmlns:a="[^"]*" xmlns:x-mq="[^"]*">/,
    cdata: /<!\[CDATA\[a & b\]\]>.*href='&#x2f;|href='&#x2f;.*<!\[CDATA\[a & b\]\]>/s,
    based: /<feed [^>]*xml:base="\/queues\/".*<entry xml:base="\/messages\/">/s,
    reordered: /<entry>\s*<mq:queue>/,
    foreign: /<!-- <entry>/,
    paged: /<feed/,
    all: /<a:entry [^>]*xml:base='&#x2f;messages&#x2f;'/,
  }
  for (const dialect of DIALECT_NAMES) {
    t.match((await ask('POST /_control/dialect', { dialect })).json, { dialect })
    t.match((await ask('GET /queues/orders')).text, marks[dialect], dialect)
  }
  const { text } = await ask('GET /')
  t.match(text, /<a:service [^>]*xml:base='&#x2f;'[^>]* xmlns:x-atom='/)
  t.equal((await ask('GET /?a=%zz')).status, 200, 'what has no pages reads no query')
  await mq.reset()
  t.match((await ask('GET /_control/dialect')).json, { dialect: 'plain' })
  const wrong = await ask('POST /_control/dialect', { dialect: 'latin' })
  t.equal(wrong.status, 400)
  t.match(wrong.text, /dialect must be one of plain, prefixed/)
  t.equal(mq.journal.entries({ path: '/queues/orders' }).length, 0)
})

for (const dialect of ['paged', 'all'] as const) {
  t.test(
    `${dialect}: every entry has a page of its own, and one that is gone lets its reader begin anew`,
    async (t) => {
      const { mq, ask, subscribe } = await mock(t, { queues: ['orders'], dialect })
      for (const body of ['one', 'two', 'three']) await mq.send('orders', body)
      const read = async (path: string) => {
        const { links, entries } = parsed((await ask(`GET ${path}`)).text)
        const next = links.find((link) => link.startsWith('next '))?.split(' ')[2]
        return {
          titles: entries.map(({ title }) => title),
          edit: entries[0]?.links.find((link) => link.startsWith('edit '))?.split(' ')[2],
          next: next?.slice(BASE.length - 1),
        }
      }
      const lease = await subscribe('orders', { prefetch: '2' })
      for (const path of ['/queues/orders', lease]) {
        const titles: string[] = []
        for (let at: string | undefined = path; at !== undefined; ) {
          const page = await read(at)
          titles.push(...page.titles)
          t.ok(page.titles.length === 1)
          at = page.next
        }
        t.same(
          titles,
          ['Message 1 of orders', 'Message 2 of orders', 'Message 3 of orders'].slice(0, titles.length),
        )
        t.equal(titles.length, path === lease ? 2 : 3)
      }
      // Pages of the broker go on where a page of the dialect ends.
      t.match((await read('/queues/orders?limit=1')).next, /cursor=/)
      t.match((await read('/queues/orders?limit=2')).next, /limit=2&after-entry=/)
      const first = await read(lease)
      await ask(`DELETE ${new URL(first.edit as string).pathname}`)
      t.same((await read(first.next as string)).titles, ['Message 2 of orders'])
      t.same(await read('/queues/orders?after-entry=urn:x'), await read('/queues/orders'))
      t.same((await read('/subscriptions')).titles, [])
    },
  )
}

t.test('a page that breaks off breaks off in its dialect, and a refusal is none', async (t) => {
  const { mq, ask } = await mock(t, { queues: ['orders'], dialect: 'prefixed' })
  t.match((await ask('GET /queues/nowhere')).json, { status: 404 })
  mq.faults.add({ fault: 'truncate', times: 1 })
  await t.rejects(ask('GET /queues/orders'))
  t.throws(() => mq.setDialect('latin' as never), { message: /dialect must be one of/ })
})
