import {
  handOf,
  inEach,
  isGone,
  isLost,
  isRefused,
  isStill,
  isSure,
  queueOf,
  withConsumer,
  withMessage,
  withMessages,
  withQueue,
} from './data.js'
import { begin, lack, release, renew, show } from './hands.js'
import { recognizeIn } from './recognize.js'
import { sent, sentAgain } from './sending.js'
import type { Answer, Content, Step, Subscribing, World } from './world.js'

// Section 4.1, operation by operation: what may a conformant server have answered, and how may things stand then?

// clause: browse.root.* browse.subtree.* queues.hierarchy queues.collection
/** `GET /queues`, `GET /queues/<category_path>`. `entries` are those of the queues asked for that listings lead to. */
export function listQueues(world: World, { queues }: { queues: readonly string[] }, answer: Answer): Step {
  if (isLost(answer)) return [world]
  if (answer.status !== 200) return 'browse.root.status'
  if (!answer.settled) return [world]
  const isShown = (name: string) => answer.entries!.some(({ body }) => body === name)
  if (queues.some((name) => isSure(world, name) && !isShown(name))) return 'browse.root.entries'
  const isWrong = (name: string) => isGone(world, name) && isShown(name) && !isCategory(world, name)
  return queues.some(isWrong) ? 'queues.delete.unlisted' : [world]
}

/** The path of a queue that is gone may still be that of a category. */
function isCategory({ queues }: World, path: string): boolean {
  return Object.keys(queues).some((name) => name.startsWith(`${path}/`))
}

// clause: browse.queue.* browse.pending.* browse.takes-nothing browse.changes-nothing browse.order browse.unknown
/** `GET /queues/<queue_path>`: one entry per pending message, held or not. */
export function browseQueue(world: World, { queue }: { queue: string }, answer: Answer): Step {
  const { status, entries = [], settled = false } = answer
  if (isLost(answer)) return [world]
  if (status !== 200) return isSure(world, queue) ? 'browse.queue.status' : [world]
  if (!isSure(world, queue) && isCategory(world, queue)) return [world]
  if (isGone(world, queue)) return 'queues.delete.unreadable'
  return inEach(recognizeIn(world, queue, entries, settled), (shown) => {
    const next = withMessages(world, ({ life }, index) => life === 'unsure' && shown.includes(index), {
      life: 'pending',
    })
    const missing = next.messages.find(
      (each, index) => each.queue === queue && each.life === 'pending' && !shown.includes(index),
    )
    if (missing === undefined || !settled) return [next]
    return missing.holder === undefined ? 'browse.queue.entries' : 'browse.pending.held'
  })
}

// clause: queues.create.* queues.address queues.path queues.dotted
/** `POST /queues`: 201 and the queue's address. Creating it again only gives its address again. */
export function createQueue(world: World, { queue: name }: { queue: string }, answer: Answer): Step {
  const queue = queueOf(world, name)
  const born = queue.exists || queue.mayCome ? queue.born : queue.born + 1
  if (isLost(answer)) return [withQueue(world, name, { ...queue, born, mayCome: true })]
  if (isRefused(answer) && !isGone(world, name)) return [world]
  if (answer.status !== 201 && isGone(world, name)) return 'queues.create.status'
  const address = answer.location
  if (address === undefined) return 'queues.create.location'
  if (queue.exists && address !== (queue.address ?? address)) return 'queues.create.again.location'
  const isTaken = Object.entries(world.queues).some(
    ([other, each]) => other !== name && each.address === address,
  )
  return isTaken
    ? 'queues.create.unique'
    : [withQueue(world, name, { ...queue, address, exists: true, born })]
}

// clause: queues.delete.*
/** `DELETE /queues/<queue_path>`: 200. Whether its messages go with it at once, the document does not say. */
export function deleteQueue(world: World, { queue: name }: { queue: string }, answer: Answer): Step {
  const queue = queueOf(world, name)
  if (isLost(answer)) return [ending(withQueue(world, name, { ...queue, mayGo: true }), name)]
  if (answer.status !== 200) return isSure(world, name) ? 'queues.delete.status' : [world]
  return [ending(withQueue(world, name, { ...queue, exists: false }), name)]
}

/** Where the messages of a queue may be gone. */
function ending(world: World, name: string): World {
  return withMessages(world, ({ queue, life }) => queue === name && life !== 'done', { life: 'ending' })
}

// clause: send.step-1.* send.address.* send.two-step.without-guid send.unknown-queue
/** `POST /queues/<queue_path>`: 201 and a new address of its own. No message is made. */
export function newAddress(world: World, { queue }: { queue: string }, answer: Answer): Step {
  const { status, location } = answer
  if (isLost(answer) || (isRefused(answer) && !isSure(world, queue))) return [world]
  if (status !== 201) return 'send.step-1.status'
  if (location === undefined) return 'send.step-1.location'
  if (world.addresses[location] !== undefined) return 'send.address.own'
  const address = { queue, born: queueOf(world, queue).born, message: undefined }
  return [{ ...world, addresses: { ...world.addresses, [location]: address } }]
}

// clause: send.step-2.* send.two-step.* send.client-repeats send.address.unknown send.address.queue-deleted send.address.expired
/** `POST <new_message_uri>`: 200. Repeats do not create duplicates. */
export function postMessage(
  world: World,
  { address, ...content }: Content & { address: string },
  answer: Answer,
): Step {
  const { message, ...place } = world.addresses[address]!
  if (answer.status !== 200 && !isLost(answer)) {
    if (!isStill(world, place)) return [world]
    return message === undefined ? 'send.step-2.status' : 'send.two-step.repeat.status'
  }
  if (message !== undefined) return sentAgain(world, message, { ...content, ...place }, answer)
  const used = { ...place, message: world.messages.length }
  return [
    { ...sent(world, { ...content, ...place }, answer), addresses: { ...world.addresses, [address]: used } },
  ]
}

// clause: dedup.*
/** `POST /queues/<queue_path>?guid=…`: 200. A guid that was seen before, on whatever queue, is ignored. */
export function sendOnce(
  world: World,
  { guid, ...sending }: Content & { queue: string; guid: string },
  answer: Answer,
): Step {
  const content = { ...sending, born: queueOf(world, sending.queue).born }
  const before = world.guids[guid]
  const isSeen = { guids: { ...world.guids, [guid]: world.messages.length } }
  if (answer.status !== 200 && !isLost(answer)) {
    if (isSure(world, sending.queue)) return before === undefined ? 'dedup.status' : 'dedup.repeat.status'
    // Whether a send that is refused uses up its guid, the document does not say.
    const refused = { ...content, born: -1, life: 'done' } as const
    return [before === undefined ? { ...world, messages: [...world.messages, refused], ...isSeen } : world]
  }
  const anew = { ...sent(world, content, answer), ...isSeen }
  if (before === undefined) return [anew]
  // Nor whether a guid outlives its queue.
  const isForgotten = !isStill(world, world.messages[before]!)
  const ignored = sentAgain(world, before, content, answer)
  return isForgotten ? [...ignored, anew] : ignored
}

// clause: subscribe.status subscribe.location subscribe.own-address subscribe.own-feed consume.backlog lease.from-creation
/** `POST /subscriptions`: 201 and a URI of its own. */
export function subscribe(world: World, data: Subscribing, answer: Answer): Step {
  const { status, location } = answer
  const isUnknown = data.destinations.some((each) => 'queue' in each && !isSure(world, each.queue))
  if (isRefused(answer) && isUnknown) return [world]
  const consumer = begin(world, data, answer)
  // One whose creation has no answer may be there, and may be bound to messages that nobody will be shown.
  const unanswered = `unanswered ${Object.keys(world.consumers).length}`
  if (isLost(answer)) return [withConsumer(world, unanswered, { ...consumer, endsFrom: 0 })]
  if (status !== 201) return 'subscribe.status'
  if (location === undefined) return 'subscribe.location'
  return world.consumers[location] === undefined
    ? [withConsumer(world, location, consumer)]
    : 'subscribe.own-address'
}

// clause: subscribe.delete.* subscribe.client-deletes lease.delete.*
/** `DELETE <subscription_uri>`: 200. */
export function unsubscribe(world: World, { consumer: uri }: { consumer: string }, answer: Answer): Step {
  const consumer = world.consumers[uri]!
  if (consumer.over !== undefined) return [world]
  if (isLost(answer)) return [withConsumer(world, uri, { ...consumer, endsFrom: answer.from })]
  return answer.status === 200 ? [release(world, uri, 'deleted')] : 'subscribe.delete.status'
}

// clause: consume.* lease.expiry.unreadable lease.gone lease.unknown lease.ended-gives-nothing-more
/** `GET <subscription_uri>`: one entry per message associated with it, the same ones until they are acknowledged. */
export function consume(world: World, { consumer: uri }: { consumer: string }, answer: Answer): Step {
  const { over, prefetch } = world.consumers[uri]!
  if (over !== undefined && answer.status !== 200) return [world]
  if (over !== undefined)
    return over === 'deleted' ? 'subscribe.delete.unreadable' : 'lease.expiry.unreadable'
  const renewed = renew(world, uri, 'read', answer)
  if (isLost(answer)) return [renewed]
  if (answer.status !== 200) return 'consume.status'
  return show(renewed, uri, answer, (next, shown) => {
    if (shown.length > prefetch) return 'prefetch.cap'
    const missing = handOf(next, uri).filter((index) => !shown.includes(index))
    const pending = missing.map((index) => next.messages[index]!).filter(({ life }) => life === 'pending')
    if (pending.some(({ seen }) => seen)) return 'consume.repeat'
    if (pending.length > 0 && answer.settled) return 'consume.delivered'
    // What may go has gone when it is shown no more.
    const isOver = ({ life }: { life: string }, index: number) => life === 'ending' && missing.includes(index)
    const left = withMessages(next, isOver, { holder: undefined, seen: false })
    return answer.settled && shown.length < prefetch ? lack(left, uri) : [left]
  })
}

// clause: ack.* lease.delete.again-ackable
/** `DELETE <message_uri>`: 200; the message has been processed. Too late, it may be refused or not, or be a repeat. */
export function acknowledge(world: World, { uri }: { uri: string }, answer: Answer): Step {
  const { message, consumer, past } = world.deliveries[uri]!
  const { life, holder } = world.messages[message]!
  const isLate = past || holder !== consumer || life === 'ending'
  const renewed = renew(world, consumer, 'ack', answer)
  if (life === 'done') return [renewed]
  if (isLost(answer)) return [withMessage(renewed, message, { life: 'ending' })]
  if (isLate && isRefused(answer)) return [world]
  if (!isLate && answer.status !== 200) return 'ack.status'
  return [withMessage(renewed, message, { life: holder === consumer && !past ? 'done' : 'ending' })]
}

/** `GET <message_uri>` is not in the document: it acknowledges nothing, and may count as a use. */
export function look(world: World, { uri }: { uri: string }, answer: Answer): Step {
  return [renew(world, world.deliveries[uri]!.consumer, 'other', answer)]
}
