import { withQuery } from '../../trial/addresses.js'
import { judgeBrokenOff } from '../../trial/broken-off.js'
import type { CheckRecord } from '../../trial/check.js'
import { judgeContinued } from '../../trial/continued.js'
import { type Repeatable, withAGuid } from '../../trial/repeats.js'
import type { QueueHandle, Trial } from '../../trial/trial.js'

/** What becomes of a send with a guid that never came whole, or whose body came later than its head. */
export const DEDUP_BROKEN_OFF: readonly CheckRecord[] = [
  {
    id: 'dedup.broken-off',
    stimulus:
      'Sends half of a message with a guid and ends the connection, once with a length and once in chunks; then sends it whole.',
    clauses: ['dedup.broken-off'],
    needs: ['dedup.repeat'],
    run: (trial: Trial) => judgeBrokenOff(trial, withAGuid, addressOf),
  },
  {
    id: 'dedup.body-continued',
    title: 'A message sent with a guid by a client that asks whether to go on reaches its consumer whole.',
    stimulus:
      'Sends a message with a guid, asking by `Expect: 100-continue` whether to go on before its body, and sends it again.',
    clauses: ['dedup.body'],
    needs: ['dedup.repeat'],
    run: (trial: Trial) => judgeContinued(trial, withAGuid, addressOf),
  },
]

function addressOf(queue: QueueHandle, { guid }: Repeatable): string {
  return withQuery(queue.uri, `guid=${encodeURIComponent(guid!)}`)
}
