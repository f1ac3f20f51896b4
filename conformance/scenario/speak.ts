import type { Start } from './action.js'
import type { Conversation } from './conversation.js'
import * as alternative from './speak-alternatives.js'
import * as primary from './speak-primary.js'
import { request } from './speak-request.js'
import type { Deed } from './step.js'

/** A step that asks something of the target by itself. */
export type Asking = Exclude<Deed, { do: 'wait' | 'or' | 'advance' | 'together' }>

/**
 * The requests that a step is. Those of one line are sent one after another; the lines of a step have nothing to do with
 * each other.
 */
export function startsOf(talk: Conversation, step: Asking): Start[][] {
  switch (step.do) {
    case 'create':
      return [[(how) => primary.create(talk, step.queue, how)]]
    case 'delete':
      return [[(how) => primary.remove(talk, step.queue, how)]]
    case 'browse':
      return [[(how) => primary.browse(talk, step.queue, how)]]
    case 'list':
      return [[(how) => primary.list(talk, step.path, how)]]
    case 'send':
      return step.messages.map((message) => primary.send(talk, message, step))
    case 'address':
      return [primary.send(talk, step.message, { ...step, by: 'two-step' }).slice(0, 1)]
    case 'post':
      return [[(how) => primary.postTo(talk, step, how)]]
    case 'visit':
      return [[(how) => primary.visit(talk, step.message, how)]]
    case 'repeat':
      return [[(how) => primary.repeat(talk, step, how)]]
    case 'subscribe':
      return [[(how) => primary.subscribe(talk, step, how)]]
    case 'end':
      return [[(how) => primary.end(talk, step.consumer, how)]]
    case 'read':
      return [[(how) => primary.read(talk, step.consumer, how)]]
    case 'head':
      return [[(how) => primary.head(talk, step.consumer, how)]]
    case 'ack':
      return [primary.acknowledge(talk, step)]
    case 'look':
      return [[(how) => primary.look(talk, step.consumer, step.message, how)]]
    case 'join':
    case 'leave':
      return [[(how) => alternative.join(talk, step.do, step.consumer, step.queue, how)]]
    case 'next':
      return [[(how) => alternative.next(talk, step.consumer, how)]]
    case 'lock':
      return [[(how) => alternative.lock(talk, step.consumer, step.max, how)]]
    case 'fetch':
      return [[(how) => alternative.fetchLocked(talk, step.consumer, step.message, how)]]
    case 'done':
      return [alternative.done(talk, step.consumer, step.message)]
    case 'request':
      return [[(how) => request(talk, step, how)]]
    case 'take':
      return [[(how) => alternative.take(talk, step.queue, step.consumer, how)]]
  }
}
