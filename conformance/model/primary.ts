import type { ClauseId } from '../requirements/index.js'
import {
  begin,
  covers,
  free,
  lack,
  release,
  renew,
  sent,
  sentAgain,
  showFeed,
  withConsumer,
} from './common.js'
import {
  change,
  heldBy,
  inEach,
  isGone,
  isLost,
  isRefused,
  isStill,
  isSure,
  isTooEarly,
  mayHaveShifted,
  put,
  queueOf,
  those,
} from './data.js'
import { recognize } from './recognize.js'
import type { Answer, Consumer, Content, Message, Operation, Subscribing, World } from './world.js'

// Section 4.1, operation by operation: what may a conformant server have answered, and how may things stand then?

// clause: browse.root.* browse.subtree.* queues.hierarchy queues.collection
/** `GET /queues`, `GET /queues/<category_path>`. `entries` are those of the queues asked for that listings lead to. */
export const listQueues: Operation<Listing> = (world, { queues, below }, answer) => {
  const isSubtree = below !== undefined
  if (isLost(answer) || (isSubtree && !queues.some((name) => isSure(world, name)))) return [world]
  // Until what is below shows there may be no such listing.
  if (isSubtree && isTooEarly(answer)) return [world]
  if (answer.status !== 200) return isSubtree ? 'browse.subtree.status' : 'browse.root.status'
  if (!answer.settled) return [world]
  const isShown = (name: string) => answer.entries!.some(({ body }) => body === name)
  const isMissing = queues.some((name) => isSure(world, name) && !isShown(name))
  if (isMissing) return isSubtree ? 'browse.subtree.queues' : 'browse.root.entries'
  const isWrong = (name: string) => isGone(world, name) && isShown(name) && !isCategory(world, name)
  return queues.some(isWrong) ? 'queues.delete.unlisted' : [world]
}

type Listing = { queues: readonly string[]; below?: string }

/** The path of a queue that is gone may still be that of a category. */
function isCategory({ queues }: World, path: string): boolean {
  return Object.keys(queues).some((name) => name.startsWith(`${path}/`))
}

// clause: browse.queue.* browse.pending.* browse.takes-nothing browse.changes-nothing browse.order browse.unknown
/** `GET /queues/<queue_path>`: one entry per pending message, held or not. */
export const browseQueue: Operation<{ queue: string }> = (world, { queue }, answer) => {
  const { status, entries = [], count, settled = false } = answer
  if (isLost(answer)) return [world]
  if (status !== 200) return isSure(world, queue) ? 'browse.queue.status' : [world]
  if (!isSure(world, queue) && isCategory(world, queue)) return [world]
  if (isGone(world, queue)) return (count ?? entries.length) > 0 ? 'queues.delete.unreadable' : [world]
  if (count !== undefined) return mayBeSoMany(world, queue, answer) ?? [world]
  return inEach(recognize(world, entries, queue, settled), (shown) => {
    const came = shown.filter((index) => world.messages[index]!.life === 'unsure')
    const next = change(world, came, { life: 'pending' })
    const pending = those(next, (each) => each.queue === queue && each.life === 'pending')
    const missing = pending.find((index) => !shown.includes(index))
    if (!settled) return [next]
    if (missing === undefined) return [withGone(next, queue, shown)]
    return isBound(next.messages[missing]!) ? 'browse.pending.held' : 'browse.queue.entries'
  })
}

/**
 * What was handed out, may be gone since, and is not shown is gone, and was not given back: one entry stands for each pending message,
 * held or not. What nobody was shown may never have come: whoever sends it again sends it for the first time.
 */
function withGone(world: World, queue: string, shown: readonly number[]): World {
  const isGoing = (each: Message) => each.life === 'ending' && each.queue === queue && isStill(world, each)
  const going = those(world, isGoing).filter((index) => !shown.includes(index))
  if (going.length === 0) return world
  const handedOut = new Set(Object.values(world.deliveries).map(({ message }) => message))
  const gone = going.filter((index) => handedOut.has(index))
  return change(world, gone, { life: 'done' })
}

/** Whether one consumer has it, known or not. */
const isBound = ({ holder, among }: Message) => holder !== undefined || among !== undefined

/** The same of a feed that does not tell which messages it shows: there may be so many, or a clause is broken. */
function mayBeSoMany(world: World, queue: string, answer: Answer): ClauseId | undefined {
  const { count = 0, settled } = answer
  // Those of queues below it may stand among them.
  if (mayHaveShifted(answer) || isCategory(world, queue)) return undefined
  const here = those(world, (each) => each.queue === queue).map((index) => world.messages[index]!)
  const pending = here.filter(({ life }) => life === 'pending')
  if (count < pending.length && settled)
    return pending.every(isBound) ? 'browse.pending.held' : 'browse.queue.entries'
  const shown = settled ? here.filter(({ life }) => life !== 'done') : here
  if (count <= shown.length) return undefined
  if (count <= here.length) return 'browse.pending.acknowledged'
  const isByGuid = Object.values(world.guids).some((index) => world.messages[index]!.queue === queue)
  return isByGuid ? 'dedup.one-message' : 'send.step-2.one-message'
}

// clause: queues.create.* queues.address queues.path
/** `POST /queues`: 201 and the queue's address. Creating it again only gives its address again. */
export const createQueue: Operation<{ queue: string }> = (world, { queue: name }, answer) => {
  const queue = queueOf(world, name)
  const born = queue.exists || queue.mayCome ? queue.born : queue.born + 1
  if (isLost(answer)) return [put(world, 'queues', name, { ...queue, born, mayCome: true })]
  // Where a path may be a queue's or a category's and not both, one keeps the other out.
  const isBelow = Object.keys(world.queues).some((other) => name.startsWith(`${other}/`))
  if (isRefused(answer) && (isBelow || isCategory(world, name) || !isGone(world, name))) return [world]
  if (answer.status !== 201 && isGone(world, name)) return 'queues.create.status'
  const address = answer.location
  if (address === undefined) return 'queues.create.location'
  // Another address says that a deletion whose answer was lost has happened.
  const isAnew = queue.exists && address !== (queue.address ?? address)
  if (isAnew && !queue.mayGo) return 'queues.create.again.location'
  const others = Object.entries(world.queues).filter(([other]) => other !== name)
  if (others.some(([, other]) => other.address === address)) return 'queues.create.unique'
  const made = isAnew ? { ...queue, born: born + 1, mayGo: false } : { ...queue, born }
  return [put(world, 'queues', name, { ...made, address, exists: true })]
}

// clause: queues.delete.*
/** `DELETE /queues/<queue_path>`: 200, or a refusal that keeps one with messages, consumers or queues below it. Whether messages go with it at once is open. */
export const deleteQueue: Operation<{ queue: string }> = (world, { queue: name }, answer) => {
  const queue = queueOf(world, name)
  const left = those(world, (each) => each.queue === name && each.life !== 'done')
  const isKept = isRefused(answer) && answer.status !== 404 && answer.status !== 410
  const isFor = (consumer: Consumer) => !consumer.over && covers(consumer, { ...queue, queue: name }) !== 'no'
  const isInUse = left.length > 0 || isCategory(world, name) || Object.values(world.consumers).some(isFor)
  if (isKept && isInUse) return [world]
  if (answer.status !== 200 && !isLost(answer)) return isSure(world, name) ? 'queues.delete.status' : [world]
  // One that may come all the same is another.
  const born = queue.mayCome ? queue.born + 1 : queue.born
  const now = isLost(answer) ? { ...queue, mayGo: true } : { ...queue, exists: false, born }
  return [change(put(world, 'queues', name, now), left, { life: 'ending' })]
}

// clause: send.step-1.* send.address.* send.two-step.without-guid send.unknown-queue
/** `POST /queues/<queue_path>`: 201 and a new address of its own. No message is made. */
export const newAddress: Operation<{ queue: string }> = (world, { queue }, answer) => {
  const { status, location } = answer
  if (isLost(answer) || (isRefused(answer) && !isSure(world, queue))) return [world]
  if (status !== 201) return 'send.step-1.status'
  if (location === undefined) return 'send.step-1.location'
  if (world.addresses[location] !== undefined) return 'send.address.own'
  return [put(world, 'addresses', location, { queue, born: queueOf(world, queue).born })]
}

// clause: send.step-2.* send.two-step.* send.client-repeats send.address.unknown send.address.queue-deleted
/** `POST <new_message_uri>`: 200. Repeats do not create duplicates. */
export const postMessage: Operation<Content & { address: string }> = (
  world,
  { address, ...said },
  answer,
) => {
  const { message, ...place } = world.addresses[address]!
  if (answer.status !== 200 && !isLost(answer)) {
    if (!isStill(world, place)) return [world]
    // Whether an address that nobody has used may expire, the document does not say.
    if (message === undefined) return answer.status === 410 ? [world] : 'send.step-2.status'
    const isAnother = world.messages[message]!.body !== said.body
    return isTooEarly(answer) || (isAnother && isRefused(answer)) ? [world] : 'send.two-step.repeat.status'
  }
  const content = { ...said, ...place }
  if (message !== undefined) {
    const again = sentAgain(world, message, content, answer)
    // What another message does at an address that is used, the document does not say, but that there is one message.
    const isOther = world.messages[message]!.life !== 'done' && world.messages[message]!.body !== said.body
    return isOther ? [...again, ...again.map((each) => change(each, [message], said))] : again
  }
  const used = { ...place, message: world.messages.length }
  return [put(sent(world, content, answer), 'addresses', address, used)]
}

/** In place of which of its name the queue was: what was sent was refused, since it was not there. */
const REFUSED = -1

// clause: dedup.*
/** `POST /queues/<queue_path>?guid=…`: 200. A guid that was seen before, on whatever queue, is ignored. */
export const sendOnce: Operation<Content & { queue: string; guid: string }> = (world, said, answer) => {
  const { guid, ...sending } = said
  const content = { ...sending, born: queueOf(world, sending.queue).born }
  const before = world.guids[guid]
  const anew = (next: World) => put(next, 'guids', guid, world.messages.length)
  const first = before === undefined ? undefined : world.messages[before]!
  const wasRefused = first?.born === REFUSED
  if (answer.status !== 200 && !isLost(answer)) {
    if (before !== undefined && isTooEarly(answer)) return [world]
    // Whose client is told so loses nothing: a refusal may be kept with the guid.
    if (wasRefused && isRefused(answer)) return [world]
    if (isSure(world, sending.queue)) return before === undefined ? 'dedup.status' : 'dedup.repeat.status'
    const refused = { ...content, born: REFUSED, life: 'done' } as const
    return [before === undefined ? anew({ ...world, messages: [...world.messages, refused] }) : world]
  }
  const made = anew(sent(world, content, answer))
  if (before === undefined || first === undefined) return [made]
  // Whether a send that is refused uses up its guid, the document does not say, but who is told then that it is done may rely on that.
  if (wasRefused) return first.queue === sending.queue ? [made] : [world, made]
  const ignored = sentAgain(world, before, content, answer)
  // Nor whether a guid outlives the queue with which its message went unprocessed.
  return first.life === 'done' || isStill(world, first) ? ignored : [...ignored, made]
}

// clause: subscribe.status subscribe.location subscribe.own-address subscribe.own-feed consume.backlog
/** `POST /subscriptions`: 201 and a URI of its own. */
export const subscribe: Operation<Subscribing> = (world, data, answer) => {
  const { status, location } = answer
  // A queue that is not there may be refused; so may one named twice, and a wildcard for what it covers.
  const named = data.destinations.flatMap((each) => ('queue' in each ? each.queue : []))
  const isPlain = new Set(named.filter((name) => isSure(world, name))).size === data.destinations.length
  if (isRefused(answer) && !isPlain) return [world]
  const consumer = begin(world, data, answer)
  // One whose creation has no answer may be there, and bound to messages that nobody will be shown, or may be over.
  const unanswered = `unanswered ${Object.keys(world.consumers).length}`
  if (isLost(answer)) return [withConsumer(world, unanswered, { ...consumer, endsFrom: 0 })]
  if (status !== 201) return 'subscribe.status'
  if (location === undefined) return 'subscribe.location'
  if (world.consumers[location] !== undefined) return 'subscribe.own-address'
  return [withConsumer(world, location, consumer)]
}

// clause: subscribe.delete.* subscribe.client-deletes lease.delete.*
/** `DELETE <subscription_uri>`: 200. */
export const unsubscribe: Operation<{ consumer: string }> = (world, { consumer: uri }, answer) => {
  const consumer = world.consumers[uri]!
  if (consumer.over !== undefined) return [world]
  if (isLost(answer)) return [put(world, 'consumers', uri, { ...consumer, endsFrom: answer.from })]
  return answer.status === 200 ? [release(world, uri, 'deleted')] : 'subscribe.delete.status'
}

// clause: consume.* lease.expiry.unreadable lease.gone lease.unknown lease.ended-gives-nothing-more
/** `GET <subscription_uri>`: one entry per message associated with it, the same ones until they are acknowledged. */
export const consume: Operation<{ consumer: string }> = (world, { consumer: uri }, answer) => {
  const { over, prefetch } = world.consumers[uri]!
  if (answer.status !== 200 && over !== undefined) return [world]
  if (isLost(answer)) return [renew(world, uri, 'read', answer)]
  if (answer.status !== 200) return 'consume.status'
  return showFeed(world, uri, answer, (next, shown) => {
    // What is not on the pages may be there.
    if (mayHaveShifted(answer)) return [next]
    const isMissing = (index: number) => !shown.includes(index)
    if (heldBy(next, uri, 'pending').some(isMissing)) return 'consume.repeat'
    // What may go has gone when it is shown no more. What was only supposed to be here is not, where others fill the feed.
    const left = change(next, heldBy(next, uri, 'ending').filter(isMissing), { holder: undefined })
    if (shown.length >= prefetch) return [free(left, uri)]
    return answer.settled ? lack(left, uri) : [left]
  })
}

// clause: ack.* lease.delete.again-ackable
/**
 * `DELETE <message_uri>`: 200; the message has been processed. Too late, it may be refused or not, or be a repeat. Of an address that
 * nobody was shown nothing is processed.
 */
export const acknowledge: Operation<{ uri: string }> = (world, { uri }, answer) => {
  const delivery = world.deliveries[uri]
  if (delivery === undefined) return [world]
  const { message, consumer, past } = delivery
  const { life, holder } = world.messages[message]!
  const isHeld = holder === consumer && !past
  const isLate = !isHeld || life === 'ending'
  const renewed = renew(world, consumer, 'ack', answer)
  if (life === 'done') return [renewed]
  if (isLost(answer)) return [change(renewed, [message], { life: 'ending' })]
  if (isLate && isRefused(answer)) return [isHeld ? change(world, [message], { isRefused: true }) : world]
  if (!isLate && answer.status !== 200) return 'ack.status'
  return [change(renewed, [message], { life: isHeld ? 'done' : 'ending' })]
}

/**
 * A GET of a message's address, or of a new-message address, and a HEAD of a feed, are not in the document: they change nothing, as
 * HTTP has it, and may count as a use of a subscription.
 */
export const look: Operation<{ uri: string; head?: true }> = (world, { uri }, answer) => {
  const consumer = world.deliveries[uri]?.consumer ?? uri
  return [world.consumers[consumer] === undefined ? world : renew(world, consumer, 'other', answer)]
}
