import { quotedBody } from '../client/answered.js'
import { refused } from '../client/exchange.js'
import { leaseParameter } from '../client/subscription-request.js'
import { longestLease } from '../client/timing.js'
import type { Prober } from './prober.js'
import { reportedExpiry } from './reported-expiry.js'

/** Ways to write seconds that are not a number alone. */
const WRITTEN = ['{s}s', 'PT{s}S'] as const
/** So many of them are tried, the second where the first may be more than the target grants. */
const TRIED = [60, 10] as const

/**
 * The first of these fields that refuses a number of seconds and takes `60s` or `PT60S`, or fewer, with the refusal; undefined where
 * none is so.
 */
export async function writtenTimeout(prober: Prober, names: readonly string[]) {
  const found = await prober.each(names, async (name) => {
    for (const seconds of TRIED) {
      const written = ['{s}', ...WRITTEN].map((format) => format.replace('{s}', String(seconds)))
      const [plain, ...others] = await Promise.all(written.map((value) => asked(prober, name, value)))
      if (plain!.taken) return undefined
      const format = WRITTEN[others.findIndex(({ taken }) => taken)]
      if (format !== undefined) return { name, format, refusal: plain!.told }
    }
    return undefined
  })
  return found.find((each) => each !== undefined)
}

/** The longest lease that is granted, where one that outlives any check is refused: what is refused tells it. */
export async function findLongestLease(prober: Prober): Promise<void> {
  const { subscription } = prober.draft
  const { timeout } = subscription.parameters
  if (timeout === null) return
  const refusals: string[] = []
  for (const seconds of [longestLease(prober.draft) / 1000, 60, 30, 20, 10, 5]) {
    const { taken, isRefused, told, granted } = await asked(
      prober,
      timeout,
      leaseParameter(prober.draft, seconds * 1000),
    )
    if (!taken && isRefused) refusals.push(`${seconds} s: ${told}`)
    if (!taken) continue
    if (granted !== undefined && granted < 0.9 * seconds) {
      subscription.maxLeaseSeconds = granted
      const text = `A lease of ${seconds} s was asked for, and the target tells that it ends after ${granted} s.`
      prober.note('subscription.maxLeaseSeconds', text)
      return
    }
    if (refusals.length === 0) return
    subscription.maxLeaseSeconds = seconds
    prober.note('subscription.maxLeaseSeconds', `A lease of ${seconds} s is granted. ${refusals.join('; ')}.`)
    return
  }
}

async function asked(prober: Prober, name: string, value: string) {
  await using trial = prober.trial()
  const { answer, uri } = await prober.subscribe(trial, [await prober.queue(trial)], { [name]: value })
  const begun = Date.now()
  const read = uri === undefined ? undefined : await trial.target.request('GET', uri)
  const end = read && reportedExpiry([answer, read], Date.now())
  return {
    taken: uri !== undefined,
    /** Whole seconds, where the target tells when the lease ends. */
    granted: end === undefined ? undefined : Math.max(1, Math.round((end - begun) / 1000)),
    isRefused: refused(answer),
    told: quotedBody(answer),
  }
}
