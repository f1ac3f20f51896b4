import type { CheckTrial } from '../run/check-trial.js'
import type { Exchange } from '../target/exchange.js'
import { parseEntry } from '../target/parse-entry.js'
import { parseXml } from '../target/xml.js'
import { encodePath, gives, lastSegment, untilGiven } from './handed.js'
import { type Prober, succeeded } from './prober.js'

/** Fields of an answer that are about the answer and hold no message id. */
const USUAL = new Set([
  'cache-control',
  'connection',
  'content-encoding',
  'content-language',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'location',
  'server',
  'transfer-encoding',
  'vary',
])

/** Whether consumers are handed one message after another, and where its answer has a message's id. */
export async function findOneAtATime(prober: Prober): Promise<void> {
  const trial = prober.trial()
  const queue = await prober.queue(trial)
  const consumer = trial.freshName()
  const post = (path: string) => trial.target.request('POST', trial.target.at(path))
  const subscribed = await post(`/subscribe/${consumer}/${encodePath(queue.path)}`)
  const give = (works: boolean, text: string) => {
    prober.draft.features['one-at-a-time'] = works
    prober.note('features.one-at-a-time', text)
  }
  if (!succeeded(subscribed)) return give(false, `POST /subscribe gave ${subscribed.status}.`)
  const first = await trial.send(queue)
  const next = () => post(`/nextMessageForMe/${consumer}`)
  const handed = await untilGiven(trial, first, next)
  if (handed === undefined) return give(false, 'POST /nextMessageForMe gave no message.')
  const second = await trial.send(queue)
  const seen: string[] = []
  for (const [place, id] of ids(prober, trial, handed)) {
    const answer = await post(`/ack/${consumer}/${id}`)
    // An ack that does what it says makes room for the next message.
    const acknowledged = succeeded(answer) && (await untilGiven(trial, second, next)) !== undefined
    seen.push(`${place} gave ${answer.status}`)
    if (!acknowledged || gives(await next(), first)) continue
    prober.draft.oneAtATime.messageId = place
    prober.note('oneAtATime.messageId', `POST /ack with the id from ${place} acknowledged the message.`)
    return give(true, 'Consumers are handed a message, and the next one when it is acknowledged.')
  }
  give(
    false,
    `No id in the answer of /nextMessageForMe acknowledged its message: ${seen.join(', ') || 'there was none'}.`,
  )
}

/** What may be the message id of an answer, as it stands in a path, with its place in the words of a profile. */
function ids(prober: Prober, trial: CheckTrial, answer: Exchange): [place: string, id: string][] {
  const found: [string, string][] = []
  const location = trial.target.location(answer)
  if (location !== undefined) found.push(['location', lastSegment(location)])
  for (const [name, value] of Object.entries(answer.headers)) {
    if (USUAL.has(name) || value.length > 200) continue
    const cased = name.replace(
      /(^|-)([a-z])/g,
      (_, dash: string, letter: string) => dash + letter.toUpperCase(),
    )
    found.push([`header:${cased}`, encodeURIComponent(value)], [`header:${cased}`, lastSegment(value)])
  }
  for (const id of inEntry(prober, answer)) found.push(['entry', id])
  const wanted = prober.draft.oneAtATime.messageId
  // Header fields that are about messages come before others, such as an ETag.
  const rank = ([place]: [string, string]) =>
    place === wanted ? 0 : /id$/i.test(place) ? 1 : place === 'location' ? 2 : 3
  const sorted = found.filter(([, id]) => id !== '').sort((one, other) => rank(one) - rank(other))
  return sorted.filter(([, id], index) => sorted.findIndex((each) => each[1] === id) === index)
}

function inEntry(prober: Prober, answer: Exchange): string[] {
  try {
    const root = parseXml(answer.body, answer.headers['content-type']).documentElement
    if (root?.localName !== 'entry') return []
    const unread = () => {
      throw new Error('Nothing of the entry is read further.')
    }
    const { id, messageUri } = parseEntry(root, {
      documentUri: answer.url,
      messageUri: prober.draft.messageUri,
      get: unread,
      unreadable: unread,
    })
    const last = lastSegment(id)
    return [
      ...(messageUri === undefined ? [] : [lastSegment(messageUri)]),
      ...(id === '' ? [] : [encodeURIComponent(id), last, last.split(':').at(-1)!]),
    ]
  } catch {
    return []
  }
}
