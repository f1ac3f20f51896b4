import { answered } from '../../client/answered.js'
import { succeeded } from '../../client/exchange.js'
import { Blocked } from '../../client/findings.js'
import type { CheckRecord } from '../../trial/check.js'
import type { Trial } from '../../trial/trial.js'
import { inRounds } from '../../trial/waiting.js'

/** Creations at once, by what each of them is answered. */
export const QUEUES_AT_ONCE: readonly CheckRecord[] = [
  {
    id: 'queues.create-at-once-answers',
    stimulus:
      'Creates one queue six times and three others at once, three times over, and looks at every answer.',
    clauses: ['queues.create.at-once'],
    needs: ['queues.create-again'],
    async run(trial: Trial) {
      await inRounds(async () => {
        const same = trial.freshName()
        const names = [...Array.from({ length: 6 }, () => same), ...[1, 2, 3].map(() => trial.freshName())]
        const answers = await Promise.all(names.map((name) => trial.tryCreateQueue(name)))
        // 503 says that there is too much to do, which may be so at any time.
        const failed = answers.find(({ status }) => status === 0 || (status >= 500 && status !== 503))
        if (!answers.some((each) => succeeded(each) && trial.target.location(each) !== undefined))
          throw new Blocked('queues.create', answered(answers[0]!))
        trial.expect(failed === undefined, 'an answer other than a 5xx for each creation', () =>
          answered(failed!),
        )
      })
    },
  },
]
