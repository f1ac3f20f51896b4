/**
 * The application whose tests the examples show: it sends orders, and processes them.
 */

/** Sends an order, once, however often the connection fails: the message's address is asked for only once. */
export async function sendOrder(base, order) {
  const { headers } = await fetch(`${base}/queues/orders`, { method: 'POST' })
  const address = new URL(headers.get('location'), base)
  for (let attempt = 1; ; attempt++) {
    try {
      const answer = await fetch(address, { method: 'POST', body: order })
      if (answer.status === 200) return
    } catch (error) {
      if (attempt === 5) throw error
    }
  }
}

/** Takes what there is to do, does it, and acknowledges it. */
export async function processOrders(base, process) {
  const created = await fetch(`${base}/subscriptions`, {
    method: 'POST',
    body: new URLSearchParams({ destination: 'orders', timeout: '30' }),
  })
  const subscription = new URL(created.headers.get('location'), base)
  const feed = await (await fetch(subscription)).text()
  for (const [, uri] of feed.matchAll(/<link rel="edit" [^>]*href="([^"]+)"/g)) {
    const message = new URL(uri, base)
    const order = await (await fetch(`${message}/content`)).text()
    await process(order)
    await fetch(message, { method: 'DELETE' })
  }
  await fetch(subscription, { method: 'DELETE' })
}
