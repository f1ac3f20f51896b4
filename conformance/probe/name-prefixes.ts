import { beginningOf } from '../client/answered.js'
import type { Exchange } from '../client/exchange.js'
import type { CheckTrial } from '../trial/check-trial.js'
import type { Prober } from './prober.js'

/** What stands before the name of a place in a refusal: `queues below team/kit only`, `names begin with "team."`. */
const TOLD =
  /\b(?:below|under|beneath|within|inside|prefix(?:ed with|ed by)?|(?:begin|start)(?:s|ning|ing)?(?: with)?)(?: is| must be|:)?\s+["'`“‘</]*([A-Za-z0-9][\w.-]*(?:\/[\w.-]+)*[/.]?)/gi
const MOST = 6

/** Prefixes of names that refusals tell, as `queueNames.prefix` has them. */
export function toldPrefixes(refusals: readonly Exchange[]): string[] {
  const words = refusals.flatMap((each) => [...beginningOf(each).matchAll(TOLD)].map((found) => found[1]!))
  return [...new Set(words)].slice(0, MOST).flatMap(asPrefixes)
}

/** Prefixes of the names that the target lists: of a target that refuses all others, queues stand below them. */
export async function listedPrefixes(prober: Prober): Promise<string[]> {
  const trial = prober.trial()
  const root = trial.target.at('/queues')
  const below = await namesListed(prober, trial, root)
  // A category lists what is below it; a few are enough.
  const deeper: string[] = []
  for (const name of below.slice(0, 3))
    deeper.push(...(await namesListed(prober, trial, trial.target.queueUri(name))))
  const names = [...deeper, ...below].filter((name) => !name.startsWith('kit-'))
  const categories = names.flatMap((name) => {
    const cut = Math.max(name.lastIndexOf('/'), name.lastIndexOf('.'))
    return cut > 0 ? [name.slice(0, cut + 1)] : [`${name}/`]
  })
  return [...new Set(categories)].slice(0, MOST)
}

/** A word without a mark at its end may be parted from names by a slash or by a dot. */
function asPrefixes(word: string): string[] {
  const bare = word.replace(/[/.]+$/, '')
  const parts = bare.includes('.') ? ['.', '/'] : ['/', '.']
  return word.endsWith('/') ? [`${bare}/`] : parts.map((part) => bare + part)
}

async function namesListed(prober: Prober, trial: CheckTrial, uri: string): Promise<string[]> {
  const listing = await prober.attempt(() => trial.readFeed(uri, 'browse.root'))
  const root = new URL(`${trial.target.at('/queues')}/`).pathname
  return (listing?.entries ?? []).flatMap(({ links }) =>
    links
      .filter(({ href }) => URL.canParse(href) && new URL(href).pathname.startsWith(root))
      .slice(0, 1)
      .map(({ href }) => decodeURIComponent(new URL(href).pathname.slice(root.length)))
      .filter((name) => name !== ''),
  )
}
