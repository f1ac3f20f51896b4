import { grantedLease, prefetchUpTo, wildcardBelow } from '../client/subscription-request.js'
import { essence } from '../client/xml.js'
import { refused, statusOf, succeeded } from '../trial/answers.js'
import { NotApplicable } from '../trial/findings.js'
import { isChild, sameButCase, walkTo } from '../trial/listings.js'
import { entriesIn } from '../trial/message-in.js'
import { longestLease } from '../trial/timing.js'
import type { Sent } from '../trial/trial.js'
import { isByOwner } from './acting.js'
import type { Action, Start } from './action.js'
import type { Conversation, Held } from './conversation.js'
import { isOdd } from './queue-names.js'
import { sendBySinglePath } from './speak-alternatives.js'
import type { Deed, Guid, Made } from './step.js'
import { timeOf } from './words.js'

// Section 4.1 as steps speak it.

type Of<D extends Deed['do']> = Extract<Deed, { do: D }>

/** A message that is longer may be too long for a target: bytes. */
const SHORT = 1024

const noQueue = (queue: string) => `there is no queue ${queue}`

export async function create(talk: Conversation, queue: string): Promise<Action | string> {
  const path = talk.path(queue)
  talk.asked.add(queue)
  const exchange = await talk.trial.tryCreateQueue(path)
  const uri = talk.trial.target.location(exchange)
  // Which names there are, and which of them are one, is the target's choice.
  const twin = [...talk.queues].find(([name, handle]) => name !== queue && handle.uri === uri)?.[0]
  if (isOdd(queue) && refused(exchange)) return `the target refuses the name ${queue}`
  if (twin !== undefined && (isOdd(queue) || isOdd(twin))) return `the target takes ${queue} for ${twin}`
  if (uri !== undefined) talk.queues.set(queue, { path, uri })
  return talk.action({ do: 'createQueue', queue }, exchange)
}

export async function remove(talk: Conversation, queue: string): Promise<Action | string> {
  const handle = talk.queues.get(queue)
  if (handle === undefined) return noQueue(queue)
  return talk.action({ do: 'deleteQueue', queue }, await talk.trial.target.request('DELETE', handle.uri))
}

export async function browse(talk: Conversation, queue: string): Promise<Action | string> {
  const handle = talk.queues.get(queue)
  if (handle === undefined) return noQueue(queue)
  return talk.showing({ do: 'browseQueue', queue }, () => talk.queueFeed(handle.uri))
}

export async function list(talk: Conversation, path?: string): Promise<Action | string> {
  // A listing may tell names in another case than they were given in.
  const isTold = ([name]: readonly [string, unknown]) =>
    ![...talk.asked].some((other) => other !== name && sameButCase(other, name))
  const known = [...talk.queues].filter(isTold)
  return path === undefined ? listRoot(talk, known) : listSubtree(talk, path, known)
}

type Known = readonly (readonly [name: string, handle: { readonly path: string; readonly uri: string }])[]

async function listRoot(talk: Conversation, told: Known): Promise<Action | string> {
  // How a queue is found below a path that cannot be listed, or may be a queue's too, the document does not say.
  const { subtree } = talk.trial.profile.features
  const isReached = (name: string) => !name.includes('/') || (subtree && !talk.asked.has(name.split('/')[0]!))
  const known = told.filter(([name]) => isReached(name))
  if (known.length === 0) return 'there is no queue to be listed'
  const request = { do: 'listQueues', queues: known.map(([name]) => name) } as const
  return talk.showing(request, async () => {
    const root = await talk.trial.target.request('GET', talk.trial.target.at('/queues'))
    const handles = known.map(([, handle]) => handle)
    const walks = root.status === 200 ? await walkTo(talk.trial, handles) : []
    const found = known.filter((_, index) => walks[index]?.entry !== undefined)
    return { exchange: root, answer: talk.answer(root, { entries: asEntries(found) }) }
  })
}

async function listSubtree(talk: Conversation, path: string, told: Known): Promise<Action | string> {
  if (talk.asked.has(path)) return `${path} is a queue's path, too`
  const known = told.filter(([name]) => name.slice(0, Math.max(0, name.lastIndexOf('/'))) === path)
  if (known.length === 0) return `there is no queue right below ${path}`
  const request = { do: 'listQueues', queues: known.map(([name]) => name), below: path } as const
  const uri = talk.trial.target.queueUri(talk.path(path))
  return talk.showing(request, async () => {
    const listing = await talk.trial.target.request('GET', uri)
    const { entries } =
      listing.status === 200 ? await talk.trial.readFeed(uri, 'browse.subtree') : { entries: [] }
    const found = known.filter(([, handle]) => entries.some((entry) => isChild(talk.trial, entry, handle)))
    return { exchange: listing, answer: talk.answer(listing, { entries: asEntries(found) }) }
  })
}

const asEntries = (found: Known) => found.map(([body]) => ({ body, uri: '' }))

/** The requests by which a message is sent: by the two steps of the document where nothing else is said. */
export function send(
  talk: Conversation,
  name: string,
  { queue, by = 'two-step', guid: wanted, ...made }: Omit<Of<'send'>, 'do' | 'messages'>,
): Start[] {
  if (!talk.queues.has(queue)) return [async () => noQueue(queue)]
  const way = by === 'each' ? 'two-step' : by
  const guid = way === 'guid' ? guidOf(talk, wanted) : undefined
  const sent = makeBody(talk, name, made)
  const { colour = 'red' } = made
  const isUnusual = wanted !== undefined
  talk.messages.set(name, { sent, queue, by: way, guid, isUnusual, colour, address: undefined })
  if (way === 'guid') return [() => postOnce(talk, name, queue)]
  if (way === 'single-path') return [() => sendBySinglePath(talk, name)]
  return [() => addressFor(talk, name, queue), () => post(talk, name)]
}

/** What is sent as a message: the body of another, or one of its own, which its name begins. */
function makeBody(talk: Conversation, name: string, { like, size = 0 }: Made): Sent {
  const known = like === undefined ? undefined : talk.messages.get(like)?.sent
  const sent = known ?? talk.trial.freshMessage(`${name} `)
  const lacking = size - sent.body.length
  const whole = known || lacking <= 0 ? sent : talk.trial.freshMessage(`${name} ${'x'.repeat(lacking)} `)
  if (!talk.names.has(whole.text)) talk.names.set(whole.text, name)
  return whole
}

/** The second step of a send, to the address that the first one gave. */
export async function postTo(
  talk: Conversation,
  { message: name, ...made }: Of<'post'>,
): Promise<Action | string> {
  const message = talk.messages.get(name)
  if (message === undefined) return `there is no address for ${name}`
  if (made.like !== undefined || made.size !== undefined) message.sent = makeBody(talk, name, made)
  message.colour = made.colour ?? message.colour
  return post(talk, name)
}

/** The last request of a send once more, or another message by what it was sent by. */
export async function repeat(
  talk: Conversation,
  { message: name, queue, changed }: Of<'repeat'>,
): Promise<Action | string> {
  const message = talk.messages.get(name)
  if (message === undefined) return `${name} was not sent`
  const other = `${name}'`
  if (changed && !talk.messages.has(other)) {
    const sent = talk.trial.freshMessage(`${other} `)
    talk.names.set(sent.text, other)
    talk.messages.set(other, { ...message, sent })
  }
  const repeated = changed ? other : name
  const elsewhere = queue !== undefined && talk.queues.has(queue) ? queue : message.queue
  // That makes a second message, so that it is not asked again.
  if (message.by === 'single-path') return sendBySinglePath(talk, repeated)
  const send = () => (message.by === 'guid' ? postOnce(talk, repeated, elsewhere) : post(talk, repeated))
  const action = await send()
  if (typeof action === 'string') return action
  const again = async () => {
    const repeated = await send()
    return typeof repeated === 'string' ? action : repeated
  }
  return { ...action, again }
}

async function addressFor(talk: Conversation, name: string, queue: string): Promise<Action> {
  const exchange = await talk.trial.target.request('POST', talk.queues.get(queue)!.uri)
  talk.messages.get(name)!.address = talk.trial.target.location(exchange)
  return talk.action({ do: 'newAddress', queue }, exchange)
}

async function post(talk: Conversation, name: string): Promise<Action | string> {
  const { address, sent, colour } = talk.messages.get(name)!
  if (address === undefined) return `there is no address for ${name}`
  const exchange = await talk.trial.post(address, sent.body, talk.headers(colour))
  if (sent.body.length > SHORT && refused(exchange) && exchange.status !== 429)
    throw new NotApplicable(`a message of ${sent.body.length} bytes is refused with ${statusOf(exchange)}`)
  return talk.action({ do: 'postMessage', address, body: talk.bodyOf(name), colour }, exchange)
}

async function postOnce(talk: Conversation, name: string, queue: string): Promise<Action | string> {
  const { sent, guid = '', isUnusual, colour } = talk.messages.get(name)!
  const { uri } = talk.queues.get(queue)!
  const exchange = await talk.trial.postWithGuid({ path: '', uri }, guid, sent.body, talk.headers(colour))
  // Which texts are guids, the document leaves open.
  if (isUnusual && refused(exchange)) return 'the target refuses such a guid'
  return talk.action({ do: 'sendOnce', queue, guid, body: talk.bodyOf(name), colour }, exchange)
}

/** How many characters a long guid has, with what makes it unlike another: fewer where the target takes fewer. */
const LONG = 240
const UNLIKE = { end: '1', sign: '+', space: ' ' } as const

function guidOf(talk: Conversation, wanted: Guid | undefined): string {
  const fresh = talk.trial.freshGuid()
  const { form, maxLength } = talk.trial.profile.guid
  const most = Math.min(LONG, maxLength ?? LONG)
  if (wanted === undefined || form === 'uuid') return fresh
  if (wanted === 'long') return fresh.padEnd(most - 1, 'x')
  const other = talk.messages.get(wanted.unlike)?.guid
  if (other === undefined) return fresh
  if (wanted.in === 'case') return other.toUpperCase()
  return other.length < most ? other + UNLIKE[wanted.in] : fresh
}

export async function subscribe(
  talk: Conversation,
  { consumer: name, to, prefetch: wanted, selector, timeout }: Of<'subscribe'>,
): Promise<Action | string> {
  const { profile } = talk.trial
  const queues = to.filter((each) => !each.endsWith('/*'))
  const missing = queues.find((queue) => !talk.queues.has(queue))
  if (missing !== undefined) return noQueue(missing)
  const below = to.filter((each) => each.endsWith('/*')).map((each) => each.slice(0, -2))
  const length = timeout === undefined ? talk.lease.length : leaseOf(talk, timeout)
  const prefetch = wanted ?? prefetchUpTo(profile, USUAL_PREFETCH)
  const written = [
    ...queues.map((queue) => talk.queues.get(queue)!),
    ...below.map((path) => wildcardBelow(profile, talk.path(path))),
  ]
  const exchange = await talk.trial.trySubscribe(written, {
    prefetch,
    lease: timeout ?? 'short',
    ...(selector ? { selector: profile.subscription.selector.expression } : {}),
  })
  const uri = talk.trial.target.location(exchange)
  // Where a queue may have such a name, it may still be no destination.
  if (queues.some(isOdd) && refused(exchange)) return 'the target refuses such a destination'
  const consumer = talk.consumer(name)
  if (uri !== undefined && exchange.status < 300) Object.assign(consumer, { uri, held: [] })
  const destinations = [...queues.map((queue) => ({ queue })), ...below.map((path) => ({ below: path }))]
  const lease = { ...talk.lease, length }
  return talk.action({ do: 'subscribe', destinations, prefetch, selector, lease }, exchange)
}

/** What is asked for where nothing is said, as far as the target grants it. */
const USUAL_PREFETCH = 10

/** The length of a lease that is asked for. @throws {NotApplicable} where the target has none of that length */
function leaseOf({ trial: { profile } }: Conversation, wanted: number): number {
  if (profile.subscription.parameters.timeout === null)
    throw new NotApplicable('the length of a lease is the choice of the target')
  const most = longestLease(profile)
  if (wanted > most) throw new NotApplicable(`a lease lasts ${timeOf(most)} at most`)
  return grantedLease(profile, wanted)
}

export async function end(talk: Conversation, name: string): Promise<Action | string> {
  const { uri } = talk.consumer(name)
  if (uri === undefined) return `${name} has no subscription`
  return talk.action({ do: 'unsubscribe', consumer: uri }, await talk.trial.target.request('DELETE', uri))
}

export async function read(talk: Conversation, name: string): Promise<Action | string> {
  const consumer = talk.consumer(name)
  const { uri } = consumer
  if (uri === undefined) return `${name} has no subscription`
  return talk.showing({ do: 'consume', consumer: uri }, async () => {
    const read = await talk.feed(uri)
    const entries = read.answer.entries ?? []
    if (read.exchange.status === 200 && isByOwner())
      talk.shown(
        consumer,
        entries.map((entry) => ({ entry, by: 'feed' })),
      )
    return read
  })
}

export async function look(talk: Conversation, name: string, message: string): Promise<Action | string> {
  const held = talk.held(name, message)
  if (typeof held === 'string') return held
  const { uri } = held.entry
  const exchange = await talk.trial.target.request('GET', uri)
  const seen = await talk.messageIn(exchange)
  return talk.action({ do: 'look', uri }, exchange, { entries: seen ? [{ body: seen.name, uri }] : [] })
}

/** The acknowledgements of a step: by a DELETE for each, or in one POST. */
export function acknowledge(talk: Conversation, { consumer, messages, order, reads }: Of<'ack'>): Start[] {
  const all = messages[0] === 'each' ? inOrder(talk.consumer(consumer).held, order) : undefined
  const found = all ?? messages.map((message) => talk.held(consumer, message))
  const missing =
    found.length === 0 ? `${consumer} holds nothing` : found.find((each) => typeof each === 'string')
  if (reads) return [async () => missing ?? acknowledgeInPost(talk, consumer, found as Held[])]
  if (missing !== undefined && found.length < 2) return [async () => missing]
  return found.map(
    (held) => async () => (typeof held === 'string' ? held : acknowledgeOne(talk, consumer, held)),
  )
}

/** Backwards, or every second one and then the others from the end. */
function inOrder(held: readonly Held[], order: Of<'ack'>['order']): readonly Held[] {
  if (order === 'backwards') return held.toReversed()
  if (order === undefined) return held
  return [...held.filter((_, at) => at % 2 === 1), ...held.filter((_, at) => at % 2 === 0).toReversed()]
}

async function acknowledgeOne(talk: Conversation, name: string, held: Held): Promise<Action> {
  const { uri } = held.entry
  const exchange = await talk.trial.target.request('DELETE', uri)
  talk.drop(name, held)
  return talk.action({ do: 'acknowledge', uri }, exchange)
}

async function acknowledgeInPost(
  talk: Conversation,
  name: string,
  acknowledged: readonly Held[],
): Promise<Action | string> {
  const consumer = talk.consumer(name)
  const { uri } = consumer
  if (uri === undefined) return `${name} has no subscription`
  const uris = acknowledged.map(({ entry }) => entry.uri)
  const exchange = await talk.trial.target.request('POST', uri, {
    headers: { 'Content-Type': 'text/uri-list' },
    body: uris.map((each) => `${each}\r\n`).join(''),
  })
  const isFeed = succeeded(exchange) && essence(exchange.headers['content-type']) === 'application/atom+xml'
  const entries = isFeed
    ? await Promise.all(
        entriesIn(talk.trial, exchange).map(async (entry) => ({
          body: talk.nameOf(await entry.body()),
          uri: entry.messageUri ?? '',
        })),
      )
    : undefined
  for (const held of acknowledged) talk.drop(name, held)
  // It may show all that is held then, or only what is new.
  const shown = (entries ?? []).map((entry): Held => ({ entry, by: 'feed' }))
  talk.shown(consumer, shown, true)
  return talk.action({ do: 'acknowledgeInPost', consumer: uri, uris }, exchange, { entries })
}
