import t from 'tap'
import { Failed } from '../client/findings.js'
import { expectStatus } from './expectations.js'
import { fakeBroker } from './fake-broker.test.helper.js'
import { answerOf } from './trial.test.helper.js'
import { trialOf } from './trial-of.test.helper.js'

t.test('a success of another status is wrong, whatever a repeat is answered with', async (t) => {
  await using broker = await fakeBroker()
  const trial = trialOf(broker)
  const saying = (...statuses: number[]) => {
    const left = [...statuses]
    const ask = async () => answerOf('', {}, { status: left.length > 1 ? left.shift()! : left[0]! })
    return expectStatus(trial, 200, 'the status of the document', ask)
  }
  t.equal((await saying(200)).status, 200)
  t.equal((await saying(503, 404, 200)).status, 200, 'a refusal may be over')
  await t.rejects(saying(201, 200), new Failed('the status of the document', '201'))
  await t.rejects(saying(503, 204, 200), new Failed('the status of the document', '204'))
  await t.rejects(saying(303, 200), new Failed('the status of the document', '303'))
})
