import type { Exchange } from './exchange.js'
import type { Feed } from './feed.js'
import type { KnowingMessages, LinkedContents } from './parse-entry.js'
import { readFeed } from './read-feed.js'

export const BASE = 'http://mq.test/base/feed'
export const ATOM = 'xmlns="http://www.w3.org/2005/Atom"'
export const HEAD =
  '<id>urn:x:feed</id><title>f</title><updated>2024-01-01T00:00:00Z</updated><author><name>a</name></author>'
export const ENTRY_HEAD = '<id>urn:x:1</id><title>e</title><updated>2024-01-01T00:00:00Z</updated>'

export interface Page {
  body: string | Uint8Array
  type?: string
  status?: number
  error?: string
  headers?: Record<string, string>
}

/** A target that has these documents by absolute address. */
export function site(
  pages: Record<string, Page | string>,
  messageUri = 'link[rel=edit]',
  linked?: LinkedContents,
  knowing?: KnowingMessages,
  mayOnlyTell = false,
) {
  const asked: string[] = []
  const get = async (url: string): Promise<Exchange> => {
    asked.push(url)
    const found = pages[url] ?? { body: '', status: 404 }
    const page = typeof found === 'string' ? { body: found } : found
    const { body, type = 'application/atom+xml;type=feed', status = 200, error, headers = {} } = page as Page
    return {
      method: 'GET',
      url,
      requestHeaders: {},
      requestBody: Buffer.alloc(0),
      status: error === undefined ? status : 0,
      headers: { 'content-type': type, ...headers },
      body: Buffer.from(body as Uint8Array),
      error,
      sentAt: 0,
      receivedAt: 0,
    }
  }
  const unreadable = (why: string, isNowhere = false): never => {
    throw Object.assign(new Error(why), { isNowhere })
  }
  const known = new Map()
  const excesses: string[] = []
  const onExcess = (limit: string) => excesses.push(limit)
  return {
    asked,
    excesses,
    read: (uri = BASE) =>
      readFeed(uri, { get, messageUri, unreadable, known, linked, knowing, mayOnlyTell, onExcess }),
  }
}

/** The feed that this document is; throws where it is none. */
export async function read(page: Page | string, messageUri?: string): Promise<Feed> {
  const feed = await site({ [BASE]: page }, messageUri).read()
  if (typeof feed === 'string') throw new Error(feed)
  return feed
}

/** A feed with one entry, of which this is the inside beyond the obligatory. */
export function withEntry(inner: string): string {
  return `<feed ${ATOM}>${HEAD}<entry>${ENTRY_HEAD}${inner}</entry></feed>`
}

/** The body of such an entry, as text. */
export async function bodyOf(inner: string): Promise<string> {
  return String(await (await read(withEntry(inner))).entries[0]!.body())
}
