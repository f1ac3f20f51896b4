/** Shorter texts are found by the platform soon enough; for longer ones it may take the product of both lengths. */
const SHORT = 32

/**
 * Says whether texts contain this one, each in time that grows with its length (Knuth, Morris and Pratt).
 *
 * @param wanted is read once
 */
export function textSearch(wanted: string): (text: string) => boolean {
  if (wanted.length <= SHORT) return (text) => text.includes(wanted)
  /** Of so much of `wanted` as is found: how much of it is found still where the next character is another. */
  const shorter = new Uint32Array(wanted.length)
  const goOn = (found: number, code: number): number => {
    let kept = found
    while (kept > 0 && wanted.charCodeAt(kept) !== code) kept = shorter[kept - 1]!
    return wanted.charCodeAt(kept) === code ? kept + 1 : 0
  }
  for (let at = 1; at < wanted.length; at++) shorter[at] = goOn(shorter[at - 1]!, wanted.charCodeAt(at))
  return (text) => {
    for (let at = 0, found = 0; at < text.length; at++) {
      found = goOn(found, text.charCodeAt(at))
      if (found === wanted.length) return true
    }
    return false
  }
}
