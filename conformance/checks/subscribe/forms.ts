import { answered } from '../../client/answered.js'
import { type Exchange, refused, succeeded } from '../../client/exchange.js'
import { subscriptionRequest } from '../../client/subscription-request.js'
import { longestLease } from '../../client/timing.js'
import { createdAt } from '../../trial/addresses.js'
import type { CheckRecord } from '../../trial/check.js'
import { madeAt, postData } from '../../trial/subscription-form.js'
import type { QueueHandle, Sent, Trial } from '../../trial/trial.js'
import { once, unlessBlocked, unlessNotApplicable } from '../../trial/waiting.js'

/** Form-encoded data can be written in several ways, and what it leaves out is the target's choice. */
export const SUBSCRIBE_FORMS: readonly CheckRecord[] = [
  {
    id: 'subscribe.form',
    title: 'Subscription data is the pairs that it holds, however a client orders and escapes them.',
    stimulus:
      'Posts the data of a subscription to a queue with a message with its fields the other way round, with each character escaped, and with slashes as they are, and reads each feed.',
    clauses: ['subscribe.form'],
    needs: ['consume.delivers', 'queues.several-segments'],
    async run(trial: Trial) {
      const { headers } = trial.profile.subscription
      if (!Object.values(headers).some((value) => value.includes('form-urlencoded')))
        return trial.observed('The profile has subscription data in another form.')
      for (const [what, write] of Object.entries(FORMS)) {
        const queue = await trial.createQueue(trial.freshName(2))
        const message = await trial.send(queue)
        const answer = await trial.trySubscribe(queue, { prefetch: 1, write })
        trial.expect(createdAt(trial, answer) !== undefined, `success for data ${what}`, answered(answer))
        trial.expect(await comes(trial, answer, message), `the message, by data ${what}`, 'it did not come')
      }
    },
  },
  {
    id: 'subscribe.form-spaces',
    title: 'A plus sign in the form-encoded data of a subscription is a space.',
    stimulus:
      'Subscribes to a queue whose name has a space by data that have it as `%20`; where that works, to another by data that have it as a plus sign.',
    clauses: ['subscribe.form'],
    needs: ['subscribe.create', 'consume.delivers'],
    async run(trial: Trial) {
      const [queue, other] = [await spacedQueue(trial), await spacedQueue(trial)]
      if (queue === undefined || other === undefined)
        return trial.observed('The target takes no queue whose name has a space.')
      if (!(await unlessBlocked(() => comesWith(trial, queue, '%20'))))
        return trial.observed('The target finds no queue by a name that has a space.')
      const isRead = await comesWith(trial, other, '+')
      trial.expect(isRead, 'the message of the queue, by data with a plus sign', 'it did not come')
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
]

const escaped = (text: string) =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')

const FORMS: Readonly<Record<string, (pairs: [string, string][]) => string>> = {
  'with its fields the other way round': (pairs) => new URLSearchParams(pairs.toReversed()).toString(),
  'with each character escaped': (pairs) => pairs.map((pair) => pair.map(escaped).join('=')).join('&'),
  'with slashes as they are': (pairs) => new URLSearchParams(pairs).toString().replaceAll('%2F', '/'),
}

/** A queue whose name has a space, where the target takes such a name, and where that is how its destination is written. */
async function spacedQueue(trial: Trial): Promise<QueueHandle | undefined> {
  const path = `${trial.freshName()} and more`
  const answer = await unlessNotApplicable(() => trial.tryCreateQueue(path))
  if (answer === undefined || refused(answer)) return undefined
  const uri = createdAt(trial, answer)
  const queue = { path, uri: uri ?? '' }
  return uri === undefined || !dataFor(trial, queue).body.includes('+') ? undefined : queue
}

function dataFor(trial: Trial, queue: QueueHandle) {
  return subscriptionRequest(trial.profile, [queue], { prefetch: 1, lease: longestLease(trial.profile) })
}

/** Whether a message comes to a subscription whose data have each space written so. */
async function comesWith(trial: Trial, queue: QueueHandle, space: string): Promise<boolean> {
  const message = await trial.send(queue)
  const { headers, body } = dataFor(trial, queue)
  const data = { headers: { ...headers }, body: body.replaceAll('+', space) }
  return comes(trial, await trial.target.request('POST', trial.target.at('/subscriptions'), data), message)
}

/** Whether a message comes to the subscription that was made with an answer, which is deleted then. */
async function comes(trial: Trial, answer: Exchange, { text }: Sent): Promise<boolean> {
  const uri = createdAt(trial, answer)
  if (!succeeded(answer) || uri === undefined) return false
  const came = await trial.eventually(async () => {
    const { entries } = await trial.readFeed(uri, 'consume.feed')
    return once((await trial.bodies(entries)).includes(text))
  })
  await trial.target.request('DELETE', uri)
  return came !== undefined
}
