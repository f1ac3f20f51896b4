import { withQuery } from '../../trial/addresses.js'
import { judgeBrokenOff } from '../../trial/broken-off.js'
import type { CheckRecord } from '../../trial/check.js'
import { withAGuid } from '../../trial/repeats.js'
import type { Trial } from '../../trial/trial.js'

/** What becomes of a send with a guid that never came whole. */
export const DEDUP_BROKEN_OFF: readonly CheckRecord[] = [
  {
    id: 'dedup.broken-off',
    stimulus:
      'Sends half of a message with a guid and ends the connection, once with a length and once in chunks; then sends it whole.',
    clauses: ['dedup.broken-off'],
    needs: ['dedup.repeat'],
    run: (trial: Trial) =>
      judgeBrokenOff(trial, withAGuid, (queue, { guid }) =>
        withQuery(queue.uri, `guid=${encodeURIComponent(guid!)}`),
      ),
  },
]
