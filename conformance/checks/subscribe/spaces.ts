import { refused, succeeded } from '../../client/exchange.js'
import { subscriptionRequest } from '../../client/subscription-request.js'
import { longestLease } from '../../client/timing.js'
import { createdAt } from '../../trial/addresses.js'
import type { CheckRecord } from '../../trial/check.js'
import { expectDelivered } from '../../trial/deliveries.js'
import type { QueueHandle, Trial } from '../../trial/trial.js'
import { found, unlessBlocked, unlessNotApplicable } from '../../trial/waiting.js'

/** Of form-encoded data a space is what forms have in a way of their own. */
export const SUBSCRIBE_SPACES: readonly CheckRecord[] = [
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
      if (!(await unlessBlocked(() => comesByEscape(trial, queue))))
        return trial.observed('The target finds no queue by a name that has a space.')
      const message = await trial.send(other)
      const consumer = await trial.subscribe(other)
      await expectDelivered(
        trial,
        [consumer],
        [message],
        'the message of the queue, by data with a plus sign',
      )
    },
  },
]

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

/** Whether a message comes to a subscription whose data have each space as an escape. */
async function comesByEscape(trial: Trial, queue: QueueHandle): Promise<boolean> {
  const message = await trial.send(queue)
  const { headers, body } = dataFor(trial, queue)
  const data = { headers: { ...headers }, body: body.replaceAll('+', '%20') }
  const answer = await trial.target.request('POST', trial.target.at('/subscriptions'), data)
  const uri = createdAt(trial, answer)
  if (!succeeded(answer) || uri === undefined) return false
  const came = await trial.eventually(async () => {
    const { entries } = await trial.readFeed(uri, 'consume.feed')
    return found((await trial.bodies(entries)).filter((text) => text === message.text))
  })
  await trial.target.request('DELETE', uri)
  return came !== undefined
}
