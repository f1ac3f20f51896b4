import { createdAt } from '../trial/addresses.js'
import type { Prober } from './prober.js'
import { quotedBody } from './quoted-body.js'

/** A target that takes so many subscriptions at once has room for all findings. */
const ROOMY = 40

/** Whether the target takes only so many subscriptions at once: a form that was taken is then refused. */
export async function findRoom(prober: Prober): Promise<void> {
  await using trial = prober.trial()
  const queue = await prober.queue(trial)
  for (let made = 0; made < ROOMY; made += 1) {
    const answer = await prober.subscribe(trial, [queue])
    if (createdAt(trial, answer) !== undefined) continue
    // What refuses the first refuses the form.
    if (made === 0) return
    prober.room = made
    prober.note('room', `The target takes ${made} subscriptions at once; another gave ${quotedBody(answer)}.`)
    return
  }
}
