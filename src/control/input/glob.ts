import { ANY_SEQUENCE, ANY_WITHIN, compilePattern } from '../../selector/wildcards.js'

const SLASH = 0x2f

/**
 * How many characters may stand between the first and the last wildcard of a pattern: what is looked for there takes
 * time for each 32 of them.
 */
export const LONGEST_WILD = 128

/**
 * Reads a pattern for paths: `*` stands for any part of one segment, `**` as a segment of its own for one or more
 * segments. Everything else stands for itself, percent-decoded on both sides.
 *
 * @param pattern begins with a slash; not one that {@link isTooWild}
 * @returns whether a path fits, which begins with a slash too
 */
export function pathGlob(pattern: string): (path: string) => boolean {
  const pieces = decoded(pattern)
    .split('/')
    .flatMap((segment, index) => [
      ...(index === 0 ? [] : [SLASH]),
      ...(segment === '**' ? [ANY_SEQUENCE] : piecesOf(segment, ANY_WITHIN)),
    ])
  const fits = matcher(pieces)
  return (path) => fits(decoded(path))
}

/** Reads a pattern for one word, in which `*` stands for any part of it. Case does not matter. */
export function wordGlob(pattern: string): (word: string) => boolean {
  const fits = matcher(piecesOf(pattern.toUpperCase(), ANY_SEQUENCE))
  return (word) => fits(word.toUpperCase())
}

/** Whether a pattern has more between its first and its last wildcard than it may. */
export function isTooWild(pattern: string): boolean {
  return pattern.lastIndexOf('*') - pattern.indexOf('*') > LONGEST_WILD
}

function piecesOf(text: string, wildcard: number): number[] {
  return Array.from(text, (character) => (character === '*' ? wildcard : character.codePointAt(0)!))
}

/** What stands before the first wildcard and behind the last is compared as text. */
function matcher(pieces: readonly number[]): (text: string) => boolean {
  const first = pieces.findIndex(isWild)
  if (first < 0) {
    const whole = textOf(pieces)
    return (text) => text === whole
  }
  const last = pieces.findLastIndex(isWild)
  const before = textOf(pieces.slice(0, first))
  const behind = textOf(pieces.slice(last + 1))
  const fits = compilePattern(pieces.slice(first, last + 1))
  return (text) => {
    const end = text.length - behind.length
    return (
      end >= before.length &&
      text.startsWith(before) &&
      text.endsWith(behind) &&
      fits(text, before.length, end)
    )
  }
}

function isWild(piece: number): boolean {
  return piece < 0
}

function textOf(pieces: readonly number[]): string {
  return pieces.map((piece) => String.fromCodePoint(piece)).join('')
}

/** The path that was decoded last: many patterns may look at one. */
let latest = { path: '', decoded: '' }

/** A slash within a segment stays escaped, as it is no separator; what cannot be decoded stands as it is. */
function decoded(path: string): string {
  if (!path.includes('%')) return path
  if (path !== latest.path) latest = { path, decoded: decode(path) }
  return latest.decoded
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path.replaceAll(/%2f/gi, '%252F'))
  } catch {
    return path
  }
}
