import { setTimeout as sleep } from 'node:timers/promises'
import { type Exchange, succeeded } from '../client/exchange.js'
import type { Profile } from '../client/profile.js'
import { wireName } from '../client/queue-names.js'
import { urisIn } from '../client/uris-in.js'
import { encodePath, lastSegment } from '../trial/addresses.js'
import { messageIds } from '../trial/next-message.js'
import {
  type Client,
  type Held,
  outcomeOf,
  type Shared,
  type SoakQueue,
  type SoakSubscription,
} from './client.js'
import { acknowledge } from './consumer.js'
import type { Terms } from './history.js'
import { never } from './memory.js'

// Consumers of section 4.2.

/** Milliseconds between two requests of one who was given nothing. */
const PAUSE = 15
/** How often one that is to stop must be given nothing before it goes. */
const LAST_TRIES = 4
/** Milliseconds after which it goes, whatever it is given. */
const LONGEST_END = 5000
const MOST_TRIES = 10

type Mapping = NonNullable<Terms['mapping']>

/** The mappings of section 4.2 that a soak can speak to a target. */
export function mappingsOf({ features, oneAtATime }: Profile): Mapping[] {
  // An entry has several ids, of which any may be the message's.
  const canNext = features['one-at-a-time'] && oneAtATime.messageId !== 'entry'
  return [...(canNext ? (['one-at-a-time'] as const) : []), ...(features.batch ? (['batch'] as const) : [])]
}

/** Consumes by a mapping of section 4.2, over several connections under one id, until it is told to stop and is given nothing more. */
export async function consumeByAlternative(
  client: Client,
  shared: Shared,
  mapping: Mapping,
  name: string,
  goesOn: () => boolean,
): Promise<void> {
  const queue = shared.alternativeQueue
  if (queue === undefined) return
  const id = `${shared.prefix}-${name}`
  const consumer = await join(client, queue, mapping, id)
  if (consumer === undefined) return
  const work = async () => {
    let until = Number.POSITIVE_INFINITY
    for (let nothing = 0; nothing < LAST_TRIES && performance.now() < until; ) {
      if (!goesOn()) until = Math.min(until, performance.now() + LONGEST_END)
      const held = await receive(client, consumer)
      for (const each of held) await acknowledge(client, consumer, each)
      if (held.length > 0 || goesOn()) nothing = 0
      else nothing += 1
      if (held.length === 0) await sleep(PAUSE)
    }
  }
  await Promise.all([work(), work()])
  await leave(client, consumer, queue)
}

/** Under an id of its own. */
async function join(
  client: Client,
  queue: SoakQueue,
  mapping: Mapping,
  id: string,
): Promise<SoakSubscription | undefined> {
  const { profile } = client.shared
  const number = ++client.shared.subscribed
  const lease = profile.subscription.leaseSeconds * 1000
  const terms: Terms = {
    ...{ queues: [queue.name], prefetch: never, selector: undefined, mapping },
    // Nobody is told how long it is remembered: for so long at least.
    ...{ lease, grace: never, renewedBy: [] },
  }
  const event = client.begin({ do: 'subscribe', subscription: number, terms })
  const exchange = await client.request('POST', pathOf(client, 'subscribe', id, queue))
  const outcome = client.over(event, exchange, outcomeOf(exchange))
  return outcome === 'yes' ? { number, uri: id, terms } : undefined
}

/** What it holds may stay with it, so that nothing is judged by this. */
async function leave(client: Client, { uri: id }: SoakSubscription, queue: SoakQueue): Promise<void> {
  await client.request('POST', pathOf(client, 'unsubscribe', id, queue))
}

function pathOf({ shared, target }: Client, verb: string, id: string, { path }: SoakQueue): string {
  return target.at(`/${verb}/${id}/${encodePath(wireName(shared.profile, path))}`)
}

/** That there is nothing may be said by a refusal. */
async function receive(
  client: Client,
  { number, uri: id, terms }: SoakSubscription,
): Promise<readonly Held[]> {
  const event = client.begin({ do: 'read', subscription: number })
  const { exchange, held } = await (terms.mapping === 'batch' ? lock : next)(client, id)
  const isKnown = exchange.status > 0 && exchange.status < 500 && exchange.status !== 429
  client.over(event, exchange, isKnown ? 'yes' : 'unknown', { shown: held.map(({ message }) => message) })
  return held
}

/** What came of asking for messages, with the request that decides. */
interface Received {
  readonly exchange: Exchange
  readonly held: readonly Held[]
}

async function next(client: Client, id: string): Promise<Received> {
  const { target } = client
  const exchange = await client.request('POST', target.at(`/nextMessageForMe/${id}`))
  const message = numberIn(client, exchange)
  const [uri, ...others] = messageIds(client.reader, exchange).map((each) => target.at(`/ack/${id}/${each}`))
  if (message === undefined || uri === undefined) return { exchange, held: [] }
  return { exchange, held: [{ message, uri, method: 'POST', others }] }
}

async function lock(client: Client, id: string): Promise<Received> {
  const { target, random } = client
  const exchange = await client.request(
    'POST',
    target.at(`/lockNextMessage/${id}?max=${1 + random.below(4)}`),
  )
  const start = new URL(target.at(`/message/${id}/`)).pathname
  const listed = urisIn(client.reader, exchange, (uri) => new URL(uri).pathname.startsWith(start))
  const held: Held[] = []
  for (const uri of listed) {
    const message = numberIn(client, await fetchLocked(client, id, uri))
    if (message !== undefined) held.push({ message, uri: target.at(`/${id}/messages/${lastSegment(uri)}`) })
  }
  return { exchange, held }
}

/** What it has locked comes to it by no other way. Where a returned URL gives nothing, that of section 4.2 may. */
async function fetchLocked(client: Client, id: string, uri: string): Promise<Exchange> {
  const stated = client.target.at(`/message/${id}/${lastSegment(uri)}`)
  let fetched = await client.request('GET', uri)
  for (let tries = 0; tries < MOST_TRIES && outcomeOf(fetched) === 'unknown'; tries++) {
    fetched = await client.request('GET', uri)
  }
  return succeeded(fetched) || uri === stated ? fetched : client.request('GET', stated)
}

/** Of the message that an answer holds, whatever is around it. */
function numberIn(client: Client, exchange: Exchange): number | undefined {
  const number = succeeded(exchange) ? client.numberOf(exchange.body, false) : -1
  return number < 0 ? undefined : number
}
