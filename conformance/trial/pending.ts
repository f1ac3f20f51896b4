import type { Entry } from '../client/feed.js'
import { isFeed, lacksContents, queuesShowContents, tellsOf } from '../client/queue-contents.js'
import { messageOf } from '../client/template.js'
import { quote } from './labels.js'
import { missing } from './reading.js'
import type { Consumer, QueueHandle, Sent, Trial } from './trial.js'
import { unlessBlocked, withRetries } from './waiting.js'

/** Bytes beyond the template up to which a queue's feed that shows messages shows each of them. */
const SHORT = 128

/** How often `text` stands among `texts`. */
export function times(texts: readonly string[], text: string): number {
  return texts.filter((other) => other === text).length
}

/** Whether both lists hold the same texts, each as often, in any order. */
export function sameTexts(some: readonly string[], others: readonly string[]): boolean {
  const sorted = others.toSorted()
  return some.length === others.length && some.toSorted().every((text, index) => text === sorted[index])
}

/**
 * The bodies of a queue's pending messages, as the queue's own feed shows them. The document does not say what an entry
 * shows. One that does not show its message stands for one of `messages`, in their order, that no other entry shows, and
 * beyond them for a message that nobody knows: such a feed is judged by how many entries it has.
 *
 * @param messages those that stay pending before those that do not
 */
export async function pendingBodies(
  trial: Trial,
  queue: QueueHandle,
  messages: readonly Sent[],
): Promise<string[]> {
  const { entries } = await trial.browse(queue)
  const shown = await shownBodies(trial, entries, messages)
  const left = messages.map(({ text }) => text)
  for (const text of shown) if (text !== undefined && left.includes(text)) left.splice(left.indexOf(text), 1)
  return shown.flatMap((text, at) => {
    // It may list the queues below beside its messages.
    if (text !== undefined && isFeed(text) && !messages.some((each) => each.text === text)) return []
    return text ?? left.shift() ?? `an entry without a message (${entries[at]!.id})`
  })
}

/** What each entry of a queue's feed shows as its message; undefined where it shows none. */
async function shownBodies(
  trial: Trial,
  entries: readonly Entry[],
  messages: readonly Sent[],
): Promise<(string | undefined)[]> {
  const shown = await Promise.all(entries.map((entry) => shownBody(trial, entry)))
  const isKnown = (text: string | undefined) => messages.some((message) => message.text === text)
  if (shown.every((text) => text === undefined || isKnown(text))) return shown
  if (!(await queuesShowContents(trial)))
    return shown.map((text) => (text === undefined || isKnown(text) ? text : tellsOf(text, messages)))
  // A feed that shows what is short may tell of what is longer in other words.
  const untold = messages.filter((message) => isLong(trial, message) && !shown.includes(message.text))
  return shown.map((text) =>
    isKnown(text) || (!isCut(text, messages) && untold.shift() === undefined) ? text : undefined,
  )
}

/** Whether a text is the beginning of a message, and says by an ellipsis that it was cut: then it shows no message. */
function isCut(text: string | undefined, messages: readonly Sent[]): boolean {
  const beginning = /^(.{20,}?)(?:…|\.\.\.)$/su.exec(text ?? '')?.[1]
  return beginning !== undefined && messages.some(({ text: whole }) => whole.startsWith(beginning))
}

/** Whether a message is so much longer than others that a feed which shows them may not show it. */
function isLong(trial: Trial, { body }: Sent): boolean {
  return body.length > messageOf(trial.profile, '').length + SHORT
}

/** Ends a check of what a queue's feed shows of its messages as not applicable where it does not show them. */
export async function needContents(trial: Trial): Promise<void> {
  if (!(await queuesShowContents(trial)))
    trial.notApplicable('the feed of a queue does not show what its messages are')
}

/** What an entry of a queue's feed shows; undefined where there is nothing. */
async function shownBody(trial: Trial, entry: Entry): Promise<string | undefined> {
  try {
    const [text] = await trial.bodies([entry])
    return text
  } catch (error) {
    if (lacksContents(error)) return undefined
    throw error
  }
}

/**
 * Reads the queue's feed until it shows these messages once each and nothing else, or the timeout passes.
 * @returns the bodies that it showed last
 */
export async function settledBodies(
  trial: Trial,
  queue: QueueHandle,
  messages: readonly Sent[],
): Promise<string[]> {
  const wanted = messages.map(({ text }) => text)
  let seen: string[] = []
  await withRetries(trial, async () => {
    seen = await pendingBodies(trial, queue, messages)
    return sameTexts(seen, wanted) || undefined
  })
  return seen
}

/** Precondition: the queue's feed shows each of these messages. Blocked by `send.post` where it does not. */
export async function untilPending(
  trial: Trial,
  queue: QueueHandle,
  messages: readonly Sent[],
): Promise<void> {
  const shown = await withRetries(trial, async () => {
    const bodies = await pendingBodies(trial, queue, messages)
    return messages.every(({ text }) => bodies.includes(text)) || undefined
  })
  trial.precondition(shown === true, 'send.post', `a feed of ${queue.uri} that lacks a message sent to it`)
}

/**
 * Expects the queue's feed to show each of these messages once and nothing else: as soon as they can be
 * seen, and still when every effect has settled. Two messages of one body are to be shown twice.
 */
export async function expectPending(
  trial: Trial,
  queue: QueueHandle,
  messages: readonly Sent[],
  expected: string,
): Promise<void> {
  const wanted = messages.map(({ text }) => text)
  let seen = await settledBodies(trial, queue, messages)
  trial.expect(sameTexts(seen, wanted), expected, () => tally(queue, wanted, seen))
  const surplus = await trial.never(async () => {
    seen = await pendingBodies(trial, queue, messages)
    return seen.some((text) => times(seen, text) > times(wanted, text)) || undefined
  })
  trial.expect(surplus === undefined, expected, () => tally(queue, wanted, seen))
}

/**
 * As {@link expectPending}, and expects that each message is as it was sent: where the queue's feed does not show
 * that, by what new consumers are given.
 */
export async function expectAsSent(
  trial: Trial,
  queue: QueueHandle,
  messages: readonly Sent[],
  expected: string,
): Promise<void> {
  await expectPending(trial, queue, messages, expected)
  const shown = await shownBodies(trial, (await trial.browse(queue)).entries, messages)
  if (messages.every(({ text }) => shown.includes(text))) return
  // As many as may hold all of them together.
  const consumers: Consumer[] = []
  for (let room = 0; room < messages.length; room += consumers.at(-1)!.prefetch)
    consumers.push(await trial.subscribe(queue))
  const lacking = await missing(trial, consumers, messages)
  for (const consumer of consumers) await consumer.endIfActive()
  trial.expect(
    lacking.length === 0,
    expected,
    () => `${lacking.map(({ text }) => quote(text)).join(', ')} with no consumer`,
  )
}

function tally(queue: QueueHandle, wanted: readonly string[], seen: readonly string[]): string {
  const counts = [...new Set(wanted)].map((text) => `${quote(text)} ${times(seen, text)} times`)
  const others = seen.filter((text) => !wanted.includes(text)).map(quote)
  const rest = others.length === 0 ? 'nothing else' : `also ${others.slice(0, 5).join(', ')}`
  return `${[...counts, rest].join(', ')} in the feed of ${queue.uri}`
}

/** How often a new consumer of the queue is given the message: 0 where subscribing or delivery does not work at all. */
async function deliveredTimes(trial: Trial, queue: QueueHandle, message: Sent): Promise<number> {
  const bodies = await unlessBlocked(async () => {
    const consumer = await trial.subscribe(queue)
    await consumer.receive([message])
    const read = await trial.bodies(await consumer.read())
    await consumer.endIfActive()
    return read
  })
  return times(bodies ?? [], message.text)
}

/**
 * Whether a message that its queue's feed does not show once was sent once for all that: by what a consumer is
 * given, of it or, since browsing may be what took it away, of another that nobody has browsed.
 *
 * @param send sends the other in the same way
 */
export async function sentOnce(
  trial: Trial,
  queue: QueueHandle,
  message: Sent,
  send: (other: QueueHandle) => Promise<Sent>,
): Promise<boolean> {
  const given = await deliveredTimes(trial, queue, message)
  if (given > 0) return given === 1
  const unseen = await unlessBlocked(async () => {
    const other = await trial.createQueue()
    return deliveredTimes(trial, other, await send(other))
  })
  return unseen === 1
}

/**
 * Has a consumer take a message and acknowledge it, sees it gone from its queue, and lets the consumer leave.
 *
 * @param others that stay in the queue
 */
export async function consumeAndAcknowledge(
  trial: Trial,
  queue: QueueHandle,
  message: Sent,
  others: readonly Sent[] = [],
): Promise<void> {
  const consumer = await trial.subscribe(queue)
  const [entry] = await consumer.receive([message])
  await consumer.ack(entry!)
  const gone = await trial.eventually(
    async () =>
      !(await pendingBodies(trial, queue, [...others, message])).includes(message.text) || undefined,
  )
  // Where delivering is broken, it may have been the same message, sent again.
  trial.precondition(
    gone === true,
    trial.isBroken('consume.delivers') ? 'consume.delivers' : 'browse.acknowledged-gone',
    `the acknowledged message ${quote(message.text)} still in the feed of ${queue.uri}`,
  )
  await consumer.endIfActive()
}
