import { relation, resolve } from './atom.js'
import type { Exchange } from './exchange.js'

/** A link in the header of an answer, whose context is what was asked for. */
interface HeaderLink {
  /** Absolute. */
  readonly href: string
  /** In lower case. */
  readonly rels: readonly string[]
}

const PARAMETER = /\s*;\s*([^\s=;,"<>]+)\s*(=\s*("|[^\s;,"]*))?/y

/** The links that the `Link` fields of an answer hold (RFC 8288 section 3), but those about something else (`anchor`). */
export function headerLinks({ headers, url }: Pick<Exchange, 'headers' | 'url'>): HeaderLink[] {
  const field = headers.link ?? ''
  const links: HeaderLink[] = []
  for (let open = field.indexOf('<'); open >= 0; ) {
    const close = field.indexOf('>', open)
    if (close < 0) break
    const href = resolve(field.slice(open + 1, close), url)
    const { parameters, end } = parametersAt(field, close + 1)
    const anchor = parameters.get('anchor')
    const isAboutThis = anchor === undefined || resolve(anchor, url) === url
    const rels = (parameters.get('rel') ?? '').split(/\s+/).filter((rel) => rel !== '')
    if (href !== undefined && isAboutThis)
      links.push({ href, rels: rels.map((rel) => relation(rel.toLowerCase())) })
    open = field.indexOf('<', end)
  }
  return links
}

/** The parameters of a link, by their names in lower case: of several of one name the first. */
function parametersAt(field: string, from: number): { parameters: Map<string, string>; end: number } {
  const parameters = new Map<string, string>()
  let end = from
  for (;;) {
    PARAMETER.lastIndex = end
    const found = PARAMETER.exec(field)
    if (found === null) return { parameters, end }
    const [whole, name = '', , written = ''] = found
    end += whole.length
    let value = written
    if (written === '"') {
      const closing = closingQuote(field, end)
      value = field.slice(end, closing).replace(/\\(.)/g, '$1')
      end = closing + 1
    }
    if (!parameters.has(name.toLowerCase())) parameters.set(name.toLowerCase(), value)
  }
}

function closingQuote(field: string, from: number): number {
  let at = from
  while (at < field.length && field[at] !== '"') at += field[at] === '\\' ? 2 : 1
  return at
}
