import type { CheckTrial } from '../run/check-trial.js'
import { resolve } from '../target/atom.js'
import type { Exchange } from '../target/exchange.js'
import { encodePath, gives, lastSegment } from './handed.js'
import { type Prober, succeeded } from './prober.js'

const URI_LIST = { 'Content-Type': 'text/uri-list' }

/** Whether lock calls return addresses of messages, and a later one takes acknowledgements in its body. */
export async function findBatch(prober: Prober): Promise<void> {
  const trial = prober.trial()
  const queue = await prober.queue(trial)
  const consumer = trial.freshName()
  const give = (works: boolean, text: string) => {
    prober.draft.features.batch = works
    prober.note('features.batch', text)
  }
  const subscribed = await trial.target.request(
    'POST',
    trial.target.at(`/subscribe/${consumer}/${encodePath(queue.path)}`),
  )
  const asId = succeeded(subscribed) ? consumer : lastSegment(await prober.consumer(trial, [queue.path]))
  const sent = await trial.send(queue)
  const lock = () => trial.target.request('POST', trial.target.at(`/lockNextMessage/${asId}?max=2`))
  let last: Exchange | undefined
  const held = await trial.eventually(async () => {
    last = await lock()
    const answers = await Promise.all(
      addresses(trial, last, asId).map((uri) => trial.target.request('GET', uri)),
    )
    return answers.find((answer) => gives(answer, sent))
  })
  if (held === undefined)
    return give(false, `POST /lockNextMessage gave ${last!.status}, and no address of a message.`)
  const uri = trial.target.at(`/${asId}/messages/${lastSegment(held.url)}`)
  const deleted = await trial.target.request('DELETE', uri)
  give(
    succeeded(deleted),
    `POST /lockNextMessage gave the address of a message, and its DELETE gave ${deleted.status}.`,
  )
}

/** Whether acknowledgements are taken in the body of a POST: to a subscription, or in a lock call. */
export async function findAckInPost(prober: Prober): Promise<void> {
  const inSubscription = await acknowledgesInSubscription(prober)
  const inLockCall = prober.draft.features.batch && (await acknowledgesInLockCall(prober))
  prober.draft.features['ack-in-post'] = inSubscription || inLockCall
  const places = [
    ...(inSubscription ? ['a POST to a subscription'] : []),
    ...(inLockCall ? ['a lock call'] : []),
  ]
  prober.note(
    'features.ack-in-post',
    places.length === 0
      ? 'Acknowledgements in a POST to a subscription or in a lock call had no effect.'
      : `Acknowledgements as text/uri-list are taken in ${places.join(' and in ')}.`,
  )
}

async function acknowledgesInSubscription(prober: Prober): Promise<boolean> {
  const trial = prober.trial()
  const { queue } = await prober.filledQueue(trial, 1)
  const uri = await prober.consumer(trial, [queue.path])
  const entry = await trial.eventually(async () => (await trial.readFeed(uri, 'consume.feed')).entries[0])
  if (entry?.messageUri === undefined) return false
  const answer = await trial.target.request('POST', uri, {
    headers: URI_LIST,
    body: `${entry.messageUri}\r\n`,
  })
  return succeeded(answer) && (await empties(trial, queue.uri))
}

async function acknowledgesInLockCall(prober: Prober): Promise<boolean> {
  const trial = prober.trial()
  const queue = await prober.queue(trial)
  const consumer = trial.freshName()
  const at = trial.target.at(`/lockNextMessage/${consumer}?max=2`)
  await trial.target.request('POST', trial.target.at(`/subscribe/${consumer}/${encodePath(queue.path)}`))
  await trial.send(queue)
  const uris = await trial.eventually(async () => {
    const found = addresses(trial, await trial.target.request('POST', at), consumer)
    return found.length > 0 ? found : undefined
  })
  if (uris === undefined) return false
  const body = uris.map((uri) => `${uri}\r\n`).join('')
  const answer = await trial.target.request('POST', at, { headers: URI_LIST, body })
  return succeeded(answer) && (await empties(trial, queue.uri))
}

async function empties(trial: CheckTrial, queueUri: string): Promise<boolean> {
  const empty = await trial.eventually(async () => {
    const { entries } = await trial.readFeed(queueUri, 'browse.queue')
    return entries.length === 0 ? true : undefined
  })
  return empty === true
}

/** The addresses of a consumer's messages in an answer, whatever its form. */
function addresses(trial: CheckTrial, answer: Exchange, consumer: string): string[] {
  if (!succeeded(answer)) return []
  const start = new URL(trial.target.at(`/message/${consumer}/`)).pathname
  const words = answer.body.toString().match(/[^\s"'<>,[\]{}]+/g) ?? []
  const uris = words.flatMap((word) => resolve(word, answer.url) ?? [])
  return [...new Set(uris.filter((uri) => new URL(uri).pathname.startsWith(start)))]
}
