import type { Exchange } from './exchange.js'
import { printableLine } from './printable.js'

/** What stands where a quoted text goes on. */
export const CUT = '…'
/** Of an answer as it is quoted, or looked through for what it tells people: bytes that are looked at, and characters. */
const READ = 4096
const WORDS = 200

/** What an answer was, as {@link kindOf} says, with what a refusal or a failure says: `404 with text/plain: "no such queue"`. */
export function answered(exchange: Exchange): string {
  const { status, body } = exchange
  return status >= 300 && body.length > 0 ? `${kindOf(exchange)}: ${quotedBody(exchange)}` : kindOf(exchange)
}

/** The status of an answer as a recorded choice: `404`, or `no answer`. */
export function statusOf(exchange: Exchange): string {
  return exchange.status === 0 ? 'no answer' : String(exchange.status)
}

/** What kind of answer it was, in a few words: "404", "200 with application/json", "no answer within 5000 ms". */
export function kindOf(exchange: Exchange): string {
  if (exchange.status === 0) {
    const { error = 'no answer' } = exchange
    return error.startsWith('no answer') ? error : `no answer: ${error}`
  }
  const type = exchange.headers['content-type']
  return type === undefined ? String(exchange.status) : `${exchange.status} with ${type}`
}

/** The text that an answer begins with: what looks for something in it may take the square of its length. */
export function beginningOf({ body }: Pick<Exchange, 'body'>): string {
  return body.subarray(0, READ).toString()
}

/** The words that an answer begins with, in quotation marks, as they may be shown. */
export function quotedBody(answer: Exchange): string {
  return printableLine(JSON.stringify(wordsOf(answer)))
}

/** The words that an answer begins with, as somebody reads them: those of a page without its markup. Where they go on, `…` ends them. */
export function wordsOf(answer: Exchange): string {
  const { headers } = answer
  const text = beginningOf(answer)
  const isPage = /html/i.test(headers['content-type'] ?? '')
  const words = isPage ? text.replace(/<(head|style|script)\b.*?<\/\1\s*>|<[^>]*>/gis, ' ') : text
  const line = words.replace(/\s+/g, ' ').trim()
  return cut(line, WORDS)
}

/** A text, or the characters that it begins with and `…`, where it has more than `most`. */
export function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}${CUT}` : text
}

const DATE_TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/g

/** The dates and times that an answer tells in its body and in `Expires`, in milliseconds since 1970. */
export function timesIn({ body, headers: { expires = '' } }: Exchange): number[] {
  const written = [...(body.toString().match(DATE_TIME) ?? []), expires]
  return written.map((each) => Date.parse(each)).filter((time) => !Number.isNaN(time))
}
