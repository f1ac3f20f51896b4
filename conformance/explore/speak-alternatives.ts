import { encodePath } from '../trial/addresses.js'
import { messageIds } from '../trial/next-message.js'
import type { Action } from './action.js'
import type { Conversation } from './conversation.js'

// Section 4.2 as commands speak it.

/** More than any sequence sends. */
const MANY = 1000

export async function join(
  talk: Conversation,
  how: 'join' | 'leave',
  name: string,
  queue: string,
): Promise<Action | undefined> {
  const { next } = talk.consumer(name)
  const handle = talk.queues.get(queue)
  if (handle === undefined) return undefined
  const exchange = await (how === 'join' ? next.subscribe(handle.path) : next.unsubscribe(handle.path))
  const request =
    how === 'join'
      ? ({ do: 'join', consumer: next.id, queue, lease: talk.untoldLease, prefetch: MANY } as const)
      : ({ do: 'leave', consumer: next.id, queue } as const)
  return talk.action(request, exchange, `Consumer ${name}`, `${how}s the destination ${queue}`)
}

export function next(talk: Conversation, name: string): Promise<Action> {
  const consumer = talk.consumer(name)
  const request = { do: 'nextMessage', consumer: consumer.next.id } as const
  return talk.showing(request, `Consumer ${name}`, 'asks for its next message', async () => {
    const exchange = await consumer.next.ask()
    const message = await talk.messageIn(exchange)
    const id = message && messageIds(talk.trial, exchange)[0]
    if (!message || id === undefined) return { exchange, answer: talk.answer(exchange, { entries: [] }) }
    const entry = { body: message.name, uri: `/ack/${consumer.next.id}/${id}` }
    consumer.handed = { message: message.sent, answer: exchange, entry }
    return { exchange, answer: talk.answer(exchange, { entries: [entry] }) }
  })
}

export async function acknowledgeNext(talk: Conversation, name: string): Promise<Action | undefined> {
  const { next, handed } = talk.consumer(name)
  if (handed === undefined) return undefined
  const exchange = await next.tryAck(handed)
  const { body, uri } = handed.entry
  const request = { do: 'acknowledgeForConsumer', uri } as const
  return talk.action(request, exchange, `Consumer ${name}`, `acknowledges ${body}`)
}

export function lock(talk: Conversation, name: string, max: number): Promise<Action> {
  const consumer = talk.consumer(name)
  const request = { do: 'lockNextMessages', consumer: consumer.next.id, max } as const
  return talk.showing(request, `Consumer ${name}`, `locks up to ${max} messages`, async () => {
    const { answer: exchange, uris } = await consumer.locker.lock(max)
    const locked = await consumer.locker.fetchAll(uris, talk.sent)
    const entries = locked.map(({ uri, message }) => ({ uri, body: talk.names.get(message.text)! }))
    const all = [...consumer.locked, ...entries].map((each) => [each.uri, each] as const)
    consumer.locked = [...new Map(all).values()]
    return { exchange, answer: talk.answer(exchange, { entries }) }
  })
}

export async function fetchLocked(
  talk: Conversation,
  name: string,
  nth: number,
): Promise<Action | undefined> {
  const { locked, locker } = talk.consumer(name)
  const entry = locked[nth % locked.length]
  if (entry === undefined) return undefined
  const exchange = await locker.fetch(entry.uri)
  const request = { do: 'fetchLocked', uri: entry.uri } as const
  return talk.action(request, exchange, `Consumer ${name}`, `fetches ${entry.body}, which it has locked`)
}

export async function acknowledgeLocked(
  talk: Conversation,
  name: string,
  nth: number,
): Promise<Action | undefined> {
  const consumer = talk.consumer(name)
  const entry = consumer.locked[nth % consumer.locked.length]
  if (entry === undefined) return undefined
  const exchange = await consumer.locker.tryAck(entry)
  consumer.locked = consumer.locked.filter((each) => each !== entry)
  const request = { do: 'acknowledgeForConsumer', uri: entry.uri } as const
  return talk.action(request, exchange, `Consumer ${name}`, `acknowledges ${entry.body}, which it has locked`)
}

/** Sends a message that is known by its name already. */
export async function sendBySinglePath(talk: Conversation, name: string, twin: string): Promise<Action> {
  const { sent, queue, colour } = talk.messages.get(name)!
  const url = talk.trial.target.at(`/queue/${encodePath(talk.queues.get(queue)!.path)}`)
  const exchange = await talk.trial.post(url, sent.body, talk.headers(colour))
  const request = { do: 'sendBySinglePath', queue, body: talk.names.get(sent.text)!, colour } as const
  return talk.action(request, exchange, 'A producer', `sends ${name} to ${queue} by the single path${twin}`)
}

export function take(talk: Conversation, queue: string, session?: string): Promise<Action> | undefined {
  const handle = talk.queues.get(queue)
  if (handle === undefined) return undefined
  const id = session === undefined ? undefined : `${talk.prefix}-${session}`
  const query = id === undefined ? '' : `?jsessionId=${id}`
  const url = talk.trial.target.at(`/queue/${encodePath(handle.path)}${query}`)
  const request = { do: 'takeBySinglePath', queue, session: id, lease: talk.untoldLease } as const
  const who = session === undefined ? 'Somebody' : `The session ${session}`
  return talk.showing(request, who, `takes a message of ${queue} by the single path`, async () => {
    const exchange = await talk.trial.target.request('GET', url)
    const message = await talk.messageIn(exchange)
    const uri = `taken at ${exchange.sentAt}`
    const entries = message === undefined ? [] : [{ body: message.name, uri }]
    return { exchange, answer: talk.answer(exchange, { entries }) }
  })
}
