import { splitQuoted } from './split-quoted.js'

/**
 * Which of two media types a client would rather have (RFC 9110 section 12.5.1): the second only where its quality is
 * higher; so a client that has no preference, or names neither, gets the first.
 */
export function prefersSecond(accept: string | undefined, first: string, second: string): boolean {
  if (accept === undefined) return false
  const ranges = splitQuoted(accept, ',').map(parseRange)
  return qualityOf(ranges, second) > qualityOf(ranges, first)
}

interface Range {
  readonly type: string
  readonly quality: number
}

function parseRange(text: string): Range {
  const [type = '', ...parameters] = splitQuoted(text, ';')
  const weight = parameters.find((parameter) => /^q=/i.test(parameter))?.slice(2)
  const quality = weight === undefined ? 1 : Number(/^[01](\.\d{0,3})?$/.test(weight) ? weight : 0)
  return { type: type.toLowerCase(), quality: Math.min(1, quality) }
}

/** The most specific range decides. */
function qualityOf(ranges: readonly Range[], type: string): number {
  const family = `${type.slice(0, type.indexOf('/'))}/*`
  for (const pattern of [type, family, '*/*']) {
    const range = ranges.find((each) => each.type === pattern)
    if (range !== undefined) return range.quality
  }
  return 0
}
