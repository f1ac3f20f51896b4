import type { CheckRecord } from '../../trial/check.js'
import { madeAt, postData } from '../../trial/subscription-form.js'
import type { Trial } from '../../trial/trial.js'
import { once } from '../../trial/waiting.js'

/** The data of a subscription where the document leaves it open: names, ranges, defaults, refusals. */
export const SUBSCRIBE_DATA: readonly CheckRecord[] = [
  {
    id: 'subscribe.default-prefetch',
    stimulus: 'Subscribes without a prefetch to a queue of twelve messages and reads.',
    clauses: ['subscribe.prefetch.default'],
    needs: ['prefetch.fills'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      await trial.sendMany(queue, 12)
      const uri = madeAt(trial, await postData(trial, queue, {}))
      const count = async () => (await trial.readFeed(uri, 'consume.feed')).entries.length
      await trial.eventually(async () => once((await count()) >= 10))
      const seen = await count()
      trial.choose('default-prefetch', seen >= 12 ? '12 or more' : String(seen))
      trial.expect(seen === 10, '10 of 12 messages', String(seen))
    },
  },
]
