import t from 'tap'
import { ForeignMarkup, foreignParts } from './foreign-markup.js'
import { site } from './site.test.helper.js'
import { parseXml } from './xml.js'

const feed = (inside: string, more = '') =>
  `<feed xmlns="http://www.w3.org/2005/Atom"${more}>${inside}</feed>`
const cut = (text: string) => foreignParts(text)?.map(([from, to]) => text.slice(from, to))

t.test('foreign elements of a feed and of its entries are found, and nothing else', (t) => {
  const one = '<x:a xmlns:x="urn:x"><x:a q=">"/><!-- </x:a> --><![CDATA[</x:a>]]></x:a>'
  t.strictSame(cut(feed(`<title>t</title>${one}<entry>${one}<id>1</id><b xmlns=""/></entry>`)), [
    one,
    one,
    '<b xmlns=""/>',
  ])
  t.strictSame(cut(feed('<x:a/><x:b></x:b>', ' xmlns:x="urn:x"')), ['<x:a/>', '<x:b></x:b>'])
  t.strictSame(cut(feed(`<content type="a/xml">${one}</content>`)), [], 'a content is what it is')
  t.strictSame(cut(feed(`<entry><content type="a/xml">${one}</content></entry>`)), [])
  t.strictSame(cut(feed('<a:title xmlns:a="http://www.w3.org/2005/Atom">t</a:title>')), [])
  t.end()
})

t.test('what only a parser can judge is left to it', (t) => {
  for (const text of [
    '<rss><x:a xmlns:x="urn:x"/></rss>',
    feed('<x:a xmlns:x="urn:x"></x:b></x:a>'),
    feed('<x:a xmlns:x="urn:x">'),
    feed('<x:a xmlns:x="&#117;rn:x"/>'),
    `<!DOCTYPE feed [<!ENTITY e "x">]>${feed('<x:a xmlns:x="urn:x"/>')}`,
    feed('<!-- '),
  ])
    t.equal(foreignParts(text), undefined, text)
  t.end()
})

/** Long foreign markup. */
const long = (word: string) =>
  `<x:data xmlns:x="urn:x">${Array.from({ length: 3000 }, (_, n) => `<x:v n="${n}">${word}</x:v>`).join('')}</x:data>`

t.test('foreign markup is parsed once, and what is ill-formed each time', (t) => {
  const foreign = new ForeignMarkup()
  const piecesOf = (text: string) => {
    let pieces = 0
    const count = (more: number) => {
      pieces += more
    }
    parseXml(Buffer.from(text), 'application/atom+xml', count, foreign)
    return pieces
  }
  t.ok(piecesOf(feed(long('a'))) > 6000)
  t.equal(piecesOf(feed(`<id>1</id>${long('a')}`)), 5)
  t.ok(piecesOf(feed(long('b'))) > 6000, 'another')
  t.equal(
    piecesOf(feed(`${long('a')}<x:now xmlns:x="urn:x">12:00</x:now>`)),
    6,
    'beside what is new each time',
  )
  const broken = feed(long('<y:z/>'))
  for (let time = 0; time < 2; time++) t.throws(() => piecesOf(broken), /y/)
  for (let others = 0; others < 60; others++) piecesOf(feed(long(String(others))))
  t.equal(piecesOf(feed(long('c'))), 3, 'where it is another each time, the rest is taken for well-formed')
  t.end()
})

t.test('what is read of a feed is the same with its foreign elements left out', async (t) => {
  const entry = `<entry>${long('e')}<id>urn:1</id><link rel="edit" href="1"/><content>c</content></entry>`
  const here = site({ 'http://mq.test/base/feed': feed(`${long('f')}<id>urn:f</id>${entry}`) })
  const first = await here.read()
  t.same(await here.read(), first)
})
