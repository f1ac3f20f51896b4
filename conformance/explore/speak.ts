import type { Start } from './action.js'
import type { Command } from './command.js'
import type { Conversation } from './conversation.js'
import * as alternative from './speak-alternatives.js'
import * as primary from './speak-primary.js'

/** The requests that a command is, to be sent one after another. */
export function startsOf(talk: Conversation, command: Command): Start[] {
  if (command.do === 'send') return primary.send(talk, command)
  return [async () => deedOf(talk, command)]
}

function deedOf(talk: Conversation, command: Command) {
  switch (command.do) {
    case 'create':
      return primary.create(talk, command.queue, command.cut)
    case 'delete':
      return primary.remove(talk, command.queue, command.cut)
    case 'browse':
      return primary.browse(talk, command.queue)
    case 'list':
      return primary.list(talk)
    case 'repeat':
      return primary.repeat(talk, command)
    case 'subscribe':
      return primary.subscribe(talk, command)
    case 'end':
      return primary.end(talk, command.consumer, command.cut)
    case 'read':
      return primary.read(talk, command.consumer)
    case 'look':
      return primary.look(talk, command.consumer, command.nth)
    case 'acknowledge':
      return primary.acknowledge(talk, command.consumer, command.nth, command.cut)
    case 'acknowledge again':
      return primary.acknowledgeAgain(talk, command.consumer, command.nth)
    case 'acknowledge in a post':
      return primary.acknowledgeInPost(talk, command.consumer, command.count)
    case 'join':
    case 'leave':
      return alternative.join(talk, command.do, command.consumer, command.queue)
    case 'next':
      return alternative.next(talk, command.consumer)
    case 'acknowledge next':
      return alternative.acknowledgeNext(talk, command.consumer)
    case 'lock':
      return alternative.lock(talk, command.consumer, command.max)
    case 'fetch':
      return alternative.fetchLocked(talk, command.consumer, command.nth)
    case 'acknowledge locked':
      return alternative.acknowledgeLocked(talk, command.consumer, command.nth)
    case 'take':
      return alternative.take(talk, command.queue, command.session)
    default:
      return undefined
  }
}
