import { quotedBody } from '../client/answered.js'
import { refused, succeeded } from '../client/exchange.js'
import { pendingBodies } from '../trial/pending.js'
import type { Prober } from './prober.js'

/** A message that takes longer to show is not waited for: milliseconds. */
const SLOWEST = 5000

const ENTRY =
  '<entry xmlns="http://www.w3.org/2005/Atom"><id>urn:kit:message</id><title/><updated>2024-01-01T00:00:00Z</updated><author><name>kit</name></author><content>{text}</content></entry>'

/** Bodies of messages that are tried, and how they arrive. */
const FORMS = [
  ['application/json', '{"text":"{text}"}', 'same'],
  ['application/xml', '<text>{text}</text>', 'same'],
  ['application/atom+xml;type=entry', ENTRY, 'contains'],
] as const

/** What a message has to be: where a text is refused, JSON, XML and an Atom entry are tried. */
export async function findMessageForm(prober: Prober): Promise<void> {
  const post = async () => {
    await using trial = prober.trial()
    const address = await trial.newAddress(await prober.queue(trial))
    // Its queue is deleted when this is left.
    return await trial.post(address, trial.freshMessage().body)
  }
  const given = prober.draft.message
  const refusal = await post()
  if (!refused(refusal)) return
  const told = quotedBody(refusal)
  for (const [type, body, arrives] of FORMS) {
    prober.draft.message = { headers: { 'Content-Type': type }, body, arrives, maxBytes: null }
    if (!succeeded(await post())) continue
    prober.note('message', `A message of ${type} is taken; a text gave ${told}.`)
    return
  }
  prober.draft.message = given
  prober.draft.unknown.push('message')
  prober.note('message', `No form of a message was taken: a text gave ${told}. Fill it in by hand.`)
}

/** Lengths of messages that are tried, from the longest that checks depend on: bytes. */
const LENGTHS = [102_400, 65_536, 16_384, 4096, 1024]

/** How long a message may be, where one as long as checks send is refused. */
export async function findLongestMessage(prober: Prober): Promise<void> {
  await using trial = prober.trial()
  const queue = await prober.queue(trial)
  // A token that counts may be a digit longer the next time.
  const least = trial.freshMessage().body.length + 1
  let told: string | undefined
  for (const length of LENGTHS) {
    const { body } = trial.freshMessage('x'.repeat(length - least))
    const { headers } = prober.draft.message
    const answer = await trial.target.request('POST', await trial.newAddress(queue), { headers, body })
    if (refused(answer)) {
      told ??= `one of ${length} gave ${quotedBody(answer)}`
      continue
    }
    if (told === undefined || !succeeded(answer)) return
    prober.draft.message.maxBytes = length
    prober.note('message.maxBytes', `A message of ${length} bytes is taken; ${told}.`)
    return
  }
}

/** How long it takes until what was sent shows, and whether a guid is heeded. */
export async function findSending(prober: Prober): Promise<void> {
  await using trial = prober.trial()
  const queue = await prober.queue(trial)
  const sent = await trial.send(queue)
  const began = performance.now()
  let polls = 0
  const seconds = await trial.eventually(async () => {
    polls += 1
    const bodies = await prober.attempt(() => pendingBodies(trial, queue, [sent]))
    return bodies?.includes(sent.text) ? (performance.now() - began) / 1000 : undefined
  }, SLOWEST)
  if (seconds === undefined) {
    prober.note(
      'settleSeconds',
      `A message that was sent did not show in its queue's feed within ${SLOWEST / 1000} s.`,
    )
    return
  }
  // What is seen at the first glance needs no time; more than what was measured, since the next may need longer.
  const settle = polls === 1 ? 0 : Math.ceil(seconds * 15) / 10
  prober.draft.settleSeconds = settle
  prober.timeout = 400 + 8 * prober.latency + 2000 * settle
  prober.note(
    'settleSeconds',
    `A message showed in its queue's feed after ${seconds.toFixed(2)} s, at reading ${polls}.`,
  )
}

/** Whether a send with a guid succeeds, and its repeat makes no second message. With which status is not asked here. */
export async function findGuid(prober: Prober): Promise<void> {
  let trial = prober.trial()
  const queue = await prober.queue(trial)
  let message = trial.freshMessage()
  let guid = trial.freshGuid()
  let first = await trial.postWithGuid(queue, guid, message.body)
  if (refused(first) && prober.draft.guid.form === 'text') {
    const told = quotedBody(first)
    trial = prober.trial((profile) => {
      profile.guid.form = 'uuid'
    })
    message = trial.freshMessage()
    guid = trial.freshGuid()
    first = await trial.postWithGuid(queue, guid, message.body)
    if (succeeded(first)) {
      prober.draft.guid.form = 'uuid'
      prober.note('guid.form', `A UUID is taken as a guid; another text gave ${told}.`)
    }
  }
  const { body, text } = message
  const again = await trial.postWithGuid(queue, guid, body)
  const read = () => pendingBodies(trial, queue, [message])
  await trial.eventually(async () => ((await read()).includes(text) ? true : undefined))
  await trial.never(async () => undefined)
  const shown = await read()
  const count = shown.includes(text) ? shown.length : 0
  prober.claim(
    'guid',
    succeeded(first) && count === 1,
    `Two POSTs with one guid gave ${first.status} and ${again.status}, and the queue has ${count === 1 ? 'one message' : `${count} messages`}.`,
  )
}
