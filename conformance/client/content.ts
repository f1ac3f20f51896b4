import { type Element, XMLSerializer } from '@xmldom/xmldom'
import { baseOf, resolve, textOf } from './atom.js'
import { Buffer } from './bytes.js'
import { childElements, essence } from './xml.js'

/** How the type of an `atom:content` says that its bytes are written (RFC 4287 section 4.1.3). */
type ContentForm = 'text' | 'html' | 'xhtml' | 'xml' | 'base64'

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/

/** The form of an inline content. */
export function contentForm(type: string | null): ContentForm {
  if (type === null || type === '' || type === 'text') return 'text'
  if (type === 'html' || type === 'xhtml') return type
  const media = essence(type)
  if (media.endsWith('+xml') || media.endsWith('/xml')) return 'xml'
  return media.startsWith('text/') ? 'text' : 'base64'
}

/** The bytes of a Base64 text, white space in it left out; undefined where it is not Base64. */
export function decodeBase64(text: string): Buffer | undefined {
  const packed = text.replace(/\s+/g, '')
  return packed.length % 4 === 0 && BASE64.test(packed) ? Buffer.from(packed, 'base64') : undefined
}

/** The absolute address of a content that stands elsewhere; undefined where it is inline. */
export function contentSource(content: Element, documentUri: string): string | undefined {
  const source = content.getAttribute('src')
  return source === null ? undefined : resolve(source, baseOf(content, documentUri))
}

const NAMED = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
])

/** A message that is plain text stands in HTML without tags, and its `&` and `<` are written as such text has them. */
export function fromHtml(html: string): string {
  if (/<[a-z!/?]/i.test(html)) return html
  return html.replace(/&(?:([a-z]+)|#(\d{1,7})|#x([\da-f]{1,6}));/gi, (whole, name, decimal, hex) => {
    if (name !== undefined) return NAMED.get(name) ?? whole
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    return code > 0x10_ff_ff ? whole : String.fromCodePoint(code)
  })
}

/** The bytes of an inline content. Base64 that is none is taken as the text that it is. */
export function inlineContent(content: Element): Buffer {
  const form = contentForm(content.getAttribute('type'))
  if (form === 'base64') return decodeBase64(content.textContent!) ?? Buffer.from(content.textContent!)
  if (form === 'xml') {
    const root = childElements(content)[0]
    return Buffer.from(root ? new XMLSerializer().serializeToString(root) : content.textContent!)
  }
  return Buffer.from(form === 'html' ? fromHtml(textOf(content)) : textOf(content))
}
