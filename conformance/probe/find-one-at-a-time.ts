import { succeeded } from '../client/exchange.js'
import { jsonMembers } from '../client/forms.js'
import { messageIds } from '../client/one-at-a-time.js'
import { type Handed, NextConsumer } from '../trial/next-message.js'
import type { Prober } from './prober.js'

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
  await using trial = prober.trial()
  const queue = await prober.queue(trial)
  const consumer = new NextConsumer(trial)
  const give = (works: boolean, text: string) => prober.claim('one-at-a-time', works, text)
  const subscribed = await consumer.subscribe(queue.path)
  if (!succeeded(subscribed)) return give(false, `POST /subscribe gave ${subscribed.status}.`)
  const first = await trial.send(queue)
  const handed = await trial.eventually(() => consumer.look([first]))
  if (handed === undefined) return give(false, 'POST /nextMessageForMe gave no message.')
  /** Acknowledges with the id from a place, in the words of a profile; undefined where there is none. */
  const ackBy = async (place: string) => {
    await using trial = prober.trial((profile) => {
      profile.oneAtATime.messageId = place
    })
    if (messageIds(trial, handed.answer).length === 0) return undefined
    return await new NextConsumer(trial, consumer.id).tryAck(handed)
  }
  const second = await trial.send(queue)
  const seen: string[] = []
  for (const place of places(handed, prober.draft.oneAtATime.messageId)) {
    const answer = await ackBy(place)
    if (answer === undefined) continue
    seen.push(`${place} gave ${answer.status}`)
    // An ack that does what it says makes room for the next message.
    const next = succeeded(answer) ? await trial.eventually(() => consumer.look([second])) : undefined
    if (next === undefined) continue
    prober.draft.oneAtATime.messageId = place
    prober.note('oneAtATime.messageId', `POST /ack with the id from ${place} acknowledged the message.`)
    return give(true, 'Consumers are handed a message, and the next one when it is acknowledged.')
  }
  give(
    false,
    `No id in the answer of /nextMessageForMe acknowledged its message: ${seen.join(', ') || 'there was none'}.`,
  )
}

/** Where an answer may have a message's id, in the words of a profile, likeliest first. */
function places({ answer, message }: Handed, wanted: string): string[] {
  const fields = Object.keys(answer.headers)
    .filter((name) => !USUAL.has(name))
    .map((name) => `header:${name.replace(/(^|-)[a-z]/g, (start) => start.toUpperCase())}`)
  const members = jsonMembers(answer)
    .filter(([name, value]) => name !== '' && !value.includes(message.text))
    .map(([name]) => `json:${name}`)
  // What is about ids comes before others, such as an ETag.
  const ids = [...fields, ...members].filter((name) => /id$/i.test(name))
  return [...new Set([wanted, ...ids, 'location', 'entry', ...fields, ...members])]
}
