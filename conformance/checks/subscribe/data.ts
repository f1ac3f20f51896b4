import { answered } from '../../client/answered.js'
import type { CheckRecord } from '../../trial/check.js'
import { answersWith, eachAnswersWith } from '../../trial/status-check.js'
import { FORM, madeAt, parameter, postData } from '../../trial/subscription-form.js'
import type { Trial } from '../../trial/trial.js'
import { once } from '../../trial/waiting.js'

/** The data of a subscription where the document leaves it open: names, ranges, defaults, refusals. */
export const SUBSCRIBE_DATA: readonly CheckRecord[] = [
  {
    id: 'subscribe.parameters',
    stimulus: 'Posts a subscription with all four fields.',
    clauses: ['subscribe.parameters'],
    needs: ['subscribe.create'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      const answer = await trial.target.request('POST', trial.target.at('/subscriptions'), {
        headers: { 'Content-Type': FORM },
        body: new URLSearchParams({
          destination: queue.path,
          prefetch: '5',
          selector: "colour = 'red'",
          timeout: '10',
        }).toString(),
      })
      trial.expect(answer.status === 201, '201', answered(answer))
    },
  },
  {
    id: 'subscribe.default-prefetch',
    stimulus: 'Subscribes without a prefetch to a queue of twelve messages and reads.',
    clauses: ['subscribe.prefetch.default'],
    needs: ['prefetch.fills'],
    async run(trial: Trial) {
      const queue = await trial.createQueue()
      await trial.sendMany(queue, 12)
      const uri = madeAt(trial, await postData(trial, queue, {}))
      const count = async () => (await trial.readFeed(uri, 'consume.feed')).entries.length
      await trial.eventually(async () => once((await count()) >= 10))
      const seen = await count()
      trial.choose('default-prefetch', seen >= 12 ? '12 or more' : String(seen))
      trial.expect(seen === 10, '10 of 12 messages', String(seen))
    },
  },
  {
    id: 'subscribe.bad-prefetch',
    stimulus: 'Posts subscriptions with such prefetches, and with 1 and 1000.',
    clauses: ['subscribe.prefetch.range'],
    needs: ['subscribe.create'],
    run: (trial: Trial) =>
      refusesValues(trial, 'prefetch', ['0', '-1', '1001', '1.5', 'many', ''], ['1', '1000']),
  },
  {
    id: 'subscribe.bad-timeout',
    stimulus: 'Posts subscriptions with such timeouts, and with 0.05 and 3600.',
    clauses: ['subscribe.timeout.range'],
    needs: ['subscribe.create'],
    run: (trial: Trial) =>
      refusesValues(trial, 'timeout', ['0', '-1', '0.049', '3600.1', 'soon', ''], ['0.05', '3600']),
  },
  {
    id: 'subscribe.unknown-field',
    stimulus: 'Posts a subscription with a field that nobody knows.',
    clauses: ['subscribe.field.unknown'],
    needs: ['subscribe.create'],
    run: answersWith(400, 'unknown-field', async (trial) =>
      postData(trial, await trial.createQueue(), { 'x-nobody-knows': '1' }),
    ),
  },
  {
    id: 'subscribe.no-destination',
    stimulus: 'Posts a subscription that names no destination.',
    clauses: ['subscribe.field.destination'],
    needs: ['subscribe.create'],
    run: answersWith(400, 'no-destination', async (trial: Trial) => {
      await trial.createQueue()
      return postData(trial, undefined, { [parameter(trial, 'prefetch')]: '1' })
    }),
  },
  {
    id: 'subscribe.media-type',
    stimulus: 'Posts the data of a subscription as text/plain, as JSON and as multipart/form-data.',
    clauses: ['subscribe.media-type'],
    needs: ['subscribe.create'],
    run: eachAnswersWith(
      415,
      'subscription-as-',
      ['text/plain', 'application/json', 'multipart/form-data; boundary=x'],
      async (trial: Trial) => {
        const queue = await trial.createQueue()
        return (type) => postData(trial, queue, {}, type)
      },
    ),
  },
  {
    id: 'subscribe.many-destinations',
    stimulus: 'Posts subscriptions to 100 and to 101 destinations.',
    clauses: ['subscribe.destinations.limit'],
    needs: ['subscribe.several-destinations'],
    run: answersWith(400, '101-destinations', async (trial: Trial) => {
      const category = trial.freshName()
      await trial.createQueue(`${category}/q1`)
      const names = Array.from({ length: 101 }, (_, i) => `${category}/q${i + 1}`)
      const fits = await trial.trySubscribe(names.slice(0, 100))
      trial.expect(fits.status === 201, '201 for 100 destinations', answered(fits))
      return trial.trySubscribe(names)
    }),
  },
]

/** Judges that one parameter takes the values `good` and that `bad` ones are refused with 400. */
async function refusesValues(
  trial: Trial,
  name: 'prefetch' | 'timeout',
  bad: readonly string[],
  good: readonly string[],
): Promise<void> {
  const queue = await trial.createQueue()
  for (const [values, status] of [
    [bad, 400],
    [good, 201],
  ] as const) {
    for (const value of values) {
      const answer = await postData(trial, queue, { [parameter(trial, name)]: value })
      if (status === 400) trial.choose(`${name}=${value}`, String(answer.status))
      trial.expect(answer.status === status, `${status} for the ${name} "${value}"`, answered(answer))
    }
  }
}
