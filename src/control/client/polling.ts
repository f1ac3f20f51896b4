import { type Asked, type Find, keep } from './asked.js'

/** How many places where somebody found nothing are remembered. */
const MOST = 5000

/** So many empty readings in a row, so fast on an average, are too many: number, and milliseconds between two. */
const EMPTY_READINGS = 25
const FAST = 10

/** How fast clients ask again where there is nothing: see the rule `poll-gently`. */
export class Polling {
  /** Readings in a row of one place that found nothing, by who asks, and where. */
  readonly #rows = new Map<
    string,
    { readonly count: number; readonly since: number; readonly last: number }
  >()
  readonly #hot = new Set<string>()

  constructor(private readonly find: Find) {}

  /** @param isCalm whether something was there, or might have been waited for */
  // clause: consume.after-idle
  see(asked: Asked, place: string, isCalm: boolean): void {
    const key = `${asked.party} ${place}`
    const row = this.#rows.get(key)
    if (isCalm) {
      this.#rows.delete(key)
      return
    }
    const goesOn = row !== undefined && asked.came - row.last < 5 * FAST
    const { count, since } = goesOn ? { ...row, count: row.count + 1 } : { count: 1, since: asked.came }
    keep(this.#rows, key, { count, since, last: asked.came }, MOST)
    const ms = Math.round(asked.came - since)
    if (count < EMPTY_READINGS || ms > (count - 1) * FAST || this.#hot.has(key)) return
    if (this.#hot.size < MOST) this.#hot.add(key)
    this.find('poll-gently', `It found nothing ${count} times in ${ms} ms.`, [asked])
  }
}
