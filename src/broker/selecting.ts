import { parseSelector, type Selector, SelectorSyntaxError } from '../selector/selector.js'
import type { Content } from './content.js'
import { Refusal } from './refusals.js'
import { ownText } from './storing.js'

/**
 * The selector of a subscription. A blank one is none, as in JMS.
 *
 * @param longest how many characters it may have
 * @throws Refusal `bad-selector`, with the column of the mistake, or the limit
 */
// clause: subscribe.selector.syntax
export function readSelector(text: string | undefined, longest: number): Selector | undefined {
  if (text === undefined || text.trim() === '') return undefined
  if (text.length > longest) {
    throw new Refusal('bad-selector', `A selector has at most ${longest} characters.`, { limit: longest })
  }
  try {
    return parseSelector(ownText(text))
  } catch (error) {
    if (!(error instanceof SelectorSyntaxError)) throw error
    throw new Refusal('bad-selector', error.message, { column: error.column })
  }
}

/** What may still be done. */
export interface Effort {
  /** In microseconds. */
  left: number
}

/** What a selector may be asked about. */
interface Selectable {
  readonly queue: { readonly name: string }
  readonly content: Content
  readonly deliveries: number
}

/**
 * Whether a selector picks a message.
 *
 * @param effort is lessened by what it took to find out
 */
// clause: subscribe.selector subscribe.selector.only
export function selects(selector: Selector, message: Selectable, effort?: Effort): boolean {
  let read = 0
  const selected = selector.matches((identifier) => {
    const value = lookUp(identifier, message)
    if (typeof value === 'string') read += value.length
    return value
  })
  if (effort !== undefined) effort.left -= selector.cost + read * selector.costOfCharacter
  return selected
}

/**
 * What an identifier of a selector stands for: the queue, the media type, how often the message would then
 * have been delivered, or a property. Names are case-insensitive, as the properties' own are.
 */
// clause: subscribe.selector.identifiers
function lookUp(identifier: string, message: Selectable): string | number | undefined {
  const name = identifier.toLowerCase()
  switch (name) {
    case 'queue':
      return message.queue.name
    case 'content_type':
      return message.content.contentType
    case 'deliveries':
      return message.deliveries + 1
    default:
      return message.content.properties.get(name)
  }
}
