import { postUris } from '../client/ack-in-post.js'
import { ATOM } from '../client/atom.js'
import type { Entry } from '../client/entry.js'
import { type Exchange, refused, succeeded } from '../client/exchange.js'
import { Inconclusive } from '../client/findings.js'
import { rootOf } from '../client/forms.js'
import { entriesIn, messagesIn } from '../client/message-in.js'
import { urisIn } from '../client/uris-in.js'
import { essence } from '../client/xml.js'
import { statusOf } from './answers.js'
import { LockConsumer, type Locked } from './locking.js'
import type { QueueHandle, Sent, Trial } from './trial.js'
import { once } from './waiting.js'

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
      const isOther = (uri: string) => held.every((each) => each.uri !== uri)
      // What lists the acknowledged messages only says that it has done so.
      const isBatch = isList(answer) && (next.length > 0 || uris.some(isOther))
      const gives = isBatch || next.some(({ uri }) => isOther(uri)) || isEmptyList(answer, uris)
      return { answer, next: gives ? next : undefined }
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
      const entries = entriesIn(trial, answer)
      if (entries.length > 0) return { answer, next: await handedBy(trial, entries, messages) }
      const { listed, next } = await fetchedFrom(trial, answer, uris, messages)
      return { answer, next: next.length > 0 || isEmptyList(answer, listed) ? next : undefined }
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
  return postUris({ target }, subscription, uris)
}

/** The places where a target may take acknowledgements in a POST. */
export function carriers(trial: Trial): MakeCarrier[] {
  return [...(trial.profile.features.batch ? [lockCallCarrier] : []), subscriptionCarrier]
}

/** What came of acknowledgements in one place. */
export interface Carried {
  /** That of the carrier. */
  readonly name: string
  readonly answer: Exchange
  /** Whether they had no effect although the answer is a success: the place takes no body. */
  readonly isIgnored?: boolean
}

/**
 * Judges each place that takes acknowledgements. One that refuses them or takes no notice of them does not offer them there,
 * but some place must.
 *
 * @param judge gives what came of the acknowledgements, as soon as the place is seen not to take them
 */
export async function judgeCarriers(
  trial: Trial,
  judge: (make: MakeCarrier) => Promise<Carried>,
): Promise<void> {
  const others: Carried[] = []
  let taken = 0
  for (const make of carriers(trial)) {
    const carried = await trial.relying(() => judge(make))
    const { name, answer, isIgnored = false } = carried
    if (succeeded(answer) && !isIgnored) taken += 1
    else others.push(carried)
    const how = isIgnored ? `${statusOf(answer)}, without effect` : statusOf(answer)
    trial.choose(`acks-in-${name.replace(/^a /, '').replaceAll(' ', '-')}`, how)
  }
  if (taken > 0) return
  const seen = others.map(({ name, answer, isIgnored }) =>
    isIgnored ? `${name} had no effect` : `${name} gave ${statusOf(answer)}`,
  )
  // The document shows no form for them, and some other may be taken where one is refused.
  const isOpen = others.some(({ answer }) => refused(answer)) && others.every(({ answer }) => isSaid(answer))
  if (isOpen) throw new Inconclusive(`${UNTAKEN}: ${seen.join(', ')}`, 'profile')
  trial.precondition(false, 'ack-in-post.acknowledges', seen.join(', '))
}

const UNTAKEN =
  'the target takes no message URIs as text/uri-list in a POST, and the kit knows no other form of acknowledgements there: say so by features.ack-in-post'

function isSaid(answer: Exchange): boolean {
  return succeeded(answer) || refused(answer)
}

/** Whether acknowledgements have no effect at all: there are still `count` messages in the feeds of these queues. */
export async function isWithoutEffect(
  trial: Trial,
  queues: readonly QueueHandle[],
  count: number,
): Promise<boolean> {
  const isLess = async () => {
    const feeds = await Promise.all(queues.map((queue) => trial.browse(queue)))
    return once(feeds.flatMap(({ entries }) => entries).length < count)
  }
  // A message whose lease ends stays in its queue.
  return (await trial.regardless(() => trial.eventually(isLess))) === undefined
}

/** Whether an answer has the form of a list: a feed, a `text/uri-list`, or JSON that is an array. A word of thanks is none, and neither is a report. */
function isList(answer: Exchange): boolean {
  if (!succeeded(answer)) return false
  const root = rootOf(answer)
  if (root !== undefined) return root.namespaceURI === ATOM && root.localName === 'feed'
  return isUriList(answer) || /^\s*\[/.test(answer.body.toString())
}

/**
 * Whether an answer is a list without an address. JSON is one only where it is `[]`: what else has an empty array in it may
 * report what was acknowledged. An empty body to which a server has put its usual media type is none.
 */
function isEmptyList(answer: Exchange, addresses: readonly string[]): boolean {
  if (!isList(answer) || addresses.length > 0) return false
  return rootOf(answer) !== undefined || isUriList(answer) || /^\s*\[\s*\]\s*$/.test(answer.body.toString())
}

function isUriList({ headers }: Exchange): boolean {
  return essence(headers['content-type']) === 'text/uri-list'
}

/** The addresses in an answer that are like those of messages that were held, and the messages that a GET of each gives. */
async function fetchedFrom(
  trial: Trial,
  answer: Exchange,
  held: readonly string[],
  messages: readonly Sent[],
): Promise<{ readonly listed: readonly string[]; readonly next: readonly Locked[] }> {
  const folders = new Set(held.map(folderOf))
  const isAlike = (uri: string) => folders.has(folderOf(uri))
  const listed = urisIn(trial, answer, isAlike)
  const next = listed
    .filter((uri) => isAlike(uri) && !held.includes(uri))
    .map(async (uri) => {
      const given = await messagesIn(trial, await trial.target.request('GET', uri), messages)
      return given.map((message) => ({ message, uri }))
    })
  return { listed, next: (await Promise.all(next)).flat() }
}

function folderOf(uri: string): string {
  return new URL('.', uri).href
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
