import { cut } from './answered.js'
import type { Exchange } from './exchange.js'
import { isTooLong, LONGEST_ADDRESS } from './url.js'
import { excessIn } from './xml.js'

/** Characters of an address in a sentence. */
const SHOWN = 200

const REFERENCE = /\b(?:href|src|base)\s*=\s*(?:"([^"]*)|'([^']*))/g

/**
 * The first of some answers that has more in it than the kit reads, which no check can then judge, as a sentence. It is asked
 * for when a check came to nothing good.
 */
export function limitIn(exchanges: readonly Exchange[]): string | undefined {
  for (const { method, url, headers, body } of exchanges) {
    // What is longer than addresses are because of what was asked is no fault of the answer.
    const isLong =
      !isTooLong(url) &&
      ((headers.location !== undefined && isTooLong(headers.location)) || hasLongReference(body))
    const excess = isLong
      ? `an address of more than ${LONGEST_ADDRESS} characters, or of a host with a longer name than hosts have`
      : excessIn(body, headers['content-type'])
    if (excess !== undefined) return `${method} ${cut(url, SHOWN)} gave more than the kit reads: ${excess}`
  }
  return undefined
}

function hasLongReference(body: Buffer): boolean {
  if (!/^\s*</.test(body.subarray(0, 64).toString())) return false
  for (const [, double, single] of body.toString().matchAll(REFERENCE))
    if (isTooLong(double ?? single ?? '')) return true
  return false
}
