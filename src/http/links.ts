import type { Request } from './exchange.js'

/** How many hosts a server keeps the links for. */
const MOST_AUTHORITIES = 100

/** Where the addresses begin. */
export interface LinkOptions {
  /** See `basePathOf`; the links are then absolute-path references below it. */
  readonly basePath?: string
  /** `{base_url}` as clients know it; the links are then absolute URIs below it, whatever the base path. */
  readonly publicUrl?: string
}

/**
 * Links that are whole, for clients that do not resolve them: at the host that each request is for, which the edge has
 * seen to be one that the server answers for.
 *
 * @throws Error when the base path is none
 */
export function createAbsoluteLinks(basePath: string): (request: Pick<Request, 'authority'>) => Links {
  const path = basePathOf(basePath)
  const plain = createLinks({ basePath })
  /** Made once for each authority; a client may name many ports. */
  const known = new Map<string, Links>()
  return ({ authority }) => {
    if (authority === undefined) return plain
    let links = known.get(authority)
    if (links === undefined) {
      links = createLinks({ publicUrl: `http://${authority}${path}` })
      if (known.size >= MOST_AUTHORITIES) known.clear()
      known.set(authority, links)
    }
    return links
  }
}

/** Builds every address that an answer bears. Nothing of a request goes into it, least of all its Host. */
export type Links = ReturnType<typeof createLinks>

/** @throws Error when an option is not what it should be */
// clause: http.links ack.below-subscription http.base-url
export function createLinks({ basePath = '', publicUrl }: LinkOptions = {}) {
  const base = publicUrl === undefined ? basePathOf(basePath) : publicBase(publicUrl)
  const queues = `${base}/queues`
  const subscriptions = `${base}/subscriptions`
  const delivery = (subscriptionId: string, deliveryId: string) =>
    `${subscriptions}/${encodeSegment(subscriptionId)}/messages/${encodeSegment(deliveryId)}`
  const below = (word: string, consumerId: string, deliveryId: string) =>
    `${base}/${word}/${encodeSegment(consumerId)}/${encodeSegment(deliveryId)}`
  const message = (id: string) => `${base}/messages/${encodeSegment(id)}`
  return {
    /** The service document. */
    service: () => `${base}/`,
    /** The queue collection, which is also the listing of the root (section 2). */
    queues: () => queues,
    /** The listing below a category, with a trailing slash; the root for the empty name. */
    listing: (category: string) => (category === '' ? queues : `${queues}/${encodePath(category)}/`),
    /** A queue, by its canonical name. */
    queue: (name: string) => `${queues}/${encodePath(name)}`,
    /** A new-message address (section 4.1, send, step 1). */
    address: (id: string) => `${base}/addresses/${encodeSegment(id)}`,
    /** Where subscriptions are made. */
    subscriptions: () => subscriptions,
    subscription: (id: string) => `${subscriptions}/${encodeSegment(id)}`,
    /** The message URI: a message that one subscription holds. */
    delivery,
    /** The raw body of a message that a subscription holds. */
    deliveryContent: (subscriptionId: string, deliveryId: string) =>
      `${delivery(subscriptionId, deliveryId)}/content`,
    /** A message that a consumer of the alternative mappings holds. */
    consumerMessage: (consumerId: string, deliveryId: string) => below('message', consumerId, deliveryId),
    /** Where a consumer acknowledges one message (section 4.2, one at a time). */
    consumerAck: (consumerId: string, deliveryId: string) => below('ack', consumerId, deliveryId),
    /** The same by DELETE (section 4.2, batch). */
    lockedMessage: (consumerId: string, deliveryId: string) =>
      `${base}/${encodeSegment(consumerId)}/messages/${encodeSegment(deliveryId)}`,
    /** A pending message, only to look at. */
    message,
    /** The raw body of a pending message, only to look at. */
    messageContent: (id: string) => `${message(id)}/content`,
  }
}

/**
 * The prefix of every path of the interface (section 2, `{base_url}`), without
 * a trailing slash: `/mq`, or the empty text for none.
 *
 * @throws Error when the text is not a path
 */
export function basePathOf(text: string): string {
  const path = text.replace(/\/+$/, '')
  if (path !== '' && !/^(?:\/(?:[\w.~!$&'()*+,;=:@-]|%[0-9a-fA-F]{2})+)+$/.test(path)) {
    throw new Error(`The base path ${JSON.stringify(text)} is not a path; write it like "/mq".`)
  }
  return path
}

/** One segment as percent-encoded UTF-8. Ids have nothing that is to be encoded. */
export function encodeSegment(text: string): string {
  return /^[\w-]*$/.test(text) ? text : encodeURIComponent(text)
}

/** Each segment as percent-encoded UTF-8, with nothing left that is not a `pchar` of RFC 3986. */
function encodePath(name: string): string {
  return name.split('/').map(encodeSegment).join('/')
}

function publicBase(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username || url.password) {
    throw new Error(
      `The public URL ${JSON.stringify(text)} is not a plain http or https URL; write it like "https://example.org/mq".`,
    )
  }
  return url.href.replace(/\/+$/, '')
}
