import { ATOM, resolve } from '../client/atom.js'
import { inlineContent } from '../client/content.js'
import { type Exchange, succeeded } from '../client/exchange.js'
import { envelopedTexts, rootOf } from '../client/forms.js'
import type { Profile } from '../client/profile.js'
import { childElements, firstElement } from '../client/xml.js'
import { quote } from '../trial/labels.js'

/** How the messages of a run arrive, where its profile says: as they were sent. */
export class Arrivals {
  #isSame = false

  /** Takes note of a check that passed: where one message came as it was sent, another that does not is a fault. */
  note({ message }: Profile, exchanges: readonly Exchange[]): void {
    if (this.#isSame || message.arrives !== 'same') return
    const { bodies, shown } = traffic(exchanges)
    this.#isSame = shown.some((each) => bodies.has(each.toString()))
  }

  /**
   * Why a check that did not pass says nothing against the target where every message that it read came within an envelope of the
   * target's own, as did all before, while the profile says that messages arrive as they were sent.
   *
   * @returns undefined where that is not so
   */
  otherIn({ message }: Profile, exchanges: readonly Exchange[]): string | undefined {
    if (this.#isSame || message.arrives !== 'same') return undefined
    const { bodies, shown } = traffic(exchanges)
    if (shown.some((each) => bodies.has(each.toString()))) return undefined
    const within = shown.find((each) => envelopedTexts(each).some((text) => bodies.has(text)))
    if (within === undefined) return undefined
    return `the profile's message.arrives is "same", but a message came within more than was sent: say "contains" there; it came as ${quote(within.toString())}`
  }
}

/** What was sent, and what answers may show as messages. */
function traffic(exchanges: readonly Exchange[]): { bodies: ReadonlySet<string>; shown: readonly Buffer[] } {
  const posts = exchanges.filter(({ method }) => method === 'POST')
  const bodies = posts.map(({ requestBody }) => requestBody.toString()).filter((body) => body !== '')
  // What the feed of a queue tells of its messages is its own affair; who sends there posts to its address.
  const collections = new Set(posts.map(({ url }) => url))
  const read = exchanges.filter(
    (each) => each.method === 'GET' && succeeded(each) && !collections.has(each.url.replace(/\?.*$/s, '')),
  )
  // What a POST made is a list of messages, whatever it looks like, and no message.
  const made = new Set(
    posts.flatMap(({ url, headers: { location } }) => (location && resolve(location, url)) || []),
  )
  return { bodies: new Set(bodies), shown: read.flatMap((each) => shownIn(each, !made.has(each.url))) }
}

/** The inline contents of a feed or an entry, or all of an answer that may be a message. */
function shownIn(answer: Exchange, mayBeMessage: boolean): Buffer[] {
  const root = rootOf(answer)
  // What looks like a feed without being one is no message either.
  if (root?.namespaceURI !== ATOM) return mayBeMessage && root?.localName !== 'feed' ? [answer.body] : []
  const entries = root.localName === 'entry' ? [root] : childElements(root, ATOM, 'entry')
  const contents = entries.map((entry) => firstElement(entry, ATOM, 'content'))
  return contents.flatMap((each) => (each && !each.hasAttribute('src') ? [inlineContent(each)] : []))
}
