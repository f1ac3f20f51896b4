import type { Element } from '@xmldom/xmldom'
import type { Exchange } from '../client/exchange.js'
import { MalformedXml, parseXml } from '../client/xml.js'

export { answered, statusOf } from '../client/answered.js'
export { refused, succeeded } from '../client/exchange.js'

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
