import { readBodies } from './reading.js'
import type { Consumer, Sent, Trial } from './trial.js'
import { noneLacking, whileMoreCome } from './waiting.js'

/** Who was handed what, until everything had been seen and acknowledged. */
export interface Drained {
  /** For each body the places (in `consumers`) of those whose feed showed it. */
  readonly hands: ReadonlyMap<string, ReadonlySet<number>>
  /** For each message address the bodies of the messages that had it. */
  readonly addresses: ReadonlyMap<string, ReadonlySet<string>>
  /** Messages that nobody's feed showed before the timeout. */
  readonly missing: readonly Sent[]
}

/**
 * All consumers read side by side and acknowledge what they read, round after round, until each of `messages`
 * was handed to somebody; then they read once more, for what should not come again. Judges nothing.
 */
export async function drain(
  trial: Trial,
  consumers: readonly Consumer[],
  messages: readonly Sent[],
): Promise<Drained> {
  const hands = new Map<string, Set<number>>()
  const addresses = new Map<string, Set<string>>()
  const note = (body: string, place: number, uri?: string) => {
    const places = hands.get(body) ?? new Set()
    hands.set(body, places.add(place))
    if (uri !== undefined) addresses.set(uri, (addresses.get(uri) ?? new Set()).add(body))
  }
  const lacking = () => messages.filter((message) => !hands.has(message.text))
  await whileMoreCome(
    trial,
    () => hands.size,
    async () => {
      const readings = await Promise.all(consumers.map((consumer) => consumer.read()))
      for (const [place, bodies] of (await Promise.all(readings.map((r) => trial.bodies(r)))).entries()) {
        for (const [at, body] of bodies.entries()) note(body, place, readings[place]![at]!.messageUri)
      }
      await Promise.all(
        consumers.flatMap((consumer, place) => readings[place]!.map((entry) => consumer.tryAck(entry))),
      )
      return noneLacking(trial, lacking())
    },
  )
  const last = await Promise.all(consumers.map((consumer) => readBodies(trial, consumer)))
  for (const [place, bodies] of last.entries()) for (const body of bodies) note(body, place)
  return { hands, addresses, missing: lacking() }
}

/** The bodies that more than one consumer was handed. */
export function handedTwice(drained: Drained): string[] {
  return [...drained.hands].filter(([, places]) => places.size > 1).map(([body]) => body)
}
