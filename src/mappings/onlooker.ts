import { prefersHtml } from '../http/accept.js'
import type { Request } from '../http/exchange.js'

/**
 * Whether a request only looks at what a consumer holds, so that it renews no lease (`chosen`): an administrator who is
 * not its owner, a HEAD, or a browser. A person looks, a program consumes.
 *
 * @param owner who made the lease
 */
export function isOnlooker(
  { method, headOnly, headers, principal }: Request,
  owner: string | undefined,
): boolean {
  if (principal !== undefined && principal.name !== owner) return true
  return method === 'GET' && (headOnly === true || prefersHtml(headers.accept))
}
