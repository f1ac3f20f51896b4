import type { Outgoing, Send, TracedExchange } from '../transport.js'

/** A request of the owner, ready to be sent, whose waits are skipped. */
export function outgoing(method: string, url: string, more: Partial<Outgoing> = {}): Outgoing {
  const idle = async () => {}
  return { method, url, headers: {}, body: Buffer.alloc(0), timeout: 1000, isOwner: true, idle, ...more }
}

/** Answers as it is told, and remembers what it was asked. */
export function answering(answer: (asked: string, count: number) => Partial<TracedExchange>) {
  const asked: string[] = []
  const send: Send = async ({ method, url, headers, body }) => {
    asked.push(`${method} ${url}`)
    return {
      ...{ method, url, requestHeaders: headers, requestBody: body, connected: true, error: undefined },
      ...{ status: 200, headers: {}, body: Buffer.alloc(0), sentAt: 0, receivedAt: 1 },
      ...answer(`${method} ${url}`, asked.length),
    }
  }
  return { asked, send }
}
