import type { Outlet, Reply } from '../../http/exchange.js'
import type { Scheduler } from '../../http/scheduler.js'
import { nextTurn } from '../../platform/next-turn.js'
import { uncached } from './json.js'

/** About how much is sent at once, in characters, and how long it may take to make that, in milliseconds. */
const PIECE = 64 * 1024
const SLICE = 8

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
    const { piece, isLast } = pieceOf(parts)
    if (isLast) {
      if (piece !== '') out.write(piece)
      done()
      return
    }
    // Where the system takes a piece at once, it is told before anybody else has a turn.
    out.write(piece, () => nextTurn(() => scheduler.wake(next)))
  }
  next()
  return () => {
    over = true
  }
}

/** The next piece of what is made in parts. */
function pieceOf(parts: Iterator<string>): { readonly piece: string; readonly isLast: boolean } {
  const until = performance.now() + SLICE
  let piece = ''
  while (piece.length < PIECE && performance.now() < until) {
    const part = parts.next()
    if (part.done) return { piece, isLast: true }
    piece += part.value
  }
  return { piece, isLast: false }
}

/**
 * An answer in JSON that nobody keeps: where it is long it is made while it is sent, so that no more of it than a piece takes memory.
 *
 * @param value may hold lists that are made while they are read
 * @param depth how deep lists and objects stand within one another that are told in parts: an object of lists, unless given
 */
export function jsonInPieces(value: unknown, scheduler: Scheduler, depth?: number): Reply {
  const parts = jsonParts(value, '', depth)
  const { piece, isLast } = pieceOf(parts)
  if (isLast) return { status: 200, headers: uncached('application/json'), body: `${piece}\n` }
  return streamed('application/json', followedBy(piece, parts), scheduler)
}

function* followedBy(piece: string, parts: Iterable<string>): Generator<string, void> {
  yield piece
  yield* parts
  yield '\n'
}

/** A value as JSON, in parts. @param gap before each item of a list */
export function* jsonParts(value: unknown, gap = '', depth = 2): Generator<string, void> {
  if (depth === 0 || typeof value !== 'object' || value === null) yield JSON.stringify(value)
  else if (Symbol.iterator in value) {
    let separator = `[${gap}`
    for (const item of value as Iterable<unknown>) {
      yield separator
      yield* jsonParts(item, gap, depth - 1)
      separator = `,${gap}`
    }
    yield separator.startsWith('[') ? '[]' : ']'
  } else {
    let separator = '{'
    for (const [name, member] of Object.entries(value)) {
      if (member === undefined) continue
      yield `${separator}${JSON.stringify(name)}:`
      yield* jsonParts(member, gap, depth - 1)
      separator = ','
    }
    yield separator === '{' ? '{}' : '}'
  }
}
