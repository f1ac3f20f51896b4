import type { CheckRecord } from '../../trial/check.js'
import { judgeBrokenOff, judgeChunked, judgeContinued, judgeUnanswered } from '../../trial/framings.js'
import { withAGuid } from '../../trial/repeats.js'
import type { Trial } from '../../trial/trial.js'

/** That what is sent with a guid arrives whole, in whatever parts it comes, or not at all. */
export const DEDUP_WHOLE_MESSAGES: readonly CheckRecord[] = [
  {
    id: 'dedup.broken-off',
    stimulus:
      'Sends half of a message with a guid and ends the connection, once with a length and once in chunks; then sends it whole.',
    clauses: ['dedup.broken-off'],
    needs: ['dedup.repeat'],
    run: (trial: Trial) => judgeBrokenOff(trial, withAGuid),
  },
  {
    id: 'dedup.unanswered',
    stimulus:
      'Sends six messages with a guid each, goes away from each after its whole body and before its answer, and sends it again.',
    clauses: ['dedup.unanswered'],
    needs: ['dedup.repeat'],
    run: (trial: Trial) => judgeUnanswered(trial, withAGuid),
  },
  {
    id: 'dedup.body-continued',
    title: 'A message sent with a guid by a client that asks whether to go on reaches its consumer whole.',
    stimulus:
      'Sends a message with a guid, asking by `Expect: 100-continue` whether to go on before its body, and sends it again.',
    clauses: ['dedup.body'],
    needs: ['dedup.repeat'],
    run: (trial: Trial) => judgeContinued(trial, withAGuid),
  },
  {
    id: 'dedup.body-chunked',
    title: 'A message sent with a guid whose request is sent in chunks reaches its consumer whole.',
    stimulus:
      'Sends messages with a guid in three chunks, a long one and one with a trailer among them, twice, and compares what is in the queue.',
    clauses: ['dedup.body'],
    needs: ['dedup.send', 'browse.queue'],
    run: (trial: Trial) => judgeChunked(trial, withAGuid),
  },
]
