import { setTimeout as sleep } from 'node:timers/promises'
import { quotedBody } from '../client/answered.js'
import { refused } from '../client/exchange.js'
import { isAlive, type Prober } from './prober.js'

/** Leases to try with where shorter ones are refused or taken for longer ones: seconds. */
const LEASES = [5, 10, 15]
/** Outlives all of them. */
const LONG = 60
/** How much later than asked for a lease may end: milliseconds. */
const LATE = 2600
const UNITS = { s: 1, ms: 1000 } as const

/**
 * The first of these fields by which a lease of some seconds ends in time, while one of a minute and one without the field
 * do not; undefined where there is none.
 */
export async function longerLease(prober: Prober, names: readonly string[]) {
  await using all = prober.trial()
  const queue = await prober.queue(all)
  const refusalOf = async (name: string, value: string) => {
    await using trial = prober.trial()
    const { answer } = await prober.subscribe(trial, [queue], { [name]: value })
    return refused(answer) ? quotedBody(answer) : undefined
  }
  // Where there is room for a few only, those are asked that refuse a lease of no time.
  const isLikely = async (name: string) =>
    prober.room === undefined || (await refusalOf(name, '0')) !== undefined
  const likely = (await prober.each(names, async (name) => ((await isLikely(name)) ? [name] : []))).flat()
  const fields = likely.flatMap((name) => (['s', 'ms'] as const).map((unit) => ({ name, unit })))
  if (fields.length === 0) return undefined
  // Each is read once, since a reading may renew it.
  const ended = async (seconds: number) => {
    await using trial = prober.trial()
    const make = async (form: Record<string, string>) => (await prober.subscribe(trial, [queue], form)).uri
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
  }
  const moments = prober.room === undefined ? LEASES.map(ended) : []
  // Those that are not waited for may fail: the probe is over, or one before has told enough.
  for (const one of moments) one.catch(() => {})
  for (const [at, seconds] of LEASES.entries()) {
    const found = await (moments[at] ?? ended(seconds))
    if (found === undefined) continue
    // What the target says to a shorter one, where it refuses that.
    return { ...found, refusal: await refusalOf(found.name, String(UNITS[found.unit])) }
  }
  return undefined
}
