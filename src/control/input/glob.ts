/** A path pattern, read once: a literal piece of one segment, or a wildcard. */
type Part = readonly string[] | typeof REST

/** Stands for any number of segments, none included. */
const REST = Symbol('**')

/**
 * Reads a pattern for paths: `*` stands for any part of one segment, `**` as a segment of its own for one or more
 * segments. Everything else stands for itself, percent-decoded on both sides.
 *
 * @returns whether a path fits, given as its segments
 */
export function pathGlob(pattern: string): (segments: readonly string[]) => boolean {
  const parts: Part[] = []
  for (const segment of pattern.replace(/^\//, '').split('/')) {
    if (segment === '**') parts.push(['*'], REST)
    else parts.push([...decoded(segment)])
  }
  return (segments) => fits(parts, segments.map(decoded), isRest, sameSegment)
}

/** Reads a pattern for one word, in which `*` stands for any part of it. Case does not matter. */
export function wordGlob(pattern: string): (word: string) => boolean {
  const parts = [...pattern.toUpperCase()]
  return (word) => fitsSegment(parts, word.toUpperCase())
}

function isRest(part: Part): boolean {
  return part === REST
}

function sameSegment(part: Part, segment: string): boolean {
  return part !== REST && fitsSegment(part, segment)
}

function fitsSegment(part: readonly string[], segment: string): boolean {
  return fits(
    part,
    [...segment],
    (piece) => piece === '*',
    (piece, character) => piece === character,
  )
}

/**
 * Matches a sequence with wildcards for any number of things. Only the last wildcard is ever tried again, so the
 * time is at most the product of both lengths, whatever the pattern.
 */
function fits<P, T>(
  pattern: readonly P[],
  input: readonly T[],
  isWild: (part: P) => boolean,
  same: (part: P, thing: T) => boolean,
): boolean {
  let at = 0
  let wild = -1
  let taken = 0
  for (let index = 0; index < input.length; ) {
    const part = pattern[at]
    if (at < pattern.length && isWild(part as P)) {
      wild = at++
      taken = index
    } else if (at < pattern.length && same(part as P, input[index] as T)) {
      at++
      index++
    } else if (wild >= 0) {
      at = wild + 1
      index = ++taken
    } else return false
  }
  while (at < pattern.length && isWild(pattern[at] as P)) at++
  return at === pattern.length
}

/** A slash within a segment stays escaped, as it is no separator. */
function decoded(segment: string): string {
  if (!segment.includes('%')) return segment
  try {
    return decodeURIComponent(segment).replaceAll('/', '%2F')
  } catch {
    return segment
  }
}
