import type { ClauseId } from '../requirements/index.js'
import type { Entry, Message, World } from './world.js'

// Which message an entry stands for. Nothing here is a rule of the interface but what each broken one is called.

// clause: send.body.* dedup.body
/**
 * Which message each entry is: one with its body, and the one that its URI stood for before. Messages with one body
 * can be told apart by nothing else, so that there is a way for each.
 *
 * @returns the ways, each as indices of messages in the order of the entries; a clause where there is none
 */
export function recognize(
  world: World,
  entries: readonly Entry[],
  among: (message: Message) => boolean = () => true,
): number[][] | ClauseId {
  const ways = waysOf(world, entries, among)
  return ways.length > 0 ? ways : unknown(world, entries)
}

/** As {@link recognize}, in the feed of a queue; what was acknowledged may show there until everything has settled. */
export function recognizeIn(
  world: World,
  queue: string,
  entries: readonly Entry[],
  settled: boolean,
): number[][] | ClauseId {
  const isHere = (message: Message) => message.queue === queue
  const ways = waysOf(world, entries, (each) => isHere(each) && !(settled && each.life === 'done'))
  if (ways.length > 0) return ways
  if (waysOf(world, entries, isHere).length > 0) return 'browse.pending.acknowledged'
  return waysOf(world, entries, () => true).length > 0 ? 'browse.queue.own' : unknown(world, entries)
}

function waysOf(world: World, entries: readonly Entry[], among: (message: Message) => boolean): number[][] {
  const [entry, ...rest] = entries
  if (entry === undefined) return [[]]
  const same = world.messages.flatMap((each, index) => (each.body === entry.body ? [index] : []))
  const known = world.deliveries[entry.uri]?.message
  const fits =
    known !== undefined && same.includes(known) ? [known] : same.filter((at) => among(world.messages[at]!))
  const ways = waysOf(world, rest, among)
  return fits.flatMap((index) =>
    ways.filter((others) => !others.includes(index)).map((others) => [index, ...others]),
  )
}

/** Why entries are no messages that were sent: one stands there too often, or nobody sent its body. */
function unknown({ messages, guids }: World, entries: readonly Entry[]): ClauseId {
  for (const { body } of entries) {
    const sent = messages.findIndex((message) => message.body === body)
    if (sent < 0) return 'send.body.text'
    const shown = entries.filter((entry) => entry.body === body).length
    if (shown > messages.filter((message) => message.body === body).length) {
      return Object.values(guids).includes(sent) ? 'dedup.one-message' : 'send.step-2.one-message'
    }
  }
  return 'consume.entries'
}
