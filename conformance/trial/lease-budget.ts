import type { Exchange } from '../client/exchange.js'
import { Inconclusive } from '../client/findings.js'
import { LeaseWatch } from './lease-watch.js'
import type { Timing } from './trial.js'

/** How many latencies one look takes: a page or two, and contents. */
const LATENCIES_OF_A_LOOK = 3

export interface LeaseBudgetOptions {
  readonly timing: Pick<Timing, 'latency' | 'held'>
  /** What the check has asked so far. */
  readonly exchanges: readonly Exchange[]
  /** The trial's time. */
  readonly now: () => number
}

/** The time that a check has: until the first of the leases ends that it relies on, and what it has spent of it. */
export class LeaseBudget {
  readonly #options: LeaseBudgetOptions
  readonly #leases: LeaseWatch[] = []
  /** Those of which nobody knows how long they are: nothing is hurried for them. */
  readonly #guessed: LeaseWatch[] = []
  /** Waits for effects to settle or to show. */
  readonly #waits: Interval[] = []
  /** Milliseconds that a wait would have needed beyond what there was. */
  #wanted = 0
  #isOver = false

  constructor(options: LeaseBudgetOptions) {
    this.#options = options
  }

  watch(of: string, length: number, began: number, isKnown = true): LeaseWatch {
    const watch = new LeaseWatch(of, length, began, this.#options.now)
    if (isKnown) this.#leases.push(watch)
    else this.#guessed.push(watch)
    return watch
  }

  /** The check lets its leases end, and relies on none any more. */
  giveUp(): void {
    this.#isOver = true
  }

  /** Spends milliseconds on letting effects settle or show. */
  async spend(wait: () => Promise<void>): Promise<void> {
    const from = this.#options.now()
    await wait()
    this.#waits.push({ from, to: this.#options.now() })
  }

  /** For how many milliseconds the check may go on asking: while every lease that it relies on surely lasts until the answer. */
  left(): number {
    if (this.#isOver) return Number.POSITIVE_INFINITY
    return Math.min(...this.#leases.map(({ sureUntil }) => sureUntil)) - this.#options.now() - this.#look
  }

  /** Milliseconds of one look. */
  get #look(): number {
    const { latency, held } = this.#options.timing
    return LATENCIES_OF_A_LOOK * latency + held
  }

  /** Why a finding may be due to a lease that ended underneath the check; undefined where it cannot be. */
  uncertain(): string | undefined {
    return this.#uncertainOf([...this.#leases, ...this.#guessed])
  }

  #uncertainOf(leases: readonly LeaseWatch[]): string | undefined {
    if (this.#isOver) return undefined
    const uncertain = leases.find((lease) => lease.mayHaveEnded())
    return (
      uncertain && `the lease of ${uncertain.of} (${uncertain.length} ms) may have ended underneath the check`
    )
  }

  /** The end of a lease brings back what was hidden: what shows then says nothing of how it was before. */
  need(): void {
    const uncertain = this.#uncertainOf(this.#leases)
    if (uncertain !== undefined) throw new Inconclusive(`what was waited for came when ${uncertain}`)
  }

  /** Ends the check: of its leases so much is left that an effect which takes `wanted` milliseconds need not have shown. */
  tooLittle(wanted: number): never {
    this.#wanted = wanted + this.#look
    throw new Inconclusive('the lease leaves no time for the effect to show')
  }

  /**
   * Why no attempt can be done within its leases, where that is so: what was asked in turn, and what had to settle, takes longer even
   * where each answer comes as soon as the quickest did.
   */
  tooShort(): string | undefined {
    if (this.#isOver) return undefined
    for (const { of, length, began, sure } of this.#leases.filter(({ isOver }) => !isOver)) {
      const asked = this.#options.exchanges.filter(({ sentAt }) => sentAt >= began)
      const quickest = Math.min(...asked.map(({ sentAt, receivedAt }) => receivedAt - sentAt))
      const waits = this.#waits.filter(({ from }) => from >= began)
      const done = inTurn([
        ...asked.map(({ sentAt: from, receivedAt: to }) => ({ from, to, isWait: false })),
        ...waits.map((wait) => ({ ...wait, isWait: true })),
      ])
      const count = done.filter(({ isWait }) => !isWait).length
      const waited = done.reduce((sum, { from, to, isWait }) => sum + (isWait ? to - from : 0), 0)
      const settling = Math.round(waited + this.#wanted)
      const needed = Math.round(settling + (count === 0 ? 0 : count * quickest))
      if (needed > sure)
        return `the lease of ${of} (${length} ms) is too short for the question: ${count} requests in turn and ${settling} ms of settling take ${needed} ms, and ${Math.round(sure)} ms are sure`
    }
    return undefined
  }
}

interface Interval {
  readonly from: number
  readonly to: number
}

/** Such of these as came one after another, where most were at once. */
function inTurn<T extends Interval>(intervals: readonly T[]): T[] {
  const chain: T[] = []
  for (const each of [...intervals].sort((a, b) => a.to - b.to))
    if (each.from >= (chain.at(-1)?.to ?? Number.NEGATIVE_INFINITY)) chain.push(each)
  return chain
}
