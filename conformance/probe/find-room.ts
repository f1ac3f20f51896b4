import { quotedBody } from '../client/answered.js'
import type { Prober } from './prober.js'

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
