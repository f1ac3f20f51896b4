import type { BrokerEvent } from '../../broker/events.js'
import { type Asked, askedBy, type Find, isUnread, shownAsked, type Witnessed } from './asked.js'
import { Consumption } from './consumption.js'
import { Repeats } from './repeats.js'
import { CLIENT_RULES, type ClientReport, type ClientRule, type ClientViolation } from './rules.js'
import { Sends } from './sends.js'

/** How many violations are remembered of one rule, and how many are reported. */
const MOST_OF_ONE = 200
const MOST_REPORTED = 1000

/** How many clients are told apart by name. */
const MOST_CLIENTS = 100

/** A violation; its exchanges may still turn out to have had no answer. */
interface Found {
  readonly rule: ClientRule
  readonly what: string
  readonly exchanges: readonly Asked[]
  /** What its client must have read for it to be one. */
  readonly told: Asked | undefined
}

/**
 * Judges whoever speaks to a server: what the document asks of clients. A fold over what passes by: exchanges, and what happens
 * in the broker. It holds nobody to what could not be known: an answer that was lost, or a lease that the owner of the server
 * has ended.
 */
export class ClientJudge {
  readonly #found: Found[] = []
  readonly #counts = new Map<ClientRule, number>()
  readonly #clients = new Set<string>()
  readonly #find: Find = (rule, what, exchanges, told) => {
    const count = (this.#counts.get(rule) ?? 0) + 1
    this.#counts.set(rule, count)
    if (count <= MOST_OF_ONE) this.#found.push({ rule, what, exchanges, told })
  }
  readonly #sends = new Sends(this.#find)
  #repeats = new Repeats(this.#find)
  readonly #consumption: Consumption
  #exchanges = 0

  /** @param isManual whether time passes only when the owner of the server says so */
  constructor(isManual: boolean) {
    this.#consumption = new Consumption(this.#find, isManual)
  }

  readonly happened = (event: BrokerEvent): void => this.#consumption.happened(event)

  /** Leases that end in the course of this end by nobody's fault. */
  byOwner<T>(act: () => T): T {
    return this.#consumption.byOwner(act)
  }

  see(number: number, seen: Witnessed): void {
    const { request, reply } = seen
    this.#exchanges++
    const asked = askedBy(number, seen)
    if (this.#clients.size < MOST_CLIENTS) this.#clients.add(asked.client)
    const location = fieldOf(reply?.headers, 'location')
    this.#sends.see(asked, request, location)
    this.#repeats.see(asked, request, fieldOf(reply?.headers, 'retry-after'))
    this.#consumption.see(asked, request, reply, location)
  }

  /** Looks at an exchange in the midst of which there was a reset: it may have been one try of several. */
  seeInterrupted(seen: Witnessed): void {
    this.#sends.interrupt(askedBy(0, seen), seen.request)
  }

  /** @param ignore rules that are not looked at */
  report(ignore: readonly ClientRule[] = []): ClientReport {
    const found = [...this.#found]
    const find: Find = (rule, what, exchanges, told) => void found.push({ rule, what, exchanges, told })
    this.#sends.report(find)
    this.#consumption.report(find)
    const violations = found
      .filter(({ rule, told, exchanges }) => {
        return !ignore.includes(rule) && !(told !== undefined && isUnread(told, exchanges.at(-1) as Asked))
      })
      .slice(0, MOST_REPORTED)
      .map(violationOf)
    return {
      conformant: violations.length === 0,
      exchanges: this.#exchanges,
      clients: [...this.#clients],
      violations,
    }
  }

  reset(): void {
    this.#found.length = 0
    this.#counts.clear()
    this.#clients.clear()
    this.#sends.reset()
    this.#repeats = new Repeats(this.#find)
    this.#consumption.reset()
    this.#exchanges = 0
  }
}

function violationOf({ rule, what, exchanges }: Found): ClientViolation {
  const client = exchanges.at(-1)?.client ?? ''
  return { rule, client, clause: CLIENT_RULES[rule].clause, what, exchanges: exchanges.map(shownAsked) }
}

function fieldOf(headers: Readonly<Record<string, string>> = {}, wanted: string): string | undefined {
  for (const name in headers) if (name.toLowerCase() === wanted) return headers[name]
  return undefined
}
