import { setTimeout as sleep } from 'node:timers/promises'
import type { OldMessage, SoakClient, SoakQueue } from './client.js'

/** So many messages wait at most: beyond, producers pause, so that feeds stay short. */
const MOST_OPEN = 200
/** So many sent messages are kept, to be sent again much later. */
const MOST_OLD = 2000
/** In how many requests one is cut. */
const CUT_ONE_IN = 8
const PAUSE = 10

/** Sends messages until it is told to stop: each again until it is answered with 200, and some once more later. */
export async function produce(client: SoakClient, goesOn: () => boolean): Promise<void> {
  const { shared } = client
  while (goesOn()) {
    const due =
      shared.rate !== undefined && shared.sent >= ((performance.now() - shared.began) / 1000) * shared.rate
    if (due || shared.judge.open > MOST_OPEN) await sleep(PAUSE)
    else if (shared.old.length > 0 && client.random.oneIn(6)) await sendAgain(client)
    // Creating what is there only tells its address again.
    else if (client.random.oneIn(40)) await client.createQueue(client.random.pick(shared.queues).name)
    else await sendNew(client)
  }
}

/** Sends a message until it is accepted, to one of the queues that stay or to that one. */
export async function sendNew(client: SoakClient, shortLived?: SoakQueue): Promise<void> {
  const { shared } = client
  const { profile, queues } = shared
  const queue = shortLived ?? client.random.pick(queues)
  const number = ++shared.numbered
  const by = profile.features.guid && client.random.oneIn(2) ? 'guid' : 'two-step'
  const address = by === 'guid' ? undefined : await client.newAddress(queue.name, CUT_ONE_IN)
  if (by === 'two-step' && address === undefined) return
  const guid = crypto.randomUUID().slice(0, profile.guid.maxLength ?? undefined)
  const at = address === undefined ? { guid } : { address }
  const message: OldMessage = {
    ...{ number, queue: queue.name, ...at, colour: client.random.oneIn(3) ? 'blue' : 'red' },
  }
  // Some are sent twice at once, as by a client that has lost patience.
  const repeats = client.random.oneIn(12) ? [false, true] : [false]
  const outcomes = await Promise.all(repeats.map((isRepeat) => client.post(message, CUT_ONE_IN, isRepeat)))
  if (!outcomes.includes('yes') && !(await untilAccepted(client, message))) return
  // A guid need not outlive its queue.
  if (shortLived !== undefined) return
  const place = shared.old.length < MOST_OLD ? shared.old.length : client.random.below(MOST_OLD)
  shared.old[place] = message
}

/** What is refused while another sending of it may be under way is sent again too. */
async function untilAccepted(client: SoakClient, message: OldMessage): Promise<boolean> {
  for (let tries = 1; tries <= 20; tries++) {
    await sleep(PAUSE * tries)
    if ((await client.post(message, CUT_ONE_IN)) === 'yes') return true
  }
  return false
}

/** A repeat long after: it makes no message, whatever has become of the first. */
async function sendAgain(client: SoakClient): Promise<void> {
  const { queues, old } = client.shared
  const message = client.random.pick(old)
  // A guid is known on every queue.
  const elsewhere = message.guid !== undefined && client.random.oneIn(3)
  const queue = elsewhere ? client.random.pick(queues).name : message.queue
  await client.post({ ...message, queue }, CUT_ONE_IN)
}
