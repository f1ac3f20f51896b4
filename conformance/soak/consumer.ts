import { setTimeout as sleep } from 'node:timers/promises'
import type { Held, SoakClient, SoakSubscription } from './client.js'

const CUT_ONE_IN = 12
/** Milliseconds between two readings of a feed with nothing new. */
const PAUSE = 15

/** Subscribes, consumes, and goes away in one of several ways, again and again until it is told to stop. */
export async function consumeForAWhile(client: SoakClient, goesOn: () => boolean): Promise<void> {
  /** What it held when it went away: acknowledged much too late. */
  let left: { readonly by: SoakSubscription; readonly held: readonly Held[] } | undefined
  while (goesOn()) {
    const subscription = await subscribe(client)
    if (subscription === undefined) {
      await sleep(PAUSE)
      continue
    }
    const readings = 3 + client.random.below(25)
    // Sometimes several work under one lease.
    const together = client.random.oneIn(4) ? 2 + client.random.below(2) : 1
    const held = await Promise.all(
      Array.from({ length: together }, () => consume(client, subscription, readings, goesOn)),
    )
    const late = left?.held[0]
    if (left !== undefined && late !== undefined && client.random.oneIn(2))
      await client.acknowledge(left.by, late, 0)
    left = { by: subscription, held: held.flat() }
    // Some just go away, and what they hold goes to others when the lease has ended.
    if (client.random.oneIn(3)) continue
    await client.end(subscription, CUT_ONE_IN)
    if (client.random.oneIn(3)) await client.read(subscription)
  }
}

async function subscribe(client: SoakClient): Promise<SoakSubscription | undefined> {
  const { shared, random } = client
  const { features, subscription } = shared.profile
  const queues = [...shared.queues.filter((each) => each !== shared.alternativeQueue), ...shared.shortLived]
  const { maxPrefetch, parameters } = subscription
  const below = features.wildcards && random.oneIn(4)
  const first = random.pick(queues)
  const chosen = new Set([first, ...(random.oneIn(3) ? [random.pick(queues)] : [])])
  const destinations = below ? [{ below: '1' }] : [...chosen].map(({ name }) => ({ queue: name }))
  const selector = features.selector && random.oneIn(6) ? 'red' : undefined
  const prefetch =
    parameters.prefetch === null ? maxPrefetch : Math.min(maxPrefetch, random.pick([1, 2, 3, 5, 10]))
  return client.subscribe(destinations, { prefetch, selector }, CUT_ONE_IN * 2)
}

/** Reads so many times, and acknowledges most of what it is shown. @returns what it leaves */
async function consume(
  client: SoakClient,
  subscription: SoakSubscription,
  readings: number,
  goesOn: () => boolean,
): Promise<readonly Held[]> {
  let held: readonly Held[] = []
  for (let reading = 0; reading < readings && goesOn(); reading++) {
    const { held: shown } = await client.read(subscription, CUT_ONE_IN)
    if (shown === undefined) {
      await sleep(PAUSE)
      continue
    }
    held = shown
    if (held.length > 0 && client.posts && client.random.oneIn(3)) {
      const some = held.slice(0, 1 + client.random.below(3))
      await client.acknowledgeInPost(subscription, some, CUT_ONE_IN)
    }
    for (const each of held) {
      if (client.random.oneIn(4) || !goesOn()) continue
      await acknowledge(client, subscription, each)
      held = held.filter((other) => other !== each)
    }
    if (shown.length === 0) await sleep(PAUSE)
  }
  return held
}

/** Until there is an answer. */
export async function acknowledge(
  client: SoakClient,
  subscription: SoakSubscription,
  held: Held,
): Promise<void> {
  for (let tries = 0; tries < 10; tries++) {
    if ((await client.acknowledge(subscription, held, CUT_ONE_IN)) !== 'unknown') return
  }
}
