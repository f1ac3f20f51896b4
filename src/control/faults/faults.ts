import { Problem } from '../../http/problems.js'
import { utf8Length } from '../../platform/bytes.js'
import { fitsAll } from '../input/question.js'
import { type Targeted, targetQuestions } from '../input/target.js'
import { type Fault, type FaultSpec, type ReadFault, readFault } from './fault.js'
import { seededRandom } from './random.js'

/** How many faults a list holds at most, and how many bytes as JSON: those who watch are told the whole of it. */
const MOST_FAULTS = 100
const MOST_BYTES = 1024 * 1024

interface Armed {
  readonly id: string
  readonly spec: ReadFault & { readonly seed: number; readonly endsAt?: number }
  readonly fits: (request: Targeted) => boolean
  readonly random: () => number
  /** As JSON. */
  readonly bytes: number
  /** How many requests have fitted. */
  seen: number
  fired: number
}

/** What fires at one request: at most one delay, and after it at most one fault of another kind. */
export interface Firing {
  /** Its `ms` are those of this request. */
  readonly delay?: Fault
  readonly fault?: Fault
}

/** What goes wrong on purpose, in the order in which it was added. */
export class Faults {
  readonly #armed = new Map<string, Armed>()
  /** Requests that a delay holds back, with the id of the fault. */
  readonly #parked = new Map<(refusal: Problem | undefined) => void, string>()
  #added = 0
  /** Of all that are in the list. */
  #bytes = 0
  #closed: Problem | undefined

  /**
   * @param now the server's time
   * @param onChange is called when the list has become another; not when one fires, nor by a reset
   */
  constructor(
    private readonly now: () => number = () => 0,
    private readonly onChange: () => void = () => {},
  ) {}

  get size(): number {
    return this.#armed.size
  }

  /** See {@link ServerFaults.add}. */
  add(spec: FaultSpec): Fault {
    if (this.#closed !== undefined) throw this.#closed
    const { seed = this.#added + 1, ...rest } = readFault(spec)
    if (this.#armed.size >= MOST_FAULTS) {
      throw new Problem('too-many-requests', `The list holds ${MOST_FAULTS} faults; clear it first.`)
    }
    const bytes = utf8Length(JSON.stringify(rest))
    if (this.#bytes + bytes > MOST_BYTES) {
      throw new Problem(
        'too-many-requests',
        `The list would hold more than ${MOST_BYTES} bytes of faults as JSON; clear it first, or make this one smaller.`,
        { limit: MOST_BYTES },
      )
    }
    this.#bytes += bytes
    const armed: Armed = {
      id: `f${++this.#added}`,
      spec: { ...rest, seed, ...(rest.for !== undefined && { endsAt: this.now() + rest.for }) },
      fits: fitsAll(targetQuestions(rest)),
      random: seededRandom(seed),
      bytes,
      seen: 0,
      fired: 0,
    }
    this.#armed.set(armed.id, armed)
    this.onChange()
    return shown(armed)
  }

  /** The list, with how often each has fired; one that is spent stays in it. */
  list(): Fault[] {
    return [...this.#armed.values()].map(shown)
  }

  /** How many requests a fault of the list was for, whether it fired or not. */
  seenBy(id: string): number {
    return this.#armed.get(id)?.seen ?? 0
  }

  /** @returns whether it was there. Requests that it holds back go on. */
  remove(id: string): boolean {
    const removed = this.#armed.get(id)
    if (removed) {
      this.#armed.delete(id)
      this.#bytes -= removed.bytes
      this.#release((fault) => fault === id, undefined)
      this.onChange()
    }
    return removed !== undefined
  }

  /** Empties the list. Requests that a delay holds back go on. */
  clear(): void {
    this.#empty()
    this.release()
    this.onChange()
  }

  /** As at the start: nothing in the list, and the next fault is `f1`. */
  reset(): void {
    this.#empty()
    this.#added = 0
  }

  /**
   * What fires at this request: the first delay that fits and the first other fault that fits. Each of them is
   * counted as fired once more.
   */
  fire(request: Targeted): Firing {
    const now = this.now()
    let delay: Fault | undefined
    let fault: Fault | undefined
    for (const armed of this.#armed.values()) {
      if (!isFor(armed, request)) continue
      armed.seen++
      const delays = armed.spec.fault === 'delay'
      if ((delays ? delay : fault) !== undefined || !isDue(armed, now)) continue
      armed.fired++
      if (delays) delay = { ...shown(armed), ms: delayOf(armed) }
      else fault = shown(armed)
    }
    return { ...(delay && { delay }), ...(fault && { fault }) }
  }

  /** Takes one firing back, of a fault that found nothing to do. */
  missed({ id }: Fault): void {
    const armed = this.#armed.get(id)
    if (armed !== undefined) armed.fired--
  }

  /**
   * Registers a request that a delay holds back.
   *
   * @param wake is told why it may not go on, or undefined when it may
   * @returns takes it back
   */
  park({ id }: Fault, wake: (refusal: Problem | undefined) => void): () => void {
    if (this.#closed !== undefined) wake(this.#closed)
    else this.#parked.set(wake, id)
    return () => void this.#parked.delete(wake)
  }

  /** Ends every delay that is under way. @param refusal why the requests may not go on */
  release(refusal?: Problem): void {
    this.#release(() => true, refusal)
  }

  /** Ends every delay that is under way, and each that would begin; nothing is added any more. @param refusal why */
  close(refusal: Problem): void {
    this.#closed = refusal
    this.release(refusal)
  }

  #empty(): void {
    this.#armed.clear()
    this.#bytes = 0
  }

  #release(concerns: (fault: string) => boolean, refusal: Problem | undefined): void {
    for (const [wake, fault] of [...this.#parked]) {
      if (!concerns(fault)) continue
      this.#parked.delete(wake)
      wake(refusal)
    }
  }
}

/** A regular expression that takes too long fits nothing: the request is not to suffer from it. */
function isFor({ fits }: Armed, request: Targeted): boolean {
  try {
    return fits(request)
  } catch (error) {
    if (error instanceof Problem) return false
    throw error
  }
}

function isDue({ spec, random, seen, fired }: Armed, now: number): boolean {
  const { after = 0, nth, times = Number.POSITIVE_INFINITY, endsAt = Number.POSITIVE_INFINITY } = spec
  if (seen <= after || fired >= times || now >= endsAt || (nth !== undefined && seen !== nth)) return false
  return spec.probability === undefined || random() < spec.probability
}

function delayOf({ spec: { ms = 0, jitter = 0 }, random }: Armed): number {
  return jitter === 0 ? ms : ms + Math.floor(random() * (jitter + 1))
}

function shown({ id, spec, fired }: Armed): Fault {
  return { id, ...spec, fired }
}
