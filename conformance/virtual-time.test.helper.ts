import { channel } from 'node:diagnostics_channel'
import { syncBuiltinESMExports } from 'node:module'
import timersPromises from 'node:timers/promises'

/** Real milliseconds without any request or answer after which everything in this process is taken to be waiting. */
const QUIET = 2
/** The same while a request or an answer is on its way between client and server, which a busy machine may hand on late. */
const LOST = 50
/** And so many turns of the event loop: a process that was not given a processor has not been quiet. */
const TURNS = 3

/** What a millisecond of work counts: on a busy machine work takes much longer than it should. */
const PACE = 0.1
/** A timer for longer than this is real: the test runner's own, or one that nobody waits for. In milliseconds. */
const LONGEST = 40_000

/** What is told of requests and answers: how many more are on their way then. */
const ACTIVITY = {
  'http.client.request.start': { requests: 1, answers: 0 },
  'http.server.request.start': { requests: -1, answers: 0 },
  'http.server.response.finish': { requests: 0, answers: 1 },
  'http.client.response.finish': { requests: 0, answers: -1 },
  'net.client.socket': { requests: 0, answers: 0 },
  'net.server.socket': { requests: 0, answers: 0 },
  'undici:request:create': { requests: 1, answers: 0 },
  'undici:request:trailers': { requests: 0, answers: -1 },
}

const real = {
  setTimeout: globalThis.setTimeout,
  clearTimeout: globalThis.clearTimeout,
  now: performance.now.bind(performance),
}

const START = real.now()
let isSkipping = false

/**
 * Lets a test skip the time in which nobody does anything: whenever client and server, which are both in this process, only
 * wait, the clocks jump to the next timer that is due, and go slowly while somebody works, so that a busy machine changes
 * nothing. It is for code that waits for real leases; there is no way back, so such tests have files of their own.
 */
export function skipIdleTime(): void {
  // Files that share a process have one time, whichever of them is loaded while the tests of another run.
  if (isSkipping) return
  isSkipping = true
  const time = new VirtualTime()
  performance.now = () => time.now()
  Date.now = () => Math.floor(performance.timeOrigin + time.now())
  globalThis.Date = class extends Date {
    constructor(...args: [] | [number]) {
      if (args.length === 0) super(Date.now())
      else super(...args)
    }
  } as DateConstructor
  globalThis.setTimeout = ((call: (...args: unknown[]) => void, delay = 1, ...args: unknown[]) =>
    delay > LONGEST
      ? real.setTimeout(call, delay, ...args)
      : new VirtualTimer(time, delay, () => call(...args))) as unknown as typeof setTimeout
  globalThis.setInterval = ((call: (...args: unknown[]) => void, delay = 1, ...args: unknown[]) => {
    const timer: VirtualTimer = new VirtualTimer(time, delay, () => {
      timer.refresh()
      call(...args)
    })
    return timer
  }) as unknown as typeof setInterval
  const clear = (timer: unknown) =>
    timer instanceof VirtualTimer ? timer.close() : real.clearTimeout(timer as NodeJS.Timeout)
  globalThis.clearTimeout = clear as typeof clearTimeout
  globalThis.clearInterval = clear as typeof clearInterval
  timersPromises.setTimeout = sleep
  syncBuiltinESMExports()
}

class VirtualTime {
  /** Milliseconds that were jumped over. */
  #skipped = 0
  readonly #timers = new Set<VirtualTimer>()
  #quietSince = real.now()
  #turns = 0
  #tick: NodeJS.Timeout | undefined
  /** How many were sent and did not come yet. */
  #requests = 0
  #answers = 0

  constructor() {
    for (const [name, { requests, answers }] of Object.entries(ACTIVITY)) {
      channel(name).subscribe(() => {
        this.#requests = Math.max(0, this.#requests + requests)
        this.#answers = Math.max(0, this.#answers + answers)
        this.#stir()
      })
    }
  }

  now(): number {
    return START + (real.now() - START) * PACE + this.#skipped
  }

  add(timer: VirtualTimer): void {
    this.#timers.add(timer)
    this.#stir()
    this.rearm()
  }

  delete(timer: VirtualTimer): void {
    this.#timers.delete(timer)
    this.rearm()
  }

  /** One real timer looks after all; it keeps the process alive where one of them does. */
  rearm(): void {
    if (this.#timers.size === 0) {
      real.clearTimeout(this.#tick)
      this.#tick = undefined
      return
    }
    this.#tick ??= real.setTimeout(() => this.#turn(), 1)
    if ([...this.#timers].some((timer) => timer.hasRef())) this.#tick.ref()
    else this.#tick.unref()
  }

  #stir(): void {
    this.#quietSince = real.now()
    this.#turns = 0
  }

  #turn(): void {
    this.#tick = undefined
    this.#turns += 1
    const isUnderWay = this.#requests > 0 || this.#answers > 0
    if (this.#turns > TURNS && real.now() - this.#quietSince > (isUnderWay ? LOST : QUIET)) this.#jump()
    const now = this.now()
    const due = [...this.#timers]
      .filter((timer) => timer.due <= now)
      .sort((one, other) => one.due - other.due)
    // What a timer does may clear another one that is due.
    for (const timer of due) if (this.#timers.delete(timer)) timer.fire()
    if (due.length > 0) this.#stir()
    this.rearm()
  }

  #jump(): void {
    // What did not come by now never will.
    this.#requests = 0
    this.#answers = 0
    const next = Math.min(...[...this.#timers].map(({ due }) => due))
    this.#skipped += Math.max(0, next - this.now())
  }
}

/** As the platform's own, as far as anything here uses it. */
class VirtualTimer {
  due = 0
  #ref = true

  constructor(
    private readonly time: VirtualTime,
    private readonly delay: number,
    readonly fire: () => void,
  ) {
    this.refresh()
  }

  refresh(): this {
    this.due = this.time.now() + Math.max(1, this.delay || 0)
    this.time.add(this)
    return this
  }

  close(): void {
    this.time.delete(this)
  }

  hasRef(): boolean {
    return this.#ref
  }

  ref(): this {
    this.#ref = true
    this.time.rearm()
    return this
  }

  unref(): this {
    this.#ref = false
    this.time.rearm()
    return this
  }
}

function sleep<T>(delay?: number, value?: T, options: { signal?: AbortSignal | undefined } = {}): Promise<T> {
  const { signal } = options
  return new Promise((resolve, reject) => {
    const refuse = () => {
      clearTimeout(timer)
      reject(new DOMException('The operation was aborted', 'AbortError'))
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', refuse)
      resolve(value as T)
    }, delay)
    if (signal?.aborted) refuse()
    else signal?.addEventListener('abort', refuse, { once: true })
  })
}
