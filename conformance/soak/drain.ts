import { setTimeout as sleep } from 'node:timers/promises'
import { prefetchUpTo } from '../client/subscription-request.js'
import type { Reading, SoakClient, SoakQueue, SoakSubscription } from './client.js'
import { acknowledge } from './consumer.js'

/** Milliseconds between two requests that bring nothing. */
const PAUSE = 15
/** How often a subscription is tried for before it is given up. */
const MOST_TRIES = 3
/** How often a feed is tried for at the very end. */
const LAST_READINGS = 5
const MOST_HELD = 10

/**
 * Consumes all that is left, when nobody else does.
 *
 * @returns the queues that could be consumed to the end, each with the subscription that did
 */
export async function drain(client: SoakClient): Promise<ReadonlyMap<string, string>> {
  const queues = [...client.shared.queues, ...client.shared.shortLived]
  const all = new LastConsumer(client, queues)
  // How many destinations one subscription may have is open.
  const consumers = (await all.begin())
    ? [all]
    : queues.map((queue) => new LastConsumer(client, [queue], all.idleSince))
  const consumed = new Map<string, string>()
  await Promise.all(
    consumers.map(async (each) => {
      const uri = await each.consume()
      if (uri !== undefined) for (const { name } of each.queues) consumed.set(name, uri)
    }),
  )
  for (const { name } of queues) await client.ask({ do: 'browseQueue', queue: name })
  return consumed
}

/** Consumes from some queues until nothing comes any more. */
class LastConsumer {
  readonly queues: readonly SoakQueue[]
  readonly #client: SoakClient
  readonly #prefetch: number
  readonly #shown = new Set<number>()
  #subscription: SoakSubscription | undefined
  #idleSince: number
  #tries = 0

  constructor(client: SoakClient, queues: readonly SoakQueue[], idleSince = performance.now()) {
    this.#idleSince = idleSince
    this.#client = client
    this.queues = queues
    this.#prefetch = prefetchUpTo(client.shared.profile, MOST_HELD)
  }

  /** Since when nothing new has come that it might have, with nobody else before it: milliseconds. */
  get idleSince(): number {
    return this.#idleSince
  }

  /** @returns whether there is a subscription */
  async begin(): Promise<boolean> {
    while (this.#tries < MOST_TRIES && this.#isOpen) {
      await this.#subscribe()
      if (this.#subscription !== undefined) return true
      await sleep(PAUSE)
    }
    return !this.#isOpen
  }

  /** @returns its subscription, where it could consume to the end; undefined where it could not */
  async consume(): Promise<string | undefined> {
    const patience = 2 * this.#client.shared.timing.timeout
    let isAble = false
    for (let more = true; more; ) {
      while (this.#isOpen && performance.now() - this.#idleSince < patience) {
        if (!(await this.#read())) await sleep(PAUSE)
      }
      const idleSince = this.#idleSince
      isAble = this.#isOpen && (await this.#readLast())
      more = this.#idleSince > idleSince && this.#isOpen
    }
    const { uri } = this.#subscription ?? {}
    if (this.#subscription !== undefined) await this.#client.end(this.#subscription)
    return isAble ? uri : undefined
  }

  get #isOpen(): boolean {
    return this.#client.shared.judge.open > 0 && !this.#client.shared.isOver
  }

  /** Whether it can read its feed after all that time, and has room in it. */
  async #readLast(): Promise<boolean> {
    for (let readings = 0; readings < LAST_READINGS; readings++) {
      const reading = await this.#reading()
      if (reading?.held !== undefined) {
        await this.#take(reading)
        return reading.held.length < this.#prefetch
      }
      await sleep(PAUSE)
    }
    return false
  }

  /** @returns whether anything new came */
  async #read(): Promise<boolean> {
    const reading = await this.#reading()
    return reading !== undefined && this.#take(reading)
  }

  async #reading(): Promise<Reading | undefined> {
    if (this.#subscription === undefined) await this.#subscribe()
    if (this.#subscription === undefined) return undefined
    const reading = await this.#client.read(this.#subscription)
    // Its lease may have ended. Where there is no answer, it goes on: what is bound to it comes to nobody else.
    if (reading.outcome === 'no') this.#lose()
    return reading
  }

  async #take({ held = [] }: Reading): Promise<boolean> {
    let isNew = false
    for (const each of held) {
      if (!this.#shown.has(each.message)) isNew = true
      this.#shown.add(each.message)
      if (this.#subscription !== undefined) await acknowledge(this.#client, this.#subscription, each)
    }
    if (isNew) {
      this.#idleSince = Math.max(this.#idleSince, performance.now())
      this.#tries = 0
    }
    return isNew
  }

  async #subscribe(): Promise<void> {
    const destinations = this.queues.map(({ name }) => ({ queue: name }))
    const terms = { prefetch: this.#prefetch, selector: undefined }
    this.#subscription = await this.#client.subscribe(destinations, terms, 0)
    if (this.#subscription === undefined) this.#lose()
  }

  /** One that is not known any more, or never was, may have messages until its lease has ended. */
  #lose(): void {
    this.#subscription = undefined
    this.#tries += 1
    const { lease, leaseGrace } = this.#client.shared.timing
    if (this.#tries <= MOST_TRIES) this.#idleSince = performance.now() + lease + leaseGrace
  }
}
