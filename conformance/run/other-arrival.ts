import { ATOM } from '../client/atom.js'
import { inlineContent } from '../client/content.js'
import { type Exchange, succeeded } from '../client/exchange.js'
import type { Profile } from '../client/profile.js'
import { childElements, firstElement } from '../client/xml.js'
import { envelopedTexts, rootOf } from '../trial/forms.js'
import { quote } from '../trial/labels.js'

/**
 * Why a check that did not pass says nothing against the target where every message that it read came within an envelope of the
 * target's own, while the profile says that messages arrive as they were sent.
 *
 * @returns undefined where that is not so
 */
export function otherArrivalIn({ message }: Profile, exchanges: readonly Exchange[]): string | undefined {
  if (message.arrives !== 'same') return undefined
  const posted = exchanges.filter(({ method, requestBody }) => method === 'POST' && requestBody.length > 0)
  const bodies = new Set(posted.map(({ requestBody }) => requestBody.toString()))
  // What the feed of a queue tells of its messages is its own affair; who sends there posts to its address.
  const collections = new Set(exchanges.filter(({ method }) => method === 'POST').map(({ url }) => url))
  const read = exchanges.filter(
    (each) => each.method === 'GET' && succeeded(each) && !collections.has(each.url.replace(/\?.*$/s, '')),
  )
  const shown = read.flatMap(shownIn)
  if (shown.some((each) => bodies.has(each.toString()))) return undefined
  const within = shown.find((each) => envelopedTexts(each).some((text) => bodies.has(text)))
  if (within === undefined) return undefined
  return `the profile's message.arrives is "same", but a message came within more than was sent: say "contains" there; it came as ${quote(within.toString())}`
}

/** What an answer may show as messages: the inline contents of a feed or an entry, or all of it. */
function shownIn(answer: Exchange): Buffer[] {
  const root = rootOf(answer)
  if (root === undefined || root.namespaceURI !== ATOM) return [answer.body]
  const entries = root.localName === 'entry' ? [root] : childElements(root, ATOM, 'entry')
  const contents = entries.map((entry) => firstElement(entry, ATOM, 'content'))
  return contents.flatMap((each) => (each && !each.hasAttribute('src') ? [inlineContent(each)] : []))
}
