import { Refusal } from '../broker/refusals.js'
import type { Request } from '../http/exchange.js'
import { decodeSegment, decodeUtf8 } from '../http/form.js'
import type { EdgeLimits } from '../http/limits.js'
import { Problem } from '../http/problems.js'
import { checkMediaType } from './asking.js'

const NOT_UTF8 = 'The list of message URIs is not UTF-8; percent-encode them.'

/** Characters of JSON that a refusal tells of the lines that it is for: more than a list of ordinary addresses has. */
const MOST_TOLD = 1024 * 1024

/** Media type of a list of addresses (RFC 2483 section 5). */
export const URI_LIST = 'text/uri-list'

/**
 * The addresses that a request lists, without comments and empty lines. `chosen`: no body at all is an empty list,
 * and a line may end with LF alone.
 *
 * @throws Problem `unsupported-media-type`, `malformed-request`, and `body-too-large` for too many lines
 */
// clause: ack-in-post.media-type
export function uriList(request: Request, { maxAcks }: Readonly<EdgeLimits>): string[] {
  const { body } = request
  if (body.length === 0) return []
  checkMediaType(request, URI_LIST, `Acknowledgements are listed as ${URI_LIST}, one message URI a line.`)
  const lines: string[] = []
  let count = 0
  for (const [line] of decodeUtf8(body, NOT_UTF8).matchAll(/[^\r\n]+/g)) {
    if (++count > maxAcks) {
      throw new Problem('body-too-large', `A list may have ${maxAcks} lines; send it in several.`, {
        limit: maxAcks,
      })
    }
    const uri = line.trim()
    if (uri !== '' && !uri.startsWith('#')) lines.push(uri)
  }
  return lines
}

/** Addresses as a list; each line ends with CRLF. */
// clause: batch.list
export function formatUriList(uris: readonly string[]): string {
  return uris.map((uri) => `${uri}\r\n`).join('')
}

/**
 * Acknowledges the messages that a list names, all or none. Of an address only the path counts: a server has many
 * names, and the id of a delivery is unguessable.
 *
 * @param prefixes what the address of a message of this consumer may begin with, up to the delivery id
 * @param acknowledge the command, given delivery ids
 * @throws Refusal `message-not-held` with the lines concerned, and whatever else the command refuses
 */
// clause: ack-in-post.refused
export function acknowledgeListed<T>(
  list: readonly string[],
  prefixes: readonly string[],
  acknowledge: (deliveries: readonly string[]) => T,
): T {
  const paths = prefixes.map((prefix) => pathOf(prefix) as string)
  const lines = new Map<string, string>()
  // A line that is no address of this consumer stands for itself, which is no delivery's id.
  for (const line of list) lines.set(deliveryIdOf(line, paths) ?? line, line)
  try {
    return acknowledge([...lines.keys()])
  } catch (error) {
    if (!(error instanceof Refusal && error.kind === 'message-not-held')) throw error
    const foreign = (error.facts.messages as string[]).map((id) => lines.get(id) ?? id)
    throw new Refusal(
      'message-not-held',
      `None was acknowledged, since ${foreign.length} of the list ${foreign.length === 1 ? 'is' : 'are'} not held here; leave out what "messages" lists.`,
      { messages: firstOf(foreign) },
    )
  }
}

/** The first of some lines, as many as a refusal may tell as JSON. */
function firstOf(lines: readonly string[]): readonly string[] {
  let room = MOST_TOLD
  const first = lines.findIndex((line) => {
    room -= JSON.stringify(line).length
    return room < 0
  })
  return first < 0 ? lines : lines.slice(0, first)
}

function deliveryIdOf(line: string, paths: readonly string[]): string | undefined {
  const path = pathOf(line)
  const prefix = paths.find((start) => path?.startsWith(start))
  if (path === undefined || prefix === undefined) return undefined
  try {
    return decodeSegment(path.slice(prefix.length))
  } catch {
    return undefined
  }
}

/**
 * The path of an absolute URI, or of an absolute path; undefined for anything else. Which host is named does not count,
 * and to read one takes the platform time with the square of its length.
 */
function pathOf(line: string): string | undefined {
  const path = line.replace(/^https?:\/\/[^/?#\\]*/i, '')
  // In an http URI a backslash is a slash, and behind two of them stands a host.
  return /^\/(?![/\\])/.test(path) ? new URL(path, 'http://localhost').pathname : undefined
}
