import type { Exchange } from '../client/exchange.js'

export { succeeded } from '../client/exchange.js'

/** The status of an answer as a recorded choice: `404`, or `no answer`. */
export function statusOf(exchange: Exchange): string {
  return exchange.status === 0 ? 'no answer' : String(exchange.status)
}

/** Whether a request was refused as the client's fault; with which status, the document leaves to the server. */
export function refused(exchange: Exchange): boolean {
  return exchange.status >= 400 && exchange.status < 500
}

/** What an answer was, in a few words: "404", "200 with application/json", "no answer within 5000 ms". */
export function answered(exchange: Exchange): string {
  if (exchange.status === 0) return exchange.error ?? 'no answer'
  const type = exchange.headers['content-type']
  return type === undefined ? String(exchange.status) : `${exchange.status} with ${type}`
}

/** Texts of the reference's own extension elements of this local name in an answer, in their order; any prefix. */
export function extensions(answer: Exchange, name: string): string[] {
  const element = new RegExp(`<(?:[\\w-]+:)?${name}(?:\\s[^>]*)?>([^<]*)</`, 'g')
  return [...answer.body.toString().matchAll(element)].map((match) => match[1]!)
}

/** Start tags of this local name in an answer, as written. */
export function startTags(answer: Exchange, name: string): string[] {
  const tag = new RegExp(`<(?:[\\w-]+:)?${name}(?:\\s[^>]*)?>`, 'g')
  return [...answer.body.toString().matchAll(tag)].map((match) => match[0])
}
