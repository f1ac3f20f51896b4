import { answered } from '../../client/answered.js'
import type { CheckRecord } from '../../trial/check.js'
import { untilPending } from '../../trial/pending.js'
import { expectRaw } from '../../trial/raw-body.js'
import type { Sent, Trial } from '../../trial/trial.js'

/** A queue with one message of this type, and its feed as text. */
async function feedWith(trial: Trial, body: string | Buffer, type: string) {
  const queue = await trial.createQueue()
  const message = await trial.send(queue, body, { 'Content-Type': type })
  await untilPending(trial, queue, [message])
  const feed = await trial.browse(queue)
  return { queue, message, entry: feed.entries[0]!, page: String(feed.pages[0]!.body) }
}

/** How a body stands in a feed: as text, as Base64, or elsewhere. */
function formOf(page: string, { body, text }: Sent): string {
  if (page.includes(text)) return 'text'
  return page.includes(body.toString('base64').slice(0, 60)) ? 'Base64' : 'linked'
}

/** A check of the form that a body of some kind has in its entry. */
function formCheck(
  id: string,
  stimulus: string,
  form: string,
  bodies: (token: string) => readonly (readonly [string, string | Buffer])[],
): CheckRecord {
  return {
    id: `browse.content-${id}`,
    stimulus,
    clauses: [`browse.content.${id}`],
    needs: ['send.post', 'browse.queue'],
    async run(trial: Trial) {
      for (const [type, body] of bodies(trial.freshMessage().text)) {
        const { message, entry, page } = await feedWith(trial, body, type)
        const seen = formOf(page, message)
        trial.choose(`content-${id}-${type}`, seen)
        trial.expect(seen === form, `a body of ${type} as ${form} in its entry`, seen)
        const got = await entry.body()
        trial.expect(
          got.equals(message.body),
          'the body as it was sent, read from there',
          `${got.length} bytes`,
        )
      }
    },
  }
}

/** What stands in a message's entry, and how feeds are served, where the document is silent. */
export const BROWSE_ENTRIES: readonly CheckRecord[] = [
  formCheck('text', 'Sends texts of two types, and reads the queue’s feed.', 'text', (token) => [
    ['text/plain; charset=utf-8', `${token} one`],
    ['text/csv', `${token},two`],
  ]),
  formCheck('base64', 'Sends bytes, and reads the queue’s feed.', 'Base64', (token) => [
    ['application/octet-stream', Buffer.from(`\0\u0001${token}`)],
  ]),
  formCheck('large', 'Sends 65 KiB of bytes, and reads the queue’s feed.', 'linked', (token) => [
    ['application/octet-stream', Buffer.concat([Buffer.from(token), Buffer.alloc(66_560, 1)])],
  ]),
  formCheck(
    'linked',
    'Sends XML, text in ISO-8859-1 and text with a control character, and reads the queue’s feed.',
    'linked',
    (token) => [
      ['application/xml', `<a>${token}</a>`],
      ['text/plain; charset=iso-8859-1', Buffer.from(`${token} caf\u00e9`, 'latin1')],
      ['text/plain; charset=utf-8', `${token}\u0001`],
    ],
  ),
  {
    id: 'browse.message',
    stimulus: 'Sends a message, and follows the alternate and the enclosure link of its entry.',
    clauses: ['browse.message'],
    needs: ['send.post', 'browse.queue'],
    async run(trial: Trial) {
      const { entry, message } = await feedWith(trial, trial.freshMessage().body, 'text/x-kit')
      const document = entry.links.find(({ rel }) => rel === 'alternate')
      trial.choose('message-links', entry.links.map(({ rel }) => rel).join(', ') || 'none')
      trial.expect(document !== undefined, 'a link of rel="alternate"', 'none')
      const shown = await trial.target.request('GET', document.href)
      trial.expect(shown.status === 200, '200 for the alternate link', answered(shown))
      const type = shown.headers['content-type'] ?? 'none'
      trial.expect(/^application\/atom\+xml;\s*type=entry/i.test(type), 'an entry document', type)
      await expectRaw(trial, entry, message, { 'Content-Type': 'text/x-kit' })
    },
  },
  {
    id: 'browse.no-ack-links',
    stimulus: 'Sends a message, and looks in its queue’s feed where a consumer finds the message URI.',
    clauses: ['browse.no-ack-links'],
    needs: ['send.post', 'browse.queue'],
    async run(trial: Trial) {
      const { entry } = await feedWith(trial, trial.freshMessage().body, 'text/plain')
      trial.choose('message-uri-in-queue-feed', entry.messageUri === undefined ? 'absent' : 'present')
      trial.expect(entry.messageUri === undefined, 'no message URI', `${entry.messageUri}`)
    },
  },
  {
    id: 'browse.html',
    stimulus: 'Reads the feed of a queue as a browser does, and looks for the message in it.',
    clauses: ['browse.html'],
    needs: ['send.post', 'browse.queue'],
    async run(trial: Trial) {
      const { queue, message } = await feedWith(trial, trial.freshMessage().body, 'text/plain')
      const headers = { Accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8' }
      const exchange = await trial.target.request('GET', queue.uri, { headers })
      const type = exchange.headers['content-type'] ?? 'none'
      trial.choose('feed-for-browsers', type)
      trial.expect(/^text\/html/i.test(type), 'the feed as HTML', type)
      trial.expect(String(exchange.body).includes(message.text), 'the message on the page', 'something else')
    },
  },
]
