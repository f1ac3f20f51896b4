import type { Broker } from '../broker/broker.js'
import type { Handler, Request } from '../http/exchange.js'
import { Problem } from '../http/problems.js'
import type { Method, Route } from '../http/route.js'
import { ACCESS, type Access } from './access.js'
import type { Authenticate } from './authenticate.js'
import type { Principal } from './principal.js'

/**
 * The same routes, each behind its row of {@link ACCESS}: a request that may not be made is refused before its
 * handler sees it. What handlers get bears its principal.
 */
export function guardRoutes(routes: readonly Route[], broker: Broker): Route[] {
  return routes.map(({ pattern, methods }) => ({
    pattern,
    methods: Object.fromEntries(
      Object.entries(methods).map(([method, handler]) => [
        method,
        guarded(handler, ACCESS[`${method as Method} ${pattern}`], broker),
      ]),
    ),
  }))
}

/** Asks first who it is, so that a stranger does not even learn which addresses exist. */
export function authenticated<T>(
  authenticate: Authenticate,
  handle: (request: Request) => T,
): (request: Request) => T {
  return (request) => {
    request.principal = authenticate(request.headers.authorization)
    return handle(request)
  }
}

function guarded(handler: Handler, access: Access | undefined, broker: Broker): Handler {
  return (request, params) => {
    if (access === undefined || !mayDo(access, request.principal, broker, params)) {
      throw new Problem(
        'forbidden',
        `These credentials do not suffice for this request${needs(access, request.principal)}.`,
      )
    }
    return handler(request, params)
  }
}

/** What somebody is to ask for who is refused everything of the kind, whoever it belongs to. */
function needs(access: Access | undefined, principal: Principal | undefined): string {
  if (access === undefined || access.roles === 'any') return ''
  if (access.roles.some((role) => principal?.roles.has(role))) return ''
  return `: it takes the role ${access.roles.join(' or ')}`
}

function mayDo(
  { roles, owner, look }: Access,
  principal: Principal | undefined,
  broker: Broker,
  params: Readonly<Record<string, string>>,
): boolean {
  if (principal === undefined) return false
  if (roles !== 'any' && !roles.some((role) => principal.roles.has(role))) return false
  if (owner === undefined) return true
  if (look && principal.roles.has('admin')) return true
  const name = owner(broker, params)
  return (name === undefined || name === principal.name) && principal.roles.has('consume')
}
