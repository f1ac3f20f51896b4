/** Wildcards in texts, found in bounded time: those of selectors (LIKE), and of the paths and names that tests ask for. */
/** In a pattern: any one character. */
export const ANY_CHARACTER = -1
/** Any sequence of characters, also none. */
export const ANY_SEQUENCE = -2
/** The same without a slash. */
export const ANY_WITHIN = -3

const SLASH = 0x2f

/** The positions of one character in the pattern: per word of 32 that has any, its bits; words ascend. */
type Positions = { readonly word: number; bits: number }[]

/**
 * Makes a test of texts, or of parts of them, against a pattern: code points and wildcards.
 *
 * The pattern is a row of states: state i means "its first i characters are matched", and a sequence after the
 * i-th is a loop on state i. All states that hold are followed at once, 32 to a machine word, so a text
 * costs (its length) x (the pattern's length / 32) steps whatever the two contain, and the memory is that
 * of the pattern. Backtracking, as a regular expression does it, would let a subscriber stop the server.
 */
export function compilePattern(
  elements: readonly number[],
): (text: string, start?: number, end?: number) => boolean {
  const characters = elements.filter((element) => !isSequence(element)).length
  const words = (characters >>> 5) + 1
  // One array for all, since hundreds of short patterns may be kept. The states that hold are among it: a match runs to its end
  // before the next begins.
  const states = new Uint32Array(4 * words)
  const [any, loops, loopsOfSlash] = [words, 2 * words, 3 * words]
  let own: Map<number, Positions> | undefined
  let state = 0
  for (const element of elements) {
    if (!isSequence(element)) state++
    const word = state >>> 5
    const bit = 1 << (state & 31)
    if (isSequence(element)) {
      states[loops + word]! |= bit
      if (element === ANY_SEQUENCE) states[loopsOfSlash + word]! |= bit
    } else if (element === ANY_CHARACTER) states[any + word]! |= bit
    else {
      own ??= new Map()
      addPosition(own, element, word, bit)
    }
  }
  const last = characters >>> 5
  const accepted = 1 << (characters & 31)

  return (text, start = 0, end = text.length) => {
    states.fill(0, 0, words)
    states[0] = 1
    for (let at = start; at < end; at++) {
      const character = text.codePointAt(at)!
      if (character > 0xffff) at++
      if (!step(states, words, own?.get(character), character === SLASH ? loopsOfSlash : loops)) return false
    }
    return (states[last]! & accepted) !== 0
  }
}

function isSequence(element: number): boolean {
  return element === ANY_SEQUENCE || element === ANY_WITHIN
}

function addPosition(own: Map<number, Positions>, character: number, word: number, bit: number): void {
  const positions = own.get(character)
  if (positions === undefined) own.set(character, [{ word, bits: bit }])
  else if (positions.at(-1)!.word === word) positions.at(-1)!.bits |= bit
  else positions.push({ word, bits: bit })
}

/**
 * Reads one character: every state that holds moves on or loops. False when none holds any more.
 *
 * @param loops where the loops stand that the character passes
 */
function step(states: Uint32Array, words: number, own: Positions | undefined, loops: number): boolean {
  let next = own === undefined ? -1 : own.length - 1
  let alive = 0
  // From the highest word down, so that each still finds the old value of the one below it.
  for (let word = words - 1; word >= 0; word--) {
    let accepts = states[words + word]!
    if (next >= 0 && own![next]!.word === word) accepts |= own![next--]!.bits
    const before = states[word]!
    const moved = (before << 1) | (word === 0 ? 0 : states[word - 1]! >>> 31)
    const after = (moved & accepts) | (before & states[loops + word]!)
    states[word] = after
    alive |= after
  }
  return alive !== 0
}
