import { answered } from '../../client/answered.js'
import type { Exchange } from '../../client/exchange.js'
import { entriesIn } from '../../client/message-in.js'
import type { Profile } from '../../client/profile.js'
import { comparable, contentsOf, messageUriOf } from '../../trial/addresses.js'
import type { CheckRecord } from '../../trial/check.js'
import { expectDelivered, expectKept } from '../../trial/deliveries.js'
import { holdOne } from '../../trial/held.js'
import { readTimes } from '../../trial/reading.js'
import type { Trial } from '../../trial/trial.js'
import { expectNotShown, unauthorized } from '../../trial/unauthorized.js'

/** How many subscriptions an address is compared with. */
const ADDRESSES = 16
/** 128 bits in the densest writing that an address knows, 6 bits a character. */
const RANDOM_CHARACTERS = 21

/** Who may do what, where the document leaves it open, and what a cache that many share may keep. */
export const AUTH_CHOICES: readonly CheckRecord[] = [
  {
    id: 'auth.content',
    stimulus:
      "Asks for what an entry of the owner's feed, which the owner has read several times, links to as its content (src, edit-media, enclosure), as each stranger, unless the queue's own feed leads that stranger there.",
    clauses: ['auth.content'],
    needs: ['auth.owner'],
    async run(trial: Trial) {
      const { queue, consumer, entry, sent } = await holdOne(trial)
      await readTimes(consumer, 2)
      for (const { headers, name } of unauthorized(trial, 'all')) {
        // Only a consumer's feed is limited: whoever may browse the queue may read what its feed links to.
        const browsed = await trial.target.request('GET', queue.uri, { as: headers })
        const open = new Set(entriesIn(trial, browsed).flatMap(contentsOf).map(comparable))
        for (const uri of contentsOf(entry).filter((each) => !open.has(comparable(each)))) {
          await expectNotShown(trial, await trial.target.request('GET', uri, { as: headers }), sent, name)
        }
      }
    },
  },
  {
    id: 'auth.delete',
    stimulus: 'Each stranger deletes the subscription of the owner, who then reads on.',
    clauses: ['auth.delete'],
    needs: ['auth.owner'],
    async run(trial: Trial) {
      const { queue, consumer, sent, entry } = await holdOne(trial)
      for (const { headers, name } of unauthorized(trial, 'all')) {
        const answer = await trial.target.request('DELETE', consumer.uri, { as: headers })
        trial.choose(`subscription-delete-by-${name.replace(' ', '-')}`, String(answer.status))
        const after = await consumer.get()
        trial.expect(
          after.status === 200,
          `the subscription active after ${name} deleted it`,
          answered(after),
        )
        trial.expect(answer.status >= 400, `a refusal for ${name}`, answered(answer))
      }
      await expectKept(trial, consumer, [sent], 'the message still with the owner')
      // It may hold no more than one.
      await trial.target.request('DELETE', messageUriOf(entry))
      const later = [await trial.send(queue)]
      await expectDelivered(trial, [consumer], later, 'a later message with the owner')
    },
  },
  {
    id: 'auth.unguessable',
    title: "A subscription's address carries 128 random bits.",
    stimulus: 'Makes sixteen subscriptions and compares what is different in their addresses.',
    clauses: ['auth.unguessable'],
    needs: ['subscribe.create'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const made = await Promise.all(Array.from({ length: ADDRESSES }, () => trial.subscribe(queue)))
      const uris = made.map(({ uri }) => uri)
      const [first, ...others] = uris as [string, ...string[]]
      // A place at which sixteen random characters are all alike, or of two kinds only, is as good as impossible.
      const varying = [...first].filter(
        (_, place) => new Set([first, ...others].map((uri) => uri[place])).size > 2,
      )
      const count = varying.length
      trial.choose(
        'unguessable-subscription',
        count >= RANDOM_CHARACTERS ? 'yes' : `${count} varying characters`,
      )
      trial.expect(
        count >= RANDOM_CHARACTERS,
        `at least ${RANDOM_CHARACTERS} characters that are random`,
        `${count} that differ, as in ${first}`,
      )
    },
  },
  {
    id: 'auth.forbidden',
    stimulus: "Asks for the owner's feed as each stranger whose credentials are known to the target.",
    clauses: ['auth.forbidden'],
    needs: ['auth.feed-other'],
    async run(trial: Trial) {
      const { consumer } = await holdOne(trial)
      let known = 0
      for (const { headers, name } of unauthorized(trial, 'other')) {
        const { status } = await trial.target.request('GET', trial.target.at('/queues'), { as: headers })
        if (status === 401) continue
        known += 1
        const answer = await trial.target.request('GET', consumer.uri, { as: headers })
        trial.expect(answer.status === 403, `403 for ${name}`, answered(answer))
      }
      if (known === 0)
        trial.observed('The profile names no stranger whose credentials are known to the target.')
    },
  },
  {
    id: 'auth.shared-cache',
    stimulus: "Reads the owner's feed, and looks at what its answer allows a cache that many share.",
    clauses: ['auth.shared-cache'],
    needs: ['auth.owner'],
    async run(trial: Trial) {
      const { consumer } = await holdOne(trial)
      const answer = await consumer.get()
      const { 'cache-control': control = 'none', expires } = answer.headers
      trial.expect(
        !mayBeGivenToOthers(answer, trial.profile),
        'an answer that a shared cache may not keep for everybody: Cache-Control: private or no-store, or none',
        `Cache-Control: ${control}${expires === undefined ? '' : `, Expires: ${expires}`}`,
      )
    },
  },
]

/**
 * Whether a shared cache that keeps to RFC 9111 may answer others with what it has of this, without asking the server. What is
 * fetched with `Authorization` it keeps only where it is told to (section 3.5).
 */
function mayBeGivenToOthers(answer: Exchange, { headers }: Profile): boolean {
  const { 'cache-control': control = '', vary = '', expires, date } = answer.headers
  const directives = new Map(
    control
      .toLowerCase()
      .split(',')
      .map((each) => {
        const [name, value = ''] = each.trim().split('=')
        return [name, value] as [string, string]
      }),
  )
  if (['private', 'no-store', 'no-cache'].some((each) => directives.has(each))) return false
  const credentials = Object.keys(headers).map((name) => name.toLowerCase())
  const varies = vary.split(',').map((each) => each.trim().toLowerCase())
  if (varies.includes('*') || credentials.some((name) => varies.includes(name))) return false
  const seconds = directives.get('s-maxage') ?? directives.get('max-age')
  const fresh =
    seconds === undefined ? Date.parse(expires ?? '') > Date.parse(date ?? '') : Number(seconds) > 0
  const isAllowed =
    !credentials.includes('authorization') ||
    ['public', 's-maxage', 'must-revalidate'].some((each) => directives.has(each))
  return fresh && isAllowed
}
