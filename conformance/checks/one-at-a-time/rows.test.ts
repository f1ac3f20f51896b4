import t from 'tap'
import { Inconclusive } from '../../client/findings.js'
import { brokerBehind, outcomeAt } from '../alternatives.test.helper.js'
import { ONE_AT_A_TIME_ROWS } from './rows.js'

/** One-at-a-time delivery whose next message is JSON with its id in it; acks take effect `late` milliseconds after their answers. */
const jsonBroker = (late = 0) =>
  brokerBehind(async (gateway, [verb, id = '', what = '']) => {
    if (verb === 'subscribe') return gateway.subscribe(id, what, 1)
    if (verb === 'nextMessageForMe') {
      const [held] = await gateway.held(id)
      return held ? { body: JSON.stringify({ id: held.id, body: held.text }) } : { status: 204 }
    }
    if (verb !== 'ack') return undefined
    if (late === 0) return gateway.acknowledge(id, what)
    // The last of them may come when the broker has gone.
    setTimeout(() => gateway.acknowledge(id, what).catch(() => {}), late)
    return {}
  })

const features = { guid: false, 'one-at-a-time': true }

const asked = (id: string, broker: Parameters<typeof outcomeAt>[0], profile: object, settle = 0) =>
  outcomeAt(broker, ONE_AT_A_TIME_ROWS, id, { oneAtATime: profile, features }, { settle })

t.test('the id of a message may stand in the JSON of its answer', async (t) => {
  await using broker = await jsonBroker()
  t.equal(await asked('one-at-a-time.acknowledges', broker, { messageId: 'json:id' }), undefined)
  for (const messageId of ['header:Message-Id', 'json:number']) {
    const outcome = await asked('one-at-a-time.acknowledges', broker, { messageId })
    t.type(outcome, Inconclusive, 'where the profile names no such place nobody is to blame')
    t.match(outcome, { inconclusiveReason: 'profile', message: /is the profile right\?$/ })
  }
})

t.test('until the effect of an ack shows, the next message is the same', async (t) => {
  await using broker = await jsonBroker(40)
  t.equal(await asked('one-at-a-time.all', broker, { messageId: 'json:id' }, 80), undefined)
  await using later = await jsonBroker(1000)
  t.match(await asked('one-at-a-time.all', later, { messageId: 'json:id' }), {
    at: { clause: 'ack.final.same' },
  })
})
