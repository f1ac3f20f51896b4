import t from 'tap'
import { feedProblems } from './feed-problems.js'
import { parseXml } from './xml.js'

const NAMES = 'xmlns="http://www.w3.org/2005/Atom"'
const FEED = {
  id: '<id>urn:f</id>',
  title: '<title>t</title>',
  updated: '<updated>2024-01-01T00:00:00Z</updated>',
  author: '<author><name>n</name></author>',
}
const ENTRY = {
  id: '<id>urn:1</id>',
  title: '<title/>',
  updated: '<updated>2024-01-01T00:00:00Z</updated>',
  content: '<content>c</content>',
}

/** Problems of a good feed with some parts put differently; further parts are added. */
function feed(parts: Record<string, string> = {}): string[] {
  const inner = Object.values({ ...FEED, ...parts }).join('')
  return feedProblems(parseXml(Buffer.from(`<feed ${NAMES}>${inner}</feed>`), undefined).documentElement!)
}

function entry(parts: Record<string, string> = {}, more: Record<string, string> = {}): string[] {
  return feed({ ...more, entry: `<entry>${Object.values({ ...ENTRY, ...parts }).join('')}</entry>` })
}

t.test('good feeds have no problem', async (t) => {
  t.strictSame(feed(), [])
  t.strictSame(entry(), [])
  t.strictSame(entry({ author: FEED.author }, { author: '' }), [])
  t.strictSame(entry({ source: `<source>${FEED.author}</source>` }, { author: '' }), [])
  t.strictSame(entry({ content: '<link href="a"/>' }), [])
  t.strictSame(entry({ content: '<content src="a" type="a/b"/><summary/>' }), [])
  t.strictSame(entry({ content: '<content src="a"/><summary>s</summary>' }), [])
  t.strictSame(entry({ content: '<content type="a/b">AA==</content><summary/>' }), [])
  t.strictSame(entry({ content: '<content type="application/xml"><x xmlns="urn:x"/></content>' }), [])
  t.strictSame(
    entry({
      content: '<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p/></div></content>',
    }),
    [],
  )
  t.strictSame(
    entry({ links: '<link href="a"/><link href="a" type="x/y"/><link href="a" hreflang="de"/>' }),
    [],
  )
  t.strictSame(entry({ links: '<link rel="edit" href="a"/><link rel="edit" href="b"/>' }), [])
  t.strictSame(
    feed({
      more: '<subtitle type="html">x</subtitle><rights/><category term=""/><contributor><name/></contributor>',
    }),
    [],
  )
  t.strictSame(entry({ published: '<published>2024-01-01T00:00:00.5+01:00</published>' }), [])
  t.strictSame(feed({ foreign: '<id xmlns="urn:o"/><title xmlns="urn:o"/>' }), [])
})

t.test('what a feed must have exactly once', async (t) => {
  for (const name of ['id', 'title', 'updated'] as const) {
    t.strictSame(feed({ [name]: '' }), [`the feed has no ${name}`])
    t.strictSame(feed({ again: FEED[name] }), [`the feed has 2 of ${name}`])
    t.strictSame(entry({ [name]: '' }), [`entry 1${name === 'id' ? '' : ' (urn:1)'} has no ${name}`])
    t.strictSame(entry({ again: ENTRY[name] }), [`entry 1 (urn:1) has 2 of ${name}`])
  }
})

t.test('what may be there at most once', async (t) => {
  for (const name of ['generator', 'icon', 'logo', 'rights', 'subtitle']) {
    t.strictSame(feed({ more: `<${name}/><${name}/>` }), [`the feed has 2 of ${name}`])
  }
  for (const name of ['rights', 'source', 'summary']) {
    t.strictSame(entry({ more: `<${name}/><${name}/>` }), [`entry 1 (urn:1) has 2 of ${name}`])
  }
  t.strictSame(entry({ more: '<content/>' }), ['entry 1 (urn:1) has 2 of content'])
  t.match(entry({ more: ENTRY.updated.replaceAll('updated', 'published').repeat(2) }), [/has 2 of published/])
})

t.test('a feed needs no author of its own where each of its entries has one, or there is none', async (t) => {
  t.strictSame(feed({ author: '' }), [])
})

t.test('each problem has its sentence', async (t) => {
  const cases: [string[], RegExp][] = [
    [entry({}, { author: '' }), /^entry 1 \(urn:1\) has no author, and neither has the feed$/],
    [feed({ id: '<id/>' }), /has the id "", which is no absolute IRI/],
    [feed({ id: '<id>relative/path</id>' }), /no absolute IRI/],
    [feed({ id: '<id> urn:f </id>' }), /no absolute IRI/],
    [feed({ id: '<id>urn:a b</id>' }), /no absolute IRI/],
    [feed({ updated: '<updated>yesterday</updated>' }), /has updated "yesterday", which is no date/],
    [feed({ updated: '<updated>\n2024-01-01T00:00:00Z</updated>' }), /no date/],
    [entry({ published: '<published>2024-01-01</published>' }), /has published "2024-01-01"/],
    [feed({ title: '<title type="text/plain">x</title>' }), /has a title of the type "text\/plain"/],
    [entry({ summary: '<summary><b/></summary>' }), /has a summary with elements inside its text/],
    [feed({ title: '<title type="xhtml">x</title>' }), /has an XHTML title that is not one div/],
    [
      entry({ summary: '<summary type="xhtml"><div/></summary>' }),
      /has an XHTML summary that is not one div/,
    ],
    [feed({ author: '<author/>' }), /has a author without exactly one name/],
    [feed({ c: '<contributor><name/><name/></contributor>' }), /has a contributor without exactly one name/],
    [feed({ c: '<category label="x"/>' }), /has a category without a term/],
    [feed({ l: '<link rel="self"/>' }), /has a link without href/],
    [
      feed({ l: '<link href="a"/><link rel="alternate" href="b"/>' }),
      /has two alternate links of type "" and language ""/,
    ],
    [entry({ content: '' }), /has neither content nor an alternate link/],
    [entry({ content: '<link rel="edit" href="a"/>' }), /has neither content nor an alternate link/],
    [
      entry({ content: '<content type="plain">x</content>' }),
      /has content of the type "plain", which is no media type/,
    ],
    [
      entry({ content: '<content type="html" src="a"/><summary/>' }),
      /has content with a src and the type "html"/,
    ],
    [
      entry({ content: '<content type="a/b" src="a">x</content><summary/>' }),
      /has content with a src that is not empty/,
    ],
    [entry({ content: '<content type="a/b" src="a"/>' }), /has content elsewhere \(src\) and no summary/],
    [entry({ content: '<content type="a/b">AA==</content>' }), /has Base64 content and no summary/],
    [entry({ content: '<content type="a/b">A</content><summary/>' }), /should be Base64 and is not/],
    [entry({ content: '<content type="a/b">AAA-</content><summary/>' }), /should be Base64 and is not/],
    [entry({ content: '<content><b/></content>' }), /has text content with elements inside/],
    [entry({ content: '<content type="html"><b/></content>' }), /has html content with elements inside/],
    [entry({ content: '<content type="text/x"><b/></content>' }), /has text content with elements inside/],
    [entry({ content: '<content type="xhtml">x</content>' }), /has XHTML content that is not one div/],
    [entry({ content: '<content type="xhtml"><p/></content>' }), /has XHTML content that is not one div/],
  ]
  for (const [problems, sentence] of cases) {
    t.match(problems[0], sentence)
    t.ok(problems.length <= 2, problems.join('; '))
  }
})
