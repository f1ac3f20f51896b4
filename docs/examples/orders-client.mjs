import { randomUUID } from 'node:crypto'

/** A small client, whose tests are in five-bugs.test.mjs: it sends orders, and works on them. */
export class OrdersClient {
  constructor(base) {
    this.base = base
  }

  /** Sends an order once, whatever gets lost on the way. */
  async send(order) {
    const address = `${this.base}/queues/orders?guid=${randomUUID()}`
    for (let left = 5; left > 0; left--) {
      const answer = await fetch(address, { method: 'POST', body: order }).catch(() => undefined)
      if (answer?.status === 200) return
    }
    throw new Error('The order was not sent.')
  }

  /** Works on what there is to do. What fails comes again, to whoever works next. */
  async work(handle) {
    const form = new URLSearchParams({ destination: 'orders', timeout: '30' })
    const { headers } = await fetch(`${this.base}/subscriptions`, { method: 'POST', body: form })
    const subscription = new URL(headers.get('location'), this.base)
    try {
      const feed = await (await fetch(subscription)).text()
      for (const [entry] of feed.matchAll(/<entry>[\s\S]*?<\/entry>/g)) {
        const message = linkIn(entry, 'edit', this.base)
        const order = await (await fetch(linkIn(entry, 'enclosure', this.base))).text()
        await handle(order)
        // Whoever has taken longer than the lease has lost the message to somebody else.
        const { ok } = await fetch(message, { method: 'HEAD' })
        if (ok) await fetch(message, { method: 'DELETE' })
      }
    } finally {
      await fetch(subscription, { method: 'DELETE' })
    }
  }
}

function linkIn(entry, rel, base) {
  return new URL(new RegExp(`<link rel="${rel}" [^>]*href="([^"]+)"`).exec(entry)[1], base)
}
