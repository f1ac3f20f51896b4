import type { Element } from '@xmldom/xmldom'
import { answered } from '../client/answered.js'
import { resolve } from '../client/atom.js'
import type { Exchange } from '../client/exchange.js'
import { parseFeedPage } from '../client/parse-feed.js'
import { childElements, parseXml } from '../client/xml.js'
import type { CheckTrial } from '../trial/check-trial.js'
import type { Prober } from './prober.js'

/** Addresses that are looked at for a better base, at most. */
const MOST_HINTS = 12

/**
 * Whether the interface is at the base URL that was given, by its listing at `/queues`. Where it is not, service
 * documents, links and redirects are followed in search of a longer base.
 *
 * @returns `here` too where something else answers: it may take queues and not list them
 */
export async function findBase(prober: Prober): Promise<'here' | 'closed' | 'elsewhere'> {
  const trial = prober.trial()
  const listing = await trial.target.request('GET', trial.target.at('/queues'))
  if (isFeed(listing)) return 'here'
  if (listing.status === 401 || listing.status === 403) {
    prober.note(
      'headers',
      `GET /queues gave ${answered(listing)}: the target wants credentials, which the headers of a profile can hold.`,
    )
    return 'closed'
  }
  const base = await betterBase(prober, trial, listing)
  if (base !== undefined) {
    prober.note(
      'base URL',
      `GET /queues gave ${answered(listing)}; the queues are below ${base}: give that as the base URL.`,
    )
    return 'elsewhere'
  }
  const gave = listing.status === 200 ? 'no feed' : answered(listing)
  prober.note('base URL', `GET /queues gave ${gave}, and nothing at the base URL leads to the queues.`)
  return 'here'
}

/** Whether an answer is a feed. */
export function isFeed(answer: Exchange): boolean {
  const unread = { messageUri: 'id', get: nothing, unreadable: () => nothing() }
  return typeof parseFeedPage(answer, unread as never) !== 'string'
}

function nothing(): never {
  throw new Error('Nothing of the feed is read further.')
}

async function betterBase(prober: Prober, trial: CheckTrial, listing: Exchange): Promise<string | undefined> {
  const asked = new Set<string>([listing.url])
  let hints = [prober.baseUrl, `${prober.baseUrl}/`, ...hintsIn(trial, listing)]
  while (hints.length > 0 && asked.size < MOST_HINTS) {
    const fresh = [...new Set(hints)].filter((uri) => !asked.has(uri) && trial.target.isOwn(uri))
    hints = []
    for (const uri of fresh.slice(0, MOST_HINTS - asked.size)) {
      asked.add(uri)
      const answer = await trial.target.request('GET', uri)
      const base = /^(.*)\/queues\/?$/.exec(uri)?.[1]
      if (base !== undefined && base !== prober.baseUrl && isFeed(answer)) return base
      hints.push(...hintsIn(trial, answer))
    }
  }
  return undefined
}

/** Addresses that an answer leads to: its Location and Link fields, the collections and links of its document. */
function hintsIn(trial: CheckTrial, answer: Exchange): string[] {
  const links = [...(answer.headers.link ?? '').matchAll(/<([^<>]*)>/g)].map((found) => found[1]!)
  const written = [...links, ...referencesIn(answer)]
  const uris = written.flatMap((each) => resolve(each, answer.url) ?? [])
  const location = trial.target.location(answer)
  const all = location === undefined ? uris : [location, ...uris]
  return all.sort((one, other) => Number(/queues\/?$/.test(other)) - Number(/queues\/?$/.test(one)))
}

function referencesIn({ body, headers }: Exchange): string[] {
  try {
    const root = parseXml(body, headers['content-type']).documentElement
    return root ? [...hrefs(root)] : []
  } catch {
    const text = body.subarray(0, 100_000).toString()
    return [...text.matchAll(/\bhref\s*=\s*["']([^"']+)["']/gi)].map((found) => found[1]!)
  }
}

function* hrefs(element: Element): Generator<string> {
  const href = element.getAttribute('href')
  if (href !== null) yield href
  for (const child of childElements(element)) yield* hrefs(child)
}
