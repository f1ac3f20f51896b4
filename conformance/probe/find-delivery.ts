import { quote } from '../trial/labels.js'
import type { Prober } from './prober.js'

/** Whether a message comes to a consumer byte for byte, or in something that holds its text. */
export async function findArrival(prober: Prober): Promise<void> {
  await using trial = prober.trial()
  const { queue, sent } = await prober.filledQueue(trial)
  const uri = await prober.consumer(trial, [queue])
  const body = await trial.eventually(async () => {
    const { entries } = await trial.readFeed(uri, 'consume.feed')
    return entries[0]?.body()
  })
  prober.knowsArrival = true
  if (body === undefined || !trial.isMessage(body, sent)) return
  const { message } = prober.draft
  message.arrives = body.equals(sent.body) ? 'same' : 'contains'
  if (message.arrives === 'contains')
    prober.note('message.arrives', `A message came within more than was sent: ${quote(body.toString())}.`)
}

/** Whether a message is bound to a subscription when it comes or when it is read, and whether long feeds have pages. */
export async function findDelivery(prober: Prober): Promise<void> {
  await using trial = prober.trial()
  const { queue, sent } = await prober.filledQueue(trial)
  const early = await prober.consumer(trial, [queue])
  const late = await prober.consumer(trial, [queue])
  const [inLate, inEarly] = [
    await prober.settledBodies(trial, late, 1),
    await prober.settledBodies(trial, early, 1),
  ]
  const has = (bodies: readonly string[]) => bodies.includes(sent.text)
  const when = has(inEarly) ? 'when it comes' : has(inLate) ? 'when a feed is read' : 'to neither'
  prober.note(
    'binding',
    `Of two subscriptions, of which the younger reads first, a message is bound ${when}.`,
  )
  for (let count = 0; count < 4; count++)
    await Promise.all(Array.from({ length: 6 }, () => trial.send(queue)))
  const { pages, entries } =
    (await trial.eventually(async () => {
      const feed = await trial.browse(queue)
      return feed.entries.length > 24 ? feed : undefined
    })) ?? (await trial.browse(queue))
  prober.note(
    'paging',
    `A queue's feed of ${entries.length} messages has ${pages.length === 1 ? 'one page' : `${pages.length} pages`}.`,
  )
}
