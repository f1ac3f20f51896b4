/** How many ids are suggested. */
const MOST = 5

/** Of some ids those that a misspelled one may mean, the likeliest first. */
export function nearest(wanted: string, ids: Iterable<string>): string[] {
  const rated = [...new Set(ids)].map((id): [string, number] => [
    id,
    distance(wanted, id) - shared(wanted, id),
  ])
  return rated
    .sort(([, one], [, other]) => one - other)
    .slice(0, MOST)
    .map(([id]) => id)
}

/** Words that both have: whoever knows half of an id should find it. */
function shared(one: string, other: string): number {
  const words = new Set(one.split(/[.-]/).filter(({ length }) => length > 2))
  return other.split(/[.-]/).filter((word) => words.has(word)).length * 6
}

/** Levenshtein's: how many characters have to be changed, added or left out. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let i = 1; i <= one.length; i++) {
    const next = [i]
    for (let j = 1; j <= other.length; j++) {
      const change = row[j - 1]! + (one[i - 1] === other[j - 1] ? 0 : 1)
      next.push(Math.min(change, row[j]! + 1, next[j - 1]! + 1))
    }
    row = next
  }
  return row[other.length]!
}
