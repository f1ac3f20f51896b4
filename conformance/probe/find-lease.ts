import { setTimeout as sleep } from 'node:timers/promises'
import { LONGEST, leaseLength } from './lease-length.js'
import { findRenewal } from './lease-renewal.js'
import { longerLease } from './longer-lease.js'
import { isAlive, type Prober } from './prober.js'
import { reportedExpiry } from './reported-expiry.js'
import { SYNONYMS } from './synonyms.js'
import { writtenTimeout } from './timeout-format.js'

type Unit = 's' | 'ms' | 'min'

const UNITS = { s: 1000, ms: 1, min: 60_000 } as const
/** When it is looked which subscriptions are over: milliseconds. Leases may end somewhat late. */
const SOON = 350
const LATER = 2600

interface LeaseOptions {
  /** Whether to look only at what the target tells, and wait for nothing. */
  readonly quick: boolean
  /** How long a target's own lease is watched for: milliseconds; default 20,000. */
  readonly longest?: number
}

/**
 * Which field takes the length of a lease, in which unit; where none does, how long the target's own lease is; and
 * what renews it.
 *
 * @returns whether the length of a lease is known
 */
export async function findLease(
  prober: Prober,
  { quick, longest = LONGEST }: LeaseOptions,
): Promise<boolean> {
  const given = prober.draft.subscription.parameters.timeout
  const names = [...new Set([given ?? [], Object.keys(prober.needed), SYNONYMS.timeout].flat())]
  const told = await prober.firstOf(names, (name) => toldUnit(prober, name))
  if (told !== undefined) {
    learn(prober, told.item, told.found)
    prober.note(
      'subscription.parameters.timeout',
      `The end of a lease that the target tells moves with ${told.item}, in ${told.found}.`,
    )
    await findRenewal(prober, { told: true, quick })
    return true
  }
  const written = await writtenTimeout(prober, names)
  if (written !== undefined) {
    learn(prober, written.name, 's')
    prober.draft.subscription.timeoutFormat = written.format
    prober.note(
      'subscription.timeoutFormat',
      `${written.name} is written as ${written.format}: a number alone gave ${written.refusal}.`,
    )
    await findRenewal(prober, { told: false, quick })
    return true
  }
  if (quick) {
    prober.draft.subscription.parameters.timeout = (await prober.known(names, '60')) ?? null
    prober.note('subscription.leaseSeconds', 'The target tells no end of a lease, and none was waited for.')
    return false
  }
  const enough = new AbortController()
  const search = async () => {
    let result: Effective | undefined
    try {
      const likely = await narrowed(prober, names)
      const found = await prober.each(likely, (name) => judged(prober, name))
      result = found.find((each) => each !== undefined) ?? (await longerLease(prober, names))
      return result
    } finally {
      // Where no field is heeded the target's own lease is the answer, and goes on being watched.
      if (result !== undefined || prober.isOver) enough.abort()
    }
  }
  const [effective, own] = await Promise.all([search(), leaseLength(prober, enough.signal, longest)])
  if (effective !== undefined) {
    const { name, unit, seconds, refusal } = effective
    learn(prober, name, unit)
    prober.note(
      'subscription.parameters.timeout',
      `Subscriptions ended in time with ${name}, in ${unit}${seconds === undefined ? '' : `, from ${seconds} s on`}${refusal === undefined ? '' : `; a shorter lease gave ${refusal}`}.`,
    )
    if (seconds !== undefined) prober.draft.subscription.leaseSeconds = seconds
    await findRenewal(prober, { told: false, quick, shortest: seconds })
    return true
  }
  const known = own.seconds === undefined ? await prober.known(names, '60') : undefined
  if (known !== undefined) {
    learn(prober, known, /ms/i.test(known) ? 'ms' : 's')
    prober.note(
      'subscription.parameters.timeout',
      `${known} is a field that the target knows, but no subscription ended by it.`,
    )
    return true
  }
  prober.draft.subscription.parameters.timeout = null
  if (own.seconds === undefined) {
    prober.draft.subscription.leaseSeconds = own.atLeast
    prober.note('subscription.leaseSeconds', own.why)
    return false
  }
  prober.draft.subscription.leaseSeconds = own.seconds
  prober.note(
    'subscription.leaseSeconds',
    `No field changed it, and a subscription ended by itself: ${own.why}`,
  )
  await findRenewal(prober, { told: false, quick })
  return true
}

function learn(prober: Prober, name: string, unit: Unit): void {
  prober.draft.subscription.parameters.timeout = name
  prober.timed = true
  prober.draft.subscription.timeoutFormat = `{${unit}}`
  // Minutes are asked for whole.
  prober.draft.subscription.leaseSeconds = unit === 'min' ? 60 : 2
  const { [name]: _, ...rest } = prober.needed
  prober.needed = rest
}

/** Numbers to ask for: where the longer of two leases is cut, they end alike, and two shorter ones are asked for. */
const PAIRS = [
  [100, 300],
  [10, 30],
] as const

/** The unit of a field by which the end that the target tells moves; undefined where it tells none. */
async function toldUnit(prober: Prober, name: string): Promise<Unit | undefined> {
  await using trial = prober.trial()
  const queue = await prober.queue(trial)
  /** How far from now the end is that the target tells of a subscription with this value: milliseconds. */
  const endOf = async (value: number) => {
    const { answer, uri } = await prober.subscribe(trial, [queue], { [name]: String(value) })
    if (uri === undefined) return undefined
    const read = await trial.target.request('GET', uri)
    const end = reportedExpiry([answer, read], Date.now())
    return end === undefined ? undefined : end - Date.now()
  }
  for (const [short, long] of PAIRS) {
    const ends = await Promise.all([short, long].map(endOf))
    if (ends[0] === undefined || ends[1] === undefined) return undefined
    const unit = (ends[1] - ends[0]) / (long - short)
    const found = (['s', 'ms', 'min'] as const).find((each) => Math.abs(unit / UNITS[each] - 1) < 0.1)
    if (found !== undefined) return found
  }
  return undefined
}

interface Effective {
  readonly name: string
  readonly unit: Unit
  /** The shortest lease that was seen to end, where those of a second did not. */
  readonly seconds?: number
  readonly refusal?: string | undefined
}

/** Of many fields those that may shorten a lease. Where there is room for a few subscriptions only, halves of them are tried. */
async function narrowed(prober: Prober, names: readonly string[]): Promise<readonly string[]> {
  const matter = await someMatter(prober, names)
  if (matter === false) return []
  if (matter === undefined || prober.room === undefined || names.length === 1) return names
  const middle = names.length >> 1
  const first = await narrowed(prober, names.slice(0, middle))
  return first.length > 0 ? first : narrowed(prober, names.slice(middle))
}

/**
 * Whether any of these fields may shorten a lease: false where forms with all of them outlast what they ask for, undefined where
 * such a form is refused.
 */
async function someMatter(prober: Prober, names: readonly string[]): Promise<boolean | undefined> {
  await using trial = prober.trial()
  const queue = await prober.queue(trial)
  const forms = ['1', '0.02'].map((value) => Object.fromEntries(names.map((name) => [name, value])))
  const made = await Promise.all(
    forms.map(async (fields) => (await prober.subscribe(trial, [queue], fields)).uri),
  )
  if (made.every((uri) => uri === undefined)) return undefined
  await sleep(LATER)
  const [seconds, minutes] = [await isAlive(trial, made[0]), await isAlive(trial, made[1])]
  return !(seconds === true && minutes === true)
}

// Whether by a field a lease is over when it should be, and another is not. Each is read once only, since a reading may renew
// what it looks at. What is over is read before what is there, which then was there for longer: however late the requests are
// sent, the field made the difference.
async function judged(prober: Prober, name: string): Promise<Effective | undefined> {
  await using trial = prober.trial()
  const queue = await prober.queue(trial)
  const subscribe = async (value: string) => (await prober.subscribe(trial, [queue], { [name]: value })).uri
  const own = (await prober.subscribe(trial, [queue])).uri
  const [one, many, fraction] = await Promise.all(['1', '1500', '0.02'].map(subscribe))
  const early = await subscribe('1')
  if (one === undefined && many === undefined && fraction === undefined) return undefined
  const manyAtFirst = await subscribe('1500')
  await sleep(SOON)
  const earlyAlive = await isAlive(trial, early)
  const manyAlive = await isAlive(trial, manyAtFirst)
  await sleep(LATER - SOON)
  const afterFraction = await isAlive(trial, fraction)
  const afterOne = await isAlive(trial, one)
  const afterMany = await isAlive(trial, many)
  const afterOwn = await isAlive(trial, own)
  if (earlyAlive === true && afterOne === false && (afterMany ?? afterOwn) === true)
    return { name, unit: 's' }
  if (manyAlive === true && afterMany === false && earlyAlive !== true && afterOwn === true)
    return { name, unit: 'ms' }
  if (afterOne === true && afterMany === true && afterFraction === false) return { name, unit: 'min' }
  return undefined
}
