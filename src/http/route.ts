import type { Handler } from './exchange.js'

/** The methods that a route can offer. HEAD comes with GET, and OPTIONS with every route. */
export type Method = 'GET' | 'POST' | 'DELETE'

/** One row of a mapping's table: a shape of path, and what each method does there. */
export interface Route {
  /**
   * Segments after a leading slash. A plain one stands for itself; `:name` takes
   * one segment that is not empty, percent-decoded; a last `**` takes the raw
   * rest of the path, possibly empty, under the name `rest`. A route that begins
   * with `:name` is tried only for paths whose first segment no other route bears.
   */
  readonly pattern: string
  /** What each method does; any other is answered with 405. */
  readonly methods: Readonly<Partial<Record<Method, Handler>>>
}
