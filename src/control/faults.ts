import { Problem } from '../http/problems.js'
import { type Fault, type FaultSpec, readFault } from './fault.js'
import { seededRandom } from './random.js'
import { compileTarget, type Targeted } from './target.js'

/** How many faults a list holds at most. */
const MOST_FAULTS = 1000

interface Armed {
  readonly id: string
  readonly spec: FaultSpec & { readonly seed: number }
  readonly fits: (request: Targeted) => boolean
  readonly random: () => number
  struck: number
}

/** What strikes one request: at most one delay, and after it at most one fault of another kind. */
export interface Strike {
  readonly delay?: Fault
  readonly fault?: Fault
}

/** What goes wrong on purpose, in the order in which it was added. */
export class Faults {
  readonly #armed = new Map<string, Armed>()
  /** Requests that a delay holds back, with the id of the fault. */
  readonly #parked = new Map<(refusal: Problem | undefined) => void, string>()
  #added = 0
  readonly #changed: () => void

  /** @param changed is called when one was added or some were removed, not at a reset */
  constructor(changed: () => void = () => undefined) {
    this.#changed = changed
  }

  get size(): number {
    return this.#armed.size
  }

  /**
   * Adds a fault at the end of the list.
   *
   * @throws Problem `malformed-request` when it is not one, `too-many-requests` over 1000 faults
   */
  add(spec: FaultSpec): Fault {
    const { seed = this.#added + 1, ...rest } = readFault(spec)
    if (this.#armed.size >= MOST_FAULTS) {
      throw new Problem('too-many-requests', `The list holds ${MOST_FAULTS} faults; clear it first.`)
    }
    const armed: Armed = {
      id: `f${++this.#added}`,
      spec: { ...rest, seed },
      fits: compileTarget(rest),
      random: seededRandom(seed),
      struck: 0,
    }
    this.#armed.set(armed.id, armed)
    this.#changed()
    return shown(armed)
  }

  /** The list, with how often each has struck; one that is spent stays in it. */
  list(): Fault[] {
    return [...this.#armed.values()].map(shown)
  }

  /** @returns whether it was there. Requests that it holds back go on. */
  remove(id: string): boolean {
    const removed = this.#armed.delete(id)
    if (!removed) return false
    this.#changed()
    this.#release((fault) => fault === id, undefined)
    return true
  }

  /** Empties the list. Requests that a delay holds back go on. */
  clear(): void {
    this.#armed.clear()
    this.#changed()
    this.release()
  }

  /** As at the start: nothing in the list, and the next fault is `f1`. */
  reset(): void {
    this.#armed.clear()
    this.#added = 0
  }

  /**
   * What strikes this request: the first delay that fits and the first other fault that fits, each of which has
   * then struck once more.
   */
  strike(request: Targeted): Strike {
    let delay: Armed | undefined
    let fault: Armed | undefined
    for (const armed of this.#armed.values()) {
      const taken = armed.spec.fault === 'delay' ? delay : fault
      if (taken !== undefined || !strikes(armed, request)) continue
      armed.struck++
      if (armed.spec.fault === 'delay') delay = armed
      else fault = armed
    }
    return { ...(delay && { delay: shown(delay) }), ...(fault && { fault: shown(fault) }) }
  }

  /** Takes a strike back that had nothing to strike. */
  missed({ id }: Fault): void {
    const armed = this.#armed.get(id)
    if (armed !== undefined) armed.struck--
  }

  /**
   * Registers a request that a delay holds back.
   *
   * @param wake is told why it may not go on, or undefined when it may
   * @returns takes it back
   */
  park({ id }: Fault, wake: (refusal: Problem | undefined) => void): () => void {
    this.#parked.set(wake, id)
    return () => void this.#parked.delete(wake)
  }

  /** Ends every delay that is under way. @param refusal why the requests may not go on */
  release(refusal?: Problem): void {
    this.#release(() => true, refusal)
  }

  #release(concerns: (fault: string) => boolean, refusal: Problem | undefined): void {
    for (const [wake, fault] of [...this.#parked]) {
      if (!concerns(fault)) continue
      this.#parked.delete(wake)
      wake(refusal)
    }
  }
}

function strikes({ spec, fits, random, struck }: Armed, request: Targeted): boolean {
  if (spec.times !== undefined && struck >= spec.times) return false
  if (!fits(request)) return false
  return spec.probability === undefined || random() < spec.probability
}

function shown({ id, spec, struck }: Armed): Fault {
  return { id, ...spec, struck }
}
