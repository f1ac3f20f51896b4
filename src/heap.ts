import { getHeapStatistics } from 'node:v8'
import { resourceLimits } from 'node:worker_threads'

const OPTION = /--max[-_]old[-_]space[-_]size=(\d+)/g

/**
 * The part of Node's heap in which objects stay, in bytes: what `--max-old-space-size` says, or a worker's own limit. V8's
 * `heap_size_limit` counts the young generation too, which takes 48 MB in one version of Node and 192 MB in another, however
 * small the rest is. Without either the limit is V8's own, of which the young generation is a small part.
 *
 * @param options Node's command line and `NODE_OPTIONS`; the last one that says it counts
 */
export function lastingHeap(
  options: readonly string[] = [process.env.NODE_OPTIONS ?? '', ...process.execArgv],
  worker = resourceLimits.maxOldGenerationSizeMb,
): number {
  const told = Array.from(options.join(' ').matchAll(OPTION), ([, megabytes]) => Number(megabytes)).at(-1)
  const megabytes = worker ?? told
  const limit = getHeapStatistics().heap_size_limit
  return megabytes === undefined || megabytes === 0 ? limit : Math.min(limit, megabytes * 1024 * 1024)
}
