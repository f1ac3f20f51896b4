import { answered } from '../../client/answered.js'
import { createdAt } from '../../trial/addresses.js'
import { statusOf } from '../../trial/answers.js'
import type { CheckRecord } from '../../trial/check.js'
import { expectReadable } from '../../trial/expectations.js'
import type { Trial } from '../../trial/trial.js'

/** One way in which the request that creates a queue may name it. */
function createdBy(
  id: string,
  request: (name: string) => { headers: Record<string, string>; body?: string },
): CheckRecord {
  return {
    id: `queues.create-by-${id}`,
    stimulus: 'Creates a queue in that way, and reads the feed at its address.',
    clauses: [`queues.create.${id}`],
    needs: ['queues.create'],
    async run(trial: Trial) {
      await trial.createQueue()
      const exchange = await trial.target.request(
        'POST',
        trial.target.at('/queues'),
        request(trial.freshName()),
      )
      const uri = createdAt(trial, exchange)
      trial.choose(`create-by-${id}`, uri === undefined ? statusOf(exchange) : 'accepted')
      trial.expect(uri !== undefined, '201 with a Location', answered(exchange))
      await expectReadable(trial, { path: '', uri }, '200 for the queue')
    },
  }
}

/** How a queue may be named, and how not: chosen, since the document does not show it. */
export const QUEUE_NAMES: readonly CheckRecord[] = [
  createdBy('text', (name) => ({
    headers: { 'Content-Type': 'text/plain' },
    body: name,
  })),
  createdBy('form', (name) => ({
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: `name=${name}`,
  })),
  createdBy('json', (name) => ({
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ name }),
  })),
  createdBy('slug', (name) => ({
    headers: { Slug: name },
  })),
]
