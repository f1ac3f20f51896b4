import { Refusal } from '../broker/refusals.js'
import type { Handler, Reply, Request } from './exchange.js'
import { decodeSegment, plainSegment } from './form.js'
import type { CheckOrigin } from './origin.js'
import { checkPreconditions, hasPrecondition, type TargetState } from './preconditions.js'
import { Problem } from './problems.js'

/** The methods that a route can offer. HEAD comes with GET, and OPTIONS with every route. */
export type Method = 'GET' | 'POST' | 'DELETE'

/** One row of a mapping's table: a shape of path, and what each method does there. */
export interface Route {
  /**
   * Segments after a leading slash. A plain one stands for itself; `:name` takes
   * one segment that is not empty, percent-decoded; a last `**` takes the raw
   * rest of the path, possibly empty. What they take is given to handlers in this order. A route that begins
   * with `:name` is tried only for paths whose first segment no other route bears.
   */
  readonly pattern: string
  /** What each method does; any other is answered with 405. */
  readonly methods: Readonly<Partial<Record<Method, Handler>>>
  /** Whether its GET changes or takes something; a page of another site may then make it as little as a POST. */
  readonly takes?: true
  /**
   * What preconditions are measured against, for every method; left out where there is nothing to look at. What it throws
   * is left for the handler to find.
   */
  readonly state?: (request: Request, ...params: string[]) => TargetState | undefined
  /** Refuses, by throwing, who may not make this request; called before its body is read, and again before it is done. */
  readonly admit?: (request: Request, method: Method, ...params: string[]) => void
}

/** Finds the route of a request. */
export interface Router {
  /**
   * Refuses what the head of a request alone refuses: where there is no such address or method there, or where who asks
   * may not.
   *
   * @throws Problem `not-implemented`, `no-such-resource`, `method-not-allowed`, `bad-percent-encoding`, `cross-site`,
   *   and whatever the route's `admit` throws
   */
  admit(this: void, request: Request): void
  /**
   * Answers a request by its route, or OPTIONS by the route's table.
   *
   * @throws what `admit` does, Problem `precondition-failed`, and whatever the handler throws
   */
  handle(this: void, request: Request): Reply | Promise<Reply>
}

/** Methods that every client may try: where a resource does not have them that is its own limit, not the server's. */
const COMMON = ['PUT', 'PATCH', 'TRACE']

interface Row {
  readonly pattern: readonly string[]
  /** Where its `:name`s stand. */
  readonly named: readonly number[]
  /** Whether it ends with `**`. */
  readonly open: boolean
  readonly route: Route
  readonly allow: string
}

/** A request with the place that it goes to; OPTIONS goes nowhere. */
interface Match {
  readonly row: Row
  readonly handler: Handler
  readonly params: readonly string[]
}

/**
 * Routes by the first segment, then by the short list of routes that share it;
 * among those the first of the table that fits is taken.
 *
 * @param checkOrigin is asked about every request that changes or takes something
 */
// clause: http.not-found http.method http.options http.head http.unknown-method
export function createRouter(routes: readonly Route[], checkOrigin?: CheckOrigin): Router {
  const literal = new Map<string, Row[]>()
  const named: Row[] = []
  const offered = new Set<string>()
  for (const route of routes) {
    const methods = Object.keys(route.methods)
    const pattern = route.pattern.slice(1).split('/')
    const row: Row = {
      pattern,
      named: pattern.flatMap((part, index) => (part.startsWith(':') ? [index] : [])),
      open: pattern.at(-1) === '**',
      route,
      allow: allowed(methods),
    }
    for (const method of methods) offered.add(method)
    const first = row.pattern[0]!
    if (first.startsWith(':')) named.push(row)
    else if (literal.has(first)) literal.get(first)!.push(row)
    else literal.set(first, [row])
  }
  const everything = allowed([...offered])
  const known = new Set([...offered, 'OPTIONS', ...COMMON])

  /** @returns the answer itself where OPTIONS asks */
  function match(request: Request): Match | Reply {
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
    for (const row of literal.get(plainSegment(segments[0]!)) ?? named) {
      if (!fits(row, segments)) continue
      if (method === 'OPTIONS') return { status: 204, headers: { Allow: row.allow } }
      const { route } = row
      const handler: Handler | undefined = route.methods[method as Method]
      if (!handler) {
        throw new Problem(
          'method-not-allowed',
          `${method} is not allowed here; allowed are ${row.allow}.`,
          {},
          { Allow: row.allow },
        )
      }
      if (method !== 'GET' || route.takes) checkOrigin?.(request)
      const params = paramsOf(row, segments)
      route.admit?.(request, method as Method, ...params)
      return { row, handler, params }
    }
    throw new Problem(
      'no-such-resource',
      'There is nothing at this address; the service document, at the base URL, lists where to begin.',
    )
  }

  function handle(request: Request): Reply | Promise<Reply> {
    const found = match(request)
    if (!('handler' in found)) return found
    const { row, handler, params } = found
    if (hasPrecondition(request)) checkState(row.route, request, params)
    return handler(request, ...params)
  }

  return { admit: match, handle }
}

/** What is not there, or is over, refuses the request by itself, whatever its preconditions (RFC 9110 section 13.2.1). */
function checkState({ state }: Route, request: Request, params: readonly string[]): void {
  let found: TargetState | undefined
  try {
    found = state?.(request, ...params)
  } catch (error) {
    if (error instanceof Refusal || error instanceof Problem) return
    throw error
  }
  checkPreconditions(request, found)
}

function allowed(methods: readonly string[]): string {
  return [...methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])), 'OPTIONS'].join(
    ', ',
  )
}

function fits({ pattern, open }: Row, segments: readonly string[]): boolean {
  const fixed = open ? pattern.length - 1 : pattern.length
  if (open ? segments.length <= fixed : segments.length !== fixed) return false
  for (let index = 0; index < fixed; index++) {
    const [part, segment] = [pattern[index]!, segments[index]!]
    if (part.startsWith(':') ? segment === '' : part !== plainSegment(segment)) return false
  }
  return true
}

function paramsOf({ pattern, named, open }: Row, segments: readonly string[]): string[] {
  const params = named.map((index) => decodeSegment(segments[index]!))
  if (open) params.push(segments.slice(pattern.length - 1).join('/'))
  return params
}
