import { readFileSync } from 'node:fs'
import { conditionalReply, hashETag } from '../../http/conditional.js'
import type { Reply, Request } from '../../http/exchange.js'
import { Problem } from '../../http/problems.js'
import type { Route } from '../../http/route.js'
import { PAGE_HTML } from './html.js'
import { PAGE_STYLE } from './style.js'

/** The programs of the page, which the compiler has put beside this file. */
const PROGRAMS = [
  'actions.js',
  'dom.js',
  'faults.js',
  'format.js',
  'journal.js',
  'live.js',
  'main.js',
  'messages.js',
  'queues.js',
  'server.js',
  'subscriptions.js',
]

/**
 * What a browser may do with the page: run its programs, apply its style, ask this server. No text can become markup
 * or a program there, not even by a mistake of the page's own.
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
  "trusted-types 'none'",
].join('; ')

interface Asset {
  readonly type: string
  readonly text: string
  readonly etag: string
}

/**
 * `{base_url}/_control/` in a browser: what the server holds, live, and buttons for what can be done to it. The page
 * has no rights of its own: it asks what anybody could ask who may use the extras.
 */
export function pageRoutes(): Route[] {
  const page = assetOf('text/html;charset=utf-8', PAGE_HTML)
  const assets = new Map<string, () => Asset>([
    ['style.css', once(() => assetOf('text/css;charset=utf-8', PAGE_STYLE))],
    ...PROGRAMS.map((name) => [name, once(() => program(name))] as const),
  ])
  return [
    // Relative addresses in the page are seen from the address with the slash.
    { pattern: '/_control', methods: { GET: () => ({ status: 308, headers: { Location: '_control/' } }) } },
    { pattern: '/_control/', methods: { GET: (request) => reply(request, page) } },
    {
      pattern: '/_control/page/:asset',
      methods: {
        GET: (request, { asset = '' }) => {
          const found = assets.get(asset)
          if (found === undefined) {
            throw new Problem('no-such-resource', `The page has no part ${JSON.stringify(asset)}.`)
          }
          return reply(request, found())
        },
      },
    },
  ]
}

function reply(request: Request, { type, text, etag }: Asset): Reply {
  const headers = {
    'Content-Type': type,
    'Cache-Control': 'no-cache',
    'Content-Security-Policy': CONTENT_SECURITY_POLICY,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
  }
  return conditionalReply(request, etag, headers, () => text)
}

function program(name: string): Asset {
  const text = readFileSync(new URL(`browser/${name}`, import.meta.url), 'utf8')
  return assetOf('text/javascript;charset=utf-8', text)
}

function assetOf(type: string, text: string): Asset {
  return { type, text, etag: hashETag(text) }
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
