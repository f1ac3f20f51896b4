import { escapeText } from '../../atom/escape.js'
import type { Reply, Request } from '../../http/exchange.js'
import { toBase64 } from '../../platform/bytes.js'
import { sha256 } from '../../platform/sha256.js'

/**
 * Somebody who opens the page in a browser and may not see it gets a page that says so, and where to sign in anew, in
 * the place of a problem as JSON. A browser asks for credentials by itself at a 401, and shows this when its reader
 * gives it none.
 *
 * @param reply what the server says
 */
export async function readableRefusal(request: Request, reply: Reply): Promise<Reply> {
  const { method, path, headers } = request
  if (reply.status !== 401 && reply.status !== 403) return reply
  if (method !== 'GET' || path !== '/_control/' || !/\btext\/html\b/.test(headers.accept ?? '')) return reply
  const { FILES, SIGN_IN } = await import('./files.js')
  const { detail } = JSON.parse(String(reply.body)) as { detail: string }
  const parts: Readonly<Record<string, string>> = {
    style: FILES['style.css'] ?? '',
    script: SIGN_IN,
    detail: escapeText(detail),
  }
  const hash = (text = '') => `'sha256-${toBase64(sha256(text))}'`
  return {
    ...reply,
    headers: {
      ...reply.headers,
      'Content-Type': 'text/html;charset=utf-8',
      'Content-Security-Policy': `default-src 'none'; style-src ${hash(parts.style)}; script-src ${hash(parts.script)}; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      'Referrer-Policy': 'no-referrer',
    },
    body: FILES['refused.html']!.replace(
      /(?:\/\*|<!--)(style|script|detail)(?:\*\/|-->)/g,
      (_, name: string) => parts[name] ?? '',
    ),
  }
}
