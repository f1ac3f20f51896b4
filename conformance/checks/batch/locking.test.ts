import t from 'tap'
import type { Check } from '../../trial/check.js'
import { brokerBehind, outcomeAt } from '../alternatives.test.helper.js'
import { BATCH_CHOICES } from './choices.js'
import { BATCH } from './locking.js'

/** The batch mapping, whose consumers are those of `/subscribe`, or subscriptions, beside one-at-a-time delivery. */
const batchBroker = (areSubscriptions: boolean) =>
  brokerBehind(async (gateway, [verb, id = '', what = ''], { path, method }) => {
    if (verb === 'subscribe') return gateway.subscribe(id, what, 10)
    if (verb === 'unsubscribe') return {}
    const isNamed = gateway.has(verb === 'lockNextMessage' || verb === 'message' ? id : verb!)
    if (areSubscriptions === isNamed && /lockNextMessage|\/message\//.test(path)) return { status: 404 }
    if (verb === 'lockNextMessage') {
      const held = (await gateway.held(id)).slice(0, 10)
      return { body: held.map((each) => `/mq/message/${id}/${each.id}\n`).join('') }
    }
    if (verb === 'message') {
      const held = (await gateway.held(id)).find((each) => each.id === what)
      return held ? { body: held.text } : { status: 404 }
    }
    const isAck = method === 'DELETE' && id === 'messages'
    return isAck ? gateway.acknowledge(verb!, what) : undefined
  })

const asked = (id: string, areSubscriptions: boolean, checks: readonly Pick<Check, 'id' | 'run'>[] = BATCH) =>
  batchBroker(areSubscriptions).then(async (broker) => {
    await using at = broker
    return await outcomeAt(at, checks, id)
  })

t.test('the consumers of lock calls may be subscriptions, beside those of /subscribe', async (t) => {
  for (const areSubscriptions of [false, true])
    for (const id of ['batch.locks', 'batch.acknowledges', 'batch.ack-final'])
      t.equal(await asked(id, areSubscriptions), undefined, `${id}, ${areSubscriptions}`)
})

t.test('that /subscribe makes no consumer of lock calls differs from the reference', async (t) => {
  t.equal(await asked('batch.consumers', false, BATCH_CHOICES), undefined)
  t.match(await asked('batch.consumers', true, BATCH_CHOICES), { seen: 'it did not come' })
})
