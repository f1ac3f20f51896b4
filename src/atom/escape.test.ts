import { DOMParser } from '@xmldom/xmldom'
import fc from 'fast-check'
import t from 'tap'
import { escapeAttribute, escapeText, isXmlLegal } from './escape.js'

/** Parses, and fails at the first thing that is not well-formed. */
function parse(xml: string) {
  const strict = new DOMParser({
    onError(level, message) {
      // It warns of U+FFFD, which is meant here.
      if (level !== 'warning') throw new Error(message)
    },
  })
  return strict.parseFromString(xml, 'text/xml').documentElement!
}

/** For the name of an assertion, which must be one line. */
const codes = (text: string) => Buffer.from(text, 'utf16le').toString('hex') || 'nothing'

t.test('XML-legal text', async (t) => {
  for (const legal of ['', 'a', '\t\n\r', '\u007f\u0085\u2028', '\ud7ff\ue000\ufffd', '😀', '\u{1ffff}']) {
    t.equal(isXmlLegal(legal), true, codes(legal))
  }
  for (const bad of [
    '\0',
    'a\b',
    '\v',
    '\f',
    '\u001f',
    '\ufffe',
    '\uffff',
    '\ud800',
    '\udc00a',
    '\udc00\ud800',
  ]) {
    t.equal(isXmlLegal(bad), false, codes(bad))
  }
})

t.test('what is written for each special character', async (t) => {
  t.equal(escapeText('<a b="c">&]]>\r\n\t\u0085\u2028'), '&lt;a b="c"&gt;&amp;]]&gt;&#13;\n\t&#133;&#8232;')
  t.equal(escapeAttribute('<"&>\r\n\t\u0085\u2028'), '&lt;&quot;&amp;&gt;&#13;&#10;&#9;&#133;&#8232;')
  t.equal(escapeText('a\0b\ud800c\uffff😀'), 'a\ufffdb\ufffdc\ufffd😀')
  t.equal(escapeAttribute('\b'), '\ufffd')
})

t.test('any text comes back as it was, or with U+FFFD where XML cannot carry it', async (t) => {
  const texts = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({
      unit: fc.constantFrom(
        '\r',
        '\n',
        '\t',
        '<',
        '>',
        '&',
        '"',
        ']',
        '\u0085',
        '\u2028',
        '\0',
        '\ud83d',
        '\ude00',
        'a',
      ),
    }),
  )
  fc.assert(
    fc.property(texts, (text) => {
      const expected = [...text].map((char) => (isXmlLegal(char) ? char : '\ufffd')).join('')
      const element = parse(`<a b="${escapeAttribute(text)}">${escapeText(text)}</a>`)
      return element.textContent === expected && element.getAttribute('b') === expected
    }),
    { numRuns: 1000 },
  )
  t.pass('for every case')
})
