import { answered } from '../../client/answered.js'
import { succeeded } from '../../client/exchange.js'
import { withQuery } from '../../trial/addresses.js'
import { statusOf } from '../../trial/answers.js'
import type { CheckRecord } from '../../trial/check.js'
import { expectPending, untilPending } from '../../trial/pending.js'
import { judgeReplayed, withAGuid } from '../../trial/repeats.js'
import type { QueueHandle, Trial } from '../../trial/trial.js'

/** A message with a guid that was accepted. Blocked by `dedup.send` unless it succeeds. */
async function acceptedWithGuid(trial: Trial, queue: QueueHandle, guid: string) {
  const message = trial.freshMessage()
  const exchange = await trial.postWithGuid(queue, guid, message.body)
  trial.precondition(succeeded(exchange), 'dedup.send', answered(exchange))
  return message
}

/** A check that a send with a query of this kind is refused with 400 and stores nothing. */
function refusedGuid(
  id: string,
  stimulus: string,
  queries: (guid: string) => readonly string[],
): CheckRecord {
  return {
    id: `dedup.refused-${id}`,
    stimulus,
    clauses: [`dedup.refused.${id}`],
    needs: ['dedup.send'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const message = await acceptedWithGuid(trial, queue, trial.freshGuid())
      await untilPending(trial, queue, [message])
      for (const query of queries(trial.freshGuid())) {
        const exchange = await trial.post(withQuery(queue.uri, query), trial.freshMessage().body)
        trial.choose(`guid-${id}`, statusOf(exchange))
        trial.expect(exchange.status === 400, '400 for a POST with such a query', answered(exchange))
      }
      await expectPending(trial, queue, [message], 'nothing stored by a refused send')
    },
  }
}

/** Sending with a guid where the document is silent. */
export const DEDUP_CHOICES: readonly CheckRecord[] = [
  refusedGuid('empty', 'Sends messages with ?guid= and ?guid.', () => ['guid=', 'guid']),
  refusedGuid('long', 'Sends a message with a guid of 256 characters.', (guid) => [
    `guid=${guid.padEnd(256, 'x')}`,
  ]),
  refusedGuid(
    'twice',
    'Sends messages with two guids, once two different ones and once the same twice.',
    (guid) => [`guid=${guid}-a&guid=${guid}-b`, `guid=${guid}-c&guid=${guid}-c`],
  ),
  {
    id: 'dedup.long-guid',
    title: 'A guid of 255 characters is a guid.',
    stimulus:
      'Sends a message with a guid of 255 characters, and then with another that differs in the last.',
    clauses: ['dedup.refused.long'],
    needs: ['dedup.send'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const guid = trial.freshGuid().padEnd(254, 'x')
      const messages = [trial.freshMessage(), trial.freshMessage()]
      for (const [index, message] of messages.entries()) {
        const exchange = await trial.postWithGuid(queue, `${guid}${index}`, message.body)
        trial.choose('guid-of-255-characters', statusOf(exchange))
        trial.expect(exchange.status === 200, '200 for a guid of 255 characters', answered(exchange))
      }
      await expectPending(trial, queue, messages, 'one message for each of the two guids')
    },
  },
  {
    id: 'dedup.replayed',
    stimulus: 'Sends a message with a guid twice, and compares the headers of the answers.',
    clauses: ['dedup.repeat.replayed'],
    needs: ['dedup.repeat'],
    run: (trial: Trial) => judgeReplayed(trial, withAGuid, 'idempotent-replayed-guid'),
  },
]
