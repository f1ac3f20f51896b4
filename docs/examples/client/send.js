import { created, persist } from './persist.js'

/**
 * Sends a message, once, whatever gets lost on the way.
 *
 * @param {string} base the server's base URL
 * @param {string} queue its path: `orders/new`
 * @param {string | Uint8Array} message
 * @param {Record<string, string>} [headers] such as `Content-Type`, or `Property-Colour` for selectors
 * @throws where the server refuses it, or is not to be reached for long
 */
export async function send(base, queue, message, headers = {}) {
  // Step 1 asks for an address. Should its answer get lost, the next attempt gets another one, and nobody uses this.
  const at = `${base}/queues/${queue}`
  const address = created(at, await persist(at, { method: 'POST' }))
  // Step 2 posts the message there until it gets 200. A new address for each attempt would make a message of each.
  const { status, body } = await persist(address, { method: 'POST', headers, body: message })
  if (status !== 200) throw new Error(`the message was refused with ${status}: ${body}`)
}
