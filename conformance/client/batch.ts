import { postUris } from './ack-in-post.js'
import { encodePath, lastSegment } from './addresses.js'
import { type Exchange, succeeded } from './exchange.js'
import { payloadsOf, type Reader } from './message-in.js'
import type { Manner } from './speaker.js'
import type { Target } from './target.js'
import { listedUris } from './uris-in.js'

// Section 4.2, the batch mapping, of a consumer by its id.

/** What it takes to ask, and to understand an answer. */
type Asking = Reader & { readonly target: Pick<Target, 'at' | 'request'> }

/** A lock call with the message URLs that it returned. */
export interface LockCall {
  readonly answer: Exchange
  readonly uris: readonly string[]
}

/** Address of the lock calls of a consumer. */
export function addressOf({ target }: Asking, id: string, max?: number): string {
  return target.at(`/lockNextMessage/${encodePath(id)}${max === undefined ? '' : `?max=${max}`}`)
}

/** POST of a lock call. @param acks addresses of messages that it acknowledges */
export async function lock(
  speaker: Asking,
  id: string,
  max: number | undefined,
  acks: readonly string[] = [],
  how: Manner = {},
): Promise<LockCall> {
  const address = addressOf(speaker, id, max)
  const answer =
    acks.length > 0
      ? await postUris(speaker, address, acks, how)
      : await speaker.target.request('POST', address, how)
  return { answer, uris: await urisIn(speaker, id, answer) }
}

/**
 * A lock call for so many; where the target refuses such a `max`, for half as many, and again, since the document does not say how
 * large it may be.
 *
 * @returns the call, and how many it was for; the first call, where all were refused
 */
export async function lockUpTo(
  max: number,
  lock: (max: number) => Promise<LockCall>,
): Promise<LockCall & { readonly max: number }> {
  const first = { ...(await lock(max)), max }
  let call = first
  for (let less = max; isTooMany(call.answer) && less > 1; ) {
    less = Math.floor(less / 2)
    call = { ...(await lock(less)), max: less }
  }
  return isTooMany(call.answer) ? first : call
}

/** Whether an answer may refuse a lock call for its `max`. */
function isTooMany({ status }: Exchange): boolean {
  return status === 400 || status === 422
}

/** The message URLs in an answer: those of the shape that section 4.2 has, or such that lead to a message. */
export async function urisIn(speaker: Asking, id: string, answer: Exchange): Promise<readonly string[]> {
  const start = `${new URL(speaker.target.at(`/message/${encodePath(id)}/`)).pathname}`
  const { uris, isShaped } = listedUris(speaker, answer, (uri) => {
    const { pathname } = new URL(uri)
    return pathname.startsWith(start) && /^[^/]+$/.test(pathname.slice(start.length))
  })
  if (isShaped) return uris
  const isMessage = await Promise.all(uris.map((uri) => leadsToMessage(speaker, id, uri)))
  return uris.filter((_, at) => isMessage[at])
}

/** A message is known by what is in it, or has no byte. */
async function leadsToMessage(speaker: Asking, id: string, uri: string): Promise<boolean> {
  const { knowing } = speaker
  const found = await fetchLocked(speaker, id, uri)
  const payloads = await payloadsOf(speaker, found)
  const isKnown = payloads.some((each) => knowing.isMessage(each, false) || knowing.isAbout(each))
  return isKnown || (succeeded(found) && found.body.length === 0)
}

/** GET of a message that was locked: where a returned URL is not that of section 4.2, of that too. */
export async function fetchLocked(
  { target }: Asking,
  id: string,
  uri: string,
  how: Manner = {},
): Promise<Exchange> {
  const answer = await target.request('GET', uri, how)
  const stated = target.at(`/message/${encodePath(id)}/${lastSegment(uri)}`)
  return succeeded(answer) || uri === stated ? answer : target.request('GET', stated, how)
}

/** DELETE that acknowledges a message that was locked. */
export function acknowledge(
  { target }: Asking,
  id: string,
  uri: string,
  how: Manner = {},
): Promise<Exchange> {
  return target.request('DELETE', target.at(`/${encodePath(id)}/messages/${lastSegment(uri)}`), how)
}
