import type { BrokerLimits } from './limits.js'
import { Refusal } from './refusals.js'

/** @throws Refusal `bad-parameter` when a number is not whole, or out of its range */
export function checkCount(what: string, value: number, least: number, most: number): void {
  if (Number.isInteger(value) && value >= least && value <= most) return
  throw new Refusal('bad-parameter', `${what} takes ${least} to ${most}, not ${value}.`, {
    parameter: what,
    least,
    most,
  })
}

/**
 * @param timeout length of a lease, in milliseconds
 * @throws Refusal `bad-parameter` when it is out of its range
 */
export function checkTimeout(timeout: number, { minTimeout, maxTimeout }: Readonly<BrokerLimits>): void {
  if (timeout >= minTimeout && timeout <= maxTimeout) return
  const [least, most] = [minTimeout / 1000, maxTimeout / 1000]
  throw new Refusal('bad-parameter', `timeout takes ${least} to ${most} seconds.`, {
    parameter: 'timeout',
    least,
    most,
  })
}
