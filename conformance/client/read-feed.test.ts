import fc from 'fast-check'
import t from 'tap'
import type { Feed } from './feed.js'
import { ATOM, BASE, ENTRY_HEAD, HEAD, type Page, read, site, withEntry } from './site.test.helper.js'

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

t.test('a feed that is read again is what it is now, however alike it looks', async (t) => {
  const pages: Record<string, Page> = { [BASE]: { body: withEntry('<content>one</content>') } }
  const { read, asked } = site(pages)
  const reading = async () => {
    const { entries, problems } = (await read()) as Feed
    return [String(await entries[0]!.body()), problems.length]
  }
  t.strictSame(await reading(), ['one', 0])
  t.strictSame(await reading(), ['one', 0])
  pages[BASE] = { body: withEntry('<content>two</content>') }
  t.strictSame(await reading(), ['two', 0], 'of the same length')
  pages[BASE] = { ...pages[BASE], type: 'text/xml' }
  t.strictSame(await reading(), ['two', 1], 'the same bytes as another type')
  pages[BASE] = { body: '', status: 404 }
  t.equal(await read(), `GET ${BASE} gave 404 with application/atom+xml;type=feed`)
  t.equal(asked.length, 5, 'it is asked for each time')
})

t.test('the next page may stand in a header', async (t) => {
  const page = (id: string, link: string): Page => ({
    body: `<feed ${ATOM}>${HEAD}<entry><id>urn:x:${id}</id><title/></entry></feed>`,
    headers: { link },
  })
  const idsBy = async (link: string) => {
    const pages = { [BASE]: page('1', link), 'http://mq.test/base/two?a,b': page('2', '') }
    return ((await site(pages).read()) as Feed).entries.map(({ id }) => id)
  }
  for (const link of [
    '<two?a,b>; rel="next"',
    '<one>; rel=self, <http://mq.test/base/two?a,b>;title="x, y";rel=Next',
    '<two?a,b>; type="a/b"; rel="last next"',
  ])
    t.strictSame(await idsBy(link), ['urn:x:1', 'urn:x:2'], link)
  for (const link of [
    '',
    '<two?a,b>',
    '<two?a,b>; rel="prev"',
    '<two?a,b>; title="rel=next"',
    'two; rel=next',
  ])
    t.strictSame(await idsBy(link), ['urn:x:1'], link)
})

t.test('what a header says is next may be no page of the feed', async (t) => {
  const link = '<other>; rel="next"'
  const page: Page = { body: `<feed ${ATOM}>${HEAD}</feed>`, headers: { link } }
  const other = 'http://mq.test/base/other'
  for (const found of [
    { body: 'help', type: 'text/plain' },
    { body: '', status: 404 },
    String(page.body).replace('urn:x:feed', 'urn:x:2'),
  ]) {
    t.match(await site({ [BASE]: page, [other]: found }).read(), { pages: { length: 1 } })
  }
  const circle: Page = { ...page, headers: { link: '<feed>; rel="next"' } }
  t.match(await site({ [BASE]: circle }).read(), { pages: { length: 1 } }, 'itself')
  const about: Page = { ...page, headers: { link: '<feed?p=2>; rel="next"; anchor="/elsewhere"' } }
  t.match(await site({ [BASE]: about }).read(), { pages: { length: 1 } }, 'next to something else')
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

t.test('pages that do not end are no feed, and no trap', async (t) => {
  const loop = `<feed ${ATOM}>${HEAD}<link rel="next" href="?p=2"/></feed>`
  const around = site({ [BASE]: loop, [`${BASE}?p=2`]: loop })
  t.match(await around.read(), /do not end: page 2 leads to/)
  t.strictSame(around.excesses, [], 'which is known after two pages')
  let page = 0
  const endless = new Proxy<Record<string, string>>(
    {},
    { get: () => `<feed ${ATOM}>${HEAD}<link rel="next" href="?p=${page++}"/></feed>` },
  )
  const on = site(endless)
  t.match(await on.read(), /more than 2000 pages/, 'nobody can say whether these end')
  t.equal(on.excesses.length, 1)
})

t.test(
  'problems name their page, and ids are unique within a page: pages that change meanwhile may overlap',
  async (t) => {
    const entry = `<entry>${ENTRY_HEAD}<content/></entry>`
    const feed = (await site({
      [BASE]: `<feed ${ATOM}>${HEAD}${entry}<link rel="next" href="?p=2"/></feed>`,
      [`${BASE}?p=2`]: `<feed ${ATOM}>${HEAD.replace('<title>f</title>', '')}${entry}${entry}</feed>`,
    }).read()) as Feed
    t.strictSame(feed.problems, ['page 2: the feed has no title', 'page 2: 2 entries have the id urn:x:1'])
  },
)

t.test('what says all that a feed says, in another form, is read, and not taken for Atom', async (t) => {
  const nameless = await read('<feed><id>urn:x</id><entry><id>urn:x:1</id></entry></feed>')
  t.match(nameless, { isAtom: false, id: 'urn:x', entries: [{ id: 'urn:x:1' }] })
  t.match(nameless.problems, ['its elements are in no namespace'])
  const older = await read(
    `<a:feed xmlns:a='http://purl.org/atom/ns#'><a:id>urn:x</a:id><a:entry><a:id>urn:x:1</a:id></a:entry></a:feed>`,
  )
  t.match(older, { isAtom: false, id: 'urn:x', entries: [{ id: 'urn:x:1' }] })
  t.match(older.problems, ['its elements are in the namespace http://purl.org/atom/ns#'])
  const misspelt = await read('<feed xmlns="http://www.w3.org/2005/atom"/>')
  t.match(misspelt.problems, ['its elements are in the namespace http://www.w3.org/2005/atom'])
  const none = await read({ status: 204, body: '' })
  t.match(none, { isAtom: false, entries: [], problems: ['no feed, but 204'] })
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
    [`<!DOCTYPE f [<!ENTITY x "y">]><feed ${ATOM}>&x;</feed>`, /refers to &x;, an entity of its own/],
    [`<!DOCTYPE f [<!ENTITY x "y">]><feed ${ATOM} a="&amp;&x;"/>`, /refers to &x;/],
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
    [`<list xmlns="http://www.w3.org/2005/Atom"/>`, /root element list instead/],
    [`<entry ${ATOM}/>`, /root element entry instead/],
    [{ body: '<feed/>', status: 404 }, /gave 404/],
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
  t.match(await here.read(), /^GET http:\/\/mq\.test\/base\/feed\?p=2 gave 404/)
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
