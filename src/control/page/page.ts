import { escapeText } from '../../atom/escape.js'
import { conditionalReply, hashETag } from '../../http/conditional.js'
import type { Reply, Request } from '../../http/exchange.js'
import { Problem } from '../../http/problems.js'
import type { Route } from '../../http/router.js'
import { toBase64 } from '../../platform/bytes.js'
import { sha256 } from '../../platform/sha256.js'

/**
 * What a browser may do with the page: run its programs, apply its style, ask this server. No text can become markup
 * or a program there, not even by a mistake of the page's own, but for what draws the lanes.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  // The picture of lanes, whose every text is escaped.
  'trusted-types lanes',
].join('; ')

/** What is sent for a part of the page, by how its name ends. */
const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html;charset=utf-8',
  css: 'text/css;charset=utf-8',
  js: 'text/javascript;charset=utf-8',
}

/**
 * `{base_url}/_control/` in a browser: what the server holds, live, and buttons for what can be done to it. The page
 * has no rights of its own: it asks what anybody could ask who may use the extras.
 */
export function pageRoutes(): Route[] {
  return [
    // Relative addresses in the page are seen from the address with the slash.
    { pattern: '/_control', methods: { GET: () => ({ status: 308, headers: { Location: '_control/' } }) } },
    { pattern: '/_control/', methods: { GET: (request) => reply(request, 'page.html') } },
    { pattern: '/_control/page/:asset', methods: { GET: reply } },
  ]
}

/** A part of the page. Most servers are never looked at, so the files are loaded when somebody does. */
async function reply(request: Request, name: string): Promise<Reply> {
  const { FILES } = await import('./files.js')
  const text = Object.hasOwn(FILES, name) ? FILES[name] : undefined
  if (text === undefined) {
    throw new Problem('no-such-resource', `The page has no part ${JSON.stringify(name)}.`)
  }
  const headers = {
    'Content-Type': TYPES[name.slice(name.lastIndexOf('.') + 1)] as string,
    'Cache-Control': 'no-cache',
    'Content-Security-Policy': CONTENT_SECURITY_POLICY,
    'Referrer-Policy': 'no-referrer',
  }
  return conditionalReply(request, hashETag(text), headers, () => text)
}

/**
 * Somebody who opens the page in a browser and may not see it gets a page that says so, and where to sign in anew, in
 * the place of a problem as JSON. A browser asks for credentials by itself at a 401, and shows this when its reader
 * gives it none.
 *
 * @param request asks for the page
 * @param reply what the server says
 */
export async function readableRefusal(request: Request, reply: Reply): Promise<Reply> {
  if (reply.status !== 401 && reply.status !== 403) return reply
  if (request.method !== 'GET' || !/\btext\/html\b/.test(request.headers.accept ?? '')) return reply
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
