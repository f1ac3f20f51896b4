import type { Exchange } from '../client/exchange.js'

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
