import { refused } from '../client/exchange.js'
import type { Manner } from '../client/speaker.js'
import type { Action, Aside, Start } from './action.js'
import type { Conversation, Held } from './conversation.js'
import { sent } from './speak-message.js'

// Section 4.2 as steps speak it.

/** More than any scenario sends. */
const MANY = 100_000
/** A consumer whose name is longer may have an id that is too long for a target. */
const SHORT = 20

export async function join(
  talk: Conversation,
  verb: 'join' | 'leave',
  name: string,
  queue: string,
  how: Manner,
): Promise<Action | string> {
  const consumer = talk.consumer(name).id
  if (!talk.queues.has(queue)) return `there is no queue ${queue}`
  if (verb === 'leave') return talk.ask({ do: 'leave', consumer, queue }, how)
  const action = await talk.ask({ do: 'join', consumer, queue, lease: talk.untoldLease, prefetch: MANY }, how)
  // How long an id may be, the document leaves open.
  return name.length > SHORT && refused(action.exchange) ? `the target refuses the id ${name}` : action
}

export function next(talk: Conversation, name: string, how: Manner): Promise<Action> {
  const { id } = talk.consumer(name)
  return talk.askFor({ do: 'nextMessage', consumer: id }, how, ({ answer: { entries = [] } }) =>
    talk.shown(name, entries, 'next', true),
  )
}

export function lock(talk: Conversation, name: string, max: number, how: Manner): Promise<Action> {
  const { id } = talk.consumer(name)
  return talk.askFor({ do: 'lockNextMessages', consumer: id, max }, how, ({ answer: { entries = [] } }) =>
    talk.shown(name, entries, 'lock', true),
  )
}

export async function fetchLocked(
  talk: Conversation,
  name: string,
  message: string,
  how: Manner,
): Promise<Action | string> {
  const held = talk.held(name, message)
  if (typeof held === 'string') return held
  if (held.by !== 'lock') return `${name} has not locked ${held.entry.body}`
  return talk.ask({ do: 'fetchLocked', uri: held.entry.uri }, how)
}

/** The acknowledgement of what was locked or handed out: of one message, or of each that it holds. */
export function done(talk: Conversation, name: string, message: string): Start[] {
  if (message !== 'each') return [(how) => doneWith(talk, name, talk.held(name, message), how)]
  return talk.consumer(name).held.map((held) => (how) => doneWith(talk, name, held, how))
}

async function doneWith(
  talk: Conversation,
  name: string,
  held: Held | string,
  how: Manner,
): Promise<Action | string> {
  if (typeof held === 'string') return held
  const { entry, by } = held
  if (by === 'feed') return `${name} was shown ${entry.body} in a feed`
  const action = await talk.ask({ do: 'acknowledgeForConsumer', uri: entry.uri }, how)
  talk.drop(name, held)
  return action
}

/** Sends a message that is known by its name already. */
export async function sendBySinglePath(
  talk: Conversation,
  name: string,
  how: Manner,
): Promise<Action | Aside> {
  const { queue, colour } = talk.messages.get(name)!
  const body = talk.bodies.called(name)
  return sent(talk, name, { do: 'sendBySinglePath', queue, body, colour }, how)
}

export async function take(
  talk: Conversation,
  queue: string,
  name: string | undefined,
  how: Manner,
): Promise<Action | string> {
  if (!talk.queues.has(queue)) return `there is no queue ${queue}`
  const session = name === undefined ? undefined : talk.consumer(name).id
  return talk.askFor({ do: 'takeBySinglePath', queue, session, lease: talk.untoldLease }, how)
}
