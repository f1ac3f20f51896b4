import t from 'tap'
import { fakeBroker } from '../../trial/fake-broker.test.helper.js'
import { outcomeAt } from '../alternatives.test.helper.js'
import { SINGLE_PATH_ROWS } from './rows.js'

/** A single path whose sessions keep up to `buffer` messages; one that `shares` gives what is another’s when it has none, and one that `drops` loses its buffer. */
async function pathWith({ buffer = 1, shares = false, drops = false }) {
  const broker = await fakeBroker()
  const queue: Buffer[] = []
  const sessions = new Map<string, Buffer[]>()
  const given: Buffer[] = []
  broker.intercept = ({ method, path, body }) => {
    if (!path.startsWith('/mq/queue/')) return undefined
    if (method === 'POST') {
      queue.push(body)
      return {}
    }
    const session = path.split('jsessionId=')[1]
    const own = (session && sessions.get(session)) || []
    if (session) sessions.set(session, own)
    own.push(...queue.splice(0, (session ? buffer : 1) - own.length))
    const message = own.shift() ?? (shares ? given[0] : undefined)
    if (message === undefined) return { status: 204 }
    given.push(message)
    if (drops) own.length = 0
    return { body: message }
  }
  return broker
}

t.test('sessions that keep messages in a buffer share none, and give all', async (t) => {
  const outcomes = async (kind: Parameters<typeof pathWith>[0]) => {
    await using broker = await pathWith(kind)
    return await outcomeAt(broker, SINGLE_PATH_ROWS, 'single-path.sessions', {
      features: { 'single-path': true },
    })
  }
  t.equal(await outcomes({}), undefined)
  t.equal(await outcomes({ buffer: 2 }), undefined)
  t.equal(await outcomes({ buffer: 100 }), undefined)
  t.match(await outcomes({ shares: true }), { at: { clause: 'single-path.another' } })
  t.match(await outcomes({ buffer: 3, drops: true }), { at: { clause: 'single-path.consume' } })
})
