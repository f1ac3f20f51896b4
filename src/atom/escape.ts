/** What XML 1.0 (section 2.2) has no way to write, not even as a reference; a surrogate counts when it is alone. */
const ILLEGAL = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u
const ILLEGAL_ALL = new RegExp(ILLEGAL.source, 'gu')

/**
 * What must not stand as itself. A CR would be read as LF; U+0085 and U+2028
 * are spared from parsers that apply the line ends of XML 1.1.
 */
const SPECIAL_TEXT = /[&<>\r\u0085\u2028]/g
/** In an attribute, tabs and line feeds would be read as spaces too. */
const SPECIAL_ATTRIBUTE = /[&<>"\t\n\r\u0085\u2028]/g

/** What stands as itself everywhere: most texts have nothing else. */
const PLAIN = /^[ !#-%'-;=?-~]*$/

const NAMED: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Says whether XML can carry this text exactly. */
export function isXmlLegal(text: string): boolean {
  return !ILLEGAL.test(text)
}

/** Text as the content of an element. What XML cannot carry becomes U+FFFD. */
export function escapeText(text: string): string {
  return replaceSpecial(text, SPECIAL_TEXT)
}

/** Text as the value of an attribute in double quotes. What XML cannot carry becomes U+FFFD. */
export function escapeAttribute(text: string): string {
  return replaceSpecial(text, SPECIAL_ATTRIBUTE)
}

// clause: browse.atom.escaping
function replaceSpecial(text: string, special: RegExp): string {
  if (PLAIN.test(text)) return text
  const legal = isXmlLegal(text) ? text : text.replace(ILLEGAL_ALL, '\ufffd')
  return legal.replace(special, (char) => NAMED[char] ?? `&#${char.charCodeAt(0)};`)
}
