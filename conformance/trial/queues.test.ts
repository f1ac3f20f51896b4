import t from 'tap'
import { Blocked, NotApplicable } from '../client/findings.js'
import { skipIdleTime } from '../virtual-time.test.helper.js'
import { fakeBroker } from './fake-broker.test.helper.js'
import { deleteQueue } from './queues.js'
import { trialOf } from './trial-of.test.helper.js'

skipIdleTime()

t.test('a deletion may be refused for what a queue is used for, and not for any queue', async (t) => {
  await using broker = await fakeBroker()
  const trial = trialOf(broker)
  const queue = await trial.createQueue(trial.freshName(2))
  const used = new URL(queue.uri).pathname
  for (const status of [400, 403, 409, 423]) {
    broker.intercept = ({ method, path }) => (method === 'DELETE' && path === used ? { status } : undefined)
    await t.rejects(deleteQueue(trial, queue), NotApplicable, `${status} for this one`)
    broker.intercept = ({ method }) => (method === 'DELETE' ? { status } : undefined)
    await t.rejects(deleteQueue(trial, queue), Blocked, `${status} for any`)
    broker.intercept = ({ method, path }) =>
      method === 'DELETE' && path.split('/').length > 4 ? { status } : undefined
    await t.rejects(deleteQueue(trial, queue), Blocked, `${status} for any of two segments`)
  }
  broker.intercept = ({ method, path }) =>
    method === 'DELETE' && path === used ? { status: 404 } : undefined
  await t.rejects(deleteQueue(trial, queue), Blocked, 'that it is not there is not true')
  broker.intercept = () => undefined
  await t.resolves(deleteQueue(trial, queue))
})

t.test('where no other queue can be made, a refused deletion is no matter of use', async (t) => {
  await using broker = await fakeBroker()
  const trial = trialOf(broker)
  const queue = await trial.createQueue()
  broker.intercept = () => ({ status: 403 })
  await t.rejects(deleteQueue(trial, queue), Blocked)
})
