import { encodePath, lastSegment } from './addresses.js'
import { type Exchange, succeeded } from './exchange.js'
import { jsonMembers } from './forms.js'
import { entriesIn, type Reader } from './message-in.js'
import { wireName } from './queue-names.js'
import type { Manner } from './speaker.js'
import type { Target } from './target.js'

// Section 4.2, one-at-a-time delivery, of a consumer by an id of its own.

/** What it takes to ask. */
type Asking = Pick<Reader, 'profile'> & { readonly target: Pick<Target, 'at' | 'request'> }

/** POST of a subscription to a queue, or of its end. @param path the queue's name as a slash path */
export function subscribe(
  { profile, target }: Asking,
  how: 'subscribe' | 'unsubscribe',
  id: string,
  path: string,
  manner: Manner = {},
  query = '',
): Promise<Exchange> {
  const destination = encodePath(wireName(profile, path))
  return target.request('POST', target.at(`/${how}/${encodePath(id)}/${destination}${query}`), manner)
}

/** POST for the next message. */
export function next({ target }: Asking, id: string, how: Manner = {}): Promise<Exchange> {
  return target.request('POST', target.at(`/nextMessageForMe/${encodePath(id)}`), how)
}

/**
 * POST of an acknowledgement for each of what may be a message's id: a target may answer that of an id which nobody has with success,
 * too.
 *
 * @returns the first that succeeded, or the last
 */
export async function acknowledge(
  { target }: Asking,
  id: string,
  messageIds: readonly string[],
  how: Manner = {},
): Promise<Exchange> {
  const answers: Exchange[] = []
  for (const each of messageIds)
    answers.push(await target.request('POST', target.at(`/ack/${encodePath(id)}/${each}`), how))
  return answers.find((answer) => succeeded(answer)) ?? answers.at(-1)!
}

/**
 * What may be the message id of an answer, ready to stand in a path, likeliest first. An entry has its message's
 * address and an id, and the document does not say which of them ends in the message id.
 */
export function messageIds(reader: Reader, answer: Exchange): string[] {
  const where = reader.profile.oneAtATime.messageId
  if (where === 'location') {
    const location = reader.target.location(answer)
    return location === undefined ? [] : [lastSegment(location)]
  }
  if (where === 'entry') {
    const entry = entriesIn(reader, answer)[0]
    if (entry === undefined) return []
    const fromUri = entry.messageUri === undefined ? [] : [lastSegment(entry.messageUri)]
    const fromId = entry.id === '' ? [] : [encodeURIComponent(entry.id), lastSegment(entry.id)]
    return [...new Set([...fromUri, ...fromId, ...fromId.slice(1).map((id) => id.split(':').at(-1)!)])]
  }
  const value = namedIn(answer, where)
  // It may be percent-encoded already, or an address that ends in the id.
  return value === undefined || value === ''
    ? []
    : [...new Set([encodeURIComponent(value), lastSegment(value)])].filter((id) => id !== '')
}

/** What an answer has in a header field or a member of its JSON, as a profile names them: `header:NAME` or `json:NAME`. */
export function namedIn(answer: Exchange, where: string): string | undefined {
  const name = where.slice(where.indexOf(':') + 1)
  if (where.startsWith('header:')) return answer.headers[name.toLowerCase()]
  return jsonMembers(answer).find(([member]) => member === name)?.[1]
}
