import t from 'tap'
import type { Check } from '../trial/check.js'
import { skipReason } from './probe.js'

const check = (id: string, passesTime = false) => ({ id, passesTime }) as Check

t.test('only what needs the unseen cannot be asked', async (t) => {
  t.equal(skipReason({ unseen: {} })(check('subscribe.create', true)), undefined)
  const createQueue = skipReason({ unseen: { createQueue: 'q' } })
  t.equal(createQueue(check('queues.create')), 'q')
  t.equal(createQueue(check('subscribe.create', true)), undefined)
  for (const unseen of [{ destination: 'd' }, { destination: 'd', prefetch: 'p' }]) {
    const why = skipReason({ unseen })
    t.equal(why(check('subscribe.create')), 'd')
    t.equal(why(check('lease.x', true)), 'd')
    t.equal(why(check('queues.create')), undefined)
  }
  const prefetch = skipReason({ unseen: { prefetch: 'p' } })
  t.equal(prefetch(check('subscribe.create')), undefined)
  t.equal(prefetch(check('lease.x', true)), undefined)
  const lease = skipReason({ unseen: { lease: 'l' } })
  t.equal(lease(check('lease.x', true)), 'l')
  t.equal(lease(check('lease.y')), undefined)
  t.equal(lease(check('subscribe.create')), undefined)
})
