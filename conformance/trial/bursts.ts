import { type Exchange, succeeded } from '../client/exchange.js'

/** So many at once, until one is refused. */
const AT_ONCE = 45
/** Milliseconds of answers, over all bursts: a check has other things to do within its time. */
const ENOUGH = 8000
/** Milliseconds in all: a target that keeps a pace is given fewer. */
const MOST = 16_000

/**
 * Sends so many times, a burst at once. How much a target has room for, and how many requests it answers at once, is left open:
 * where any of a burst is refused the next is half as large, and where one alone is refused there is no other. Where answers take
 * long, fewer have to do.
 *
 * @param send gives its exchanges in their order, of which the last says whether it was refused
 * @param onRefused called after each burst of which any was refused
 * @returns how many were taken
 */
export async function inBursts(
  count: number,
  send: () => Promise<readonly Exchange[]>,
  onRefused: () => Promise<void> = async () => {},
): Promise<number> {
  let left = count
  let atOnce = AT_ONCE
  let spent = 0
  const began = performance.now()
  while (left > 0 && atOnce > 0 && spent < ENOUGH && performance.now() - began < MOST) {
    const size = Math.min(atOnce, left)
    const sendings = await Promise.all(Array.from({ length: size }, send))
    const taken = sendings.filter((exchanges) => succeeded(exchanges.at(-1)!)).length
    left -= taken
    spent += Math.max(...sendings.map(lengthOf))
    if (taken === size) continue
    atOnce = Math.floor(size / 2)
    await onRefused()
  }
  return count - left
}

/** Milliseconds in which answers were waited for. What waits for its turn at a target that keeps a pace, waits for none. */
function lengthOf(exchanges: readonly Exchange[]): number {
  return exchanges.reduce((sum, { sentAt, receivedAt }) => sum + receivedAt - sentAt, 0)
}
