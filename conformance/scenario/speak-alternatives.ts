import { encodePath } from '../trial/addresses.js'
import { messageIds } from '../trial/next-message.js'
import type { Action } from './action.js'
import type { Conversation, Held } from './conversation.js'

// Section 4.2 as steps speak it.

/** More than any scenario sends. */
const MANY = 100_000

export async function join(
  talk: Conversation,
  how: 'join' | 'leave',
  name: string,
  queue: string,
): Promise<Action | string> {
  const { next } = talk.consumer(name)
  const handle = talk.queues.get(queue)
  if (handle === undefined) return `there is no queue ${queue}`
  const exchange = await (how === 'join' ? next.subscribe(handle.path) : next.unsubscribe(handle.path))
  if (how === 'leave') return talk.action({ do: 'leave', consumer: next.id, queue }, exchange)
  const request = { do: 'join', consumer: next.id, queue, lease: talk.untoldLease, prefetch: MANY } as const
  return talk.action(request, exchange)
}

export function next(talk: Conversation, name: string): Promise<Action> {
  const consumer = talk.consumer(name)
  return talk.showing({ do: 'nextMessage', consumer: consumer.next.id }, async () => {
    const exchange = await consumer.next.ask()
    const message = await talk.messageIn(exchange)
    const id = message && messageIds(talk.trial, exchange)[0]
    if (!message || id === undefined) return { exchange, answer: talk.answer(exchange, { entries: [] }) }
    const entry = { body: message.name, uri: `/ack/${consumer.next.id}/${id}` }
    const handed = { message: message.sent, answer: exchange }
    talk.shown(consumer, [{ entry, by: 'next', handed }], true)
    return { exchange, answer: talk.answer(exchange, { entries: [entry] }) }
  })
}

export function lock(talk: Conversation, name: string, max: number): Promise<Action> {
  const consumer = talk.consumer(name)
  return talk.showing({ do: 'lockNextMessages', consumer: consumer.next.id, max }, async () => {
    const { answer: exchange, uris } = await consumer.locker.lock(max)
    const locked = await consumer.locker.fetchAll(uris, talk.sent)
    const entries = locked.map(({ uri, message }) => ({ uri, body: talk.names.get(message.text)! }))
    const held = entries.map((entry): Held => ({ entry, by: 'lock' }))
    talk.shown(consumer, held, true)
    return { exchange, answer: talk.answer(exchange, { entries }) }
  })
}

export async function fetchLocked(
  talk: Conversation,
  name: string,
  message: string,
): Promise<Action | string> {
  const held = talk.held(name, message)
  if (typeof held === 'string') return held
  if (held.by !== 'lock') return `${name} has not locked ${held.entry.body}`
  const { uri } = held.entry
  return talk.action({ do: 'fetchLocked', uri }, await talk.consumer(name).locker.fetch(uri))
}

/** The acknowledgement of what was locked or handed out. */
export async function done(talk: Conversation, name: string, message: string): Promise<Action | string> {
  const { next, locker } = talk.consumer(name)
  const held = talk.held(name, message)
  if (typeof held === 'string') return held
  const { entry, by, handed } = held
  if (by === 'feed') return `${name} was shown ${entry.body} in a feed`
  const exchange = await (handed === undefined ? locker.tryAck(entry) : next.tryAck(handed))
  talk.drop(name, held)
  return talk.action({ do: 'acknowledgeForConsumer', uri: entry.uri }, exchange)
}

/** Sends a message that is known by its name already. */
export async function sendBySinglePath(talk: Conversation, name: string): Promise<Action> {
  const { sent, queue, colour } = talk.messages.get(name)!
  const url = talk.trial.target.at(`/queue/${encodePath(talk.queues.get(queue)!.path)}`)
  const exchange = await talk.trial.post(url, sent.body, talk.headers(colour))
  return talk.action({ do: 'sendBySinglePath', queue, body: talk.bodyOf(name), colour }, exchange)
}

export async function take(talk: Conversation, queue: string, name?: string): Promise<Action | string> {
  const handle = talk.queues.get(queue)
  if (handle === undefined) return `there is no queue ${queue}`
  const session = name === undefined ? undefined : talk.consumer(name).next.id
  const query = session === undefined ? '' : `?jsessionId=${session}`
  const url = talk.trial.target.at(`/queue/${encodePath(handle.path)}${query}`)
  return talk.showing({ do: 'takeBySinglePath', queue, session, lease: talk.untoldLease }, async () => {
    const exchange = await talk.trial.target.request('GET', url)
    const message = await talk.messageIn(exchange)
    const uri = `taken at ${exchange.sentAt}`
    const entries = message === undefined ? [] : [{ body: message.name, uri }]
    return { exchange, answer: talk.answer(exchange, { entries }) }
  })
}
