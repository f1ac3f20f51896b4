import { answered } from '../../client/answered.js'
import { refused, succeeded } from '../../client/exchange.js'
import { withGuid } from '../../trial/addresses.js'
import { expectArrived } from '../../trial/arrival.js'
import type { CheckRecord } from '../../trial/check.js'
import { judgeBrokenOff, judgeChunked, judgeContinued, judgeUnanswered } from '../../trial/framings.js'
import { onlyBody } from '../../trial/held.js'
import { type Repeatable, withAGuid } from '../../trial/repeats.js'
import { changingBytes } from '../../trial/sending.js'
import type { QueueHandle, Trial } from '../../trial/trial.js'
import { unlessNotApplicable } from '../../trial/waiting.js'

const BYTES = changingBytes(102_400)
const TEXT = Buffer.from('a long message. '.repeat(6400))

/** That what is sent with a guid arrives whole, in whatever parts it comes, or not at all. */
export const DEDUP_WHOLE_MESSAGES: readonly CheckRecord[] = [
  {
    id: 'dedup.broken-off',
    stimulus:
      'Sends half of a message with a guid and ends the connection, once with a length and once in chunks; then sends it whole.',
    clauses: ['dedup.broken-off'],
    needs: ['dedup.repeat'],
    run: (trial: Trial) => judgeBrokenOff(trial, withAGuid, addressOf),
  },
  {
    id: 'dedup.unanswered',
    stimulus:
      'Sends six messages with a guid each, goes away from each after its whole body and before its answer, and sends it again.',
    clauses: ['dedup.unanswered'],
    needs: ['dedup.repeat'],
    run: (trial: Trial) => judgeUnanswered(trial, withAGuid, addressOf),
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
  {
    id: 'dedup.body-chunked',
    title: 'A message sent with a guid whose request is sent in chunks reaches its consumer whole.',
    stimulus:
      'Sends a message with a guid in three chunks with a trailer, and compares what is in the queue.',
    clauses: ['dedup.body'],
    needs: ['dedup.send', 'browse.queue'],
    run: (trial: Trial) => judgeChunked(trial, withAGuid, addressOf),
  },
  {
    id: 'dedup.bodies',
    title:
      'A message sent with a guid reaches its consumer byte for byte, however long it is and of whatever bytes.',
    stimulus:
      'Sends 100 KiB of changing bytes and a text of 100 KiB with a guid each, and compares what consumers are given.',
    clauses: ['dedup.body'],
    // Where other sends lose such bodies too, those are told.
    needs: [
      'dedup.body',
      'send.body-large-binary',
      'send.body-binary',
      'send.body-nul',
      'send.body-escapes',
      'consume.repeat',
    ],
    async run(trial: Trial) {
      await Promise.all([
        judgeBody(trial, BYTES, 'application/octet-stream'),
        judgeBody(trial, TEXT, 'text/plain; charset=utf-8'),
      ])
    },
  },
]

/** Judges that a body of a type, where it is taken at all, comes to a consumer as it was sent with a guid. */
async function judgeBody(trial: Trial, body: Buffer, type: string): Promise<void> {
  const queue = await trial.createQueue()
  const guid = trial.freshGuid()
  const answer = await unlessNotApplicable(() =>
    trial.postWithGuid(queue, guid, body, { 'Content-Type': type }),
  )
  if (answer === undefined || refused(answer)) {
    // Where a plain message is not taken either, the refusal says nothing about this body.
    const plain = await trial.postWithGuid(queue, trial.freshGuid(), trial.freshMessage().body)
    trial.precondition(succeeded(plain), 'dedup.send', answered(plain))
    return trial.observed('The target does not take such a body.')
  }
  trial.precondition(succeeded(answer), 'dedup.send', answered(answer))
  const got = await onlyBody(trial, queue)
  expectArrived(trial, `${type} byte for byte`, { sent: body, got, type })
}

function addressOf(queue: QueueHandle, { guid }: Repeatable): string {
  return withGuid(queue.uri, guid!)
}
