import type { Reply } from '../../http/exchange.js'
import type { Scheduler } from '../../http/scheduler.js'
import { nextTurn } from '../../platform/next-turn.js'
import { uncached } from './json.js'

/** About how much is sent at once, in characters. */
const PIECE = 64 * 1024

/**
 * An answer that is made while it is sent, so that it may be longer than memory, or a text, could hold. The next piece
 * is made when the one before has left, and others are served in between.
 */
export function streamed(type: string, parts: Iterator<string>, scheduler: Scheduler): Reply {
  return {
    status: 200,
    headers: uncached(type),
    stream: (out) => {
      let over = false
      const next = () => {
        if (over) return
        let piece = ''
        while (piece.length < PIECE) {
          const { value, done } = parts.next()
          if (done) {
            out.write(piece)
            out.end()
            return
          }
          piece += value
        }
        // Where the system takes a piece at once, it is told before anybody else has a turn.
        out.write(piece, () => nextTurn(() => scheduler.wake(next)))
      }
      next()
      return () => {
        over = true
      }
    },
  }
}
