import { setImmediate as turn } from 'node:timers/promises'
import { type Broker, createBroker } from '../broker/broker.js'
import { violations } from '../broker/invariants.test.kit.js'
import { ManualClock } from '../clock/manual.js'
import type { ServerOptions } from '../options.js'
import { startServer } from '../server.js'

/** What a test sends beside method and path. */
export interface Said {
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  readonly signal?: AbortSignal
}

/** An answer, read whole. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Buffer
  readonly text: string
  /** The path of `Location`; empty where there is none. */
  readonly location: string
  /** The last word of a problem's type; empty where it is no problem. */
  readonly problem: string
}

/** A server in a test, at a clock that stands still. */
export interface Spoken {
  readonly broker: Broker
  readonly clock: ManualClock
  readonly url: string
  /** One request below the base URL. Throws where the broker is not whole after it. */
  speak(method: string, path: string, said?: Said): Promise<Answer>
  /** Turns of the event loop until something holds; fails when it never does. */
  until(holds: () => boolean): Promise<void>
}

/** Starts a server that ends with the test. */
export async function spoken(
  t: { teardown(end: () => unknown): unknown },
  { limits = {}, autoCreate = false, ...options }: ServerOptions = {},
): Promise<Spoken> {
  const clock = new ManualClock()
  const broker = createBroker({ clock, limits, autoCreate })
  const mq = await startServer({ ...options, limits, broker })
  t.teardown(() => mq.stop())
  const url = `http://${mq.host}:${mq.port}`
  return {
    broker,
    clock,
    url,
    async speak(method, path, { headers = {}, body, signal } = {}) {
      const response = await fetch(url + path, {
        method,
        headers,
        redirect: 'manual',
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : Buffer.from(body) }),
        ...(signal === undefined ? {} : { signal }),
      })
      const bytes = Buffer.from(await response.arrayBuffer())
      const broken = violations(broker)
      if (broken.length > 0) throw new Error(`after ${method} ${path}: ${broken.join('; ')}`)
      const text = bytes.toString()
      return {
        status: response.status,
        headers: response.headers,
        bytes,
        text,
        location: response.headers.get('location') ?? '',
        problem: /"type":"urn:atom-mq:problem:([^"]+)"/.exec(text)?.[1] ?? '',
      }
    },
    async until(holds) {
      for (let turns = 0; !holds(); turns++) {
        if (turns > 100_000) throw new Error('it never came to hold')
        await turn()
      }
    },
  }
}

/** The `href`s of a feed's links of one relation, in order. */
export function links(feed: string, rel: string): string[] {
  return [...feed.matchAll(new RegExp(`<link rel="${rel}" [^>]*href="([^"]*)"`, 'g'))].map((match) =>
    match[1]!.replaceAll('&amp;', '&'),
  )
}

/** A form as the body of a request. */
export function form(...fields: readonly (readonly [name: string, value: string | number])[]): Said {
  const body = new URLSearchParams(
    fields.map(([name, value]): [string, string] => [name, String(value)]),
  ).toString()
  return { headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, body }
}

/** A list of addresses as the body of a request. */
export function list(...lines: readonly string[]): Said {
  return { headers: { 'Content-Type': 'text/uri-list' }, body: lines.map((line) => `${line}\r\n`).join('') }
}
