import type { ServerOptions } from '../options.js'
import { type RunningServer, startServer } from '../server.js'

/** A mock broker at a manual clock, and a client that speaks to it; it stops with its test. */
export interface Mock {
  readonly mq: RunningServer
  /** Asks with fetch; a path below the base URL, or an absolute-path reference as links are. */
  ask(line: string, body?: string | object, headers?: Record<string, string>): Promise<Answer>
  /** A subscription, by its path. */
  subscribe(destination: string, more?: Record<string, string>): Promise<string>
  /** The message URIs in a subscription's feed. */
  feed(subscription: string, wait?: number): Promise<string[]>
  /** Resolves when so many requests wait at the server. */
  parked(count: number): Promise<void>
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body as JSON. */
  readonly json: never
}

export async function mock(
  t: { teardown(end: () => unknown): unknown },
  options: ServerOptions = {},
): Promise<Mock> {
  const mq = await startServer({ control: true, clock: 'manual', queues: ['orders/new'], ...options })
  t.teardown(() => mq.stop())
  const ask: Mock['ask'] = async (line, body, headers = {}) => {
    const [method = '', path = ''] = line.split(' ')
    const init: RequestInit = { method, headers }
    if (body !== undefined) init.body = typeof body === 'string' ? body : JSON.stringify(body)
    const response = await fetch(new URL(path, mq.url), init)
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      text,
      get json() {
        return JSON.parse(text) as never
      },
    }
  }
  return {
    mq,
    ask,
    subscribe: async (destination, more = {}) => {
      const form = new URLSearchParams({ destination, ...more }).toString()
      const answer = await ask('POST /subscriptions', form, {
        'Content-Type': 'application/x-www-form-urlencoded',
      })
      return answer.headers.get('location') as string
    },
    feed: async (subscription, wait) => {
      const { text } = await ask(
        `GET ${subscription}`,
        undefined,
        wait === undefined ? {} : { Prefer: `wait=${wait}` },
      )
      return [...text.matchAll(/<link rel="edit" [^>]*href="([^"]+)"/g)].map(([, uri]) => uri as string)
    },
    parked: async (count) => {
      for (;;) {
        const { queues, subscriptions, consumers } = mq.state()
        const waiting = [...queues, ...subscriptions, ...consumers].reduce((sum, one) => sum + one.waiting, 0)
        if (waiting >= count) return
        await turn()
      }
    },
  }
}

/** A turn of the event loop, in which bytes arrive. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
