import { answered } from '../../client/answered.js'
import { succeeded } from '../../client/exchange.js'
import { withQuery } from '../../trial/addresses.js'
import type { CheckRecord } from '../../trial/check.js'
import { expectDelivered, expectKept } from '../../trial/deliveries.js'
import { holdAll, holdOne } from '../../trial/held.js'
import { wildcard } from '../../trial/subscription-form.js'
import type { Consumer, Trial } from '../../trial/trial.js'
import {
  expectNotShown,
  invented,
  tellsOfFeed,
  type Unauthorized,
  unauthorized,
} from '../../trial/unauthorized.js'

/** Who may read a consumer's feed, and what is in it. */
export const AUTH: readonly CheckRecord[] = [
  {
    id: 'auth.owner',
    stimulus:
      'The owner subscribes, sends a message and reads its feed, before and after others have asked for it.',
    clauses: ['auth.feed.owner'],
    needs: ['subscribe.create', 'send.post'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const sent = await trial.send(queue)
      const consumer = await trial.subscribe(queue)
      const answer = await consumer.get()
      trial.expect(succeeded(answer), '200 for the owner', answered(answer))
      await expectDelivered(trial, [consumer], [sent], 'the message for the owner')
      for (const { headers } of unauthorized(trial, 'all')) {
        await trial.target.request('GET', consumer.uri, { as: headers })
      }
      const later = await consumer.get()
      trial.expect(succeeded(later), '200 for the owner after others have asked', answered(later))
    },
  },
  {
    id: 'auth.feed-anonymous',
    title: 'A party without credentials cannot read the feed of a subscription.',
    stimulus:
      "Asks for the owner's feeds, without a message, of one queue, of two, by a wildcard, and with a selector, and with a message in it, without credentials, and with some that nobody has.",
    clauses: ['auth.feed.anonymous'],
    needs: ['auth.owner'],
    run: (trial: Trial) => judgeFeed(trial, [...unauthorized(trial, 'anonymous'), ...invented(trial)]),
  },
  {
    id: 'auth.feed-other',
    title: "A party with somebody else's credentials cannot read the feed of a subscription.",
    stimulus:
      "Asks for the owner's feeds, without a message, of one queue, of two, by a wildcard, and with a selector, and with a message in it, as each party of the profile without permission.",
    clauses: ['auth.feed.other'],
    needs: ['auth.owner'],
    run: (trial: Trial) => judgeFeed(trial, unauthorized(trial, 'other')),
  },
  {
    id: 'auth.feed-in-any-form',
    title: 'A feed is not shown for a query, a trailing slash or another form that a stranger asks for.',
    stimulus:
      "Asks for the owner's feed as each stranger: at its address in other forms, as other media types, in part, where it has changed, and by other methods.",
    clauses: ['auth.feed.anonymous', 'auth.feed.other'],
    needs: ['auth.feed-anonymous', 'auth.feed-other'],
    async run(trial: Trial) {
      const { consumer, sent } = await holdOne(trial)
      for (const { headers, name } of unauthorized(trial, 'all')) {
        const answers = await Promise.all(
          formsOf(consumer.uri).map(({ method = 'GET', uri = consumer.uri, asks = {} }) =>
            trial.target.request(method, uri, { as: headers, headers: asks }),
          ),
        )
        for (const answer of answers) await expectNotShown(trial, answer, sent, name)
        const head = await trial.target.request('HEAD', consumer.uri, { as: headers })
        trial.expect(!tellsOfFeed(head), `nothing of the feed by HEAD for ${name}`, answered(head))
      }
    },
  },
  {
    id: 'auth.message',
    title: 'A party that may not read a feed cannot read a message by its address.',
    stimulus: "Asks for the address of a message in the owner's feed, as each stranger.",
    clauses: ['auth.message'],
    needs: ['auth.owner', 'consume.message-uri'],
    async run(trial: Trial) {
      const { entry, sent } = await holdOne(trial)
      trial.precondition(entry.messageUri !== undefined, 'consume.message-uri', 'an entry without an address')
      for (const { headers, name } of unauthorized(trial, 'all')) {
        const answer = await trial.target.request('GET', entry.messageUri, { as: headers })
        await expectNotShown(trial, answer, sent, name)
      }
    },
  },
  {
    id: 'auth.ack',
    stimulus: 'Each stranger deletes the address of a message; then the owner reads on and acknowledges it.',
    clauses: ['auth.ack'],
    needs: ['auth.owner', 'ack.leaves-feed'],
    async run(trial: Trial) {
      const { consumer, entry, sent } = await holdOne(trial)
      trial.precondition(entry.messageUri !== undefined, 'consume.message-uri', 'an entry without an address')
      for (const { headers, name } of unauthorized(trial, 'all')) {
        const answer = await trial.target.request('DELETE', entry.messageUri, { as: headers })
        trial.choose(`ack-by-${name.replace(' ', '-')}`, String(answer.status))
        await expectKept(
          trial,
          consumer,
          [sent],
          `the message still in the owner's feed after the ack of ${name}`,
        )
      }
      const answer = await consumer.tryAck(entry)
      trial.expect(succeeded(answer), "200 for the owner's ack", answered(answer))
    },
  },
  {
    id: 'auth.pages',
    stimulus:
      "Asks for each page of the owner's feed of eight messages after the first, where it has such, as each stranger, by GET and by HEAD.",
    clauses: ['auth.pages'],
    needs: ['auth.feed-in-any-form'],
    async run(trial: Trial) {
      const count = Math.min(8, trial.profile.subscription.maxPrefetch)
      const { consumer, messages } = await holdAll(trial, (queue) => trial.sendMany(queue, count))
      const { pages } = await trial.readFeed(consumer.uri, 'consume.feed')
      const further = pages.slice(1).map(({ url }) => url)
      if (further.length === 0) return trial.observed('The feed of a consumer has one page.')
      for (const { headers, name } of unauthorized(trial, 'all')) {
        for (const uri of further) {
          const answer = await trial.target.request('GET', uri, { as: headers })
          for (const sent of messages) await expectNotShown(trial, answer, sent, name)
          const head = await trial.target.request('HEAD', uri, { as: headers })
          trial.expect(!tellsOfFeed(head), `nothing of a page by HEAD for ${name}`, answered(head))
        }
      }
    },
  },
]

/** Requests for a feed, as nobody makes them but who tries what a guard has left open. */
function formsOf(uri: string): readonly { method?: string; uri?: string; asks?: Record<string, string> }[] {
  const { origin, pathname, search } = new URL(uri)
  const at = (path: string) => ({ uri: `${origin}${path}${search}` })
  // The first character of a segment, escaped without need.
  const escaped = [...pathname.matchAll(/(?<=\/)[0-9A-Za-z]/g)].map(({ 0: first, index }) =>
    at(`${pathname.slice(0, index)}%${first.charCodeAt(0).toString(16)}${pathname.slice(index + 1)}`),
  )
  const bare = pathname.replace(/\/$/, '')
  return [
    { uri: withQuery(uri, 'limit=10') },
    ...[bare, `${bare}/`, `/${pathname}`, `${bare};a=b`, `${bare}.xml`, bare.toUpperCase()]
      .filter((path) => path !== pathname)
      .map(at),
    ...escaped,
    { asks: { Accept: 'text/html' } },
    { asks: { Accept: 'application/json' } },
    { asks: { Range: 'bytes=0-' } },
    { asks: { 'If-None-Match': '"another"' } },
    { method: 'POST' },
    { method: 'OPTIONS' },
  ]
}

/** Consumers without a message: of one queue, of two, by a wildcard, and with a selector. */
async function consumersOfEveryKind(trial: Trial): Promise<Consumer[]> {
  const { features, subscription } = trial.profile
  const [one, other] = [await trial.createQueue(), await trial.createQueue()]
  const consumers = [await trial.subscribe(one), await trial.subscribe([one, other])]
  if (features.wildcards && !trial.isBroken('subscribe.wildcard')) {
    const prefix = trial.freshName()
    await trial.createQueue(`${prefix}/a`)
    consumers.push(await trial.subscribe(wildcard(trial, prefix)))
  }
  if (features.selector && !trial.isBroken('subscribe.selector'))
    consumers.push(await trial.subscribe(one, { selector: subscription.selector.expression }))
  return consumers
}

/** Judges that whoever has no permission is refused a feed, and that it stays the owner's. */
async function judgeFeed(trial: Trial, from: readonly Unauthorized[]): Promise<void> {
  if (from.length === 0) return trial.observed('The profile names no such stranger.')
  for (const { uri } of await consumersOfEveryKind(trial))
    for (const { headers, name } of from) {
      const answer = await trial.target.request('GET', uri, { as: headers })
      trial.expect(!succeeded(answer), `a refusal of an empty feed for ${name}`, answered(answer))
    }
  const { consumer, sent } = await holdOne(trial)
  for (const { headers, name } of from) {
    const answer = await trial.target.request('GET', consumer.uri, { as: headers })
    trial.choose(`feed-for-${name.replace(' ', '-')}`, String(answer.status))
    await expectNotShown(trial, answer, sent, name)
    trial.expect(!succeeded(answer), `a refusal for ${name}, such as 401, 403 or 404`, answered(answer))
  }
  await expectKept(trial, consumer, [sent], 'the message still with the owner')
}
