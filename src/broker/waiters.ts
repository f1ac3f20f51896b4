/** Calls a waiter. @param alone whether nobody else was called for this message, so that it has to take it now */
export type Wake = (alone: boolean) => void

/**
 * Registers a waiter. Each registration is one of its own: the same `wake` may be registered twice, and one that is
 * already noted to be called may still be cancelled, by another that is called before it.
 *
 * @returns cancels; harmless afterwards
 */
export function watch(waiters: Set<Wake>, wake: Wake): () => void {
  let wanted = true
  const wakeIfWanted = (alone: boolean) => {
    if (wanted) wake(alone)
  }
  waiters.add(wakeIfWanted)
  return () => {
    wanted = false
    waiters.delete(wakeIfWanted)
  }
}
