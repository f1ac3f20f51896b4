import t from 'tap'
import { skipIdleTime } from '../virtual-time.test.helper.js'
import { fakeBroker } from './fake-broker.test.helper.js'
import { coverInEveryWay, sendOfEveryKind } from './of-every-kind.js'
import { trialOf } from './trial-of.test.helper.js'

skipIdleTime()

t.test(
  'where a long message is refused, with whatever status, a short one is sent in its place',
  async (t) => {
    await using broker = await fakeBroker()
    const trial = trialOf(broker)
    const covered = await coverInEveryWay(trial)
    const all = await sendOfEveryKind(trial, covered)
    t.ok(all.some(({ body }) => body.length > 65_536))
    broker.intercept = ({ path, body }) =>
      path.startsWith('/mq/new/') && body.length > 65_535 ? { status: 400 } : undefined
    const short = await sendOfEveryKind(trial, covered)
    t.equal(short.length, all.length)
    t.ok(short.every(({ body }) => body.length < 1024))
  },
)
