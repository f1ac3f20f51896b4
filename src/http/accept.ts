import { parseMediaType, splitQuoted } from './field-values.js'

/** What a feed can be. */
const FEED = { type: 'application/atom+xml', parameters: { type: 'feed', charset: 'utf-8' } }
const HTML = { type: 'text/html', parameters: { charset: 'utf-8' } }

/** As which types a client may ask for Atom that does not know its name. */
const XML = ['application/xml', 'text/xml']

/** What only browsers, and who asks for pages as they do, name. */
const XHTML = 'application/xhtml+xml'

interface Form {
  readonly type: string
  readonly parameters: Readonly<Record<string, string>>
}

interface Range {
  readonly type: string
  readonly parameters: ReadonlyMap<string, string>
  readonly quality: number
}

/**
 * Whether a client would rather have a feed as a page than as Atom (RFC 9110 section 12.5.1). `chosen`: it has to ask as
 * a browser does. HTML must weigh more than Atom, and where anything else would do too, it must be the only type that is
 * named, or XHTML be among them: the default of Java's client names HTML and pictures, and means nothing by it.
 */
// clause: browse.html
export function prefersHtml(accept: string | undefined): boolean {
  if (accept === undefined) return false
  const ranges = splitQuoted(accept, ',').flatMap(parseRange)
  const xml = ranges.filter(({ type }) => XML.includes(type)).map(({ quality }) => quality)
  const atom = Math.max(qualityOf(ranges, FEED), ...xml)
  if (qualityOf(ranges, HTML) <= atom) return false
  const wanted = ranges.filter(({ quality }) => quality > 0)
  if (!wanted.some(({ type }) => type === '*/*') || wanted.some(({ type }) => type === XHTML)) return true
  return wanted.every(({ type }) => type === '*/*' || type.startsWith('text/'))
}

/** What is no range is passed over. */
function parseRange(text: string): Range[] {
  const [first = '', ...rest] = splitQuoted(text, ';')
  // A lone asterisk, as Java sends it, stands for any type.
  const range = parseMediaType([first === '*' ? '*/*' : first, ...rest].join(';'))
  if (range === undefined) return []
  const weight = range.parameters.get('q')
  const parameters = new Map([...range.parameters].filter(([name]) => name !== 'q'))
  return [{ type: range.type, parameters, quality: weight === undefined ? 1 : readWeight(weight) }]
}

/** Java writes `.2` for `0.2`. */
function readWeight(text: string): number {
  return /^(?:[01]?\.\d{0,3}|[01])$/.test(text) ? Math.min(1, Number(text)) : 0
}

/** The most specific range decides: the type with parameters, the type, its family, anything. */
function qualityOf(ranges: readonly Range[], { type, parameters }: Form): number {
  const family = `${type.slice(0, type.indexOf('/'))}/*`
  for (const pattern of [type, family, '*/*']) {
    const [best] = ranges
      .filter((range) => range.type === pattern)
      .filter((range) =>
        [...range.parameters].every(([name, value]) => parameters[name] === value.toLowerCase()),
      )
      .sort((a, b) => b.parameters.size - a.parameters.size)
    if (best !== undefined) return best.quality
  }
  return 0
}
