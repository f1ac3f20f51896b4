import { Unreachable } from '../client/contact.js'
import type { HttpTarget } from '../client/http-target.js'

/** Faults that a mock broker with `--control` makes itself, each at a small share of the requests; none of them is wrong. */
const FAULTS = [
  { fault: 'reset-before', probability: 0.01 },
  { fault: 'reset-after-commit', probability: 0.01 },
  { fault: 'status', code: 503, probability: 0.01 },
  { fault: 'delay', ms: 50, jitter: 100, probability: 0.02 },
] as const

/**
 * Lets the target make faults.
 *
 * @returns what ends them
 * @throws {Unreachable} where the target takes none
 */
export async function makeFaults(target: HttpTarget): Promise<() => Promise<void>> {
  const made: string[] = []
  for (const fault of FAULTS) {
    const exchange = await target.request('POST', target.at('/_control/faults'), {
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(fault),
    })
    if (exchange.status !== 201) {
      throw new Unreachable(
        `POST ${exchange.url} gave ${exchange.status}: --control is for a mock broker that was started with --control.`,
      )
    }
    made.push((JSON.parse(exchange.body.toString()) as { readonly id: string }).id)
  }
  return async () => {
    for (const id of made) await target.request('DELETE', target.at(`/_control/faults/${id}`))
  }
}
