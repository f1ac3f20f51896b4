import type { Element } from '@xmldom/xmldom'
import type { Exchange } from '../client/exchange.js'
import { MalformedXml, parseXml } from '../client/xml.js'

/** Of an answer as it is quoted: bytes that are looked at, and characters. */
const READ = 4096
const WORDS = 200

export { refused, succeeded } from '../client/exchange.js'

/** The status of an answer as a recorded choice: `404`, or `no answer`. */
export function statusOf(exchange: Exchange): string {
  return exchange.status === 0 ? 'no answer' : String(exchange.status)
}

/** What an answer was, in a few words: "404", "200 with application/json", "no answer within 5000 ms". */
export function answered(exchange: Exchange): string {
  if (exchange.status === 0) {
    const { error = 'no answer' } = exchange
    return error.startsWith('no answer') ? error : `no answer: ${error}`
  }
  const type = exchange.headers['content-type']
  return type === undefined ? String(exchange.status) : `${exchange.status} with ${type}`
}

/** The words that an answer begins with, as somebody reads them: those of a page without its markup. */
export function wordsOf({ headers, body }: Exchange): string {
  const text = body.subarray(0, READ).toString()
  const isPage = /html/i.test(headers['content-type'] ?? '')
  const words = isPage ? text.replace(/<(head|style|script)\b.*?<\/\1\s*>|<[^>]*>/gis, ' ') : text
  return words.replace(/\s+/g, ' ').trim().slice(0, WORDS)
}

/**
 * Elements of this local name in an answer, in their order. Any prefix, character references and CDATA are as good as what the
 * reference writes; a document that is no XML has none.
 */
export function elementsNamed(answer: Exchange, name: string): Element[] {
  try {
    const document = parseXml(answer.body, answer.headers['content-type'])
    return [...document.getElementsByTagNameNS('*', name)]
  } catch (error) {
    if (error instanceof MalformedXml) return []
    throw error
  }
}

/** Texts of the reference's own extension elements of this local name in an answer, as characters. */
export function extensions(answer: Exchange, name: string): string[] {
  return elementsNamed(answer, name).map(({ textContent }) => textContent!)
}
