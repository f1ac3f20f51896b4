import { begin, free, lack, sent, show, showFeed, withConsumer } from './common.js'
import { change, heldBy, inEach, isLost, isRefused, isSure, put, queueOf, those } from './data.js'
import { acknowledge } from './primary.js'
import type { Answer, Consumer, Content, Destination, Lease, Operation, Step, World } from './world.js'

// Section 4.2, operation by operation. It shows no statuses, so that any 2xx says yes, and that there is no message may
// be said by an empty answer or by a refusal. Nor does it say how long a consumer or a session may be silent.

// clause: single-path.send single-path.status single-path.unknown
/** `POST /queue/<destination>`. A repeat makes a second message. */
export const sendBySinglePath: Operation<Content & { queue: string }> = (world, content, answer) => {
  if (isRefused(answer)) return isSure(world, content.queue) ? 'single-path.send' : [world]
  return [sent(world, { ...content, born: queueOf(world, content.queue).born }, answer)]
}

type Taking = { queue: string; session?: string | undefined; lease: Lease }

// clause: single-path.consume single-path.another single-path.exactly-one single-path.session.* single-path.taken
// clause: single-path.empty single-path.rejected
/** `GET /queue/<destination>`, of a session or of nobody: each gives another message, which may be gone with it. */
export const takeBySinglePath: Operation<Taking> = (world, { queue, session, lease }, answer) => {
  const key = session ?? 'whoever asked'
  // Nobody in particular is bound to nothing ahead, and gives nothing back.
  const data = session
    ? { prefetch: Number.POSITIVE_INFINITY, lease }
    : { prefetch: 0, lease: { ...lease, length: Number.POSITIVE_INFINITY } }
  const joined = withDestination(world, key, queue, data, answer)
  // It asks for a message of this queue, whatever it has asked for before.
  const asker = joined.consumers[key]!
  const asking = put(joined, 'consumers', key, { ...asker, destinations: asker.destinations.slice(-1) })
  const open = those(
    asking,
    (each) => each.life === 'pending' && each.queue === queue && each.holder === undefined,
  )
  if (isLost(answer)) return [change(asking, open, { life: 'ending' })]
  const had = heldBy(asking, key)
  return show(asking, key, answer, (next, shown) => {
    if (shown.some((index) => had.includes(index))) return 'single-path.another'
    if (shown.length > 0 || !answer.settled) return [change(next, shown, { life: 'ending' })]
    // What a session keeps ahead of its GETs comes by the next one.
    return lack(next, key, 'single-path.consume')
  })
}

type Joining = { consumer: string; queue: string; lease: Lease; prefetch: number }

// clause: one-at-a-time.subscribe one-at-a-time.again one-at-a-time.wildcards one-at-a-time.statuses batch.consumers
/** `POST /subscribe/<consumer_id>/<destination>`. */
export const join: Operation<Joining> = (world, { consumer, queue, ...data }, answer) => {
  if (isRefused(answer)) return isSure(world, queue) ? 'one-at-a-time.subscribe' : [world]
  const joined = withDestination(world, consumer, queue, data, answer)
  return isLost(answer) ? [world, joined] : [joined]
}

// clause: one-at-a-time.unsubscribe one-at-a-time.releases one-at-a-time.statuses
/** `POST /unsubscribe/<consumer_id>/<destination>`. What it holds from there may stay with it, or go to another. */
export const leave: Operation<{ consumer: string; queue: string }> = (world, { consumer, queue }, answer) => {
  const known = world.consumers[consumer]
  if (known === undefined) return [world]
  const destinations = known.destinations.filter((each) => 'below' in each || each.queue !== queue)
  const isMember = known.over === undefined && destinations.length < known.destinations.length
  if (isRefused(answer)) return isMember && isSure(world, queue) ? 'one-at-a-time.unsubscribe' : [world]
  const left = put(world, 'consumers', consumer, { ...known, destinations })
  const held = heldBy(left, consumer).filter((index) => left.messages[index]!.queue === queue)
  const released = free(change(left, held, { holder: undefined }), consumer, (each) => each.queue === queue)
  return isLost(answer) ? [world, left, released] : [left, released]
}

// clause: one-at-a-time.next one-at-a-time.same one-at-a-time.empty one-at-a-time.exclusive
/** `POST /nextMessageForMe/<consumer_id>`: the next message. Whether a further one comes before its ack is left open. */
export const nextMessage: Operation<{ consumer: string }> = (world, { consumer }, answer) => {
  if (isLost(answer)) return [withSomeUntold(world, consumer)]
  const held = heldBy(world, consumer, 'pending')
  return given(world, consumer, answer, (next, shown) => {
    const isOpen = shown.length > 0 || held.length > 0 || !answer.settled
    return isOpen ? [next] : lack(next, consumer, 'one-at-a-time.next')
  })
}

// clause: batch.lock batch.max.* batch.further batch.exclusive
/** `POST /lockNextMessage/<consumer_id>?max=<n>`: up to so many, each then fetched from its URL. */
export const lockNextMessages: Operation<{ consumer: string; max: number }> = (world, said, answer) => {
  const { consumer, max } = said
  if ((answer.entries ?? []).length > max) return 'batch.max'
  const known = world.consumers[consumer]
  // Further calls give further messages.
  if (isLost(answer)) return [withSomeUntold(world, consumer)]
  return given(world, consumer, answer, (next, shown) => {
    const mayHave = those(next, ({ among }) => among?.includes(consumer) === true)
    const isIdle = [...shown, ...heldBy(next, consumer), ...mayHave].length === 0 && !known?.mayHaveLocked
    return isIdle && answer.settled ? lack(next, consumer, 'batch.lock') : [next]
  })
}

/** Without an answer it may hold messages of which it does not know, and a lock call does not tell of these again. */
function withSomeUntold(world: World, consumer: string): World {
  const known = world.consumers[consumer]
  return known ? put(world, 'consumers', consumer, { ...known, mayHaveLocked: true }) : world
}

// clause: batch.fetch
/** `GET /message/<consumer_id>/<message_id>`: a message that it has locked, as often as it asks. */
export const fetchLocked: Operation<{ uri: string }> = (world, { uri }, answer) => {
  const { message, consumer, past } = world.deliveries[uri]!
  const { life, holder } = world.messages[message]!
  return isRefused(answer) && life === 'pending' && holder === consumer && !past ? 'batch.fetch' : [world]
}

// clause: one-at-a-time.ack.* one-at-a-time.statuses batch.ack.*
/** `POST /ack/<consumer_id>/<message_id>`, `DELETE /<consumer_id>/messages/<message_id>`. */
export const acknowledgeForConsumer: Operation<{ uri: string }> = (world, { uri }, answer) => {
  const said = isLost(answer) || isRefused(answer) ? answer : { ...answer, status: 200 }
  const step = acknowledge(world, { uri }, said)
  if (step !== 'ack.status') return step
  return uri.startsWith('/ack/') ? 'one-at-a-time.ack' : 'batch.ack'
}

/** Whether it is known what becomes of acknowledgements in a POST of a consumer's, or of another by the same place. */
function areTaken({ consumers }: World, consumer: string): boolean {
  const isById = (key: string) => !key.includes('/')
  return Object.entries(consumers).some(
    ([key, { acksInPost }]) => acksInPost === 'taken' && isById(key) === isById(consumer),
  )
}

type Acknowledging = { consumer: string; uris: readonly string[]; max?: number | undefined }

// clause: ack-in-post.*
/**
 * A POST of acknowledgements, which may answer with the next messages: to a subscription, with all that it holds, or new ones; as a
 * lock call, with up to `max` more.
 */
export const acknowledgeInPost: Operation<Acknowledging> = (world, { consumer, uris, max }, answer) => {
  // Which of both takes them, the document leaves open: the other may refuse them, or take no notice.
  const known = world.consumers[consumer]
  if (isRefused(answer) || known === undefined) return [world]
  const as = (acksInPost: 'taken' | 'ignored') => put(world, 'consumers', consumer, { ...known, acksInPost })
  let taken: Step = [uris.length > 0 && !isLost(answer) ? as('taken') : world]
  for (const uri of uris) taken = inEach(taken, (each) => acknowledgeForConsumer(each, { uri }, answer))
  const isOpen = uris.length > 0 && !isLost(answer) && !areTaken(world, consumer)
  const ignored = isOpen ? [as('ignored')] : []
  if (typeof taken === 'string') return taken
  // What those break who take them is told, which stand last.
  const ways = known.acksInPost === 'ignored' ? [world] : [...ignored, ...taken]
  const { entries } = answer
  if (entries === undefined) return ways
  if (max === undefined) return inEach(ways, (each) => showFeed(each, consumer, answer, (next) => [next]))
  if (entries.length > max) return 'batch.max'
  return inEach(ways, (each) => given(each, consumer, answer, (next) => [next]))
}

// clause: one-at-a-time.lease one-at-a-time.unknown batch.lease batch.unknown
/** What a consumer is given that asks for a message. One that was given up may be known again when it does. */
function given(world: World, key: string, answer: Answer, next: Parameters<typeof show>[3]): Step {
  const known = world.consumers[key]
  const isGiven = answer.entries !== undefined && answer.entries.length > 0
  if (isLost(answer)) return [world]
  if (known === undefined) return isGiven ? 'subscribe.destinations.only' : [world]
  if (known.over !== undefined && !isGiven) return [world]
  return show(put(world, 'consumers', key, { ...known, over: undefined }), key, answer, next)
}

type Data = Pick<Consumer, 'prefetch' | 'lease'>

/** A consumer or session that has one destination more. */
function withDestination(world: World, key: string, queue: string, data: Data, answer: Answer): World {
  const known = world.consumers[key]
  const made = begin(world, { ...data, destinations: [{ queue }] }, answer)
  if (known === undefined || known.over !== undefined) {
    return withConsumer(world, key, { ...made, endsBy: Number.POSITIVE_INFINITY })
  }
  const [added] = made.destinations
  const isSame = (each: Destination) => JSON.stringify(each) === JSON.stringify(added)
  if (known.destinations.some(isSame)) return world
  const destinations = [...known.destinations, ...made.destinations]
  return withConsumer(world, key, { ...known, destinations })
}
