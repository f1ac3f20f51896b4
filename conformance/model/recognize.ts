import type { ClauseId } from '../requirements/index.js'
import { followable, withBody } from './data.js'
import type { Entry, Message, World } from './world.js'

// Which message an entry stands for. Nothing here is a rule of the interface but what each broken one is called.

// clause: send.body.* dedup.body dedup.repeat.other-body
/**
 * Which message each entry is: one with its body, and the one that its URI stood for before. Messages with one body
 * can be told apart by nothing else, so that there is a way for each.
 *
 * @param queue the one whose feed it is: only its messages may stand there, and what was acknowledged until it has `settled`
 * @returns the ways, each as indices of messages in the order of the entries; a clause where there is none
 */
export function recognize(
  world: World,
  entries: readonly Entry[],
  queue?: string,
  settled = false,
): readonly number[][] | ClauseId {
  const isHere = (message: Message) => queue === undefined || message.queue === queue
  const ways = waysOf(world, entries, (each) => isHere(each) && !(settled && each.life === 'done'))
  if (ways.length > 0) return ways
  if (waysOf(world, entries, isHere).length > 0) return 'browse.pending.acknowledged'
  return waysOf(world, entries, () => true).length > 0
    ? 'browse.queue.own'
    : whyUnknown(world, entries, queue)
}

function waysOf(
  world: World,
  entries: readonly Entry[],
  isMeant: (message: Message) => boolean,
): readonly number[][] {
  const [entry, ...rest] = entries
  if (entry === undefined) return [[]]
  const same = withBody(world, entry.body)
  const known = world.deliveries[entry.uri]?.message
  const isKnown = known !== undefined && same.includes(known)
  const fits = isKnown ? [known] : same.filter((index) => isMeant(world.messages[index]!))
  if (fits.length === 0) return []
  const ways = waysOf(world, rest, isMeant)
  return followable(
    fits.flatMap((index) =>
      ways.filter((others) => !others.includes(index)).map((others) => [index, ...others]),
    ),
  )
}

/** Why entries are no messages that were sent: one stands there too often or belongs elsewhere, or nobody sent its body. */
function whyUnknown(world: World, entries: readonly Entry[], queue?: string): ClauseId {
  for (const { body, isOthers } of entries) {
    const sent = withBody(world, body)
    if (isOthers) return queue === undefined ? 'subscribe.destinations.only' : 'browse.queue.own'
    if (sent.length === 0) return whyNobodys(world, entries, body, queue)
    const same = entries.filter((entry) => entry.body === body)
    if (same.length > sent.length) {
      // One delivery has one address; the feed of a queue gives none.
      const uris = new Set(same.map(({ uri }) => uri))
      if (!uris.has('') && uris.size < same.length) return 'consume.entries'
      const isByGuid = Object.values(world.guids).includes(sent[0]!)
      return isByGuid ? 'dedup.one-message' : 'send.step-2.one-message'
    }
  }
  return 'consume.entries'
}

/** Why a body is that of no message: it was sent in the place of another, or is none that was sent. */
function whyNobodys(
  { messages, guids }: World,
  entries: readonly Entry[],
  body: string,
  queue: string | undefined,
): ClauseId {
  const byGuid = new Set(Object.values(guids))
  const instead = messages.findIndex(({ others }) => others?.includes(body))
  if (instead >= 0) return byGuid.has(instead) ? 'dedup.repeat.other-body' : 'send.step-2.one-message'
  // It is what became of one that is due, and is not shown.
  const due = [...messages.entries()].filter(([, { life, holder, ...message }]) => {
    const isAwaited = queue === undefined ? holder === undefined : message.queue === queue
    return life === 'pending' && isAwaited && !entries.some((entry) => entry.body === message.body)
  })
  return due.length > 0 && due.every(([index]) => byGuid.has(index)) ? 'dedup.body' : 'send.body.text'
}
