import type { Consumer, Sent, Trial } from './trial.js'
import { noneLacking, whileMoreCome } from './waiting.js'

/** What was handed out, until everything had been seen and acknowledged. */
export interface Drained {
  /** For each message address the bodies of the messages that had it. */
  readonly addresses: ReadonlyMap<string, ReadonlySet<string>>
  /** Messages that nobody's feed showed before the timeout. */
  readonly missing: readonly Sent[]
}

/**
 * All consumers read side by side and acknowledge what they read, round after round, until each of `messages`
 * was handed to somebody. Judges nothing.
 */
export async function drain(
  trial: Trial,
  consumers: readonly Consumer[],
  messages: readonly Sent[],
): Promise<Drained> {
  const handed = new Set<string>()
  const addresses = new Map<string, Set<string>>()
  const note = (body: string, uri?: string) => {
    handed.add(body)
    if (uri !== undefined) addresses.set(uri, (addresses.get(uri) ?? new Set()).add(body))
  }
  const lacking = () => messages.filter((message) => !handed.has(message.text))
  await whileMoreCome(
    trial,
    () => handed.size,
    async () => {
      const readings = await Promise.all(consumers.map((consumer) => consumer.read()))
      for (const [place, bodies] of (await Promise.all(readings.map((r) => trial.bodies(r)))).entries()) {
        for (const [at, body] of bodies.entries()) note(body, readings[place]![at]!.messageUri)
      }
      await Promise.all(
        consumers.flatMap((consumer, place) => readings[place]!.map((entry) => consumer.tryAck(entry))),
      )
      return noneLacking(trial, lacking())
    },
  )
  return { addresses, missing: lacking() }
}
