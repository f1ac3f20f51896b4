/** How long the longest array is out of which something is taken, or into which it is put, but at its end. */
export function longestMoved(act: () => void): number {
  const { splice, shift } = Array.prototype
  let longest = 0
  const watch = (method: typeof splice | typeof shift) =>
    function (this: unknown[], ...given: unknown[]): unknown {
      longest = Math.max(longest, this.length)
      return Reflect.apply(method, this, given)
    }
  Object.assign(Array.prototype, { splice: watch(splice), shift: watch(shift) })
  try {
    act()
  } finally {
    Object.assign(Array.prototype, { splice, shift })
  }
  return longest
}
