import type { Got, Reply } from '../client/serve.test.helper.js'
import type { Check } from '../trial/check.js'
import { type FakeBroker, fakeBroker } from '../trial/fake-broker.test.helper.js'
import type { Timing } from '../trial/trial.js'
import { trialOf } from '../trial/trial-of.test.helper.js'

/** A message that a subscription holds. */
export interface Handed {
  readonly id: string
  readonly body: Buffer
  readonly text: string
  readonly uri: string
}

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }

/** Speaks the primary mapping to a fake broker for consumers of another mapping, each of which is a subscription. */
export class Gateway {
  readonly #consumers = new Map<string, string>()
  readonly #broker: FakeBroker

  constructor(broker: FakeBroker) {
    this.#broker = broker
  }

  /** Whether a consumer of this id has subscribed. */
  has(id: string): boolean {
    return this.#consumers.has(id)
  }

  async subscribe(id: string, queue: string, prefetch: number): Promise<Reply> {
    const body = new URLSearchParams({ destination: queue, prefetch: String(prefetch) })
    const request = { method: 'POST', headers: FORM, body }
    const { headers } = await fetch(`${this.#broker.url}/subscriptions`, request)
    this.#consumers.set(id, new URL(headers.get('location')!, this.#broker.url).href)
    return {}
  }

  /** Sends a message in two steps. */
  async send(queue: string, body: Uint8Array): Promise<Reply> {
    const { headers } = await fetch(`${this.#broker.url}/queues/${queue}`, { method: 'POST' })
    const address = new URL(headers.get('location')!, this.#broker.url)
    const { status } = await fetch(address, { method: 'POST', body: new Uint8Array(body) })
    return { status }
  }

  /** What a consumer or a subscription holds, which is also what it is given. */
  async held(id: string): Promise<Handed[]> {
    const uri = this.#consumers.get(id) ?? `${this.#broker.url}/subscriptions/${id}`
    const feed = await (await fetch(uri)).text()
    const entries = feed.matchAll(/href="([^"]*?([^"/]+))"\/>.*?<content[^>]*>([^<]*)/g)
    return [...entries].map(([, uri, message, content]) => ({
      id: message!,
      body: Buffer.from(content!, 'base64'),
      text: Buffer.from(content!, 'base64').toString(),
      uri: new URL(uri!, this.#broker.url).href,
    }))
  }

  async acknowledge(id: string, message: string): Promise<Reply> {
    const held = (await this.held(id)).find((each) => each.id === message)
    if (held === undefined) return { status: 404 }
    await fetch(held.uri, { method: 'DELETE' })
    return {}
  }
}

/** A fake broker that answers what `answer` does not by the primary mapping; `words` are those of the path. */
export async function brokerBehind(
  answer: (gateway: Gateway, words: readonly string[], got: Got) => Promise<Reply | undefined> | undefined,
): Promise<FakeBroker> {
  const broker = await fakeBroker()
  const gateway = new Gateway(broker)
  broker.intercept = (got) => answer(gateway, got.path.split(/[/?]/).slice(2).map(decodeURIComponent), got)
  return broker
}

/** What comes of a check: its error, or undefined. */
export async function outcomeAt(
  broker: FakeBroker,
  checks: readonly Pick<Check, 'id' | 'run'>[],
  id: string,
  profile: object = {},
  timing: Partial<Timing> = {},
): Promise<unknown> {
  try {
    await checks.find((each) => each.id === id)!.run(trialOf(broker, profile, timing))
    return undefined
  } catch (error) {
    return error
  }
}
