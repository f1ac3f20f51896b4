import { wildcardBelow } from '../client/subscription-request.js'
import type { Prober } from './prober.js'

/** Words for any one segment, and, after these, for any number of them. */
const WILDCARDS = [
  '{prefix}/*',
  '{prefix}/+',
  '{prefix}.*',
  '{prefix}/:any',
  '{prefix}/{any}',
  '{prefix}/%',
  '{prefix}/>',
  '{prefix}/#',
  '{prefix}/**',
  '{prefix}.>',
  '{prefix}.#',
]

/** How a destination says "every queue below": judged by what comes from two such queues and from one elsewhere. */
export async function findWildcard(prober: Prober): Promise<void> {
  const given = prober.draft.subscription.wildcard
  const { destination } = prober.draft.subscription
  const known = WILDCARDS.map((each) => {
    if (destination === '{dotted}') return each.replace('{prefix}.', '{dottedPrefix}.')
    return destination === '/{path}' ? `/${each}` : each
  })
  const all = [given, ...known.filter((each) => each !== given)]
  const wildcard = (
    await prober.firstOf(prober.narrow ? all.slice(0, 1) : all, (each) => covers(prober, each))
  )?.item
  if (wildcard !== undefined) {
    prober.draft.features.wildcards = true
    prober.draft.subscription.wildcard = wildcard
    prober.note(
      'subscription.wildcard',
      `A subscription to ${wildcard} received from two queues below the prefix, and not from one elsewhere.`,
    )
    return
  }
  prober.claim('wildcards', false, `No wildcard covered the queues below a prefix, of ${all.join(' ')}.`)
}

/** A message at a time: where the target's own prefetch is 1, a feed shows no second one. */
async function covers(prober: Prober, wildcard: string): Promise<true | undefined> {
  return ((await coversOne(prober, wildcard, 0)) && (await coversOne(prober, wildcard, 1))) || undefined
}

/** Whether a subscription to all below a prefix is given the message of one of two queues there, and none from elsewhere. */
async function coversOne(prober: Prober, wildcard: string, which: number): Promise<boolean> {
  await using trial = prober.trial()
  const prefix = trial.freshName()
  const paths = [`${prefix}/one`, `${prefix}/two`, `${trial.freshName()}/one`]
  const queues = await Promise.all(paths.map((path) => prober.queue(trial, path)))
  const { subscription } = trial.profile
  const destination = wildcardBelow({ ...trial.profile, subscription: { ...subscription, wildcard } }, prefix)
  const { uri } = await prober.subscribe(trial, [destination])
  if (uri === undefined) return false
  const elsewhere = await trial.send(queues[2]!)
  const sent = await trial.send(queues[which]!)
  const seen = await prober.settledBodies(trial, uri, 1)
  return seen.includes(sent.text) && !seen.includes(elsewhere.text)
}
