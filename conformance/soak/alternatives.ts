import { setTimeout as sleep } from 'node:timers/promises'
import type { Profile } from '../client/profile.js'
import { heldIn, type SoakClient, type SoakSubscription } from './client.js'
import { acknowledge } from './consumer.js'
import { never, outcomeOf } from './history.js'

// Consumers of section 4.2.

/** Milliseconds between two requests of one who was given nothing. */
const PAUSE = 15
/** How often one that is to stop must be given nothing before it goes. */
const LAST_TRIES = 4
/** Milliseconds after which it goes, whatever it is given. */
const LONGEST_END = 5000
/** How many messages are locked at once. */
const MOST_LOCKED = 4

type Mapping = NonNullable<SoakSubscription['mapping']>

/** The mappings of section 4.2 that a soak can speak to a target. */
export function mappingsOf({ features, oneAtATime }: Profile): Mapping[] {
  // An entry has several ids, of which any may be the message's.
  const canNext = features['one-at-a-time'] && oneAtATime.messageId !== 'entry'
  return [...(canNext ? (['one-at-a-time'] as const) : []), ...(features.batch ? (['batch'] as const) : [])]
}

/** Consumes by a mapping of section 4.2, over several connections under one id, until it is told to stop and is given nothing more. */
export async function consumeByAlternative(
  client: SoakClient,
  mapping: Mapping,
  name: string,
  goesOn: () => boolean,
): Promise<void> {
  const { shared } = client
  const queue = shared.alternativeQueue
  if (queue === undefined) return
  const id = `${shared.prefix}-${name}`
  const subscription = ++shared.subscribed
  const { leaseSeconds, renewedBy } = shared.profile.subscription
  // Nobody is told how long it is remembered: as long as any subscription at least.
  const lease = { length: leaseSeconds * 1000, grace: never, renewedBy }
  const { answer } = await client.ask(
    { do: 'join', consumer: id, queue: queue.name, lease, prefetch: never },
    { subscription },
  )
  if (outcomeOf(answer) !== 'yes') return
  const consumer: SoakSubscription = { number: subscription, uri: id, mapping }
  const receive = async () =>
    heldIn(
      await client.ask(
        mapping === 'batch'
          ? { do: 'lockNextMessages', consumer: id, max: 1 + client.random.below(MOST_LOCKED) }
          : { do: 'nextMessage', consumer: id },
        { subscription, consumer: id },
      ),
    )
  const work = async () => {
    let until = Number.POSITIVE_INFINITY
    // That there is nothing may be said by a refusal.
    for (let nothing = 0; nothing < LAST_TRIES && performance.now() < until; ) {
      if (!goesOn()) until = Math.min(until, performance.now() + LONGEST_END)
      const held = await receive()
      for (const each of held) await acknowledge(client, consumer, each)
      if (held.length > 0 || goesOn()) nothing = 0
      else nothing += 1
      if (held.length === 0) await sleep(PAUSE)
    }
  }
  await Promise.all([work(), work()])
  // What it holds may stay with it, so that nothing is judged by this.
  await client.ask({ do: 'leave', consumer: id, queue: queue.name })
}
