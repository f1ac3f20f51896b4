import type { Handler, Reply, Request } from './exchange.js'
import { decodeSegment } from './form.js'
import { Problem } from './problems.js'
import type { Method, Route } from './route.js'

/** Finds the route of a request. */
export interface Router {
  /**
   * Answers a request by its route, or OPTIONS by the route's table.
   *
   * @throws Problem `not-implemented`, `no-such-resource`, `method-not-allowed`,
   *   `bad-percent-encoding`, and whatever the handler throws
   */
  handle(this: void, request: Request): Reply | Promise<Reply>
  /** The literal first segments of all routes: names that a route which begins with `:name` never sees. */
  readonly reserved: ReadonlySet<string>
}

/** Methods that every client may try: where a resource does not have them that is its own limit, not the server's. */
const COMMON = ['PUT', 'PATCH']

interface Row {
  readonly pattern: readonly string[]
  readonly methods: Route['methods']
  readonly allow: string
}

/**
 * Routes by the first segment, then by the short list of routes that share it;
 * among those the first of the table that fits is taken.
 */
export function createRouter(routes: readonly Route[]): Router {
  const literal = new Map<string, Row[]>()
  const named: Row[] = []
  const offered = new Set<string>()
  for (const { pattern, methods } of routes) {
    const row: Row = { pattern: pattern.slice(1).split('/'), methods, allow: allowed(Object.keys(methods)) }
    for (const method of Object.keys(methods)) offered.add(method)
    const first = row.pattern[0]!
    if (first.startsWith(':')) named.push(row)
    else if (literal.has(first)) literal.get(first)!.push(row)
    else literal.set(first, [row])
  }
  const everything = allowed([...offered])
  const known = new Set([...offered, 'OPTIONS', ...COMMON])

  function handle(request: Request): Reply | Promise<Reply> {
    const { method, segments } = request
    if (!known.has(method)) {
      throw new Problem(
        'not-implemented',
        `This server does not know the method ${method}; it knows ${everything}.`,
        {},
        { Allow: everything },
      )
    }
    if (request.path === '*') return { status: 204, headers: { Allow: everything } }
    for (const row of literal.get(plain(segments[0]!)) ?? named) {
      if (!fits(row.pattern, segments)) continue
      if (method === 'OPTIONS') return { status: 204, headers: { Allow: row.allow } }
      const handler: Handler | undefined = row.methods[method as Method]
      if (!handler) {
        throw new Problem(
          'method-not-allowed',
          `${method} is not allowed here; allowed are ${row.allow}.`,
          {},
          { Allow: row.allow },
        )
      }
      return handler(request, paramsOf(row.pattern, segments))
    }
    throw new Problem(
      'no-such-resource',
      'There is nothing at this address; the service document lists where to begin.',
    )
  }

  return { handle, reserved: new Set(literal.keys()) }
}

function allowed(methods: readonly string[]): string {
  return [...methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])), 'OPTIONS'].join(
    ', ',
  )
}

function fits(pattern: readonly string[], segments: readonly string[]): boolean {
  const open = pattern.at(-1) === '**'
  if (open ? segments.length < pattern.length : segments.length !== pattern.length) return false
  return pattern.every((part, index) => {
    if (open && index === pattern.length - 1) return true
    const segment = segments[index]!
    return part.startsWith(':') ? segment !== '' : part === plain(segment)
  })
}

/** RFC 3986 section 6.2.2.2: `%71ueues` is `queues`. What cannot be decoded is no route's literal. */
function plain(segment: string): string {
  if (!segment.includes('%')) return segment
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

function paramsOf(pattern: readonly string[], segments: readonly string[]): Record<string, string> {
  const params: Record<string, string> = {}
  for (const [index, part] of pattern.entries()) {
    if (part === '**') params.rest = segments.slice(index).join('/')
    else if (part.startsWith(':')) params[part.slice(1)] = decodeSegment(segments[index]!)
  }
  return params
}
