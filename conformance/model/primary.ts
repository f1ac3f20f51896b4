import type { ClauseId } from '../requirements/index.js'
import { begin, handOf, identify, lack, release, renew, show, unknownEntry } from './hands.js'
import {
  type Answer,
  inEach,
  isGone,
  isLost,
  isRefused,
  isSure,
  type Lease,
  type Message,
  type Step,
  type World,
  withConsumer,
  withMessage,
  withMessages,
  withQueue,
} from './world.js'

// Section 4.1, operation by operation: what may a conformant server have answered, and how may things stand then?

/** `GET /queues`, `GET /queues/<category_path>`. `entries` are those of the queues asked for that listings lead to. */
export function listQueues(world: World, { queues }: { queues: readonly string[] }, answer: Answer): Step {
  if (isLost(answer)) return [world]
  if (answer.status !== 200) return 'browse.root.status'
  const shown = answer.entries!.map(({ body }) => body)
  for (const name of answer.settled ? queues : []) {
    if (isSure(world.queues[name]) && !shown.includes(name)) return 'browse.root.entries'
    if (isGone(world.queues[name]) && shown.includes(name) && !isCategory(world, name)) {
      return 'queues.delete.unlisted'
    }
  }
  return [world]
}

/** The path of a queue that is gone may still be that of a category. */
function isCategory({ queues }: World, path: string): boolean {
  return Object.keys(queues).some((name) => name.startsWith(`${path}/`))
}

/** `GET /queues/<queue_path>`: one entry per pending message, held or not. */
export function browseQueue(world: World, { queue }: { queue: string }, answer: Answer): Step {
  const known = world.queues[queue]
  if (isLost(answer)) return [world]
  if (answer.status !== 200) return isSure(known) ? 'browse.queue.status' : [world]
  if (!isSure(known) && isCategory(world, queue)) return [world]
  if (isGone(known)) return 'queues.delete.unreadable'
  const entries = answer.entries!
  const isHere = (message: Message) => message.queue === queue
  const ways = identify(world, entries, (each) => isHere(each) && (each.life !== 'done' || !answer.settled))
  if (ways.length === 0) {
    if (identify(world, entries, isHere).length > 0) return 'browse.pending.acknowledged'
    const isElsewhere = identify(world, entries, () => true).length > 0
    return isElsewhere ? 'browse.queue.own' : unknownEntry(world, entries)
  }
  return inEach(ways, (shown) => {
    const next = withMessages(world, (each, index) =>
      each.life === 'unsure' && shown.includes(index) ? { ...each, life: 'pending' } : each,
    )
    const missing = next.messages.find(
      (each, index) => isHere(each) && each.life === 'pending' && !shown.includes(index),
    )
    if (missing === undefined || !answer.settled) return [next]
    return missing.holder === undefined ? 'browse.queue.entries' : 'browse.pending.held'
  })
}

/** `POST /queues`: 201 and the queue's address. Creating it again only gives its address again. */
export function createQueue(world: World, { queue }: { queue: string }, answer: Answer): Step {
  const known = world.queues[queue]
  const { exists = false, mayGo = false, mayCome = false, born = 0, address } = known ?? {}
  if (isLost(answer)) {
    return [
      withQueue(world, queue, { address, exists, mayGo, mayCome: true, born: exists ? born : born + 1 }),
    ]
  }
  if (isRefused(answer) && !isGone(known)) return [world]
  if (answer.status !== 201 && isGone(known)) return 'queues.create.status'
  if (answer.location === undefined) return 'queues.create.location'
  if (exists && address !== undefined && address !== answer.location) return 'queues.create.again.location'
  const isShared = Object.entries(world.queues).some(
    ([name, other]) => name !== queue && other.address === answer.location,
  )
  if (isShared) return 'queues.create.unique'
  const isNew = !exists && !mayCome
  return [
    withQueue(world, queue, {
      ...{ address: answer.location, exists: true, mayCome, mayGo },
      born: isNew ? born + 1 : born,
    }),
  ]
}

/** `DELETE /queues/<queue_path>`: 200. Whether its messages go with it at once, the document does not say. */
export function deleteQueue(world: World, { queue }: { queue: string }, answer: Answer): Step {
  const known = world.queues[queue]
  if (known === undefined) return [world]
  if (!isLost(answer) && answer.status !== 200) return isSure(known) ? 'queues.delete.status' : [world]
  const left = withMessages(world, (each) =>
    each.queue === queue && each.life !== 'done' ? { ...each, life: 'ending' } : each,
  )
  const after = isLost(answer) ? { ...known, mayGo: true } : { ...known, exists: false }
  return [withQueue(left, queue, after)]
}

/** `POST /queues/<queue_path>`: 201 and a new address of its own. No message is made. */
export function newAddress(world: World, { queue }: { queue: string }, answer: Answer): Step {
  const known = world.queues[queue]
  if (isLost(answer) || (isRefused(answer) && !isSure(known))) return [world]
  if (answer.status !== 201) return 'send.step-1.status'
  const { location } = answer
  if (location === undefined) return 'send.step-1.location'
  if (world.addresses[location] !== undefined) return 'send.address.own'
  const address = { queue, born: known?.born ?? 0, message: undefined }
  return [{ ...world, addresses: { ...world.addresses, [location]: address } }]
}

/** What is sent. */
export interface Sending {
  readonly body: string
  readonly colour: string
}

/** `POST <new_message_uri>`: 200. Repeats do not create duplicates. */
export function postMessage(
  world: World,
  { address, ...sending }: Sending & { address: string },
  answer: Answer,
): Step {
  const { queue, born, message } = world.addresses[address]!
  const isThere = isSure(world.queues[queue]) && world.queues[queue]!.born === born
  if (answer.status !== 200 && !isLost(answer)) {
    if (!isThere) return [world]
    return message === undefined ? 'send.step-2.status' : 'send.two-step.repeat.status'
  }
  if (message !== undefined) return [isLost(answer) ? world : arrived(world, message)]
  const sent = withSent(world, queue, born, sending, answer)
  const used = { queue, born, message: world.messages.length }
  return [{ ...sent, addresses: { ...world.addresses, [address]: used } }]
}

/** `POST /queues/<queue_path>?guid=…`: 200. A guid that was seen before, on whatever queue, is ignored. */
export function sendOnce(
  world: World,
  { queue, guid, ...sending }: Sending & { queue: string; guid: string },
  answer: Answer,
): Step {
  const known = world.queues[queue]
  const before = world.guids[guid]
  if (answer.status !== 200 && !isLost(answer)) {
    if (!isSure(known)) return [world]
    return before === undefined ? 'dedup.status' : 'dedup.repeat.status'
  }
  const anew = (from: World): World => ({
    ...withSent(from, queue, known?.born ?? 0, sending, answer),
    guids: { ...from.guids, [guid]: from.messages.length },
  })
  if (before === undefined) return [anew(world)]
  const first = world.messages[before]!
  const ignored = isLost(answer) ? world : arrived(world, before)
  // Whether a guid outlives its queue, the document does not say; nor which of two sends came, where one is unanswered.
  const isForgotten = world.queues[first.queue]?.born !== first.born || !isSure(world.queues[first.queue])
  const mayBeFirst = first.life === 'unsure' && first.queue !== queue
  return isForgotten || mayBeFirst ? [ignored, anew(world)] : [ignored]
}

/** A message that was sent for the first time. */
export function withSent(world: World, queue: string, born: number, sending: Sending, answer: Answer): World {
  const isThere = isSure(world.queues[queue]) && world.queues[queue]!.born === born
  const life = !isThere ? 'ending' : isLost(answer) ? 'unsure' : 'pending'
  const sent = { ...world, messages: [...world.messages, { ...sending, queue, born, life } as const] }
  if (isThere) return sent
  // A target may make a queue of whatever is sent to.
  const before = world.queues[queue] ?? { exists: false, mayGo: false, born }
  return withQueue(sent, queue, { ...before, mayCome: true })
}

function arrived(world: World, index: number): World {
  return world.messages[index]!.life === 'unsure' ? withMessage(world, index, { life: 'pending' }) : world
}

/** The data of a subscription (section 2). `destinations` are queues, or wildcards over what is below a prefix. */
export interface Subscribing {
  readonly destinations: readonly ({ readonly queue: string } | { readonly below: string })[]
  readonly prefetch: number
  readonly selector?: string | undefined
  readonly lease: Lease
}

/** `POST /subscriptions`: 201 and a URI of its own. */
export function subscribe(world: World, { destinations, ...data }: Subscribing, answer: Answer): Step {
  const isUnknown = destinations.some((each) => 'queue' in each && !isSure(world.queues[each.queue]))
  if (isRefused(answer) && isUnknown) return [world]
  if (!isLost(answer) && answer.status !== 201) return 'subscribe.status'
  if (!isLost(answer) && answer.location === undefined) return 'subscribe.location'
  // One whose creation has no answer may be there, and may be bound to messages that nobody will be shown.
  const uri = answer.location ?? `unanswered ${Object.keys(world.consumers).length}`
  if (world.consumers[uri] !== undefined) return 'subscribe.own-address'
  const meant = destinations.map((each) =>
    'queue' in each ? { queue: each.queue, born: world.queues[each.queue]?.born ?? 0 } : each,
  )
  const consumer = begin({ ...data, destinations: meant }, answer)
  return [withConsumer(world, uri, isLost(answer) ? { ...consumer, endsFrom: 0 } : consumer)]
}

/** `DELETE <subscription_uri>`: 200. */
export function unsubscribe(world: World, { consumer }: { consumer: string }, answer: Answer): Step {
  const known = world.consumers[consumer]!
  if (known.over !== undefined) return [world]
  if (isLost(answer)) return [withConsumer(world, consumer, { ...known, endsFrom: answer.from })]
  return answer.status === 200 ? [release(world, consumer, 'deleted')] : 'subscribe.delete.status'
}

/** `GET <subscription_uri>`: one entry per message associated with it, the same ones until they are acknowledged. */
export function consume(world: World, { consumer }: { consumer: string }, answer: Answer): Step {
  const { over, prefetch } = world.consumers[consumer]!
  if (over !== undefined) {
    if (answer.status !== 200) return [world]
    return over === 'deleted' ? 'subscribe.delete.unreadable' : 'lease.expiry.unreadable'
  }
  const renewed = renew(world, consumer, 'read', answer)
  if (isLost(answer)) return [renewed]
  if (answer.status !== 200) return 'consume.status'
  return show(renewed, consumer, answer, (next, shown) => {
    if (shown.length > prefetch) return 'prefetch.cap'
    const kept = lacked(next, consumer, shown, answer)
    if (typeof kept === 'string') return kept
    return answer.settled && shown.length < prefetch ? lack(kept, consumer) : [kept]
  })
}

/** What a consumer holds is shown again, until it is acknowledged. What may go has gone when it is shown no more. */
function lacked(world: World, key: string, shown: readonly number[], { settled }: Answer): World | ClauseId {
  const lacking = handOf(world, key).filter((index) => !shown.includes(index))
  for (const { life, seen } of lacking.map((index) => world.messages[index]!)) {
    if (life === 'pending' && seen) return 'consume.repeat'
    if (life === 'pending' && settled) return 'consume.delivered'
  }
  return withMessages(world, (each, index) =>
    lacking.includes(index) && each.life === 'ending' ? { ...each, holder: undefined, seen: false } : each,
  )
}

/** `DELETE <message_uri>`: 200; the message has been processed. Too late, it may be refused or not, or be a repeat. */
export function acknowledge(world: World, { uri }: { uri: string }, answer: Answer): Step {
  const { message, consumer } = world.deliveries[uri]!
  const { life, holder } = world.messages[message]!
  const renewed = renew(world, consumer, 'ack', answer)
  if (life === 'done') return [renewed]
  if (isLost(answer)) return [withMessage(renewed, message, { life: 'ending' })]
  if (holder !== consumer || life === 'ending') {
    if (isRefused(answer)) return [world]
    return [withMessage(renewed, message, { life: holder === consumer ? 'done' : 'ending' })]
  }
  if (answer.status !== 200) return 'ack.status'
  return [withMessage(renewed, message, { life: 'done' })]
}
