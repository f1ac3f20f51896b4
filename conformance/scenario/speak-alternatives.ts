import { refused } from '../client/exchange.js'
import type { Manner } from '../client/speaker.js'
import type { Conversation, Held, Speaking, Start } from './conversation.js'
import type { Of } from './step.js'

// Section 4.2 as steps speak it.

/** More than any scenario sends. */
const MANY = 100_000
/** A consumer whose name is longer may have an id that is too long for a target. */
const SHORT = 20

/** The steps that are one request each. */
export const ALTERNATIVES: Speaking<'join' | 'leave' | 'next' | 'lock' | 'fetch' | 'take'> = {
  async join(talk, { consumer: name, queue }, how) {
    const consumer = talk.consumer(name).id
    if (!talk.queues.has(queue)) return `there is no queue ${queue}`
    const lease = talk.options.untoldLease
    const action = await talk.ask({ do: 'join', consumer, queue, lease, prefetch: MANY }, how)
    // How long an id may be, the document leaves open.
    return name.length > SHORT && refused(action.exchange) ? `the target refuses the id ${name}` : action
  },
  async leave(talk, { consumer, queue }, how) {
    if (!talk.queues.has(queue)) return `there is no queue ${queue}`
    return talk.ask({ do: 'leave', consumer: talk.consumer(consumer).id, queue }, how)
  },
  next(talk, { consumer: name }, how) {
    const asked = { do: 'nextMessage', consumer: talk.consumer(name).id } as const
    return talk.askFor(asked, how, ({ answer }) => talk.shown(name, answer.entries ?? [], 'next', true))
  },
  lock(talk, { consumer: name, max }, how) {
    const asked = { do: 'lockNextMessages', consumer: talk.consumer(name).id, max } as const
    return talk.askFor(asked, how, ({ answer }) => talk.shown(name, answer.entries ?? [], 'lock', true))
  },
  async fetch(talk, { consumer, message }, how) {
    const held = talk.held(consumer, message)
    if (typeof held === 'string') return held
    if (held.by !== 'lock') return `${consumer} has not locked ${held.entry.body}`
    return talk.ask({ do: 'fetchLocked', uri: held.entry.uri }, how)
  },
  async take(talk, { queue, consumer }, how) {
    if (!talk.queues.has(queue)) return `there is no queue ${queue}`
    const session = consumer === undefined ? undefined : talk.consumer(consumer).id
    return talk.askFor({ do: 'takeBySinglePath', queue, session, lease: talk.options.untoldLease }, how)
  },
}

/** The acknowledgement of what was locked or handed out: of one message, or of each that it holds. */
export function done(talk: Conversation, { consumer: name, message }: Of<'done'>): Start[] {
  if (message !== 'each') return [(how) => doneWith(talk, name, talk.held(name, message), how)]
  return talk.consumer(name).held.map((held) => (how) => doneWith(talk, name, held, how))
}

async function doneWith(
  talk: Conversation,
  name: string,
  held: Held | string,
  how: Manner,
): ReturnType<Start> {
  if (typeof held === 'string') return held
  const { entry, by } = held
  if (by === 'feed') return `${name} was shown ${entry.body} in a feed`
  const action = await talk.ask({ do: 'acknowledgeForConsumer', uri: entry.uri }, how)
  talk.drop(name, held)
  return action
}
