import { conditionalReply, hashETag } from '../../http/conditional.js'
import type { Reply, Request } from '../../http/exchange.js'
import { Problem } from '../../http/problems.js'
import type { Route } from '../../http/route.js'

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
    {
      pattern: '/_control/page/:asset',
      methods: { GET: (request, asset) => reply(request, asset) },
    },
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
