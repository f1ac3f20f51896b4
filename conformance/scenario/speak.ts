import type { Manner } from '../client/speaker.js'
import type { Conversation, Speaking, Start } from './conversation.js'
import { ALTERNATIVES, done } from './speak-alternatives.js'
import { acknowledge, PRIMARY, send } from './speak-primary.js'
import { request } from './speak-request.js'
import type { Deed } from './step.js'

/** A step that asks something of the target by itself. */
export type Asking = Exclude<Deed, { do: 'wait' | 'or' | 'advance' | 'together' }>

/** The steps that are one request each. */
const SINGLE: Speaking<Exclude<Asking['do'], 'send' | 'address' | 'ack' | 'done'>> = {
  ...PRIMARY,
  ...ALTERNATIVES,
  request,
}

/**
 * The requests that a step is. Those of one line are sent one after another; the lines of a step have nothing to do with
 * each other.
 */
export function startsOf(talk: Conversation, step: Asking): Start[][] {
  switch (step.do) {
    case 'send':
      return step.messages.map((message) => send(talk, message, step))
    case 'address':
      return [send(talk, step.message, { ...step, by: 'two-step' }).slice(0, 1)]
    case 'ack':
      return [acknowledge(talk, step)]
    case 'done':
      return [done(talk, step)]
    default: {
      const ask = SINGLE[step.do] as (talk: Conversation, step: Asking, how: Manner) => ReturnType<Start>
      return [[(how) => ask(talk, step, how)]]
    }
  }
}
