import type { Route } from '../http/route.js'
import { Scheduler } from '../http/scheduler.js'
import { batchRoutes } from './batch/routes.js'
import type { MappingContext } from './context.js'
import { oneAtATimeRoutes } from './one-at-a-time/routes.js'
import { primaryRoutes } from './primary/routes.js'
import { singlePathRoutes } from './single-path/routes.js'

/** The server's own words, which are no consumer ids although no mapping bears them. */
const OWN_WORDS = ['_control', '_health']

/**
 * The routes of all four mappings, over one broker.
 *
 * @param parts with a scheduler of their own unless they are given
 */
// clause: consume.any-mapping
export function mappingRoutes(
  parts: Omit<MappingContext, 'reserved' | 'startedAt' | 'scheduler'> &
    Partial<Pick<MappingContext, 'scheduler'>>,
): Route[] {
  const reserved = new Set(OWN_WORDS)
  const context: MappingContext = {
    scheduler: new Scheduler(),
    ...parts,
    reserved,
    startedAt: parts.broker.clock.now(),
  }
  const routes = [
    ...primaryRoutes(context),
    ...singlePathRoutes(context),
    ...oneAtATimeRoutes(context),
    ...batchRoutes(context),
  ]
  for (const { pattern } of routes) {
    const [first = ''] = pattern.slice(1).split('/')
    if (!first.startsWith(':')) reserved.add(first)
  }
  return routes
}
