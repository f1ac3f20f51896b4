import type { Handler, Request } from './exchange.js'
import type { TargetState } from './preconditions.js'

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
