import type { Outlet, Reply } from '../../http/exchange.js'
import type { Scheduler } from '../../http/scheduler.js'
import { nextTurn } from '../../platform/next-turn.js'
import { uncached } from './json.js'

/** About how much is sent at once, in characters. */
const PIECE = 64 * 1024

/**
 * An answer that is made while it is sent, so that it may be longer than memory, or a text, could hold.
 */
export function streamed(type: string, parts: Iterator<string>, scheduler: Scheduler): Reply {
  return {
    status: 200,
    headers: uncached(type),
    stream: (out) => writeInPieces(out, parts, scheduler, () => out.end()),
  }
}

/**
 * Writes parts in pieces. The next piece is made when the one before has left, and others are served in between.
 *
 * @param done is called when all is written
 * @returns ends it
 */
export function writeInPieces(
  out: Outlet,
  parts: Iterator<string>,
  scheduler: Scheduler,
  done: () => void,
): () => void {
  let over = false
  const next = () => {
    if (over) return
    let piece = ''
    while (piece.length < PIECE) {
      const part = parts.next()
      if (part.done) {
        if (piece !== '') out.write(piece)
        done()
        return
      }
      piece += part.value
    }
    // Where the system takes a piece at once, it is told before anybody else has a turn.
    out.write(piece, () => nextTurn(() => scheduler.wake(next)))
  }
  next()
  return () => {
    over = true
  }
}

/** A list as JSON, in parts. @param before what stands before it @param after what stands behind it @param gap before each item */
export function* listInParts(
  before: string,
  items: Iterable<unknown>,
  after: string,
  gap = '',
): Generator<string, void> {
  let separator = `${before}[${gap}`
  for (const item of items) {
    yield separator + JSON.stringify(item)
    separator = `,${gap}`
  }
  yield separator === `,${gap}` ? `]${after}` : `${before}[]${after}`
}
