import fc from 'fast-check'
import t from 'tap'
import type { Feed } from './feed.js'
import { ATOM, BASE, bodyOf, ENTRY_HEAD, HEAD, type Page, read, site, withEntry } from './site.test.helper.js'

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

t.test('a link to the document itself leads to no content', async (t) => {
  const inner =
    '<link href="feed"/><link rel="enclosure" href="/base/feed#1"/><link rel="edit" href="m"/><summary/>'
  const { read, asked } = site({
    [BASE]: withEntry(inner),
    'http://mq.test/base/m': { body: 'x', type: 'text/plain' },
  })
  const feed = (await read()) as Feed
  t.equal(String(await feed.entries[0]!.body()), 'x')
  t.strictSame(asked, [BASE, 'http://mq.test/base/m'])
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
  t.equal(await bodyOf('<content type="html">&lt;p>x &amp;amp;</content>'), '<p>x &amp;', 'as it was sent')
  t.equal(
    await bodyOf(
      '<content type="html">a &amp;lt; b &amp;amp;amp; &amp;#233;&amp;#x1F98A; &amp;nbsp;</content>',
    ),
    'a < b &amp; é🦊 &nbsp;',
    'a text as HTML has it',
  )
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
  t.equal(await body(`${edit}${alt}`), 'edit')
  t.equal(await body(`${alt}`), 'alt')
  t.equal(await body(`${edit}`), 'edit')
  const page = await site({
    ...texts,
    [BASE]: withEntry(`${edit}${alt}`),
    'http://mq.test/base/alt': { body: '<p>a page</p>', type: 'text/html' },
  }).read()
  t.equal(String(await (page as Feed).entries[0]!.body()), 'edit', 'a page for people is another link')
  t.equal(
    await body('<link href="gone"/><link rel="edit" href="edit"/>'),
    'edit',
    'as is one that leads nowhere',
  )
})

t.test('a message that is known is told from what is only about it', async (t) => {
  const page = { body: '<p>about m</p>', type: 'text/html' }
  const text = (body: string) => ({ body, type: 'text/plain' })
  const proven = new Set<string>()
  const knowing = {
    proven,
    isMessage: (body: Buffer) => /^(?:<b>)?m\d$/.test(String(body)),
    isAbout: (body: Buffer) => String(body).includes('m'),
  }
  const at = (path: string) => `http://mq.test/base/${path}`
  const here = (inner: string, pages: Record<string, Page>) =>
    site({ [BASE]: withEntry(inner), ...pages }, undefined, undefined, knowing)
  const body = async (inner: string, pages: Record<string, Page>) =>
    String(await ((await here(inner, pages).read()) as Feed).entries[0]!.body())
  const links = '<link rel="edit" href="edit"/><link href="alt"/>'
  const html = { body: '<b>m1', type: 'text/html' }
  t.equal(await body(links, { [at('edit')]: page, [at('alt')]: page }), '<p>about m</p>', 'of two the first')
  t.equal(await body(links, { [at('edit')]: text('receipt'), [at('alt')]: text('m1') }), 'm1')
  t.strictSame([...proven], ['alternate'])
  t.equal(
    await body(links, { [at('edit')]: page, [at('alt')]: { ...html, body: 'other' } }),
    'other',
    'as before',
  )
  proven.clear()
  t.equal(await body(links, { [at('edit')]: html, [at('alt')]: page }), '<b>m1', 'a page that is the message')
  proven.clear()
  t.equal(await body(links, { [at('edit')]: page, [at('alt')]: text('else') }), 'else')
  await t.rejects(
    body('<link href="alt"/>', { [at('alt')]: { ...page, body: 'it' } }),
    /neither content nor a link/,
  )
  const cut = '<content>a part</content><link rel="edit-media" href="raw"/>'
  t.equal(await body(cut, { [at('raw')]: text('x') }), 'a part')
  t.equal(await body(cut, { [at('raw')]: { status: 405, body: '' } }), 'a part')
  await t.rejects(body(cut, {}), /gave 404/, 'a whole that has gone, it may be')
  const gone = { status: 410, body: '' }
  await t.rejects(body(links, { [at('edit')]: page, [at('alt')]: gone }), /gave 410/, 'so may have this')
  t.equal(await body(cut, { [at('raw')]: text('m2') }), 'm2', 'the whole of what is cut')
  await t.rejects(body(cut, {}), /gave 404/, 'the whole is gone, and the part is no message')
  t.equal(await body(cut.replace('a part', 'm3'), {}), 'm3')
})

t.test('an entry that is linked to is not followed back', async (t) => {
  const type = 'application/atom+xml;type=entry'
  const entry = (inner: string) => ({ type, body: `<entry ${ATOM}>${inner}</entry>` })
  const links = '<link rel="edit" href="m"/><link href="alt"/>'
  const body = async (inner: string) => {
    const pages = {
      [BASE]: withEntry(links),
      'http://mq.test/base/m': entry(inner),
      'http://mq.test/base/alt': { body: 'alt', type: 'text/plain' },
      'http://mq.test/base/raw': { body: 'raw', type: 'text/plain' },
    }
    const here = site(pages)
    return String(await ((await here.read()) as Feed).entries[0]!.body())
  }
  t.equal(await body('<link rel="edit" href="m"/>'), 'alt')
  t.equal(await body('<link rel="edit-media" href="raw"/>'), 'raw')
  t.equal(await body('<content src="raw" type="a/b"/>'), 'raw')
  t.equal(await body('<content src="gone" type="a/b"/>'), 'alt', 'as what leads to nothing')
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
  await t.rejects(body({ status: 410, body: '' }), /GET http:\/\/mq.test\/base\/m, .* gave 410/)
  await t.rejects(body({ error: 'no answer', body: '' }), /gave no answer/)
})

t.test('an entry that leads nowhere has no body', async (t) => {
  await t.rejects(bodyOf(''), /neither content nor a link/)
  await t.rejects(bodyOf('<content src="gone" type="a/b"/>'), { message: /gave 404/, isNowhere: true })
})

t.test('a content may be sent on to where it is', async (t) => {
  const at = (path: string) => `http://mq.test/base/${path}`
  const to = (location: string, status = 302) => ({ body: '', status, headers: { location } })
  const pages = {
    [BASE]: withEntry('<content src="raw" type="a/b"/><summary/>'),
    [at('raw')]: to('one', 307),
    [at('one')]: to('http://store.test/two', 303),
    'http://store.test/two': { body: 'stored', type: 'a/b' },
  }
  const body = async (more = {}) => {
    const feed = await site({ ...pages, ...more }).read()
    return String(await (feed as Feed).entries[0]!.body())
  }
  t.equal(await body(), 'stored')
  await t.rejects(body({ [at('one')]: to('raw') }), /gave 30\d/, 'in circles')
  await t.rejects(body({ [at('one')]: to('http://[') }), /gave 302/, 'nowhere')
  await t.rejects(body({ [at('one')]: { body: '', status: 302 } }), /gave 302/, 'without an address')
})

t.test('beside a content that only describes it, a message is where a link proves to lead', async (t) => {
  const proven = new Set<string>()
  const knowing = {
    proven,
    isMessage: (body: Buffer) => /^m\d\0?$|^bytes$/.test(String(body)),
    isAbout: (body: Buffer) => /m\d/.test(String(body)),
  }
  const at = (path: string) => `http://mq.test/base/${path}`
  const text = (body: string) => ({ body, type: 'text/plain' })
  const links = '<link rel="enclosure" href="enc"/><link rel="edit" href="edit"/>'
  const body = async (content: string, pages: Record<string, Page>, mayOnlyTell = false) => {
    const inner = `<content>${content}</content>${links}`
    const here = site({ [BASE]: withEntry(inner), ...pages }, undefined, undefined, knowing, mayOnlyTell)
    return String(await ((await here.read()) as Feed).entries[0]!.body())
  }
  const enclosed = { [at('enc')]: text('m1'), [at('edit')]: text('other') }
  t.equal(await body('about m1', enclosed), 'about m1', 'what tells of a message may be it, spoilt')
  t.equal(await body('', enclosed), '', 'nothing describes nothing')
  t.equal(await body('a message', { [at('enc')]: text('bytes') }), 'a message', 'what may be one by chance')
  t.equal(
    await body('bTEA', { [at('enc')]: text('m1\0') }),
    'bTEA',
    'what may be one that is not plain, spoilt',
  )
  t.equal(await body('a message', enclosed, true), 'a message', 'where nobody needs to know')
  t.strictSame([...proven], [])
  const type = 'application/atom+xml;type=entry'
  const inEntry = { [at('edit')]: { type, body: `<entry ${ATOM}><content>m2</content></entry>` } }
  t.equal(await body('a message', inEntry), 'm2')
  t.equal(await body('a message', enclosed), 'other', 'by what has led to one')
  proven.clear()
  t.equal(await body('a message', enclosed), 'm1')
  t.equal(await body('a message', { [at('enc')]: text('bytes') }, true), 'bytes')
  await t.rejects(body('a message', {}), /gave 404/)
  proven.clear()
  t.equal(await body('a message', {}), 'a message')
})

t.test('where effects take their time to show, an entry may outlive its content', async (t) => {
  const raw = 'http://mq.test/base/raw'
  const pages: Parameters<typeof site>[0] = {
    [BASE]: withEntry('<content src="raw" type="a/b"/><summary/>'),
    [raw]: { body: 'as sent', type: 'a/b' },
  }
  const { read } = site(pages, undefined, new Map())
  const body = async () => {
    const feed = await read()
    return typeof feed === 'string' ? feed : String(await feed.entries[0]!.body())
  }
  t.equal(await body(), 'as sent')
  for (const status of [404, 410, 403]) {
    pages[raw] = { body: 'gone', status }
    t.equal(await body(), 'as sent', 'what it was when it could be read')
  }
  pages[raw] = { body: 'oh', status: 500 }
  await t.rejects(body(), /gave 500/)
  const late = site({ ...pages, [raw]: { body: '', status: 404 } }, undefined, new Map())
  const feed = await late.read()
  t.type(feed, 'object')
  if (typeof feed !== 'string') {
    t.match(String(await feed.entries[0]!.body()), /raw is gone/, 'what no message is')
  }
})
