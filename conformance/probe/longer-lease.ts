import { setTimeout as sleep } from 'node:timers/promises'
import { createdAt } from '../trial/addresses.js'
import { refused } from '../trial/answers.js'
import { isAlive } from './is-alive.js'
import type { Prober } from './prober.js'
import { quotedBody } from './quoted-body.js'

/** Leases to try with where shorter ones are refused or taken for longer ones: seconds. */
const LEASES = [5, 10, 15]
/** Outlives all of them. */
const LONG = 60
/** How much later than asked for a lease may end: milliseconds. */
const LATE = 2600
const UNITS = { s: 1, ms: 1000 } as const

/** A field that gives leases of some seconds at least. */
export interface LongerLease {
  readonly name: string
  readonly unit: 's' | 'ms'
  readonly seconds: number
  /** What the target says to a shorter one, where it refuses that. */
  readonly refusal: string | undefined
}

/**
 * The first of these fields by which a lease of some seconds ends in time, while one of a minute and one without the field
 * do not; undefined where there is none.
 */
export async function longerLease(
  prober: Prober,
  names: readonly string[],
): Promise<LongerLease | undefined> {
  const trial = prober.trial()
  const queue = await prober.queue(trial)
  const ask = (fields: Record<string, string>) => prober.subscribe(trial, [queue], fields)
  const make = async (fields: Record<string, string>) => createdAt(trial, await ask(fields))
  const fields = names.flatMap((name) => (['s', 'ms'] as const).map((unit) => ({ name, unit })))
  // Each is read once, since a reading may renew it.
  const moments = LEASES.map(async (seconds) => {
    const own = await make({})
    const made = await prober.each(fields, async ({ name, unit }) => ({
      ...{ name, unit },
      long: await make({ [name]: String(LONG * UNITS[unit]) }),
      brief: await make({ [name]: String(seconds * UNITS[unit]) }),
    }))
    await sleep(seconds * 1000 + LATE)
    const found = await prober.each(made, async ({ name, unit, long, brief }) => {
      if (brief === undefined || long === undefined) return undefined
      const isOver = !(await isAlive(trial, brief))
      const othersLast = isOver && (await isAlive(trial, long)) && (await isAlive(trial, own))
      return othersLast ? { name, unit, seconds } : undefined
    })
    return found.find((each) => each !== undefined)
  })
  for (const moment of moments) {
    const found = await moment
    if (found === undefined) continue
    const shorter = await ask({ [found.name]: String(UNITS[found.unit]) })
    const refusal = refused(shorter) ? quotedBody(shorter) : undefined
    return { ...found, refusal }
  }
  return undefined
}
