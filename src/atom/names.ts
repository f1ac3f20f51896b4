/** Namespace of Atom (RFC 4287). */
export const ATOM = 'http://www.w3.org/2005/Atom'
/** Namespace of the Atom Publishing Protocol (RFC 5023). */
export const APP = 'http://www.w3.org/2007/app'
/**
 * Namespace of what this server adds to feeds and entries, and the scheme of its
 * categories (chosen: section 2 shows no fields of entries).
 */
export const EXTENSIONS = 'urn:atom-mq:extensions'

/** Media type of every feed. */
// clause: browse.atom.media-type
// clause: browse.atom.parameters
export const FEED_TYPE = 'application/atom+xml;type=feed;charset=utf-8'
/** Media type of an entry on its own. */
export const ENTRY_TYPE = 'application/atom+xml;type=entry;charset=utf-8'
/** Media type of the service document. */
export const SERVICE_TYPE = 'application/atomsvc+xml;charset=utf-8'

/** Who writes the feeds; the version is that of the package. */
// clause: http.generator
export const GENERATOR = { name: 'atom-mq', version: '0.1.0' } as const
