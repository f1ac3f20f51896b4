import { answered } from '../../client/answered.js'
import type { CheckRecord } from '../../trial/check.js'
import { holdAll } from '../../trial/held.js'
import type { Trial } from '../../trial/trial.js'
import { expectNotShown, tellsOfFeed, unauthorized } from '../../trial/unauthorized.js'

/** The further pages of a feed are the feed. */
export const AUTH_PAGES: readonly CheckRecord[] = [
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
