import type { Prober } from './prober.js'

/** A message that takes longer to show is not waited for: milliseconds. */
const SLOWEST = 5000

/** How long it takes until what was sent shows, and whether a guid is heeded. */
export async function findSending(prober: Prober): Promise<void> {
  const trial = prober.trial()
  const queue = await prober.queue(trial)
  const sent = await trial.send(queue)
  const began = performance.now()
  let polls = 0
  const seconds = await trial.eventually(async () => {
    polls += 1
    const bodies = await prober.attempt(async () => trial.bodies((await trial.browse(queue)).entries))
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

/** Whether a send with a guid is answered with 200, and its repeat makes no second message. */
export async function findGuid(prober: Prober): Promise<void> {
  const trial = prober.trial()
  const queue = await prober.queue(trial)
  const { body, text } = trial.freshMessage()
  const guid = trial.freshGuid()
  const first = await trial.postWithGuid(queue, guid, body)
  const again = await trial.postWithGuid(queue, guid, body)
  const read = async () => trial.bodies((await trial.browse(queue)).entries)
  await trial.eventually(async () => ((await read()).includes(text) ? true : undefined))
  await trial.never(async () => undefined)
  const count = (await read()).filter((each) => each === text).length
  prober.draft.features.guid = first.status === 200 && again.status === 200 && count === 1
  prober.note(
    'features.guid',
    `Two POSTs with one guid gave ${first.status} and ${again.status}, and the queue has ${count === 1 ? 'one message' : `${count} messages`}.`,
  )
}
