import { answered } from '../../client/answered.js'
import { refused } from '../../client/exchange.js'
import { statusOf } from '../../trial/answers.js'
import { judgeAnyBodies } from '../../trial/any-bodies.js'
import type { CheckRecord } from '../../trial/check.js'
import { SinglePath } from '../../trial/single-path-queue.js'
import type { Trial } from '../../trial/trial.js'
import { once } from '../../trial/waiting.js'

/** Bodies of messages that go by the single path. */
export const SINGLE_PATH_BODIES: readonly CheckRecord[] = [
  {
    id: 'single-path.body',
    title: 'A message comes as it was sent, where the target accepts it.',
    stimulus: 'Posts messages with markup, other alphabets, line ends, of 66 kB, and bytes that are no text.',
    clauses: ['single-path.consume', 'send.body.text'],
    needs: ['single-path.delivers'],
    run: (trial: Trial) =>
      judgeAnyBodies(trial, 'single-path', async () => {
        const path = await SinglePath.fresh(trial)
        return {
          send: (body, headers) => path.post(body, headers),
          sendPlain: () => path.send(),
          take: () => path.get(),
        }
      }),
  },
  {
    id: 'single-path.body-empty',
    title:
      'A message without a byte that is sent by the single path is a message, where the target accepts it.',
    stimulus: 'Posts a message without a byte and one with, and counts them in the queue’s feed.',
    clauses: ['single-path.send', 'send.body.empty'],
    needs: ['single-path.delivers', 'browse.queue'],
    async run(trial: Trial) {
      const path = await SinglePath.fresh(trial)
      const answer = await path.post('')
      await path.send()
      trial.choose('single-path-no-byte', statusOf(answer))
      if (refused(answer)) return trial.observed(`Such a body is not taken: ${answered(answer)}`)
      const count = async () => (await trial.browse(path.queue)).entries.length
      let seen = 0
      await trial.eventually(async () => {
        seen = await count()
        return once(seen > 1)
      })
      if (seen === 0) return trial.observed('What the single path sends is not in the feed of its queue.')
      trial.expect(seen === 2, 'two messages in the queue, one of them without a byte', `${seen}`)
    },
  },
]
