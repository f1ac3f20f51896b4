import { setTimeout as sleep } from 'node:timers/promises'
import { created, persist } from './persist.js'

/**
 * Takes messages until it is told to stop. A message that has been handled is acknowledged, and only then.
 *
 * It may be handed a message again: where an acknowledgement came too late, or a lease ended under it. What `handle`
 * does should be such that doing it twice does no harm; the message's `id` is the same both times.
 *
 * @param {string} base the server's base URL
 * @param {string} destination a queue's path, or a wildcard: `orders/*`
 * @param {(message: { id: string, body: Buffer }) => Promise<void> | void} handle
 * @param {object} options
 * @param {AbortSignal} options.signal stops it, when the message in hand has been handled
 * @param {number} [options.prefetch] how many messages are kept here while others could have them
 * @param {number} [options.lease] seconds after which the server gives them to others if this process dies
 * @param {(message: { id: string }) => void} [options.onLate] told of a message that others may have handled too
 * @throws what `handle` throws: the message is then free for others, as are all that were not acknowledged
 */
export async function consume(
  base,
  destination,
  handle,
  { signal, prefetch = 10, lease = 30, onLate = () => {} },
) {
  while (!signal.aborted) {
    // If this answer is lost there is a lease that nobody uses; what it holds comes here when it has run out.
    const at = `${base}/subscriptions`
    const form = new URLSearchParams({ destination, prefetch, timeout: lease })
    const subscription = created(at, await persist(at, { method: 'POST', body: form }))
    try {
      await work(subscription, handle, { signal, lease, onLate })
    } finally {
      // So that others get the rest at once. If this fails they get it when the lease ends.
      await persist(subscription, { method: 'DELETE' }).catch(() => {})
    }
  }
}

/** Ends when it is told to, or when the subscription is over. */
async function work(subscription, handle, { signal, lease, onLate }) {
  while (!signal.aborted) {
    const feed = await nextFeed(subscription, { signal, lease })
    if (feed === undefined) return
    for (const message of entriesOf(feed, subscription)) {
      if (signal.aborted) return
      const { status, body } = await persist(message.content)
      if (status !== 200) return
      await whileRenewing(subscription, lease, () => handle({ id: message.id, body }))
      // May be repeated: an acknowledgement whose answer was lost is answered with 200 again.
      const acknowledged = await persist(message.uri, { method: 'DELETE' })
      if (acknowledged.status === 200) continue
      onLate({ id: message.id })
      return
    }
  }
}

/** The feed as soon as there is something in it; undefined where the lease has ended, or it is time to stop. */
async function nextFeed(subscription, { signal, lease }) {
  // Each reading begins the lease anew, so a wait must be shorter than that.
  const wait = Math.min(20, Math.max(1, Math.floor(lease / 2)))
  try {
    const answer = await persist(subscription, { headers: { Prefer: `wait=${wait}` } }, { signal })
    if (answer.status !== 200) return undefined
    const feed = answer.body.toString()
    // A server need not know how to wait.
    const isEmpty = !feed.includes('<entry')
    if (isEmpty && !answer.headers.has('preference-applied')) await sleep(500, undefined, { signal })
    return feed
  } catch (error) {
    if (signal.aborted) return undefined
    throw error
  }
}

/** Reads the feed now and then, which keeps the lease, while a message takes its time. */
async function whileRenewing(subscription, lease, handle) {
  const renew = () => persist(subscription, {}, { attempts: 1 }).catch(() => {})
  const renewal = setInterval(renew, (lease * 1000) / 3)
  try {
    await handle()
  } finally {
    clearInterval(renewal)
  }
}

/** In the order of the feed. Markup in a message is escaped there, so `<entry>` is an entry; any XML parser will do too. */
function entriesOf(feed, base) {
  return [...feed.matchAll(/<entry>.*?<\/entry>/gs)].map(([entry]) => {
    const uri = linkOf(entry, 'edit', base)
    return { id: /<id>(.*?)<\/id>/.exec(entry)[1], uri, content: linkOf(entry, 'enclosure', base) ?? uri }
  })
}

function linkOf(entry, rel, base) {
  const [, href] = new RegExp(`<link rel="${rel}"[^>]* href="([^"]*)"`).exec(entry) ?? []
  return href && new URL(href.replaceAll('&amp;', '&'), base)
}
