import type { Exchange } from '../client/exchange.js'

/** What the report says of an answer: its status, or why there was none. */
export function answer(exchange: Exchange): string {
  const what = exchange.error ?? `answered with ${exchange.status}`
  return `${exchange.method} ${exchange.url}: ${what}.`
}

/** The status of an answer as a recorded choice: `404`, or `no answer`. */
export function statusOf(exchange: Exchange): string {
  return exchange.status === 0 ? 'no answer' : String(exchange.status)
}

/** Whether a request succeeded; with which status of the 2xx range, section 4.2 leaves open. */
export function succeeded(exchange: Exchange): boolean {
  return exchange.status >= 200 && exchange.status < 300
}

/** Whether a request was refused as the client's fault; with which status, the document leaves to the server. */
export function refused(exchange: Exchange): boolean {
  return exchange.status >= 400 && exchange.status < 500
}

/** A body as a report shows it: cut where it is long, control characters escaped. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 57)}…` : text)
}
