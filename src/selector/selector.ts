/**
 * The selector language of Jakarta Messaging 3.1, section 3.8
 * (https://jakarta.ee/specifications/messaging/3.1/jakarta-messaging-spec-3.1#message-selection):
 * from a subscription's `selector` to a test of messages. What is the project's own is marked `chosen`.
 */
import { costOf } from './cost.js'
import { compileCondition, type Lookup } from './evaluate.js'
import type { Expression } from './expression.js'
import { Parser } from './parse.js'

export type { Lookup } from './evaluate.js'
export type { Expression } from './expression.js'
export { SelectorSyntaxError } from './tokens.js'

/** A condition on messages, ready to be asked. */
export interface Selector {
  /** As it was written. */
  readonly text: string
  /** As it was understood. */
  readonly expression: Expression
  /** What it takes to ask it, in microseconds: about as much whatever the message. */
  readonly cost: number
  /** What it takes besides for each character of the texts that it reads. */
  readonly costOfCharacter: number
  /** Whether a message with these values is selected: only if the condition is true, not if it is unknown. */
  matches(lookup: Lookup): boolean
}

/**
 * Reads a selector. A text that is empty or blank is none: the standard takes it as "no selector", which is
 * for the caller to see before it comes here.
 * @throws SelectorSyntaxError for every text that is not a selector, with the column
 */
// clause: subscribe.selector.unknown
export function parseSelector(text: string): Selector {
  const expression = new Parser(text).selector()
  const condition = compileCondition(expression)
  return { text, expression, ...costOf(expression), matches: (lookup) => condition(lookup) === true }
}
