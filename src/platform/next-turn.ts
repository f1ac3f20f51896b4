/** Runs a task in the next turn of the event loop, after what has come meanwhile. */
export const nextTurn: (task: () => void) => void =
  (globalThis as { setImmediate?: (task: () => void) => void }).setImmediate ?? plainNextTurn

/** {@link nextTurn} by what browsers have too, of which a timer would be late by milliseconds. */
export function plainNextTurn(task: () => void): void {
  const { port1, port2 } = new MessageChannel() as unknown as Record<'port1' | 'port2', Port>
  port1.onmessage = () => {
    port1.close()
    task()
  }
  port2.postMessage(undefined)
}

/** As browsers and Node have it. */
interface Port {
  onmessage: () => void
  postMessage(message: undefined): void
  close(): void
}
