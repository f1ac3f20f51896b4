import { answered, kindOf } from '../../client/answered.js'
import { resolve } from '../../client/atom.js'
import { rootOf } from '../../client/forms.js'
import { childElements, essence } from '../../client/xml.js'
import { messageUriOf } from '../../trial/addresses.js'
import { statusOf } from '../../trial/answers.js'
import type { CheckRecord } from '../../trial/check.js'
import { holdOne } from '../../trial/held.js'
import type { Trial } from '../../trial/trial.js'

/** The namespace of RFC 5023. */
const APP = 'http://www.w3.org/2007/app'

/** What a target tells of itself, how it writes addresses, and HEAD, which is compared with GET. */
export const HTTP_SERVICE: readonly CheckRecord[] = [
  {
    id: 'http.service-document',
    title: 'A GET of the base URL is answered with a service document that names both collections.',
    stimulus: 'Asks for the base URL and looks for /queues and /subscriptions in it.',
    clauses: ['http.service-document'],
    needs: ['queues.create'],
    async run(trial: Trial) {
      await trial.createQueue()
      const answer = await trial.target.request('GET', trial.target.at('/'))
      trial.choose('base-url', kindOf(answer))
      const type = essence(answer.headers['content-type'])
      trial.expect(answer.status === 200, '200', answered(answer))
      trial.expect(type === 'application/atomsvc+xml', 'application/atomsvc+xml', answered(answer))
      const root = rootOf(answer)
      trial.expect(
        root?.localName === 'service' && root.namespaceURI === APP,
        'a service document',
        String(root),
      )
      const hrefs = childElements(root, APP, 'workspace')
        .flatMap((workspace) => childElements(workspace, APP, 'collection'))
        .map((collection) => resolve(collection.getAttribute('href') ?? '', answer.url))
      for (const path of ['/queues', '/subscriptions']) {
        trial.expect(hrefs.includes(trial.target.at(path)), `a collection at ${path}`, hrefs.join(', '))
      }
    },
  },
  {
    id: 'http.generator',
    stimulus: 'Asks for the base URL and looks for a generator in it.',
    clauses: ['http.generator'],
    needs: ['http.service-document'],
    async run(trial: Trial) {
      await trial.createQueue()
      const answer = await trial.target.request('GET', trial.target.at('/'))
      const root = rootOf(answer)
      trial.precondition(root !== undefined, 'http.service-document', answered(answer))
      const generator = [...root.getElementsByTagNameNS('*', 'generator')][0]
      const name = generator?.textContent?.trim() ?? ''
      const version = generator?.getAttribute('version') ?? ''
      trial.choose('generator', name === '' ? 'not named' : 'named')
      trial.expect(
        name !== '' && version !== '',
        'a generator with a version',
        `"${name}" of version "${version}"`,
      )
    },
  },
  {
    id: 'http.links',
    stimulus: 'Creates a queue and a subscription and reads both, under another name of the same host.',
    clauses: ['http.links'],
    needs: ['browse.queue', 'consume.delivers'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const consumer = await trial.subscribe(queue)
      await consumer.receive([await trial.send(queue)])
      const { pathname, port } = new URL(trial.target.at('/'))
      const headers = { Host: `kit.localhost:${port}` }
      const step1 = await trial.target.request('POST', queue.uri, { headers })
      const location = step1.headers.location ?? ''
      trial.choose('location', /^[a-z][a-z0-9+.-]*:/i.test(location) ? 'absolute URI' : 'reference')
      trial.expect(
        location.startsWith(pathname),
        `a Location that begins with ${pathname}`,
        location || statusOf(step1),
      )
      for (const uri of [queue.uri, consumer.uri]) {
        const answer = await trial.target.request('GET', uri, { headers })
        trial.expect(answer.status === 200, '200 under another name of the host', answered(answer))
        trial.expect(!answer.body.includes('kit.localhost'), 'no Host in the feed', 'it is there')
        const elements = rootOf(answer)?.getElementsByTagName('*') ?? []
        const written = [...elements].flatMap((element) => element.getAttribute('href') ?? [])
        const other = written.find((href) => !href.startsWith(pathname))
        trial.expect(other === undefined, `links that begin with ${pathname}`, other ?? '')
        trial.expect(written.length > 0, 'links in the feed', 'none')
      }
    },
  },
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
