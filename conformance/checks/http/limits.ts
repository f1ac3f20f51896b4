import { answered } from '../../client/answered.js'
import { withQuery } from '../../trial/addresses.js'
import { statusOf } from '../../trial/answers.js'
import type { CheckRecord } from '../../trial/check.js'
import type { Trial } from '../../trial/trial.js'

const KIB = 1024

/** Limits of one request, which the document leaves open. */
export const HTTP_LIMITS: readonly CheckRecord[] = [
  {
    id: 'http.limit-message',
    title: 'A message of 1 MiB is accepted, and a longer one is refused with 413.',
    stimulus: 'Sends a message of 1 MiB, and posts one of a byte more.',
    clauses: ['http.limit.message'],
    needs: ['send.post'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      await trial.send(queue)
      const headers = { 'Content-Type': 'application/octet-stream' }
      const post = async (size: number) =>
        trial.post(await trial.newAddress(queue), Buffer.alloc(size, 'x'), headers)
      const most = await post(KIB * KIB)
      const more = await post(KIB * KIB + 1)
      trial.choose('message-above-1-MiB', statusOf(more))
      trial.expect(most.status === 200, '200 for 1 MiB', answered(most))
      trial.expect(more.status === 413, '413 for a byte more', answered(more))
    },
  },
  {
    id: 'http.limit-target',
    stimulus: 'Reads a queue with a short query, and with one of 9 KiB.',
    clauses: ['http.limit.target'],
    needs: ['browse.queue'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const read = (length: number) =>
        trial.target.request('GET', withQuery(queue.uri, `x=${'y'.repeat(length)}`))
      const short = await read(1)
      const long = await read(9 * KIB)
      trial.choose('request-target-of-9-KiB', statusOf(long))
      trial.expect(short.status === 200, '200 with a short query', answered(short))
      trial.expect(long.status === 414, '414 for a target of 9 KiB', answered(long))
    },
  },
  {
    id: 'http.limit-headers',
    stimulus: 'Reads a queue with a short header, and with one of 80 KiB.',
    clauses: ['http.limit.headers'],
    needs: ['browse.queue'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const read = (length: number) =>
        trial.target.request('GET', queue.uri, { headers: { 'X-Kit': 'y'.repeat(length) } })
      const short = await read(1)
      const long = await read(80 * KIB)
      trial.choose('headers-of-80-KiB', statusOf(long))
      trial.expect(short.status === 200, '200 with a short header', answered(short))
      trial.expect(long.status === 431, '431 for headers of 80 KiB', answered(long))
    },
  },
]
