import { begin, handOf, lack, show } from './hands.js'
import { acknowledge, consume, type Sending, withSent } from './primary.js'
import {
  type Answer,
  type Consumer,
  inEach,
  isLost,
  isRefused,
  isSure,
  type Lease,
  type Step,
  type World,
  withConsumer,
  withMessages,
} from './world.js'

// Section 4.2, operation by operation. It shows no statuses, so that any 2xx says yes, and that there is no message may
// be said by an empty answer or by a refusal. Nor does it say how long a consumer or a session may be silent.

/** `POST /queue/<destination>`. A repeat makes a second message. */
export function sendBySinglePath(
  world: World,
  { queue, ...sending }: Sending & { queue: string },
  answer: Answer,
): Step {
  const known = world.queues[queue]
  if (isRefused(answer)) return isSure(known) ? 'single-path.send' : [world]
  return [withSent(world, queue, known?.born ?? 0, sending, answer)]
}

/** `GET /queue/<destination>`, of a session or of nobody: each gives another message, which may be gone with it. */
export function takeBySinglePath(
  world: World,
  { queue, session, lease }: { queue: string; session?: string | undefined; lease: Lease },
  answer: Answer,
): Step {
  const key = session ?? 'whoever asked'
  // Nobody in particular is bound to nothing ahead, and gives nothing back.
  const forever = { ...lease, length: Number.POSITIVE_INFINITY }
  const all = withDestination(
    world,
    key,
    queue,
    session ? { prefetch: 1, lease } : { prefetch: 0, lease: forever },
    answer,
  )
  // It asks for a message of this queue, whatever it has asked for before.
  const { destinations, ...asker } = all.consumers[key]!
  const asking = withConsumer(all, key, { ...asker, destinations: destinations.slice(-1) })
  if (isLost(answer)) {
    const mayBeTaken = (index: number) =>
      !asking.messages[index]!.seen && asking.messages[index]!.queue === queue
    return [
      withMessages(asking, (each, index) =>
        each.life === 'pending' && mayBeTaken(index) ? { ...each, life: 'ending' } : each,
      ),
    ]
  }
  const had = handOf(asking, key)
  return show(asking, key, answer, (next, shown) => {
    if (shown.some((index) => had.includes(index) && asking.messages[index]!.seen))
      return 'single-path.another'
    if (shown.length === 0 && answer.settled) return lack(next, key, 'single-path.consume')
    return [
      withMessages(next, (each) =>
        each.holder === key && each.life === 'pending' ? { ...each, life: 'ending' } : each,
      ),
    ]
  })
}

/** `POST /subscribe/<consumer_id>/<destination>`. */
export function join(
  world: World,
  { consumer, queue, lease, prefetch }: { consumer: string; queue: string; lease: Lease; prefetch: number },
  answer: Answer,
): Step {
  if (isRefused(answer)) return isSure(world.queues[queue]) ? 'one-at-a-time.subscribe' : [world]
  return [withDestination(world, consumer, queue, { prefetch, lease }, answer)]
}

/** `POST /unsubscribe/<consumer_id>/<destination>`. What it holds from there may stay with it, or go to another. */
export function leave(
  world: World,
  { consumer, queue }: { consumer: string; queue: string },
  answer: Answer,
): Step {
  const known = world.consumers[consumer]
  if (known === undefined || isRefused(answer)) return [world]
  const destinations = known.destinations.filter((each) => 'below' in each || each.queue !== queue)
  const kept = isLost(answer) ? world : withConsumer(world, consumer, { ...known, destinations })
  const released = withMessages(kept, (each) =>
    each.holder === consumer && each.queue === queue && each.life !== 'done'
      ? { ...each, holder: undefined, seen: false }
      : each,
  )
  return [kept, released]
}

/** `POST /nextMessageForMe/<consumer_id>`: the next message, and no further one before that is acknowledged. */
export function nextMessage(world: World, { consumer }: { consumer: string }, answer: Answer): Step {
  const asking = awake(world, consumer, answer)
  if (asking === undefined) return answer.entries?.length ? 'subscribe.destinations.only' : [world]
  const had = handOf(world, consumer).filter((index) => world.messages[index]!.life === 'pending')
  return show(asking, consumer, answer, (next, shown) => {
    if (had.length > 0 && shown.some((index) => !had.includes(index))) return 'one-at-a-time.one'
    if (shown.length > 0 || had.some((index) => world.messages[index]!.seen) || !answer.settled) return [next]
    return had.length > 0 ? 'one-at-a-time.next' : lack(next, consumer, 'one-at-a-time.next')
  })
}

/** `POST /ack/<consumer_id>/<message_id>`, `DELETE /<consumer_id>/messages/<message_id>`. */
export function acknowledgeForConsumer(world: World, { uri }: { uri: string }, answer: Answer): Step {
  const step = acknowledge(
    world,
    { uri },
    isLost(answer) || isRefused(answer) ? answer : { ...answer, status: 200 },
  )
  return step === 'ack.status' ? 'one-at-a-time.ack' : step
}

/** `POST /lockNextMessage/<consumer_id>?max=<n>`: up to so many, each then fetched from its URL. */
export function lockNextMessages(
  world: World,
  { consumer, max }: { consumer: string; max: number },
  answer: Answer,
): Step {
  const asking = awake(world, consumer, answer)
  if (asking === undefined) return answer.entries?.length ? 'subscribe.destinations.only' : [world]
  if ((answer.entries ?? []).length > max) return 'batch.max'
  return show(asking, consumer, answer, (next, shown) =>
    shown.length === 0 && answer.settled && handOf(next, consumer).length === 0
      ? lack(next, consumer, 'batch.lock')
      : [next],
  )
}

/** A POST of acknowledgements to a subscription, which may answer with the next messages. */
export function acknowledgeInPost(
  world: World,
  { consumer, uris }: { consumer: string; uris: readonly string[] },
  answer: Answer,
): Step {
  // Where it takes them, a subscription or a lock call, the document leaves open.
  if (isRefused(answer)) return [world]
  let worlds: Step = [world]
  for (const uri of uris) {
    if (typeof worlds === 'string') return worlds
    worlds = inEach(worlds, (each) => acknowledgeForConsumer(each, { uri }, answer))
  }
  if (typeof worlds === 'string' || answer.entries === undefined) return worlds
  return inEach(worlds, (each) => consume(each, { consumer }, { ...answer, status: 200 }))
}

/** With a consumer that asks for a message: one that was given up may be known again when it does. */
function awake(world: World, key: string, answer: Answer): World | undefined {
  const known = world.consumers[key]
  if (known === undefined || isLost(answer)) return undefined
  if (known.over === undefined) return world
  return answer.entries?.length ? withConsumer(world, key, { ...known, over: undefined }) : undefined
}

/** A consumer or session that has one destination more. */
function withDestination(
  world: World,
  key: string,
  queue: string,
  { prefetch, lease }: Pick<Consumer, 'prefetch' | 'lease'>,
  answer: Answer,
): World {
  const here = { queue, born: world.queues[queue]?.born ?? 0 }
  const known = world.consumers[key]
  if (known === undefined || known.over !== undefined) {
    const made = begin({ destinations: [here], prefetch, lease, selector: undefined }, answer)
    return withConsumer(world, key, { ...made, endsBy: Number.POSITIVE_INFINITY })
  }
  return withConsumer(world, key, { ...known, destinations: [...known.destinations, here] })
}
