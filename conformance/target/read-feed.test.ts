import fc from 'fast-check'
import t from 'tap'
import type { Exchange } from './exchange.js'
import type { Feed } from './feed.js'
import { readFeed } from './read-feed.js'

const BASE = 'http://mq.test/base/feed'
const ATOM = 'xmlns="http://www.w3.org/2005/Atom"'
const HEAD =
  '<id>urn:x:feed</id><title>f</title><updated>2024-01-01T00:00:00Z</updated><author><name>a</name></author>'
const ENTRY_HEAD = '<id>urn:x:1</id><title>e</title><updated>2024-01-01T00:00:00Z</updated>'

interface Page {
  body: string | Uint8Array
  type?: string
  status?: number
  error?: string
}

/** A target that has these documents by absolute address. */
function site(pages: Record<string, Page | string>, messageUri = 'link[rel=edit]') {
  const asked: string[] = []
  const get = async (url: string): Promise<Exchange> => {
    asked.push(url)
    const found = pages[url] ?? { body: '', status: 404 }
    const page = typeof found === 'string' ? { body: found } : found
    const { body, type = 'application/atom+xml;type=feed', status = 200, error } = page as Page
    return {
      method: 'GET',
      url,
      requestHeaders: {},
      requestBody: Buffer.alloc(0),
      status: error === undefined ? status : 0,
      headers: { 'content-type': type },
      body: Buffer.from(body as Uint8Array),
      error,
      sentAt: 0,
      receivedAt: 0,
    }
  }
  const unreadable = (why: string): never => {
    throw new Error(why)
  }
  return { asked, read: (uri = BASE) => readFeed(uri, { get, messageUri, unreadable }) }
}

async function read(page: Page | string, messageUri?: string): Promise<Feed> {
  const feed = await site({ [BASE]: page }, messageUri).read()
  if (typeof feed === 'string') throw new Error(feed)
  return feed
}

function withEntry(inner: string): string {
  return `<feed ${ATOM}>${HEAD}<entry>${ENTRY_HEAD}${inner}</entry></feed>`
}

async function bodyOf(inner: string): Promise<string> {
  return String(await (await read(withEntry(inner))).entries[0]!.body())
}

t.test('a plain feed', async (t) => {
  const feed = await read(
    withEntry('<link rel="edit" href="m/1"/><category term="queue"/><content>hello</content>'),
  )
  t.match(feed, { uri: BASE, id: 'urn:x:feed', title: 'f', updated: '2024-01-01T00:00:00Z' })
  t.strictSame(feed.problems, [])
  t.equal(feed.pages.length, 1)
  t.match(feed.entries, [
    { id: 'urn:x:1', title: 'e', updated: '2024-01-01T00:00:00Z', categories: ['queue'] },
  ])
  t.strictSame(feed.entries[0]!.links, [{ rel: 'edit', href: 'http://mq.test/base/m/1', type: undefined }])
  t.equal(feed.entries[0]!.messageUri, 'http://mq.test/base/m/1')
  t.equal(String(await feed.entries[0]!.body()), 'hello')
})

t.test('prefixes, CDATA, comments, instructions, foreign markup, any order, a DOCTYPE', async (t) => {
  const feed = await read(`<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE a:feed [<!ENTITY x "&y;&y;"><!ENTITY y "boom">]>
<?style none?><!-- c -->
<a:feed xmlns:a="http://www.w3.org/2005/Atom" xmlns:q="urn:q">
  <a:entry q:lang="x"><q:id>not this</q:id><a:content type="text">a<!-- c --><![CDATA[<b>&]]>&#x26;&lt;c</a:content>
    <a:link rel="edit" href="m"/><a:updated>2024-01-01T00:00:00Z</a:updated>
    <q:thing><a:id>urn:inner</a:id></q:thing><a:title type="html">&lt;b></a:title><a:id>urn:x:1</a:id></a:entry>
  <a:author><a:name>n</a:name></a:author>
  <a:updated>2024-01-01T00:00:00Z</a:updated><a:title>T<!-- no -->wo</a:title><a:id>urn:x:f</a:id>
  <id xmlns="urn:other">urn:no</id>
</a:feed>`)
  t.strictSame(feed.problems, [])
  t.equal((await read(`<feed ${ATOM} x="]]>"><!-- & ]]> --><?x & ?>${HEAD}</feed>`)).id, 'urn:x:feed')
  t.match(feed, { id: 'urn:x:f', title: 'Two' })
  t.match(feed.entries, [{ id: 'urn:x:1', title: '<b>' }])
  t.equal(String(await feed.entries[0]!.body()), 'a<b>&&<c')
})

t.test('xml:base counts from the root inwards, and relative hrefs from there', async (t) => {
  const feed = await read(
    `<feed ${ATOM} xml:base="/one/">${HEAD}<link href="self" rel="self"/><entry xml:base="two/">${ENTRY_HEAD}` +
      '<link rel="edit" href="m"/><link xml:base="three/" rel="x" href="m"/><link rel="abs" href="https://h/x"/>' +
      '<content xml:base="c/" src="raw" type="a/b"/><summary/></entry></feed>',
  )
  t.equal(feed.links[0]!.href, 'http://mq.test/one/self')
  t.strictSame(
    feed.entries[0]!.links.map(({ href }) => href),
    ['http://mq.test/one/two/m', 'http://mq.test/one/two/three/m', 'https://h/x'],
  )
  t.equal(
    (await read(withEntry('<content src="raw" type="a/b" xml:base="c/"/>'), 'content')).entries[0]!
      .messageUri,
    'http://mq.test/base/c/raw',
  )
})

t.test('link relations: none is alternate, the registered ones have an IRI form', async (t) => {
  const feed = await read(
    withEntry(
      '<link href="a"/><link rel="" href="b"/><link rel="http://www.iana.org/assignments/relation/edit" href="c"/>' +
        '<link rel="urn:own" href="d" type="text/plain"/><link rel="nowhere"/><link rel="bad" href="http://["/>',
    ),
  )
  t.strictSame(
    feed.entries[0]!.links.map(({ rel }) => rel),
    ['alternate', 'alternate', 'edit', 'urn:own'],
  )
  t.equal(feed.entries[0]!.messageUri, 'http://mq.test/base/c')
  t.equal(feed.entries[0]!.links[3]!.type, 'text/plain')
})

t.test('the address of a message stands where the profile says', async (t) => {
  const inner = '<link rel="edit" href="e"/><link rel="urn:ack" href="k"/><content src="s" type="a/b"/>'
  const at = async (messageUri: string) => (await read(withEntry(inner), messageUri)).entries[0]!.messageUri
  t.equal(await at('link[rel=edit]'), 'http://mq.test/base/e')
  t.equal(await at('link[rel=urn:ack]'), 'http://mq.test/base/k')
  t.equal(await at('link[rel=none]'), undefined)
  t.equal(await at('id'), 'urn:x:1')
  t.equal(await at('content'), 'http://mq.test/base/s')
  t.equal((await read(withEntry('<content>x</content>'), 'content')).entries[0]!.messageUri, undefined)
  t.equal((await read(`<feed ${ATOM}><entry/></feed>`, 'id')).entries[0]!.messageUri, undefined)
})

t.test('content by its type', async (t) => {
  t.equal(await bodyOf('<content> a\n b </content>'), ' a\n b ', 'white space is content')
  t.equal(
    await bodyOf('<content type="text">&#13;&#10;x&#x1F600;\u2028\u0085</content>'),
    '\r\nx😀\u2028\u0085',
  )
  t.equal(
    await bodyOf('<content type="text">a\r\nb\rc</content>'),
    'a\nb\nc',
    'line ends as XML 1.0 has them',
  )
  t.equal(await bodyOf('<content type="html">&lt;p>x</content>'), '<p>x')
  t.equal(
    await bodyOf('<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">a<b>c</b></div></content>'),
    'ac',
  )
  t.equal(await bodyOf('<content type="xhtml">bare</content>'), 'bare')
  t.equal(await bodyOf('<content type="Text/Plain;charset=utf-8">ä</content>'), 'ä')
  t.match(
    await bodyOf('<content type="application/xml"> <x xmlns=""><y/></x> </content>'),
    /^<x( xmlns="")?><y\/><\/x>$/,
  )
  t.match(await bodyOf('<content type="image/svg+xml"><x xmlns="urn:s"/></content>'), '<x xmlns="urn:s"/>')
  t.equal(await bodyOf('<content type="text/xml">only text</content>'), 'only text')
  t.equal(await bodyOf('<content type="application/octet-stream">\n aGVs\tbG8= \r\n</content>'), 'hello')
  t.equal(await bodyOf('<content type="a/b"></content>'), '')
  t.equal(await bodyOf('<content type="a/b">not base64!</content>'), 'not base64!')
  t.equal(await bodyOf('<content/>'), '')
})

t.test('bytes come through Base64 however its lines are broken', async (t) => {
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ maxLength: 200 }),
      fc.integer({ min: 1, max: 80 }),
      async (bytes, width) => {
        const base64 = Buffer.from(bytes)
          .toString('base64')
          .replace(new RegExp(`.{${width}}`, 'g'), '$&\n ')
        const feed = await read(withEntry(`<content type="application/x">${base64}</content><summary/>`))
        return feed.problems.length === 0 && (await feed.entries[0]!.body()).equals(Buffer.from(bytes))
      },
    ),
    { numRuns: 50 },
  )
  t.pass()
})

t.test('text comes through its escapes', async (t) => {
  const legal = fc
    .string({ unit: 'binary' })
    .filter((text) => !/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u.test(text))
  const escaped = (text: string) => text.replace(/[&<>\r]/g, (character) => `&#${character.charCodeAt(0)};`)
  await fc.assert(
    fc.asyncProperty(legal, async (text) => (await bodyOf(`<content>${escaped(text)}</content>`)) === text),
    { numRuns: 100 },
  )
  t.pass()
})

t.test('content elsewhere is asked for once', async (t) => {
  const here = site({
    [BASE]: withEntry('<content src="raw" type="a/b"/><summary/><link rel="edit-media" href="other"/>'),
    'http://mq.test/base/raw': { body: Buffer.from([1, 2]), type: 'a/b' },
  })
  const feed = (await here.read()) as Feed
  t.strictSame(await feed.entries[0]!.body(), Buffer.from([1, 2]))
  await feed.entries[0]!.body()
  t.strictSame(here.asked, [BASE, 'http://mq.test/base/raw'])
})

t.test('without content the best link is followed, and then the message itself', async (t) => {
  const texts = Object.fromEntries(
    ['media', 'enc', 'alt', 'edit'].map((name) => [
      `http://mq.test/base/${name}`,
      { body: name, type: 'text/plain' },
    ]),
  )
  const body = async (inner: string) => {
    const feed = (await site({ ...texts, [BASE]: withEntry(inner) }).read()) as Feed
    return String(await feed.entries[0]!.body())
  }
  const [edit, alt, enc, media] = ['edit', 'alternate', 'enclosure', 'edit-media'].map((rel, index) => {
    return `<link rel="${rel}" href="${['edit', 'alt', 'enc', 'media'][index]}"/>`
  })
  t.equal(await body(`${edit}${alt}${enc}${media}`), 'media')
  t.equal(await body(`${edit}${alt}${enc}`), 'enc')
  t.equal(await body(`${edit}${alt}`), 'alt')
  t.equal(await body(`${edit}`), 'edit')
})

t.test('the address of a message may answer with its entry', async (t) => {
  const body = async (page: Page) => {
    const here = site({ [BASE]: withEntry('<link rel="edit" href="m"/>'), 'http://mq.test/base/m': page })
    return String(await ((await here.read()) as Feed).entries[0]!.body())
  }
  const type = 'application/atom+xml;type=entry'
  t.equal(await body({ type, body: `<entry ${ATOM}><content>inside</content></entry>` }), 'inside')
  t.match(
    await body({ type: 'application/xml', body: '<order/>' }),
    '<order/>',
    'XML of another kind is the message',
  )
  t.equal(await body({ type, body: '<not xml' }), '<not xml')
  await t.rejects(body({ type, body: `<entry ${ATOM}/>` }), /neither content nor a link/)
  await t.rejects(body({ status: 410, body: '' }), /GET http:\/\/mq.test\/base\/m, .* gave status 410/)
  await t.rejects(body({ error: 'no answer', body: '' }), /gave no answer/)
})

t.test('an entry that leads nowhere has no body', async (t) => {
  await t.rejects(bodyOf(''), /neither content nor a link/)
  await t.rejects(bodyOf('<content src="gone" type="a/b"/>'), /gave status 404/)
})

t.test('pages are one feed', async (t) => {
  const page = (id: string, next: string) =>
    `<feed ${ATOM}>${HEAD}<entry><id>${id}</id><title/><updated>2024-01-01T00:00:00Z</updated><content>${id}</content></entry>${next}</feed>`
  const here = site({
    [BASE]: page('urn:1', '<link rel="next" href="?p=2"/>'),
    [`${BASE}?p=2`]: page(
      'urn:2',
      '<link rel="http://www.iana.org/assignments/relation/next" href="feed?p=3"/>',
    ),
    [`${BASE}?p=3`]: page('urn:3', ''),
  })
  const feed = (await here.read()) as Feed
  t.strictSame(
    feed.entries.map(({ id }) => id),
    ['urn:1', 'urn:2', 'urn:3'],
  )
  t.equal(feed.pages.length, 3)
  t.strictSame(feed.problems, [])
})

t.test('pages that do not end are a problem, not a trap', async (t) => {
  const loop = `<feed ${ATOM}>${HEAD}<link rel="next" href="?p=2"/></feed>`
  const feed = (await site({ [BASE]: loop, [`${BASE}?p=2`]: loop }).read()) as Feed
  t.equal(feed.pages.length, 2)
  t.match(feed.problems, [/^its pages do not end: page 2 leads to/])
  const endless = new Proxy<Record<string, string>>(
    {},
    { get: (_, url: string) => `<feed ${ATOM}>${HEAD}<link rel="next" href="${url}x"/></feed>` },
  )
  const long = (await site(endless).read()) as Feed
  t.equal(long.pages.length, 500)
  t.match(long.problems, [/do not end/])
})

t.test('problems name their page, and ids are unique over all pages', async (t) => {
  const entry = `<entry>${ENTRY_HEAD}<content/></entry>`
  const feed = (await site({
    [BASE]: `<feed ${ATOM}>${HEAD}${entry}<link rel="next" href="?p=2"/></feed>`,
    [`${BASE}?p=2`]: `<feed ${ATOM}>${HEAD.replace('<title>f</title>', '')}${entry}</feed>`,
  }).read()) as Feed
  t.strictSame(feed.problems, ['page 2: the feed has no title', '2 entries have the id urn:x:1'])
})

t.test('what is no feed is a sentence', async (t) => {
  const bad: [Page | string, RegExp][] = [
    ['', /gave a body that is no well-formed XML: the document is empty/],
    ['{"a":1}', /no well-formed XML/],
    ['<feed', /no well-formed XML/],
    [`<feed ${ATOM}>`, /no well-formed XML/],
    [`<feed ${ATOM}></fed>`, /no well-formed XML/],
    [`<feed ${ATOM}><a b="1" b="2"/></feed>`, /no well-formed XML/],
    [`<feed ${ATOM} a=b></feed>`, /no well-formed XML/],
    [`<feed ${ATOM}>a & b</feed>`, /no well-formed XML/],
    [`<feed ${ATOM}>&nbsp;</feed>`, /no well-formed XML/],
    [`<!DOCTYPE f [<!ENTITY x "y">]><feed ${ATOM}>&x;</feed>`, /no well-formed XML/],
    [`<feed ${ATOM}/><feed ${ATOM}/>`, /no well-formed XML/],
    [`<feed ${ATOM} a="b & c"/>`, /a & that begins no reference/],
    [`<feed ${ATOM} a="&#xZ;"/>`, /a & that begins no reference/],
    [`<feed ${ATOM}>]]></feed>`, /]]> outside of CDATA/],
    [`<feed ${ATOM}><q:a/></feed>`, /no well-formed XML/],
    [`<feed ${ATOM}><a q:b="c"/></feed>`, /no well-formed XML/],
    [`<feed ${ATOM}><a b="c<d"/></feed>`, /no well-formed XML/],
    [`<feed ${ATOM}><!-- a -- b --></feed>`, /no well-formed XML/],
    [` <?xml version="1.0"?><feed ${ATOM}/>`, /no well-formed XML/],
    [`<feed ${ATOM}>a < b</feed>`, /no well-formed XML/],
    [`x<feed ${ATOM}/>`, /no well-formed XML/],
    [`<feed ${ATOM}>\u0001</feed>`, /U\+0001, which XML does not allow/],
    [`<feed ${ATOM}>&#0;</feed>`, /XML/],
    [`<feed ${ATOM}>&#1;</feed>`, /refers to U\+0001/],
    [{ body: Buffer.from([...Buffer.from(`<feed ${ATOM}>`), 0xff]) }, /bytes are not utf-8/],
    [{ body: `<feed ${ATOM}/>`, type: 'application/atom+xml;charset=klingon' }, /bytes are not klingon/],
    ['<html><body/></html>', /root element html instead of an Atom feed/],
    ['<feed/>', /root element feed instead/],
    [`<entry ${ATOM}/>`, /root element entry instead/],
    [{ body: '<feed/>', status: 404 }, /gave status 404/],
    [{ body: '', error: 'no answer within 5 ms' }, /gave no answer within 5 ms/],
  ]
  for (const [page, sentence] of bad) {
    const feed = await site({ [BASE]: page }).read()
    t.match(feed, sentence, typeof page === 'string' ? page : String(page.body))
    t.match(feed, /^GET http:\/\/mq\.test\/base\/feed gave /)
  }
})

t.test('a second page that is no feed makes the whole unreadable', async (t) => {
  const here = site({ [BASE]: `<feed ${ATOM}><link rel="next" href="?p=2"/></feed>` })
  t.match(await here.read(), /^GET http:\/\/mq\.test\/base\/feed\?p=2 gave status 404$/)
})

t.test('encodings: a mark, the charset, the declaration', async (t) => {
  const text = (encoding: string) =>
    `<?xml version="1.0" encoding="${encoding}"?><feed ${ATOM}>${HEAD.replace('>f<', '>ä€<')}</feed>`
  const utf16 = Buffer.from(`\ufeff${text('utf-16')}`, 'utf16le')
  t.equal((await read({ body: utf16 })).title, 'ä€')
  t.equal((await read({ body: Buffer.from(utf16).swap16() })).title, 'ä€')
  t.equal((await read({ body: `\ufeff${text('utf-8')}` })).title, 'ä€')
  const latin = Buffer.from(text('iso-8859-1').replace('€', 'é'), 'latin1')
  t.equal((await read({ body: latin })).title, 'äé')
  const bare = Buffer.from(`<feed ${ATOM}>${HEAD.replace('>f<', '>ä<')}</feed>`, 'latin1')
  t.equal((await read({ body: bare, type: 'application/atom+xml; Charset="iso-8859-1"' })).title, 'ä')
  t.equal((await read(`<feed ${ATOM}>${HEAD.replace('>f<', '>\ufffd<')}</feed>`)).title, '\ufffd')
})

t.test('another media type is a problem and hides nothing', async (t) => {
  for (const type of ['text/plain', 'application/xml', 'text/html; charset=utf-8']) {
    const feed = await read({ body: `<feed ${ATOM}>${HEAD}</feed>`, type })
    t.strictSame(feed.problems, [`the feed is served as ${type} and not as application/atom+xml`])
  }
  t.strictSame(
    (await read({ body: `<feed ${ATOM}>${HEAD}</feed>`, type: 'Application/ATOM+xml ; type=feed' })).problems,
    [],
  )
})

t.test('no bytes make the reader throw', async (t) => {
  const soup = fc.array(
    fc.constantFrom(
      '<feed xmlns="http://www.w3.org/2005/Atom">',
      '</feed>',
      '<entry>',
      '</entry>',
      '<id>',
      '</id>',
      '<!--',
      '-->',
      '<![CDATA[',
      ']]>',
      '&',
      ';',
      '"',
      '<link href=',
      '>',
      '<!DOCTYPE x [',
      ']',
      '<?x',
      '?>',
      '<content type="',
      '\u0000',
      'é',
      ' ',
    ),
    { maxLength: 30 },
  )
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        soup.map((parts) => parts.join('')),
        fc.uint8Array({ maxLength: 100 }),
      ),
      async (body) => {
        const feed = await site({ [BASE]: { body } }).read()
        return typeof feed === 'string' || Array.isArray(feed.problems)
      },
    ),
    { numRuns: 500 },
  )
  t.pass()
})

t.test('depth is no trap', async (t) => {
  const deep = '<x>'.repeat(20_000) + '</x>'.repeat(20_000)
  const feed = await site({ [BASE]: `<feed ${ATOM}>${HEAD}${deep}</feed>` }).read()
  t.ok(typeof feed === 'string' || feed.id === 'urn:x:feed')
})
