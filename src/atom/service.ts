import type { Links } from '../http/links.js'
import { escapeAttribute } from './escape.js'
import { APP, ATOM, GENERATOR } from './names.js'

/**
 * Both can be read as feeds. Neither takes what AtomPub would post to it, an entry or a medium, and both say so by an
 * empty `accept` (RFC 5023 section 8.3.4): what they do take they tell by `Accept-Post`.
 */
const COLLECTIONS = [
  { title: 'Queues', href: (links: Links) => links.queues() },
  { title: 'Subscriptions', href: (links: Links) => links.subscriptions() },
]

/** The AtomPub service document (RFC 5023 section 8): how a client finds the collections. */
export function serviceDocument(links: Links): string {
  const collections = COLLECTIONS.map(
    ({ title, href }) => `    <collection href="${escapeAttribute(href(links))}">
      <atom:title>${title}</atom:title>
      <accept/>
    </collection>
`,
  )
  return `<?xml version="1.0" encoding="utf-8"?>
<service xmlns="${APP}" xmlns:atom="${ATOM}">
  <atom:generator version="${GENERATOR.version}">${GENERATOR.name}</atom:generator>
  <workspace>
    <atom:title>Message queues</atom:title>
${collections.join('')}  </workspace>
</service>
`
}
