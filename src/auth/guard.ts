import type { Broker } from '../broker/broker.js'
import type { Request } from '../http/exchange.js'
import { Problem } from '../http/problems.js'
import type { Route, Router } from '../http/router.js'
import { ACCESS, type Access } from './access.js'
import type { Authenticate } from './authenticate.js'
import type { Principal } from './principal.js'

/**
 * The same routes, each behind its row of {@link ACCESS}: a request that may not be made is refused before its
 * body is read, and before its handler sees it. What handlers get bears its principal.
 */
// clause: auth.no-lease auth.forbidden
export function guardRoutes(routes: readonly Route[], broker: Broker): Route[] {
  return routes.map((route) => ({
    ...route,
    admit: ({ principal }, method, lease = '') => {
      const access = ACCESS[`${method} ${route.pattern}`]
      if (access !== undefined && mayDo(access, principal, broker, lease)) return
      throw new Problem(
        'forbidden',
        `These credentials do not suffice for this request${needs(access, principal)}.`,
      )
    },
  }))
}

/** Asks first who it is, so that a stranger does not even learn which addresses exist. */
export function authenticated(authenticate: Authenticate, router: Router): Pick<Router, 'admit' | 'handle'> {
  const identify = (request: Request) => {
    request.principal ??= authenticate(request.headers.authorization)
  }
  return {
    admit(request) {
      identify(request)
      router.admit(request)
    },
    handle(request) {
      identify(request)
      return router.handle(request)
    },
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
  lease: string,
): boolean {
  if (principal === undefined) return false
  if (roles !== 'any' && !roles.some((role) => principal.roles.has(role))) return false
  if (owner === undefined) return true
  if (look && principal.roles.has('admin')) return true
  // Where there is no such lease, the request finds that out by itself.
  const name = broker.ownerOf(owner, lease)
  return (name === undefined || name === principal.name) && principal.roles.has('consume')
}
