/** One thing that a pattern asks for: a character's code point, or one of the two wildcards. */
type Piece = number | typeof WITHIN | typeof ACROSS

/** Any characters, none included, but no slash. */
const WITHIN = -1
/** Any characters, none included. */
const ACROSS = -2

const SLASH = 0x2f

/**
 * How many characters may stand between the first and the last wildcard of a pattern: what is looked for there takes
 * time for each 32 of them.
 */
export const LONGEST_WILD = 256

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
      ...(segment === '**' ? [ACROSS] : piecesOf(segment, WITHIN)),
    ])
  const fits = matcher(pieces)
  return (path) => fits(decoded(path))
}

/** Reads a pattern for one word, in which `*` stands for any part of it. Case does not matter. */
export function wordGlob(pattern: string): (word: string) => boolean {
  const fits = matcher(piecesOf(pattern.toUpperCase(), ACROSS))
  return (word) => fits(word.toUpperCase())
}

/** Whether a pattern has more between its first and its last wildcard than it may. */
export function isTooWild(pattern: string): boolean {
  return pattern.lastIndexOf('*') - pattern.indexOf('*') > LONGEST_WILD
}

function piecesOf(text: string, wildcard: Piece): Piece[] {
  return Array.from(text, (character) => (character === '*' ? wildcard : character.codePointAt(0)!))
}

/** What stands before the first wildcard and behind the last is compared as text. */
function matcher(pieces: readonly Piece[]): (text: string) => boolean {
  const first = pieces.findIndex(isWild)
  if (first < 0) {
    const whole = textOf(pieces)
    return (text) => text === whole
  }
  const last = pieces.findLastIndex(isWild)
  const before = textOf(pieces.slice(0, first))
  const behind = textOf(pieces.slice(last + 1))
  const fits = automaton(pieces.slice(first, last + 1))
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

/**
 * The pattern is a row of states: state i means "its first i characters are matched", and a wildcard behind the i-th is a
 * loop on state i. All states that hold are followed at once, 32 to a machine word, so a text takes its length times an
 * eighth of {@link LONGEST_WILD} steps at most, whatever the two contain. To try the wildcards again, one after the
 * other, would take the product of both lengths.
 */
function automaton(pieces: readonly Piece[]): (text: string, start: number, end: number) => boolean {
  const states = pieces.filter((piece) => !isWild(piece)).length
  const words = (states >>> 5) + 1
  const within = new Uint32Array(words)
  const across = new Uint32Array(words)
  const own = new Map<number, Uint32Array>()
  let state = 0
  for (const piece of pieces) {
    if (!isWild(piece)) state++
    const word = state >>> 5
    const bit = 1 << (state & 31)
    if (piece === WITHIN) within[word]! |= bit
    else if (piece === ACROSS) across[word]! |= bit
    else {
      if (!own.has(piece)) own.set(piece, new Uint32Array(words))
      own.get(piece)![word]! |= bit
    }
  }
  const anywhere = within.map((bits, word) => bits | across[word]!)
  const nothing = new Uint32Array(words)
  // One array for every text: a match runs to its end before the next begins.
  const holding = new Uint32Array(words)
  return (text, start, end) => {
    holding.fill(0)
    holding[0] = 1
    for (let at = start; at < end; at++) {
      const character = text.codePointAt(at)!
      if (character > 0xffff) at++
      const loops = character === SLASH ? across : anywhere
      const accepts = own.get(character) ?? nothing
      // From the highest word down, so that each still finds the old value of the one below it.
      for (let word = words - 1; word >= 0; word--) {
        const before = holding[word]!
        const moved = (before << 1) | (word === 0 ? 0 : holding[word - 1]! >>> 31)
        holding[word] = (moved & accepts[word]!) | (before & loops[word]!)
      }
    }
    return (holding[states >>> 5]! & (1 << (states & 31))) !== 0
  }
}

function isWild(piece: Piece): boolean {
  return piece < 0
}

function textOf(pieces: readonly Piece[]): string {
  return String.fromCodePoint(...pieces)
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
