import type { Prober } from './prober.js'

/**
 * Whether others are kept from a consumer's feed. Only what the owner's credentials are is known from the profile:
 * without any, everybody is the owner, and there is nobody to ask as.
 */
export async function findAuth(prober: Prober): Promise<void> {
  const { headers, unauthorized } = prober.draft
  if (Object.keys(headers).length === 0) {
    prober.draft.features.auth = false
    prober.note('features.auth', 'Everything was asked without credentials, and answered.')
    return
  }
  await using trial = prober.trial()
  const { queue, sent } = await prober.filledQueue(trial)
  const uri = await prober.consumer(trial, [queue])
  await prober.settledBodies(trial, uri, 1)
  const all = unauthorized.length > 0 ? unauthorized : [{}]
  const answers = await Promise.all(all.map((as) => trial.target.request('GET', uri, { as })))
  const refused = answers.every(({ status, body }) => status >= 400 && !body.includes(sent.body))
  prober.draft.features.auth = refused
  if (unauthorized.length === 0) prober.draft.unauthorized = [{}]
  prober.note(
    'features.auth',
    `A consumer's feed gave ${answers.map(({ status }) => status).join(', ')} to others. Give others' credentials in unauthorized, if there are some.`,
  )
}
