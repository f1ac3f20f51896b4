import { quotedBody } from '../client/answered.js'
import type { Pace } from '../client/pace.js'
import type { Prober } from './prober.js'

/** A target that takes so many requests within a second is asked as fast as it answers. */
const BURST = 240
const WITHIN = 1000
/** How often a pace is tried that the target has not taken yet. */
const ROUNDS = 4

/**
 * Finds out whether the target refuses more than so many requests a second, before anything that depends on times: asks
 * for what is not there until it is refused or has shown that it bears it, and then keeps the pace that it takes.
 */
export async function findPace(prober: Prober, pace: Pace): Promise<void> {
  if (pace.requestsPerSecond !== undefined) return
  const trial = prober.trial()
  const { target } = trial
  // Of a target that is far away more is under way at once.
  const atOnce = Math.max(8, Math.min(64, Math.ceil((BURST * prober.latency) / WITHIN)))
  const ask = async (count: number, goesOn: () => boolean) => {
    let left = count
    let refused = false
    const work = async () => {
      while (left > 0 && goesOn() && !prober.isOver) {
        left -= 1
        const { status } = await target.request('GET', target.queueUri(trial.freshName()))
        refused ||= status === 429
      }
    }
    await Promise.all(Array.from({ length: atOnce }, work))
    return !refused
  }
  // A target need not say when to come again.
  const slowDown = () => pace.refused(429, WITHIN, pace.now())
  const end = performance.now() + WITHIN
  const goesOn = () => pace.requestsPerSecond === undefined && performance.now() < end
  if (!(await ask(BURST, goesOn)) && pace.requestsPerSecond === undefined) slowDown()
  for (let round = 0; round < ROUNDS && !prober.isOver; round++) {
    const kept: number | undefined = pace.requestsPerSecond
    if (kept === undefined) return
    const began = performance.now()
    const isTaken = await ask(kept, () => pace.requestsPerSecond === kept)
    if (!isTaken && pace.requestsPerSecond === kept) slowDown()
    if (!isTaken || pace.requestsPerSecond !== kept) continue
    // A machine that is busy asks more slowly than it may: what was not tried is not claimed.
    const tried = Math.floor(kept / Math.max(1, (performance.now() - began) / WITHIN))
    prober.draft.requestsPerSecond = Math.max(1, tried)
    prober.note('requestsPerSecond', `The target answers 429 to more; ${tried} a second were taken.`)
    return
  }
  prober.draft.unknown.push('requestsPerSecond')
  prober.note(
    'requestsPerSecond',
    'The target answers 429, and no pace was found that it takes for a second.',
  )
}

/** A target that takes so many subscriptions at once has room for all findings. */
const ROOMY = 40

/** Whether the target takes only so many subscriptions at once: a form that was taken is then refused. */
export async function findRoom(prober: Prober): Promise<void> {
  await using trial = prober.trial()
  const queue = await prober.queue(trial)
  const ask = () => prober.subscribe(trial, [queue])
  // What refuses the first refuses the form.
  if ((await ask()).uri === undefined) return
  const others = await prober.each(Array.from({ length: ROOMY - 1 }), ask)
  const refusal = others.find(({ answer }) => answer.status >= 400)
  if (refusal === undefined) return
  prober.room = 1 + others.filter(({ uri }) => uri !== undefined).length
  prober.note(
    'room',
    `The target takes ${prober.room} subscriptions at once; another gave ${quotedBody(refusal.answer)}.`,
  )
}
