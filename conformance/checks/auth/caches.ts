import type { Exchange } from '../../client/exchange.js'
import type { Profile } from '../../client/profile.js'
import type { CheckRecord } from '../../trial/check.js'
import { holdOne } from '../../trial/held.js'
import type { Trial } from '../../trial/trial.js'

/** Who else may come to have a consumer's feed: a cache that many share. */
export const AUTH_CACHES: readonly CheckRecord[] = [
  {
    id: 'auth.shared-cache',
    stimulus: "Reads the owner's feed, and looks at what its answer allows a cache that many share.",
    clauses: ['auth.shared-cache'],
    needs: ['auth.owner'],
    async run(trial: Trial) {
      const { consumer } = await holdOne(trial)
      const answer = await consumer.get()
      const { 'cache-control': control = 'none', expires } = answer.headers
      trial.expect(
        !mayBeGivenToOthers(answer, trial.profile),
        'an answer that a shared cache may not keep for everybody: Cache-Control: private or no-store, or none',
        `Cache-Control: ${control}${expires === undefined ? '' : `, Expires: ${expires}`}`,
      )
    },
  },
]

/**
 * Whether a shared cache that keeps to RFC 9111 may answer others with what it has of this, without asking the server. What is
 * fetched with `Authorization` it keeps only where it is told to (section 3.5).
 */
function mayBeGivenToOthers(answer: Exchange, { headers }: Profile): boolean {
  const { 'cache-control': control = '', vary = '', expires, date } = answer.headers
  const directives = new Map(
    control
      .toLowerCase()
      .split(',')
      .map((each) => {
        const [name, value = ''] = each.trim().split('=')
        return [name, value] as [string, string]
      }),
  )
  if (['private', 'no-store', 'no-cache'].some((each) => directives.has(each))) return false
  const credentials = Object.keys(headers).map((name) => name.toLowerCase())
  const varies = vary.split(',').map((each) => each.trim().toLowerCase())
  if (varies.includes('*') || credentials.some((name) => varies.includes(name))) return false
  const seconds = directives.get('s-maxage') ?? directives.get('max-age')
  const fresh =
    seconds === undefined ? Date.parse(expires ?? '') > Date.parse(date ?? '') : Number(seconds) > 0
  const isAllowed =
    !credentials.includes('authorization') ||
    ['public', 's-maxage', 'must-revalidate'].some((each) => directives.has(each))
  return fresh && isAllowed
}
