import type { CheckRecord } from '../../trial/check.js'
import { judgeBrokenOff, judgeChunked, judgeContinued, judgeUnanswered } from '../../trial/framings.js'
import { inTwoSteps } from '../../trial/repeats.js'
import type { Trial } from '../../trial/trial.js'

/** What becomes of a sending that never came whole, or whose body came later than its head, or whose answer nobody read: section 4.1, "The client repeats this POST until it receives 200". */
export const SEND_BROKEN_OFF: readonly CheckRecord[] = [
  {
    id: 'send.broken-off',
    stimulus:
      'Posts half of a message to its address and ends the connection, once with a length and once in chunks; then posts it whole.',
    clauses: ['send.step-2.broken-off'],
    needs: ['send.repeat'],
    run: (trial: Trial) => judgeBrokenOff(trial, inTwoSteps),
  },
  {
    id: 'send.unanswered',
    stimulus:
      'Posts six messages to their addresses, goes away from each after its whole body and before its answer, and posts it again.',
    clauses: ['send.step-2.unanswered'],
    needs: ['send.repeat'],
    run: (trial: Trial) => judgeUnanswered(trial, inTwoSteps),
  },
  {
    id: 'send.body-chunked',
    stimulus:
      'Posts messages in three chunks, a long one and one with a trailer among them, twice, and compares what is in the queue.',
    clauses: ['send.body.chunked'],
    needs: ['send.post', 'browse.queue'],
    run: (trial: Trial) => judgeChunked(trial, inTwoSteps),
  },
  {
    id: 'send.body-continued',
    stimulus:
      'Posts a message to its address, asking by `Expect: 100-continue` whether to go on before its body, and posts it again.',
    clauses: ['send.body.continued'],
    needs: ['send.repeat'],
    run: (trial: Trial) => judgeContinued(trial, inTwoSteps),
  },
]
