import { DOMParser, type Element } from '@xmldom/xmldom'
import fc from 'fast-check'
import t from 'tap'
import { contentElements, DEFAULT_TYPE, INLINE_LIMIT, mediaTypeOf, readableText } from './content.js'
import { isXmlLegal } from './escape.js'
import type { ContentView } from './views.js'

function render(content: Partial<ContentView>, room = Number.POSITIVE_INFINITY) {
  const whole = { body: Buffer.alloc(0), properties: new Map(), ...content }
  const xml = contentElements(whole, whole.body, '/src?a&b', room)
  const root = new DOMParser().parseFromString(`<a>${xml}</a>`, 'text/xml').documentElement!
  const [first, second] = [...root.childNodes].filter((node): node is Element => node.nodeType === 1)
  const element = second ?? first!
  return {
    summary: second && first!.textContent,
    type: element.getAttribute('type'),
    src: element.getAttribute('src'),
    text: element.textContent,
  }
}

const text = (type: string | null, body: string) => ({ summary: undefined, type, src: null, text: body })

t.test('text stands in the entry', async (t) => {
  const body = Buffer.from('\ufeffé <&>\r\n')
  for (const contentType of ['text/plain', 'TEXT/Plain; charset="UTF-8"', 'text/plain;format=flowed']) {
    t.same(render({ body, contentType }), text('text/plain', '\ufeffé <&>\r\n'), contentType)
  }
  t.same(
    render({ body: Buffer.from('a'), contentType: 'text/html;charset=us-ascii' }),
    text('text/html', 'a'),
  )
})

t.test('what is empty, or has no room, is linked', async (t) => {
  const linked = { type: 'text/plain', src: '/src?a&b', text: '' }
  t.same(render({ contentType: 'text/plain' }), { ...linked, summary: '0 bytes of text/plain' })
  const body = Buffer.from('&&&&')
  const { length } = '<content type="text/plain">&amp;&amp;&amp;&amp;</content>'
  t.same(render({ contentType: 'text/plain', body }, length), text('text/plain', '&&&&'))
  t.same(render({ contentType: 'text/plain', body }, length - 1), {
    ...linked,
    summary: '4 bytes of text/plain',
  })
})

t.test('text that the entry cannot carry exactly is linked', async (t) => {
  const linked: [string, Uint8Array, string?][] = [
    ['text/plain; charset=iso-8859-1', Buffer.from('a')],
    ['text/plain; charset=us-ascii', Buffer.from('é')],
    ['text/plain', Buffer.from([0xff])],
    ['text/plain', Buffer.from([0xed, 0xa0, 0x80])],
    ['text/plain', Buffer.from('a\0')],
    ['text/plain', Buffer.from('\uffff')],
    ['text/plain', Buffer.from('a'), 'gzip'],
    ['text/plain', Buffer.alloc(INLINE_LIMIT + 1, 'a')],
    ['text/xml', Buffer.from('<a/>')],
    ['application/xml', Buffer.from('<a/>')],
    ['application/atom+xml;type=entry', Buffer.from('<a/>')],
    ['application/xml-dtd', Buffer.from('')],
    ['application/json', Buffer.from('{}'), 'br'],
    ['application/json', Buffer.alloc(INLINE_LIMIT + 1)],
  ]
  for (const [contentType, body, contentEncoding] of linked) {
    const size = `${body.length} ${body.length === 1 ? 'byte' : 'bytes'}`
    t.same(
      render({ contentType, body, contentEncoding }),
      { summary: `${size} of ${contentType}`, type: contentType, src: '/src?a&b', text: '' },
      contentType,
    )
  }
  for (const contentType of ['multipart/mixed;boundary=a', 'message/http']) {
    const { type, src } = render({ contentType })
    t.same([type, src], [null, '/src?a&b'], `${contentType} may not be a content's type`)
  }
})

t.test('what is neither text nor XML stands there in base64', async (t) => {
  const body = Uint8Array.from([9, 0, 255, 9]).subarray(1, 3)
  t.same(render({ body, contentType: 'image/png' }), {
    summary: '2 bytes of image/png',
    type: 'image/png',
    src: null,
    text: 'AP8=',
  })
  t.equal(render({ body: Buffer.alloc(INLINE_LIMIT), contentType: 'image/png' }).src, null)
  t.equal(render({ body: Buffer.alloc(INLINE_LIMIT, 'a'), contentType: 'text/plain' }).src, null)
  t.equal(render({ body: Buffer.alloc(65_537, 'a'), contentType: 'text/plain' }).src, '/src?a&b')
  for (const other of [
    { contentType: 'application/x' },
    { contentType: 'text/plain', contentEncoding: 'x' },
  ]) {
    t.equal(readableText({ body, properties: new Map(), ...other }, 'a'), undefined)
  }
  for (const contentType of [undefined, '', 'nonsense', 'a/b c']) {
    t.equal(mediaTypeOf({ body, properties: new Map(), contentType }), DEFAULT_TYPE)
    t.equal(render({ body, contentType }).type, DEFAULT_TYPE, contentType ?? 'none')
  }
})

t.test('any body comes back byte for byte, or is linked', async (t) => {
  const types = fc.constantFrom('text/plain', 'text/csv;charset=utf-8', 'image/png', undefined)
  const bodies = fc.oneof(
    fc.uint8Array(),
    fc.string({ unit: 'binary' }).map((string) => Buffer.from(string)),
  )
  fc.assert(
    fc.property(types, bodies, (contentType, body) => {
      const { type, src, text } = render({ contentType, body })
      if (src !== null) {
        const string = Buffer.from(body).toString()
        const exact = Buffer.from(string).equals(body) && isXmlLegal(string)
        return body.length === 0 || (contentType?.startsWith('text/') === true && !exact)
      }
      const back = Buffer.from(text ?? '', type?.startsWith('text/') ? 'utf8' : 'base64')
      return back.equals(body)
    }),
    { numRuns: 1000 },
  )
  t.pass('for every case')
})
