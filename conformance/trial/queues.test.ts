import t from 'tap'
import { fakeBroker } from './fake-broker.test.helper.js'
import { Blocked, NotApplicable } from './findings.js'
import { deleteQueue } from './queues.js'
import { trialOf } from './trial-of.test.helper.js'

t.test(
  'a deletion may be refused with 409 for the messages in the queue, and for nothing else',
  async (t) => {
    await using broker = await fakeBroker()
    let status = 409
    broker.intercept = ({ method, path }) =>
      method === 'DELETE' && path.startsWith('/mq/queues/') ? { status } : undefined
    const trial = trialOf(broker)
    const queue = await trial.createQueue()
    await t.rejects(deleteQueue(trial, queue), Blocked, 'an empty queue')
    await trial.send(queue)
    await t.rejects(deleteQueue(trial, queue), NotApplicable)
    status = 403
    await t.rejects(deleteQueue(trial, queue), Blocked, 'another refusal')
    status = 200
    await t.resolves(deleteQueue(trial, queue))
  },
)
