import type { Links } from '../http/links.js'
import { escapeAttribute } from './escape.js'
import { APP, ATOM, GENERATOR } from './names.js'

/** What creates a queue, and what creates a subscription; section 4.1 leaves both bodies open (chosen). */
const COLLECTIONS = [
  {
    title: 'Queues',
    href: (links: Links) => links.queues(),
    accept: ['text/plain', 'application/x-www-form-urlencoded', 'application/json'],
  },
  {
    title: 'Subscriptions',
    href: (links: Links) => links.subscriptions(),
    accept: ['application/x-www-form-urlencoded'],
  },
]

/** The AtomPub service document (RFC 5023 section 8): how a client finds the collections. */
export function serviceDocument(links: Links): string {
  const collections = COLLECTIONS.map(
    ({ title, href, accept }) => `    <collection href="${escapeAttribute(href(links))}">
      <atom:title>${title}</atom:title>
${accept.map((type) => `      <accept>${type}</accept>\n`).join('')}    </collection>
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
