import { answered } from '../../client/answered.js'
import { messageUriOf } from '../../trial/addresses.js'
import { statusOf } from '../../trial/answers.js'
import type { CheckRecord } from '../../trial/check.js'
import { holdOne } from '../../trial/held.js'
import type { Trial } from '../../trial/trial.js'

/** HEAD, which is compared with GET. */
export const HTTP_HEAD: readonly CheckRecord[] = [
  {
    id: 'http.head',
    stimulus: 'Sends GET and HEAD to a queue, a subscription and a message, and compares.',
    clauses: ['http.head'],
    needs: ['consume.message-uri', 'browse.queue'],
    async run(trial: Trial) {
      const { queue, consumer, entry } = await holdOne(trial)
      await trial.browse(queue)
      // Of all queues other checks change what a GET shows.
      const addresses = { queue: queue.uri, subscription: consumer.uri, message: messageUriOf(entry) }
      for (const [name, uri] of Object.entries(addresses)) {
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
]
