import { succeeded } from '../client/exchange.js'
import type { Entry } from '../client/feed.js'
import type { CheckTrial } from '../trial/check-trial.js'
import type { ProbeTrial } from './probe-trials.js'
import type { Prober } from './prober.js'

/**
 * Where an entry of a subscription's feed has its message's address: the place whose DELETE succeeds and takes the
 * message out of the feed, else one whose DELETE succeeds and does nothing. Where each is refused, nobody knows. On the
 * way it shows the form of the content.
 */
export async function findMessageAddress(prober: Prober): Promise<void> {
  await using trial: ProbeTrial = prober.trial()
  const { queue } = await prober.filledQueue(trial)
  const uri = await prober.consumer(trial, [queue])
  const entry = await trial.eventually(async () => (await trial.readFeed(uri, 'consume.feed')).entries[0])
  trial.precondition(entry !== undefined, 'consume.delivers', 'the feed of a subscription showed no message')
  prober.note('content', contentForm(entry))
  const seen: string[] = []
  let idle: string | undefined
  for (const [place, address] of places(entry, prober.draft.messageUri)) {
    const answer = await trial.target.request('DELETE', address)
    const isTaken = succeeded(answer)
    if (isTaken && (await leaves(trial, uri, entry))) {
      prober.draft.messageUri = place
      prober.note('messageUri', `${[...seen, `DELETE of ${place}`].join(', ')} acknowledged the message.`)
      return
    }
    if (isTaken) idle ??= place
    seen.push(`DELETE of ${place} gave ${answer.status}${isTaken ? ' and no effect' : ''}`)
  }
  if (idle !== undefined) prober.draft.messageUri = idle
  else if (seen.length > 0) prober.draft.unknown.push('messageUri')
  const how = seen.length === 0 ? 'an entry has no address' : seen.join(', ')
  prober.note('messageUri', `No address in an entry acknowledged its message: ${how}.`)
}

/** Each address that may be the message's, with its place in the words of a profile; each address once. */
function places(entry: Entry, first: string): [place: string, address: string][] {
  const links = entry.links
    .filter(({ rel }) => !/[\]\s]/.test(rel))
    .map(({ rel, href }): [string, string] => [`link[rel=${rel}]`, href])
  const others: [string, string][] = [
    ...(entry.contentUri === undefined ? [] : [['content', entry.contentUri] as [string, string]]),
    ...(/^https?:/i.test(entry.id) ? [['id', entry.id] as [string, string]] : []),
  ]
  const all = [...links, ...others]
  const sorted = [...all.filter(([place]) => place === first), ...all.filter(([place]) => place !== first)]
  return sorted.filter(
    ([place, address], index) =>
      sorted.findIndex((each) => each[1] === address) === index &&
      // Only the first link of a relation is the one that a profile's word for it means.
      sorted.findIndex((each) => each[0] === place) === index,
  )
}

async function leaves(trial: CheckTrial, uri: string, entry: Entry): Promise<boolean> {
  const gone = await trial.eventually(async () => {
    const { entries } = await trial.readFeed(uri, 'consume.feed')
    return entries.every(({ id }) => id !== entry.id) ? true : undefined
  })
  return gone === true
}

function contentForm(entry: Entry): string {
  const links = entry.links.map(({ rel }) => rel).join(', ') || 'no links'
  const content = entry.contentUri === undefined ? 'no content elsewhere' : 'its content elsewhere (src)'
  return `A message's entry has ${content}, and the links ${links}.`
}
