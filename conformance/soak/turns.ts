import { setTimeout as sleep } from 'node:timers/promises'
import type { Exchange } from '../client/exchange.js'
import type { Profile } from '../client/profile.js'
import { lastSegment } from '../trial/addresses.js'
import { succeeded } from '../trial/answers.js'
import type { Ask, Client, Held, Received, Shared, SoakSubscription } from './client.js'
import { acknowledge } from './consumer.js'
import type { Terms } from './history.js'

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

/** Consumes by turns, over several connections under one id, until it is told to stop and is given nothing more. */
export async function consumeByTurns(
  client: Client,
  shared: Shared,
  mapping: Mapping,
  name: string,
  goesOn: () => boolean,
): Promise<void> {
  const queue = shared.turns
  if (queue === undefined) return
  const id = `${shared.prefix}-${name}`
  const consumer = await client.join(queue, mapping, id)
  if (consumer === undefined) return
  const work = async () => {
    let until = Number.POSITIVE_INFINITY
    for (let nothing = 0; nothing < LAST_TRIES && performance.now() < until; ) {
      if (!goesOn()) until = Math.min(until, performance.now() + LONGEST_END)
      const held = await receive(client, shared, consumer)
      for (const each of held) await acknowledge(client, consumer, each)
      if (held.length > 0 || goesOn()) nothing = 0
      else nothing += 1
      if (held.length === 0) await sleep(PAUSE)
    }
  }
  await Promise.all([work(), work()])
  await client.leave(consumer, queue)
}

function receive(client: Client, shared: Shared, consumer: SoakSubscription): Promise<readonly Held[]> {
  const id = consumer.uri
  const numberOf = (exchange: Exchange) => numberIn(exchange, shared.prefix)
  if (consumer.terms.mapping === 'one-at-a-time') {
    return client.receive(consumer, async (target, ask) => {
      const exchange = await ask('POST', `/nextMessageForMe/${id}`)
      const message = numberOf(exchange)
      const messageId = messageIdOf(exchange, shared.profile, target.location(exchange))
      if (message === undefined || messageId === undefined) return { exchange, held: [] }
      return { exchange, held: [{ message, uri: target.at(`/ack/${id}/${messageId}`), method: 'POST' }] }
    })
  }
  return client.receive(consumer, (target, ask) =>
    lock(id, 1 + client.random.below(4), ask, numberOf, (path) => target.at(path)),
  )
}

async function lock(
  id: string,
  max: number,
  ask: Ask,
  numberOf: (exchange: Exchange) => number | undefined,
  at: (path: string) => string,
): Promise<Received> {
  const exchange = await ask('POST', `/lockNextMessage/${id}?max=${max}`)
  if (!succeeded(exchange)) return { exchange, held: [] }
  const ids = [...exchange.body.toString().matchAll(new RegExp(`/message/${id}/([\\w.~%:@+-]+)`, 'g'))].map(
    ([, one]) => one!,
  )
  const held: Held[] = []
  for (const one of new Set(ids)) {
    let fetched = await ask('GET', `/message/${id}/${one}`)
    // What it has locked comes to it by no other way.
    for (let tries = 0; tries < MOST_TRIES && (fetched.status === 0 || fetched.status >= 500); tries++) {
      fetched = await ask('GET', `/message/${id}/${one}`)
    }
    const message = numberOf(fetched)
    if (message !== undefined) held.push({ message, uri: at(`/${id}/messages/${one}`) })
  }
  return { exchange, held }
}

function numberIn(exchange: Exchange, prefix: string): number | undefined {
  const found =
    succeeded(exchange) && new RegExp(`${prefix}-0 m(\\d+) of a soak`).exec(exchange.body.toString())
  return found ? Number(found[1]) : undefined
}

function messageIdOf(
  { headers }: Exchange,
  { oneAtATime }: Profile,
  location: string | undefined,
): string | undefined {
  if (oneAtATime.messageId === 'location') return location && lastSegment(location)
  const value = headers[oneAtATime.messageId.slice('header:'.length).toLowerCase()]
  return value ? encodeURIComponent(value) : undefined
}
