import t from 'tap'
import { Blocked } from '../client/findings.js'
import { fakeBroker } from './fake-broker.test.helper.js'
import { trialOf } from './trial-of.test.helper.js'

const FIELDS = { 'content-language': 'mi', 'content-encoding': 'x-kit' }

t.test('of several header fields the one is told that is refused alone', async (t) => {
  await using broker = await fakeBroker()
  const trial = trialOf(broker)
  const queue = await trial.createQueue()
  const refusing = (isRefused: (headers: NodeJS.Dict<string | string[]>) => boolean) => {
    broker.intercept = ({ path, headers }) =>
      path.startsWith('/mq/new/') && isRefused(headers) ? { status: 415 } : undefined
  }
  const gave = 'the POST of a message gave 415'
  const seen = (why: string) => new Blocked('send.post', `${gave}${why}`)
  refusing((headers) => 'content-encoding' in headers)
  await t.rejects(trial.send(queue, undefined, FIELDS), seen('; content-encoding: x-kit alone gave 415'))
  refusing((headers) => 'content-encoding' in headers && 'content-language' in headers)
  await t.rejects(trial.send(queue, undefined, FIELDS), seen('; each of its header fields is taken alone'))
  refusing(() => true)
  await t.rejects(trial.send(queue), seen(''))
})
