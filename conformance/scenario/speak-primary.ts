import { statusOf } from '../client/answered.js'
import { refused, succeeded } from '../client/exchange.js'
import { NotApplicable } from '../client/findings.js'
import { guidProblem } from '../client/guids.js'
import { sameButCase } from '../client/listings.js'
import { categoriesAbove } from '../client/queue-names.js'
import type { Manner } from '../client/speaker.js'
import { grantedLease, prefetchUpTo } from '../client/subscription-request.js'
import { longestLease } from '../client/timing.js'
import type { Request } from '../model/model.js'
import type { Action, Aside, Conversation, Held, Speaking, Start } from './conversation.js'
import { isOdd } from './queue-names.js'
import { textIn } from './speak-request.js'
import type { Difference, Guid, Made, Of } from './step.js'
import { timeOf } from './words.js'

// Section 4.1 as steps speak it.

/** How many destinations one subscription may have at the most, the document leaves open. */
const FEW = 3
/** What is asked for where nothing is said, as far as the target grants it. */
const USUAL_PREFETCH = 10

/** Where what was made is. */
const placeIn = ({ answer: { location, told } }: Action) => location ?? told

/** Whether a queue is there, as far as is known, or is written in a way that it need not be. */
const isMeant = ({ queues }: Conversation, queue: string, { at }: Pick<Manner, 'at'>) =>
  at !== undefined || queues.has(queue)

const noQueue = (queue: string) => `there is no queue ${queue}`
const noSubscription = (consumer: string) => `${consumer} has no subscription`

/** A listing may tell names in another case than they were given in. */
function isTold({ asked }: Conversation, name: string): boolean {
  return ![...asked].some((other) => other !== name && sameButCase(other, name))
}

type Verb = 'create' | 'delete' | 'browse' | 'list' | 'post' | 'repeat' | 'visit'
type ConsumerVerb = 'subscribe' | 'end' | 'read' | 'look' | 'head'

/** The steps that are one request each. */
export const PRIMARY: Speaking<Verb | ConsumerVerb> = {
  async create(talk, { queue }, how) {
    talk.asked.add(queue)
    const action = await talk.ask({ do: 'createQueue', queue }, how)
    const uri = placeIn(action)
    // Which names there are, and which of them are one, is the target's choice.
    const twin = [...talk.queues].find(([name, handle]) => name !== queue && handle.uri === uri)?.[0]
    const { exchange } = action
    if (isOdd(queue) && refused(exchange)) return { exchange, why: `the target refuses the name ${queue}` }
    if (twin !== undefined && (isOdd(queue) || isOdd(twin)))
      return { exchange, why: `the target takes ${queue} for ${twin}` }
    if (uri !== undefined) talk.queues.set(queue, { path: talk.path(queue), uri })
    return action
  },
  async delete(talk, { queue }, how) {
    if (!isMeant(talk, queue, how)) return noQueue(queue)
    const action = await talk.ask({ do: 'deleteQueue', queue }, how)
    if (succeeded(action.exchange) && isTold(talk, queue)) talk.asked.delete(queue)
    return action
  },
  async browse(talk, { queue }, how) {
    return isMeant(talk, queue, how) ? talk.askFor({ do: 'browseQueue', queue }, how) : noQueue(queue)
  },
  /** The queues from the root, or right below a path. */
  async list(talk, { path }, how) {
    const told = [...talk.queues.keys()].filter((name) => isTold(talk, name))
    if (path === undefined) {
      // How a queue is found below a path that cannot be listed, or may be a queue's too, the document does not say.
      const { subtree } = talk.profile.features
      const isReached = (name: string) => {
        const above = categoriesAbove(name)
        return above.length === 0 || (subtree && !above.some((each) => talk.asked.has(each)))
      }
      const queues = told.filter(isReached)
      if (queues.length === 0) return 'there is no queue to be listed'
      return talk.askFor({ do: 'listQueues', queues }, how)
    }
    if (talk.asked.has(path)) return `${path} is a queue's path, too`
    const queues = told.filter((name) => name.slice(0, Math.max(0, name.lastIndexOf('/'))) === path)
    if (queues.length === 0) return `there is no queue right below ${path}`
    return talk.askFor({ do: 'listQueues', queues, below: path }, how)
  },
  /** The second step of a send, to the address that the first one gave. */
  async post(talk, { message: name, ...made }, how) {
    const message = talk.messages.get(name)
    if (message === undefined) return `there is no address for ${name}`
    const { headers, like, body, bytes, every, size, empty } = made
    const isSaid = [headers, like, body, bytes, every, size, empty].some((each) => each !== undefined)
    // Otherwise it was made with its address, and another may have its body by now.
    if (isSaid) make(talk, name, made)
    message.colour = made.colour ?? message.colour
    return post(talk, name, how)
  },
  /** The last request of a send once more, or another message by what it was sent by. */
  async repeat(talk, { message: name, queue, changed, retyped, ...made }, how) {
    const message = talk.messages.get(name)
    if (message === undefined) return `${name} was not sent`
    const other = `${name}'`
    if (changed && !talk.messages.has(other)) {
      make(talk, other, made)
      talk.messages.set(other, { ...message })
    }
    const repeated = changed ? other : name
    const elsewhere = queue !== undefined && talk.queues.has(queue) ? queue : message.queue
    // That makes a second message, so that it is not asked again.
    if (message.by === 'single-path') return sendBySinglePath(talk, repeated, how)
    const send = (manner: Manner) =>
      message.by === 'guid' ? postOnce(talk, repeated, elsewhere, manner) : post(talk, repeated, manner)
    const action = await send({ ...how, retyped })
    if (typeof action === 'string' || !('request' in action)) return action
    const { exchange } = action
    // What a message may be typed as, the document leaves open.
    if (retyped && refused(exchange)) return { exchange, why: 'the target refuses another type' }
    const again = async () => {
      const repeated = await send({ as: how.as, retyped })
      return typeof repeated !== 'string' && 'request' in repeated ? repeated : action
    }
    return { ...action, again }
  },
  async visit(talk, { message }, how) {
    const uri = talk.messages.get(message)?.address
    return uri === undefined ? `there is no address for ${message}` : talk.ask({ do: 'look', uri }, how)
  },
  async subscribe(talk, { consumer: name, to, prefetch: wanted, atMost, selector, timeout }, how) {
    const queues = to.filter((each) => !each.endsWith('/*'))
    const missing = queues.find((queue) => !isMeant(talk, queue, how))
    if (missing !== undefined) return noQueue(missing)
    const below = to.filter((each) => each.endsWith('/*')).map((each) => each.slice(0, -2))
    const destinations = [...queues.map((queue) => ({ queue })), ...below.map((path) => ({ below: path }))]
    const isExact = wanted !== undefined && !atMost
    const prefetch = isExact ? wanted : prefetchUpTo(talk.profile, wanted ?? USUAL_PREFETCH)
    const lease = {
      ...talk.leaseOf(name),
      ...(timeout === undefined ? {} : { length: leaseOf(talk, timeout) }),
    }
    const action = await talk.ask({ do: 'subscribe', destinations, prefetch, selector, lease }, how)
    const { exchange } = action
    // Where a queue may have such a name, it may still be no destination.
    if (queues.some(isOdd) && refused(exchange))
      return { exchange, why: 'the target refuses such a destination' }
    if (to.length > FEW && refused(exchange))
      return { exchange, why: `the target refuses ${to.length} destinations` }
    const uri = placeIn(action)
    if (uri !== undefined && action.answer.status < 300) Object.assign(talk.consumer(name), { uri, held: [] })
    return action
  },
  async end(talk, { consumer: name }, how) {
    const { uri } = talk.consumer(name)
    return uri === undefined ? noSubscription(name) : talk.ask({ do: 'unsubscribe', consumer: uri }, how)
  },
  async read(talk, { consumer: name }, how) {
    const { uri } = talk.consumer(name)
    if (uri === undefined) return noSubscription(name)
    return talk.askFor({ do: 'consume', consumer: uri }, how, ({ answer: { status, entries = [] } }) => {
      if (status === 200 && how.as === undefined) talk.shown(name, entries, 'feed')
    })
  },
  async look(talk, { consumer, message }, how) {
    const held = talk.held(consumer, message)
    return typeof held === 'string' ? held : talk.ask({ do: 'look', uri: held.entry.uri }, how)
  },
  async head(talk, { consumer: name }, how) {
    const { uri } = talk.consumer(name)
    return uri === undefined ? noSubscription(name) : talk.ask({ do: 'look', uri, head: true }, how)
  },
}

/** The requests by which a message is sent: by the two steps of the document where nothing else is said. */
export function send(
  talk: Conversation,
  name: string,
  sending: Omit<Of<'send'>, 'do' | 'messages'> & Pick<Manner, 'at'>,
): Start[] {
  const { queue, by = talk.options.usualWay, guid: wanted, at, ...made } = sending
  if (!isMeant(talk, queue, { at })) return [async () => noQueue(queue)]
  const way = by === 'each' ? 'two-step' : by
  const guid = way === 'guid' ? guidOf(talk, wanted) : undefined
  if (way === 'guid' && guid === undefined) return [async () => 'the profile allows no such guid']
  make(talk, name, made)
  const { colour = 'red' } = made
  talk.messages.set(name, {
    ...{ queue, by: way, guid, colour, isUnusual: wanted !== undefined, address: undefined },
  })
  if (way === 'guid') return [(how) => postOnce(talk, name, queue, how)]
  if (way === 'single-path') return [(how) => sendBySinglePath(talk, name, how)]
  return [(how) => addressFor(talk, name, queue, how), (how) => post(talk, name, how)]
}

/** Makes what is sent as a message. */
function make(talk: Conversation, name: string, { headers, body, bytes, ...made }: Made): void {
  talk.bodies.make(name, {
    ...made,
    ...(headers && { headers: headers.map(([field, value]) => [field, textIn(talk, value)] as const) }),
    ...(body !== undefined && { body: textIn(talk, body) }),
    ...(bytes !== undefined && { bytes: textIn(talk, bytes) }),
  })
}

/** Sends a message by a request. */
async function sent(
  talk: Conversation,
  name: string,
  request: Request,
  how: Manner,
): Promise<Action | Aside> {
  const { fields, mayBeRefused } = talk.bodies.get(name)
  const action = await talk.ask(request, { ...how, fields })
  const { exchange } = action
  if (succeeded(exchange)) talk.taken.add(name)
  const isOpen = refused(exchange) && exchange.status !== 429 && mayBeRefused && !talk.taken.has(name)
  return isOpen ? { exchange, why: `such a message is refused with ${statusOf(exchange)}` } : action
}

/** Sends a message that is known by its name already. */
async function sendBySinglePath(talk: Conversation, name: string, how: Manner): Promise<Action | Aside> {
  const { queue, colour } = talk.messages.get(name)!
  const body = talk.bodies.called(name)
  return sent(talk, name, { do: 'sendBySinglePath', queue, body, colour }, how)
}

async function addressFor(talk: Conversation, name: string, queue: string, how: Manner): Promise<Action> {
  const action = await talk.ask({ do: 'newAddress', queue }, how)
  talk.messages.get(name)!.address = placeIn(action)
  return action
}

async function post(talk: Conversation, name: string, how: Manner): ReturnType<Start> {
  const { address, colour } = talk.messages.get(name)!
  if (address === undefined) return `there is no address for ${name}`
  return sent(talk, name, { do: 'postMessage', address, body: talk.bodies.called(name), colour }, how)
}

async function postOnce(talk: Conversation, name: string, queue: string, how: Manner): ReturnType<Start> {
  const { guid = '', isUnusual, colour } = talk.messages.get(name)!
  const body = talk.bodies.called(name)
  const action = await sent(talk, name, { do: 'sendOnce', queue, guid, body, colour }, how)
  if (!('request' in action) || !isUnusual || !refused(action.exchange)) return action
  // Which texts are guids, the document leaves open.
  return { exchange: action.exchange, why: 'the target refuses such a guid' }
}

/** How many characters a long guid has, with what makes it unlike another: fewer where the target takes fewer. */
const LONG = 240
const UNLIKE: Readonly<Record<Difference, (guid: string) => string>> = {
  case: (guid) => guid.toUpperCase(),
  end: (guid) => `${guid}1`,
  hyphen: (guid) => `${guid}-`,
  sign: (guid) => `${guid}+`,
  space: (guid) => `${guid} `,
  fraction: (guid) => `${guid}.0`,
  escape: (guid) => `${guid}%20`,
  ampersand: (guid) => `${guid}&guid=x`,
  semicolon: (guid) => `${guid};x`,
  comma: (guid) => `${guid},x`,
  equals: (guid) => `${guid}=`,
  slash: (guid) => `${guid}/`,
  hash: (guid) => `${guid}#`,
  // The same letter in its two normal forms.
  accent: (guid) => `${guid}\u00e9`,
  mark: (guid) => `${guid}e\u0301`,
  script: (guid) => `${guid}漢`,
  emoji: (guid) => `${guid}🦊`,
  zero: (guid) => `0${guid}`,
  start: (guid) => `1${guid}`,
  indent: (guid) => ` ${guid}`,
}

/** @returns undefined where the profile allows none that is like this */
function guidOf(talk: Conversation, wanted: Guid | undefined): string | undefined {
  const { form, maxLength } = talk.profile.guid
  if (form === 'uuid') return wanted === undefined ? crypto.randomUUID() : undefined
  const fresh = talk.unique()
  const most = Math.min(LONG, maxLength ?? LONG)
  if (wanted === undefined) return fresh
  if (wanted === 'long') return fresh.padEnd(most - 1, 'x')
  if (wanted === 'number') return numberOf(fresh)
  const other = talk.messages.get(wanted.unlike)?.guid
  if (other === undefined) return fresh
  const guid = UNLIKE[wanted.in](other)
  return guidProblem(talk.profile, guid) === undefined ? guid : undefined
}

/** A number of its own for each text. */
function numberOf(text: string): string {
  return String([...text].reduce((sum, each) => (sum * 131n + BigInt(each.codePointAt(0)!)) % 10n ** 15n, 1n))
}

/** The length of a lease that is asked for. @throws {NotApplicable} where the target has none of that length */
function leaseOf({ profile }: Conversation, wanted: number): number {
  if (profile.subscription.parameters.timeout === null)
    throw new NotApplicable('the length of a lease is the choice of the target')
  const most = longestLease(profile)
  if (wanted > most) throw new NotApplicable(`a lease lasts ${timeOf(most)} at most`)
  return grantedLease(profile, wanted)
}

/** The acknowledgements of a step: by a DELETE for each, or in one POST. */
export function acknowledge(talk: Conversation, step: Of<'ack'>): Start[] {
  const { consumer, messages, order, reads, locks } = step
  const all = messages[0] === 'each' ? inOrder(talk.consumer(consumer).held, order) : undefined
  const found = all ?? messages.map((message) => talk.held(consumer, message))
  const missing = found.find((each) => typeof each === 'string')
  // To acknowledge all of nothing is nothing.
  if (all?.length === 0) return []
  if (reads || locks !== undefined)
    return [async (how) => missing ?? acknowledgeInPost(talk, step, found as Held[], how)]
  if (missing !== undefined && found.length < 2) return [async () => missing]
  return found.map(
    (held) => async (how) => (typeof held === 'string' ? held : acknowledgeOne(talk, consumer, held, how)),
  )
}

/** Backwards, or every second one and then the others from the end. */
function inOrder(held: readonly Held[], order: Of<'ack'>['order']): readonly Held[] {
  if (order === 'backwards') return held.toReversed()
  if (order === undefined) return held
  return [...held.filter((_, at) => at % 2 === 1), ...held.filter((_, at) => at % 2 === 0).toReversed()]
}

async function acknowledgeOne(talk: Conversation, name: string, held: Held, how: Manner): Promise<Action> {
  const action = await talk.ask({ do: 'acknowledge', uri: held.entry.uri }, how)
  talk.drop(name, held)
  return action
}

async function acknowledgeInPost(
  talk: Conversation,
  { consumer: name, locks }: Of<'ack'>,
  acknowledged: readonly Held[],
  how: Manner,
): Promise<Action | string> {
  const by = locks === undefined ? 'feed' : 'lock'
  const other = acknowledged.find((held) => held.by !== by)
  if (other !== undefined) return `${name} was not shown ${other.entry.body} in a ${by}`
  const { uri, id } = talk.consumer(name)
  const consumer = locks === undefined ? uri : id
  if (consumer === undefined) return noSubscription(name)
  const uris = acknowledged.map(({ entry }) => entry.uri)
  const action = await talk.ask({ do: 'acknowledgeInPost', consumer, uris, max: locks }, how)
  for (const held of acknowledged) talk.drop(name, held)
  // It may show all that is held then, or only what is new.
  talk.shown(name, action.answer.entries ?? [], by, true)
  return action
}
