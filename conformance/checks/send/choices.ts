import type { CheckRecord } from '../../trial/check.js'
import { holdOne } from '../../trial/held.js'
import { expectRaw } from '../../trial/raw-body.js'
import type { Trial } from '../../trial/trial.js'

/** What sending does where the document is silent. */
export const SEND_CHOICES: readonly CheckRecord[] = [
  {
    id: 'send.content-type',
    stimulus: 'Sends a message with the three headers, and asks for the raw body that its entry links to.',
    clauses: ['send.content-type'],
    needs: ['send.post', 'consume.delivers'],
    async run(trial: Trial) {
      const headers = {
        'Content-Type': 'application/x-kit; v=1',
        'Content-Encoding': 'x-kit',
        'Content-Language': 'mi',
      }
      const { entry, sent } = await holdOne(trial, headers)
      await expectRaw(trial, entry, sent, headers)
    },
  },
]
