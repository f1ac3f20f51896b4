import type { Start } from './action.js'
import type { Conversation } from './conversation.js'
import * as alternative from './speak-alternatives.js'
import * as primary from './speak-primary.js'
import type { Deed } from './step.js'

/** A step that asks something of the target by itself. */
export type Asking = Exclude<Deed, { do: 'wait' | 'advance' | 'together' }>

/**
 * The requests that a step is. Those of one line are sent one after another; the lines of a step have nothing to do with
 * each other.
 */
export function startsOf(talk: Conversation, step: Asking): Start[][] {
  switch (step.do) {
    case 'create':
      return [[() => primary.create(talk, step.queue)]]
    case 'delete':
      return [[() => primary.remove(talk, step.queue)]]
    case 'browse':
      return [[() => primary.browse(talk, step.queue)]]
    case 'list':
      return [[() => primary.list(talk, step.path)]]
    case 'send':
      return step.messages.map((message) => primary.send(talk, message, step))
    case 'address':
      return [primary.send(talk, step.message, { queue: step.queue }).slice(0, 1)]
    case 'post':
      return [[() => primary.postTo(talk, step)]]
    case 'repeat':
      return [[() => primary.repeat(talk, step)]]
    case 'subscribe':
      return [[() => primary.subscribe(talk, step)]]
    case 'end':
      return [[() => primary.end(talk, step.consumer)]]
    case 'read':
      return [[() => primary.read(talk, step.consumer)]]
    case 'ack':
      return [primary.acknowledge(talk, step)]
    case 'look':
      return [[() => primary.look(talk, step.consumer, step.message)]]
    case 'join':
    case 'leave':
      return [[() => alternative.join(talk, step.do, step.consumer, step.queue)]]
    case 'next':
      return [[() => alternative.next(talk, step.consumer)]]
    case 'lock':
      return [[() => alternative.lock(talk, step.consumer, step.max)]]
    case 'fetch':
      return [[() => alternative.fetchLocked(talk, step.consumer, step.message)]]
    case 'done':
      return [[() => alternative.done(talk, step.consumer, step.message)]]
    case 'take':
      return [[() => alternative.take(talk, step.queue, step.consumer)]]
  }
}
