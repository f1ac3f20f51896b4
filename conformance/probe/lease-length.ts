import { setTimeout as sleep } from 'node:timers/promises'
import { createdAt } from '../trial/addresses.js'
import type { Prober } from './prober.js'

/** A lease that does not end within this is given up on: milliseconds. */
export const LONGEST = 20_000
const STEP = 500

/** How long a target's own lease is, which the client does not choose. */
export interface LeaseLength {
  /** Undefined where it could not be seen. */
  readonly seconds: number | undefined
  readonly why: string
}

/**
 * Watches when subscriptions end by themselves. Each of many is read once, at a time of its own, since a reading may
 * renew what it looks at; the first that is over tells the time.
 *
 * @param stop ends the watching
 */
export async function leaseLength(
  prober: Prober,
  stop: AbortSignal,
  longest = LONGEST,
): Promise<LeaseLength> {
  const trial = prober.trial()
  const queue = await prober.queue(trial)
  const began = performance.now()
  const count = Math.floor(longest / STEP)
  const made = await Promise.all(Array.from({ length: count }, () => prober.subscribe(trial, [queue])))
  const uris = made.flatMap((answer) => createdAt(trial, answer) ?? [])
  // Those that were made last began last; how late the first readings come does not matter, how early does.
  const offset = performance.now() - began
  let alive = 0
  for (let at = 0; at < uris.length; at++) {
    const due = began + offset + (at + 1) * STEP
    await sleep(Math.max(0, due - performance.now()), undefined, { signal: stop }).catch(() => {})
    if (stop.aborted) break
    const asked = performance.now() - began
    const answer = await trial.target.request('GET', uris[at]!)
    if (answer.status === 200) {
      alive = asked
      continue
    }
    if (answer.status === 0) continue
    return {
      seconds: likely(alive, asked),
      why: `at ${seconds(alive)} it was there, at ${seconds(asked)} no longer.`,
    }
  }
  return {
    seconds: undefined,
    why: `No subscription ended by itself within ${seconds(longest)}, and no field made it: give its parameter, or null and leaseSeconds, by hand.`,
  }
}

/** The roundest length between two times: a whole number of seconds where there is one. */
function likely(alive: number, over: number): number {
  const whole = Math.floor(over / 1000)
  // A lease may end a little late, by a timer, but not before its time.
  if (whole >= 1 && whole * 1000 > alive - 100) return whole
  return Math.max(0.1, Math.floor(alive / 100) / 10)
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`
}
