/**
 * Puts several requests to do the same thing together: it is done at once, and while it is being done, or was just
 * done, only once more afterwards.
 *
 * @param rest how long it is left alone, in milliseconds; as long as it took where that is longer, so that a server
 *   with much to tell has time for others
 */
export function together(work: () => Promise<void>, rest: number): () => void {
  let busy = false
  let again = false
  const run = async () => {
    if (busy) {
      again = true
      return
    }
    busy = true
    again = false
    const begun = performance.now()
    await work()
    setTimeout(
      () => {
        busy = false
        if (again) void run()
      },
      Math.max(rest, performance.now() - begun),
    )
  }
  return () => void run()
}
