import type { Fault, Report } from './result.js'

/** What went wrong within the kit, which costs the part alone in which it did. */
export class Faults {
  readonly #all: Map<string, Fault>

  /** @param known faults of before */
  constructor(known: readonly Fault[] = []) {
    this.#all = new Map(known.map((fault) => [fault.part, fault]))
  }

  /** In the order in which they were noted; one of each part. */
  get all(): readonly Fault[] {
    return [...this.#all.values()]
  }

  note(part: string, error: unknown): void {
    if (!this.#all.has(part)) this.#all.set(part, { part, why: whyOf(error) })
  }

  /** Does a part of the work, or else what is left of it: its error is noted. */
  guard<T>(part: string, work: () => T, otherwise: (error: unknown) => T): T {
    try {
      return work()
    } catch (error) {
      this.note(part, error)
      return otherwise(error)
    }
  }

  /** As {@link guard}, of work that takes time. */
  async guardAsync<T>(part: string, work: () => Promise<T>, otherwise: (error: unknown) => T): Promise<T> {
    try {
      return await work()
    } catch (error) {
      this.note(part, error)
      return otherwise(error)
    }
  }
}

/** A report with these faults beside its own. */
export function withFaults(report: Report, { all }: Faults): Report {
  return all.length === 0 ? report : { ...report, faults: [...(report.faults ?? []), ...all] }
}

/** An error as one sentence without its full stop, and without the places where it was thrown. */
export function whyOf(error: unknown): string {
  if (!(error instanceof Error)) return `${error} was thrown`
  return `${error.name}: ${error.message}`.split('\n')[0]!.replace(/[.:\s]+$/, '')
}

/** Errors of the language and of Node. */
const BUILT_IN: ReadonlySet<unknown> = new Set([
  Error,
  TypeError,
  RangeError,
  ReferenceError,
  SyntaxError,
  URIError,
  EvalError,
])

/** Whether nobody threw an error for people to read: those that are, are of classes of their own. */
export function isUnexpected(error: unknown): boolean {
  return !(error instanceof Error) || BUILT_IN.has(error.constructor)
}
