import { ATOM } from './atom.js'
import { Buffer } from './bytes.js'
import { type Exchange, succeeded } from './exchange.js'
import type { Entry } from './feed.js'
import { Blocked, unless } from './findings.js'
import { decoded, jsonTexts, rootOf, xmlTexts } from './forms.js'
import { type KnowingMessages, type LinkedContents, parseEntry } from './parse-entry.js'
import type { Profile } from './profile.js'
import type { Sent } from './sent.js'
import type { Target } from './target.js'
import { childElements } from './xml.js'

/** What it takes to understand an answer. */
export interface Reader {
  readonly profile: Profile
  readonly target: Pick<Target, 'baseUrl' | 'exchanges' | 'request' | 'location'>
  /** What the contents were that entries link to; undefined on a target whose effects show at once. */
  readonly linked: LinkedContents | undefined
  /** Knows messages where entries link to them. */
  readonly knowing: KnowingMessages
  /** A body that arrived as text: where messages do not arrive as they were sent, the text of the one that it holds. */
  messageText(body: Buffer): string
}

/**
 * What an answer may mean as the bytes of its message. Section 4.2 shows no form: the message may be the
 * body itself, or stand in an Atom entry or feed, in other XML, or in JSON, as text or as Base64.
 */
export async function payloadsOf(reader: Reader, answer: Exchange): Promise<Buffer[]> {
  if (!succeeded(answer) || answer.body.length === 0) return succeeded(answer) ? [answer.body] : []
  const bodies = await Promise.all(
    entriesIn(reader, answer).map((entry) => unless(Unreadable, () => entry.body())),
  )
  const texts = [answer.body.toString(), ...jsonTexts(answer), ...xmlTexts(answer)]
  const found = [...bodies, ...texts.slice(1).map((text) => Buffer.from(text)), ...decoded(texts)]
  return [answer.body, ...found.filter((each) => each !== undefined)]
}

/** Those of `messages` that an answer holds, in whatever form. */
export async function messagesIn(
  reader: Reader,
  answer: Exchange,
  messages: readonly Sent[],
): Promise<readonly Sent[]> {
  const payloads = await payloadsOf(reader, answer)
  if (reader.profile.message.arrives === 'contains') {
    const texts = new Set(payloads.map((payload) => reader.messageText(payload)))
    return messages.filter(({ text }) => texts.has(text))
  }
  return messages.filter((message) => payloads.some((payload) => holds(payload, message)))
}

/** The entries of an answer that is an Atom entry or a feed. */
export function entriesIn(reader: Reader, answer: Exchange): Entry[] {
  const root = rootOf(answer)
  if (root === undefined || root.namespaceURI !== ATOM) return []
  const elements = root.localName === 'entry' ? [root] : childElements(root, ATOM, 'entry')
  return elements.map((element) =>
    parseEntry(element, {
      documentUri: answer.url,
      messageUri: reader.profile.messageUri,
      linked: reader.linked,
      knowing: reader.knowing,
      get: (uri) => reader.target.request('GET', uri),
      unreadable: (why) => {
        throw new Unreadable('consume.feed', why)
      },
    }),
  )
}

/** An entry whose content cannot be had holds no message that could be known. */
class Unreadable extends Blocked {}

/** A message is known by its text; where that ends in a number, another's may begin with it. */
function holds(payload: Buffer, { body }: Sent): boolean {
  for (let at = payload.indexOf(body); at >= 0 && body.length > 0; at = payload.indexOf(body, at + 1)) {
    if (!/\d/.test(String.fromCharCode(payload[at + body.length] ?? 0))) return true
  }
  return payload.equals(body)
}
