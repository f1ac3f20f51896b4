import { answered } from '../../client/answered.js'
import { succeeded } from '../../client/exchange.js'
import { statusOf } from '../../trial/answers.js'
import type { CheckRecord } from '../../trial/check.js'
import { holdOne } from '../../trial/held.js'
import type { QueueHandle, Trial } from '../../trial/trial.js'

/** Conditions that do not hold for anything that there is. */
const AMISS = {
  'If-Match': '"kit"',
  'If-Unmodified-Since': 'Thu, 01 Jan 1970 00:00:00 GMT',
  'If-None-Match': '*',
}

/** Methods, where the document leaves them open: those that a resource has beside its own, and has not. */
export const HTTP_METHODS: readonly CheckRecord[] = [
  {
    id: 'http.method-not-allowed',
    stimulus:
      'Uses subscriptions, a new-message address and a message, and then puts to the first, reads the second and posts to the third.',
    clauses: ['http.method'],
    needs: ['consume.message-uri', 'browse.queue', 'browse.root'],
    async run(trial: Trial) {
      const { queue, message } = await makeResources(trial)
      const wrong = [
        { method: 'PUT', name: 'subscriptions', uri: trial.target.at('/subscriptions'), has: ['POST'] },
        { method: 'GET', name: 'new-message-address', uri: await trial.newAddress(queue), has: ['POST'] },
        { method: 'POST', name: 'message', uri: message, has: ['DELETE'] },
      ]
      for (const { method, name, uri, has } of wrong) {
        const answer = await trial.target.request(method, uri)
        trial.choose(`${method}-of-${name}`, statusOf(answer))
        trial.expect(answer.status === 405, `405 for ${method} of ${name}`, answered(answer))
        expectAllow(trial, answer.headers.allow, has, name)
      }
    },
  },
  {
    id: 'http.options',
    stimulus: 'Reads queues, a queue, a subscription and a message, and sends OPTIONS to each.',
    clauses: ['http.options'],
    needs: ['consume.message-uri', 'browse.queue', 'browse.root'],
    async run(trial: Trial) {
      for (const { name, uri, has } of (await makeResources(trial)).resources) {
        const answer = await trial.target.request('OPTIONS', uri)
        trial.choose(`OPTIONS-of-${name}`, `${statusOf(answer)}, Allow: ${answer.headers.allow ?? 'none'}`)
        trial.expect(answer.status >= 200 && answer.status < 300, `success for ${name}`, answered(answer))
        expectAllow(trial, answer.headers.allow, has, name)
      }
    },
  },
  {
    id: 'http.head',
    stimulus: 'Sends GET and HEAD to queues, a queue, a subscription and a message, and compares.',
    clauses: ['http.head'],
    needs: ['consume.message-uri', 'browse.queue', 'browse.root'],
    async run(trial: Trial) {
      // Of all queues other checks change what a GET shows.
      for (const { name, uri } of (await makeResources(trial)).resources.slice(1)) {
        const get = await trial.target.request('GET', uri)
        const head = await trial.target.request('HEAD', uri)
        trial.choose(`HEAD-of-${name}`, statusOf(head))
        trial.expect(get.status === 200, `200 for GET of ${name}`, answered(get))
        trial.expect(head.status === 200, `200 for HEAD of ${name}`, answered(head))
        trial.expect(head.body.length === 0, `no body with HEAD of ${name}`, `${head.body.length} bytes`)
        for (const field of ['content-type', 'etag', 'cache-control']) {
          const same = head.headers[field] === get.headers[field]
          trial.expect(
            same,
            `${field}: ${get.headers[field]} with HEAD of ${name}`,
            String(head.headers[field]),
          )
        }
      }
    },
  },
  {
    id: 'http.preconditions',
    stimulus:
      'Deletes a message, its subscription and its queue, and reads the queues, on conditions that do not hold; then deletes the message on one that does.',
    clauses: ['http.preconditions'],
    needs: ['consume.message-uri', 'browse.queue', 'browse.root'],
    async run(trial: Trial) {
      const { message, resources } = await makeResources(trial)
      for (const { name, uri, has } of resources.toReversed()) {
        const method = has.includes('DELETE') ? 'DELETE' : 'GET'
        const shown = await trial.target.request('GET', uri)
        for (const [field, value] of Object.entries(AMISS)) {
          // A GET's If-None-Match only spares its body.
          if (method === 'GET' && field === 'If-None-Match') continue
          // What does not tell when it has changed need not know it (RFC 9110, 13.1.4).
          if (field === 'If-Unmodified-Since' && shown.headers['last-modified'] === undefined) continue
          const answer = await trial.target.request(method, uri, { headers: { [field]: value } })
          trial.choose(`${field}-at-${name}`, statusOf(answer))
          trial.expect(answer.status === 412, `412 for ${method} of ${name} with ${field}`, answered(answer))
        }
      }
      const holds = await trial.target.request('DELETE', message, { headers: { 'If-Match': '*' } })
      trial.expect(succeeded(holds), 'success for If-Match: * of what is there', answered(holds))
    },
  },
  {
    id: 'http.unknown-method',
    stimulus: 'Reads a queue, and sends it BREW.',
    clauses: ['http.unknown-method'],
    needs: ['browse.queue'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      await trial.browse(queue)
      const answer = await trial.target.request('BREW', queue.uri)
      trial.choose('unknown-method', statusOf(answer))
      trial.expect([405, 501].includes(answer.status), '405 or 501', answered(answer))
    },
  },
]

interface Resource {
  readonly name: string
  readonly uri: string
  /** The methods that section 4.1 gives it. */
  readonly has: readonly string[]
}

async function makeResources(
  trial: Trial,
): Promise<{ queue: QueueHandle; message: string; resources: Resource[] }> {
  const { queue, consumer, entry } = await holdOne(trial)
  const message = entry.messageUri
  trial.precondition(message !== undefined, 'consume.message-uri', 'an entry without an address')
  await trial.browse(queue)
  const resources = [
    { name: 'queues', uri: trial.target.at('/queues'), has: ['GET', 'POST'] },
    { name: 'queue', uri: queue.uri, has: ['GET', 'POST', 'DELETE'] },
    { name: 'subscription', uri: consumer.uri, has: ['GET', 'DELETE'] },
    { name: 'message', uri: message, has: ['DELETE'] },
  ]
  return { queue, message, resources }
}

function expectAllow(trial: Trial, allow: string | undefined, has: readonly string[], name: string): void {
  const listed = (allow ?? '').split(',').map((method) => method.trim())
  const all = has.every((method) => listed.includes(method))
  trial.expect(all, `Allow with ${has.join(', ')} for ${name}`, allow ?? 'none')
}
