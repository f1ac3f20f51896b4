import { parseSelector, type Selector, SelectorSyntaxError } from '../selector/selector.js'
import { Refusal } from './refusals.js'

/**
 * The selector of a subscription. A blank one is none, as in JMS.
 *
 * @throws Refusal `bad-selector`, with the column of the mistake
 */
export function readSelector(text: string | undefined): Selector | undefined {
  if (text === undefined || text.trim() === '') return undefined
  try {
    return parseSelector(text)
  } catch (error) {
    if (!(error instanceof SelectorSyntaxError)) throw error
    throw new Refusal('bad-selector', error.message, { column: error.column })
  }
}
