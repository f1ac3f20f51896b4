import { answered } from '../client/answered.js'
import { type Exchange, succeeded } from '../client/exchange.js'
import type { Profile } from '../client/profile.js'
import type { Check } from '../trial/check.js'

/**
 * Why a check that did not pass says nothing against the target: it needs a field of the profile that is `"unknown"`.
 * Tells which, and what the target refused; where it refused nothing, what was asked and looked for.
 *
 * @param lookedFor what the check missed, in its own words
 * @returns undefined where no such field plays a part
 */
export function unknownFieldIn(
  { unknown }: Profile,
  check: Check,
  exchanges: readonly Exchange[],
  lookedFor: string,
): string | undefined {
  const refused = exchanges.filter((exchange) => !succeeded(exchange))
  const path = unknown.find((each) => playsPart(each, check, refused, exchanges))
  if (path === undefined) return undefined
  const refusal = refused.at(-1)
  return `the profile's ${path} is unknown: fill it in; ${refusal ? quoted(refusal) : `${asked(exchanges)}: ${lookedFor}`}`
}

/** What the target took: how many requests, and the last of them. */
function asked(exchanges: readonly Exchange[]): string {
  const lines = [...new Set(exchanges.map(({ method, url }) => `${method} ${url}`))]
  const last = lines.at(-1)
  if (last === undefined) return 'nothing could be asked without it'
  return lines.length === 1
    ? `the target did not refuse ${last}`
    : `the target refused none of ${lines.length} requests, of which the last was ${last}`
}

function playsPart(
  path: string,
  { feature, passesTime, id }: Check,
  refused: readonly Exchange[],
  all: readonly Exchange[],
): boolean {
  const posted = (exchanges: readonly Exchange[], end: string) =>
    exchanges.some(({ method, url }) => method === 'POST' && new URL(url).pathname.endsWith(end))
  if (/^(?:createQueue|queueNames)/.test(path)) return posted(refused, '/queues')
  if (path.startsWith('subscription.selector')) return feature === 'selector'
  if (path === 'subscription.wildcard') return feature === 'wildcards'
  // Each check reckons with a lease that was renewed, and with one that was not.
  if (path === 'subscription.renewedBy') return false
  if (/^subscription\.(?:leaseSeconds|parameters\.timeout)$/.test(path)) return passesTime === true
  if (path === 'subscription.parameters.prefetch' || path === 'subscription.maxPrefetch')
    return id.startsWith('prefetch.') || posted(refused, '/subscriptions') || needsRoom(all)
  if (path.startsWith('subscription')) return posted(all, '/subscriptions')
  if (path.startsWith('message.') || path === 'message')
    return refused.some(({ requestBody }) => requestBody.length > 0)
  if (path.startsWith('guid')) return feature === 'guid'
  if (path === 'messageUri')
    return all.some(({ method }) => method === 'DELETE') || /^(?:ack\.|consume\.message-uri$)/.test(id)
  if (path.startsWith('oneAtATime')) return feature === 'one-at-a-time'
  return path === 'settleSeconds' || path === 'headers' || path === 'requestsPerSecond'
}

/** Whether a consumer was to be given several messages: it may have been granted room for one alone. */
function needsRoom(exchanges: readonly Exchange[]): boolean {
  const isForm = ({ url }: Exchange) => new URL(url).pathname.endsWith('/subscriptions')
  const posts = exchanges.filter(({ method }) => method === 'POST')
  const bodies = posts.filter((each) => !isForm(each) && !new URL(each.url).pathname.endsWith('/queues'))
  const sent = new Set(bodies.filter(({ requestBody }) => requestBody.length > 0).map(({ url }) => url))
  return posts.some(isForm) && sent.size > 1
}

/** What the target answered, word for word. */
function quoted(answer: Exchange): string {
  const { method, url, error } = answer
  return `${method} ${url} gave ${error ?? answered(answer)}`
}
