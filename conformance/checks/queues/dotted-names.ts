import { answered } from '../../client/answered.js'
import { type Exchange, refused, succeeded } from '../../client/exchange.js'
import { comparable } from '../../trial/addresses.js'
import type { CheckRecord } from '../../trial/check.js'
import { expectReadable } from '../../trial/expectations.js'
import { expectPending, pendingBodies, untilPending } from '../../trial/pending.js'
import type { QueueHandle, Trial } from '../../trial/trial.js'
import { once } from '../../trial/waiting.js'

/** Dotted names: section 1, "or by a dotted name". */
export const QUEUE_DOTS: readonly CheckRecord[] = [
  {
    id: 'queues.dotted-name',
    stimulus:
      'Creates a queue under a dotted name, sends a message to it, and reads it at /queues/<dotted name>.',
    clauses: ['queues.dotted'],
    needs: ['send.post', 'browse.queue'],
    async run(trial: Trial) {
      const path = `${trial.freshName()}.dotted.name`
      const exchange = await trial.tryCreateQueue(path)
      const uri = trial.target.location(exchange)
      trial.expect(
        succeeded(exchange) && uri !== undefined,
        '201 with a Location for a queue with a dotted name',
        answered(exchange),
      )
      const message = await trial.send({ path, uri })
      await expectPending(trial, { path, uri }, [message], 'in a queue with a dotted name what is sent to it')
      const byName: QueueHandle = { path, uri: trial.target.queueUri(path) }
      await expectReadable(trial, byName, '200 for GET of /queues/<dotted name>')
      await expectPending(trial, byName, [message], 'a queue with a dotted name at /queues/<dotted name>')
    },
  },
  {
    id: 'queues.dotted-path',
    title: 'A dotted name and the slash path of the same segments are one queue.',
    stimulus:
      'Creates a queue by its path, sends one message by the path and one by the dotted name, and reads both; creates it by the dotted name, reads again, and deletes it by that.',
    clauses: ['queues.dotted.path'],
    needs: ['queues.several-segments'],
    async run(trial: Trial) {
      const slashed = await trial.createQueue(trial.freshName(2))
      const path = slashed.path.replaceAll('/', '.')
      const dotted: QueueHandle = { path, uri: trial.target.queueUri(path) }
      const first = await trial.send(slashed)
      await untilPending(trial, slashed, [first])
      const read = await trial.target.request('GET', dotted.uri)
      const one = succeeded(read) && (await pendingBodies(trial, dotted, [first])).includes(first.text)
      trial.choose('dotted-name-and-path', one ? 'one queue' : 'not one queue')
      trial.expect(one, 'by the dotted name what was sent by the path', answered(read))
      const second = await trial.send(dotted)
      await expectPending(
        trial,
        slashed,
        [first, second],
        'in the path’s queue what is sent by the dotted name',
      )
      const again = await trial.tryCreateQueue(path)
      trial.expect(
        comparable(trial.target.location(again)) === comparable(slashed.uri),
        'the address of a queue for creating it by its dotted name',
        `${answered(again)}, Location: ${trial.target.location(again)}`,
      )
      await expectPending(trial, slashed, [first, second], 'both messages in the queue that was there before')
      const deleted = await trial.target.request('DELETE', dotted.uri)
      trial.expect(succeeded(deleted), 'success for DELETE by the dotted name', answered(deleted))
      let left: Exchange | undefined
      const gone = await trial.eventually(async () => {
        left = await trial.target.request('GET', slashed.uri)
        return once(refused(left))
      })
      trial.expect(gone === true, 'the queue gone that was deleted by its dotted name', () => answered(left!))
    },
  },
]
