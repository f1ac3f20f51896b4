import { AsyncLocalStorage } from 'node:async_hooks'
import type { Cut } from '../client/cut.js'
import type { Exchange } from '../client/exchange.js'
import { HttpTarget } from '../client/http-target.js'
import type { RequestOptions } from '../client/target.js'
import type { Party } from '../model/permission.js'

/** How the requests of a step are made. */
export interface Acting {
  /** Where the next of them is cut. */
  cut: Cut | undefined
  /** Who makes them in place of the owner. */
  readonly as: { readonly party: Party; readonly headers: Readonly<Record<string, string>> } | undefined
}

/** Of steps that are under way at the same moment, each has its own. */
const acting = new AsyncLocalStorage<Acting>()

export function actAs<T>(how: Acting, act: () => Promise<T>): Promise<T> {
  return acting.run(how, act)
}

/** Whether what is under way is done by the owner. */
export function isByOwner(): boolean {
  return acting.getStore()?.as === undefined
}

/** A target whose requests are made as their step says. */
export class ActedOn extends HttpTarget {
  override request(method: string, url: string, options: RequestOptions = {}): Promise<Exchange> {
    const how = acting.getStore()
    if (how === undefined) return super.request(method, url, options)
    const { cut } = how
    how.cut = undefined
    return super.request(method, url, { ...options, cut, ...(how.as && { as: how.as.headers }) })
  }
}
