import { ATOM } from '../client/atom.js'
import type { Entry } from '../client/entry.js'
import type { Exchange } from '../client/exchange.js'
import { essence } from '../client/xml.js'
import { statusOf, succeeded } from './answers.js'
import { rootOf } from './forms.js'
import { LockConsumer, type Locked } from './locking.js'
import { entriesIn } from './message-in.js'
import type { QueueHandle, Sent, Trial } from './trial.js'

const URI_LIST = { 'Content-Type': 'text/uri-list' }

/** What the answer to acknowledgements in a POST gives of further messages. */
export interface NextBatch {
  readonly answer: Exchange
  /** The further messages in it; undefined where it is of no form that could hold some. */
  readonly next: readonly Locked[] | undefined
}

/**
 * A consumer that can put acknowledgements into the body of a POST. The document does not show where: it may be the
 * second lock call of a batch, or a POST to a subscription.
 */
export interface AckCarrier {
  /** For reports: "a lock call". */
  readonly name: string
  /** The most messages that it may be given with an answer, when it has acknowledged all that it had. */
  readonly most: number
  /** Holds each of `messages`, at most `max` more at a time; blocked where they do not come. */
  hold(messages: readonly Sent[]): Promise<Locked[]>
  /** POSTs acknowledgements, all in one body. `messages` are those that may come with the answer. */
  acknowledge(held: readonly Pick<Locked, 'uri'>[], messages: readonly Sent[]): Promise<NextBatch>
  /** Which of `messages` its consumer is given, asked once in the usual way. */
  take(messages: readonly Sent[]): Promise<readonly Locked[]>
}

/** Makes a carrier for a consumer of a queue that is given up to `max` messages at a time. */
export type MakeCarrier = (trial: Trial, queue: QueueHandle, max: number) => Promise<AckCarrier>

export const lockCallCarrier: MakeCarrier = async (trial, queue, max) => {
  const consumer = await LockConsumer.of(trial, queue)
  return {
    name: 'a lock call',
    most: max,
    hold: (messages) => consumer.lockAll(messages, max),
    async acknowledge(held, messages) {
      const { answer, uris } = await consumer.lock(
        max,
        held.map(({ uri }) => uri),
      )
      const next = await consumer.fetchAll(uris, messages)
      // What lists the acknowledged messages only says that it has done so.
      const others = uris.some((uri) => held.every((each) => each.uri !== uri))
      const listed = next.length > 0 || others || (uris.length === 0 && isList(answer))
      return { answer, next: listed ? next : undefined }
    },
    take: (messages) => consumer.look(max, messages),
  }
}

export const subscriptionCarrier: MakeCarrier = async (trial: Trial, queue, max) => {
  const consumer = await trial.subscribe(queue, { prefetch: max })
  return {
    name: 'a POST to a subscription',
    most: consumer.prefetch,
    async hold(messages) {
      const entries = await consumer.receive(messages)
      return messages.map((message, i) => {
        const uri = entries[i]!.messageUri
        trial.precondition(uri !== undefined, 'consume.message-uri', 'an entry without an address')
        return { message, uri }
      })
    },
    async acknowledge(held, messages) {
      const uris = held.map(({ uri }) => uri)
      const answer = await acknowledgeAt(trial, consumer.uri, uris)
      const listed = isList(answer)
      return { answer, next: listed ? await handedBy(trial, entriesIn(trial, answer), messages) : undefined }
    },
    take: async (messages) => handedBy(trial, await consumer.read(), messages),
  }
}

/** POSTs acknowledgements to a subscription, all in one body, whatever comes. */
export function acknowledgeAt(
  { target }: Trial,
  subscription: string,
  uris: readonly string[],
): Promise<Exchange> {
  const body = uris.map((uri) => `${uri}\r\n`).join('')
  return target.request('POST', subscription, { headers: URI_LIST, body })
}

/** The places where a target may take acknowledgements in a POST. */
export function carriers(trial: Trial): MakeCarrier[] {
  return [...(trial.profile.features.batch ? [lockCallCarrier] : []), subscriptionCarrier]
}

/**
 * Judges each place that accepts acknowledgements; one that refuses them does not offer them there, but some
 * place must.
 *
 * @param judge gives the answer to the acknowledgements, as soon as it is a refusal
 */
export async function judgeCarriers(
  trial: Trial,
  judge: (make: MakeCarrier) => Promise<{ readonly name: string; readonly answer: Exchange }>,
): Promise<void> {
  const refusals: string[] = []
  let accepted = 0
  for (const make of carriers(trial)) {
    const { name, answer } = await judge(make)
    if (succeeded(answer)) accepted += 1
    else refusals.push(`${name} gave ${statusOf(answer)}`)
    trial.choose(`acks-in-${name.replace(/^a /, '').replaceAll(' ', '-')}`, statusOf(answer))
  }
  trial.expect(
    accepted > 0,
    'success for message URIs as text/uri-list in the body of a POST',
    refusals.join(', '),
  )
}

/**
 * Whether an answer has the form of a list, which may be empty: a feed, a `text/uri-list`, or JSON that holds an array.
 * A word of thanks is none, and neither is an empty body to which a server has put its usual media type.
 */
function isList(answer: Exchange): boolean {
  if (!succeeded(answer)) return false
  const root = rootOf(answer)
  if (root !== undefined) return root.namespaceURI === ATOM && root.localName === 'feed'
  const type = essence(answer.headers['content-type'])
  if (type === 'text/uri-list') return true
  return /[+/]json$/.test(type) && answer.body.includes('[')
}

/** The messages of a feed's entries, with their addresses; an entry without address gives none. */
async function handedBy(
  trial: Trial,
  entries: readonly Entry[],
  messages: readonly Sent[],
): Promise<Locked[]> {
  const bodies = await trial.bodies(entries)
  return entries.flatMap(({ messageUri }, i) => {
    const message = messages.find(({ text }) => text === bodies[i])
    return message === undefined || messageUri === undefined ? [] : [{ message, uri: messageUri }]
  })
}
