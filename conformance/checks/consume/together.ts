import { prefetchUpTo } from '../../client/subscription-request.js'
import type { CheckRecord } from '../../trial/check.js'
import { drain } from '../../trial/drain.js'
import { labels } from '../../trial/labels.js'
import { sendAsMany } from '../../trial/sending.js'
import type { Trial } from '../../trial/trial.js'

/** Several consumers of one queue: each message is with exactly one of them, and each with one. */
export const CONSUME_TOGETHER: readonly CheckRecord[] = [
  {
    id: 'consume.many',
    title:
      'One consumer is given all of many messages, each at an address of its own, however many it has acknowledged.',
    stimulus:
      'Sends seven times as many messages as a consumer holds at once, 130 at most, as far as the queue takes them; it reads and acknowledges until all have been seen.',
    clauses: ['consume.all', 'consume.backlog', 'consume.message-uri.own'],
    needs: ['consume.all'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const prefetch = prefetchUpTo(trial.profile, 26)
      const messages = await sendAsMany(trial, queue, Math.min(130, 7 * prefetch))
      trial.precondition(messages.length > 0, 'send.post', 'no message that was taken')
      const consumer = await trial.subscribe(queue, { prefetch })
      const { missing, addresses } = await drain(trial, [consumer], messages)
      trial.expect(
        missing.length === 0,
        `all ${messages.length} messages with the consumer`,
        () => `${missing.length} did not come`,
      )
      const reused = [...addresses].find(([, bodies]) => bodies.size > 1)
      trial.expect(reused === undefined, 'an address for each message that no other had', () => {
        const [uri, bodies] = reused!
        return `${labels(messages, [...bodies])} at ${uri}`
      })
    },
  },
]
