import { printable, printableLine } from '../client/printable.js'
import type { CheckResult } from '../report/result.js'

/** Where the line is shown: a stream such as `process.stderr`. */
export interface Terminal {
  write(text: string): unknown
  readonly isTTY?: boolean
  /** 0 or undefined where it is not known. */
  readonly columns?: number
}

interface ProgressLineOptions {
  readonly terminal: Terminal
  readonly env: Readonly<Record<string, string | undefined>>
  /** Milliseconds on a clock of any origin. */
  readonly now: () => number
  /** Calls again and again, this many milliseconds apart. @returns what ends it */
  readonly every: (milliseconds: number, call: () => void) => () => void
}

/** Milliseconds between two looks at what there is to show: faster than this nobody reads. */
const PACE = 100
/** The same where each line stays, as a sign of life in a log. */
const PACE_OF_LOG = 30_000
/** Where a terminal does not tell its width. */
const COLUMNS = 80
/** Back to the first column, and everything from there erased. */
const ERASE = '\r\u001b[K'

/**
 * Whether progress is rewritten in place: on a terminal that can erase, which a dumb one cannot, and not in a build, whose log may
 * come through a terminal but keeps every line that was ever written. It has no colours, so `NO_COLOR` is nothing to it.
 */
function canErase({ isTTY }: Terminal, { TERM, CI }: ProgressLineOptions['env']): boolean {
  return isTTY === true && TERM !== 'dumb' && /^(?:|0|false)$/i.test(CI ?? '')
}

/** Tells how far a run is: by one line that is rewritten in place, or where a line stays, by one now and then. */
export class ProgressLine {
  readonly #terminal: Terminal
  readonly #now: () => number
  readonly #start: number
  readonly #stop: () => void
  /** What goes on, without the time. */
  #describe: () => readonly [before: string, after: string] = () => ['starting', '']
  /** What stands in the terminal. */
  #line = ''

  constructor({ terminal, env, now, every }: ProgressLineOptions) {
    this.#terminal = terminal
    this.#now = now
    this.#start = now()
    this.#stop = canErase(terminal, env)
      ? every(PACE, () => this.#draw())
      : every(PACE_OF_LOG, () => this.#terminal.write(`atom-mq-conformance: ${this.#text()}\n`))
  }

  /** Tells that the target is probed. */
  probing(): void {
    this.#describe = () => ['probing the target', '']
  }

  /** Tells what `describe` says, from now on. */
  show(describe: () => string): void {
    this.#describe = () => [describe(), '']
  }

  /**
   * Begins to tell of a run.
   *
   * @param planned how many results it will give
   * @param which of how many runs it is, counted from 1
   * @returns what is to be told each result as it comes
   */
  running(
    planned: number,
    which: { readonly run: number; readonly of: number },
  ): (result: CheckResult) => void {
    const run = which.of > 1 ? `run ${which.run} of ${which.of}: ` : ''
    let finished = 0
    let failed = 0
    let last = ''
    this.#describe = () => [`${run}${finished} of ${planned} checks, ${failed} failed`, last]
    return ({ id, status }) => {
      finished += 1
      if (status === 'fail') failed += 1
      last = `, last ${id}`
    }
  }

  /** Writes something that stays, above the line. */
  say(text: string): void {
    this.#erase()
    this.#terminal.write(printable(text))
  }

  /** Takes the line away for good. */
  end(): void {
    this.#stop()
    this.#erase()
  }

  #text(): string {
    const [before, after] = this.#describe()
    return printableLine(`${before}, ${Math.floor((this.#now() - this.#start) / 1000)} s${after}`)
  }

  #draw(): void {
    // In the last column some terminals would go on to the next line, which is not erased.
    const line = this.#text().slice(0, (this.#terminal.columns || COLUMNS) - 1)
    if (line === this.#line) return
    this.#terminal.write(`${ERASE}${line}`)
    this.#line = line
  }

  #erase(): void {
    if (this.#line !== '') this.#terminal.write(ERASE)
    this.#line = ''
  }
}

/** Calls by a timer that keeps no process alive. */
export function everyByTimer(milliseconds: number, call: () => void): () => void {
  const timer = setInterval(call, milliseconds).unref()
  return () => clearInterval(timer)
}

/** A progress line on stderr, by the machine's clock. */
export function progressOnStderr(): ProgressLine {
  return new ProgressLine({
    terminal: process.stderr,
    env: process.env,
    now: () => performance.now(),
    every: everyByTimer,
  })
}
